// How finely to cut the losses of a sum into even steps: heuristic, no guarantee.
#pragma once

#include <vector>

#include "core/accounting/composition/steering/tilt_choice.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

class StepChoice {
 public:
  explicit StepChoice(const std::vector<RepeatedLaw>& laws);

  /// The step with which epsilon is enclosed to about the relative width `gap`.
  double for_gap(const Tilt& tilt, double gap) const;
  /// The same for delta at epsilon.
  double for_gap_of_delta(const Tilt& tilt, double epsilon, double gap) const;
  /// A step of about this size, not larger, on whose lattice the extreme atoms of the weightiest law fall and
  /// the middle between them; or the spacing of all atoms, when there is nothing else.
  double aligned(double step) const;
  /// The same for one that is not smaller, where losses are on no common lattice.
  double coarsened(double least) const;

  /// The spacing of the one lattice on which all losses lie; 0 when there is none.
  double spacing() const { return spacing_; }

 private:
  double within(const Tilt& tilt, double width) const;

  double count_ = 0, spacing_ = 0;
  // Of the weightiest law with atoms: between the extreme ones, and of its lattice. 0 when there is none.
  double span_ = 0, lattice_ = 0;
};

}  // namespace epsilometer
