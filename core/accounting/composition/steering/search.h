// Which sums are tried for a question, in which order and how finely: heuristic, no guarantee. What it
// answers is proven all the same, by the sums themselves and by certificate.h, its only ways to an interval.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/accounting/composition/contour.h"
#include "core/accounting/composition/steering/steering.h"
#include "core/accounting/composition/tilted_sum.h"
#include "core/accounting/composition/uneven_sum.h"
#include "core/base/bounds.h"

namespace epsilometer {

class Search {
 public:
  explicit Search(const std::vector<RepeatedLaw>& laws);

  /// How long an enumeration may take, which spares the search.
  double patience() const { return steering_.patience(); }

  /// So many different laws that one pass must do, and the interval is as wide as it comes.
  bool has_many() const;

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta, and delta at epsilon >= 0, in intervals of the
  /// relative width `gap` if they can be.
  Bounds epsilon(double delta, double gap) const;
  Bounds delta(double epsilon, double gap) const;
  void forget() const;

  /// Whether delta(epsilon) is likely to be below `negligible` by far.
  bool seems_below(double negligible, double epsilon) const;

  const TiltChoice& tilts() const { return steering_.tilts(); }

 private:
  struct EvenPlan;

  std::optional<Contour> contour(const Tilt& tilted, const SumTarget& target, double step,
                                 double deeper) const;
  std::optional<EvenPlan> even_plan(const Tilt& tilted, const SumTarget& target, double step) const;
  double effort_of_even(const Tilt& tilted, const SumTarget& target, double step) const;
  Bounds line_epsilon(const Tilt& tilted, const SumTarget& target, double step, double delta,
                      double gap) const;
  Bounds even_epsilon(const Tilt& tilted, SumTarget target, double step, double delta, double gap,
                      Bounds best, double rival) const;
  void make_even(const Tilt& tilted, const SumTarget& target, double step, double gap, int passes,
                 const Bounds& known, double rival) const;
  Bounds uneven_epsilon(double delta, double gap, Bounds best, const Tilt& tilted, double rival,
                        double& effort_left) const;
  void make_uneven(double epsilon, double gap, const Bounds& known, double rival, double& effort_left) const;
  std::size_t more_cells(std::size_t cells, const Bounds& known, double gap, bool must_tell, double rival,
                         double& effort_left) const;
  std::optional<UnevenSum> uneven_sum(const UnevenSum::Target& target) const;

  Steering steering_;
  // All laws can be cut at uneven knots, where even steps answer badly.
  bool uneven_ = false;
  // What is smooth of all these laws is analytic, besides.
  bool analytic_ = true;
  // The integral of an earlier question about delta; the sum of one that needed it, and the losses for which
  // it serves.
  mutable std::optional<Contour> line_;
  mutable std::optional<TiltedSum> last_;
  mutable std::optional<UnevenSum> uneven_sum_;
  mutable double last_from_ = 0, last_to_ = 0, last_gap_ = 0;
};

}  // namespace epsilometer
