// How far each law of a sum is cut, which window a transform covers and along which line an integral runs:
// heuristic, no guarantee.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/accounting/composition/steering/line_plan.h"
#include "core/accounting/composition/steering/step_choice.h"
#include "core/accounting/composition/steering/tilt_choice.h"
#include "core/accounting/composition/tilted_part.h"
#include "core/accounting/composition/tilted_sum.h"

namespace epsilometer {

/// What a sum is made for: losses near epsilon where delta has about this size, with tails down to e^-depth
/// of it.
struct SumTarget {
  double epsilon, log_delta, depth;
};

class Steering {
 public:
  explicit Steering(const std::vector<RepeatedLaw>& laws) : laws_(laws), steps_(laws) {}

  const std::vector<RepeatedLaw>& laws() const { return laws_; }
  /// Looked for when they are asked for first: where outcomes are listed hardly anybody does.
  const TiltChoice& tilts() const {
    if (!tilts_) tilts_.emplace(laws_);
    return *tilts_;
  }
  const StepChoice& steps() const { return steps_; }
  /// How deep the tails of a sum are cut at least, where it would have `depth` off a lattice.
  double depth(double depth) const;
  /// How long an enumeration may take.
  double patience() const;

  /// Every law with the stretch of its losses that matters; nothing when one is not of doubles any more.
  std::vector<TiltedPart> parts(const Tilt& tilted, const SumTarget& target) const;
  /// The same without a tilt, for knots.
  std::vector<TiltedPart> untilted_parts(double log_delta) const;

  /// For losses near the tilt's centre, cut off so many powers of e deeper than most questions need; nothing
  /// on a lattice that is not too fine, where a transform is exact.
  struct Line {
    LinePlan plan;
    std::vector<TiltedPart> parts;
  };
  std::optional<Line> line(const Tilt& tilted, double log_delta, double deeper) const;
  /// The same with nothing cut off, where all laws are samples of normal noise or Gaussian.
  std::optional<Line> line_of_samples(const Tilt& tilted, double log_delta, double deeper) const;

  /// A step that would need too many points is made coarser; nothing when the numbers leave the range of
  /// doubles.
  std::optional<Window> window(const Tilt& tilted, const std::vector<TiltedPart>& parts,
                               const SumTarget& target, double step) const;

  /// How many cells a sum on uneven knots may have: a power of two.
  std::size_t most_uneven_cells() const;

  /// How long a sum takes that is made with such a window, and one with so many cells: in pairs of cells.
  double effort_of(const Window& window, const std::vector<TiltedPart>& parts) const;
  double effort_of(std::size_t cells) const;

 private:
  double count() const;
  double joins() const;
  std::optional<LinePlan> plan(const Tilt& tilted, double log_delta, double deeper) const;

  std::vector<RepeatedLaw> laws_;
  mutable std::optional<TiltChoice> tilts_;
  StepChoice steps_;
};

}  // namespace epsilometer
