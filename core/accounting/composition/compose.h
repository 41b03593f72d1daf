// The profile of many releases together, certified: by listing outcomes, by an integral along a line, by
// lattice laws raised to their counts or by laws on uneven knots, whichever encloses the answer best. What is
// proven is in this folder; which of them is tried, where and how finely, is chosen in steering/ (heuristic,
// no guarantee).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/steering/search.h"
#include "core/base/bounds.h"

namespace epsilometer {

class Composer {
 public:
  /// All of one direction.
  explicit Composer(const std::vector<RepeatedLaw>& laws);

  /// So many different laws that one pass must do, and the interval is as wide as it comes.
  bool has_many() const { return search_.has_many(); }

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta, in an interval of the relative width `gap` if it
  /// can be.
  Bounds epsilon(double delta, double gap) const;
  /// For epsilon >= 0.
  Bounds delta(double epsilon, double gap) const;

  /// Whether that is likely to be below `negligible` by far. Heuristic, no guarantee.
  bool seems_below(double negligible, double epsilon) const {
    return search_.seems_below(negligible, epsilon);
  }

  /// What was found out for one epsilon serves for others near it, until it is forgotten: then the next
  /// answer is the same whatever was asked before.
  void forget() const {
    search_.forget();
    if (rest_) rest_->forget();
  }

  /// The tilt near which the losses lie that decide; for whoever has to choose one. Heuristic, no guarantee.
  double tilt_at_delta(double delta) const;
  double tilt_at_epsilon(double epsilon) const;

 private:
  double add(const RepeatedLaw& repeated);
  void leave_out(const std::vector<RepeatedLaw>& laws, const std::vector<double>& largest);
  Bounds infinite_mass() const;
  Bounds epsilon_by_rest(double delta, double gap) const;
  Bounds delta_by_rest(double epsilon, double gap) const;

  Search search_;
  // All laws but those that lose hardly anything, where there are such, and the most that those lose.
  std::unique_ptr<const Composer> rest_;
  double left_out_ = 0;
  // When there are so few outcomes that they can be listed.
  std::optional<Enumeration> enumerated_;
  // The largest finite loss of the sum, rounded up and down, and the logs of its probability and of that of a
  // finite one.
  double largest_ = 0, largest_at_least_ = 0, log_top_ = 0, log_finite_ = 0;
  // How many releases may lose infinitely much, and of a single one the probability, to the last digit.
  double infinite_releases_ = 0, only_infinite_ = 0;
  // The standard deviation of all Gaussian losses together, and the largest finite loss of all others.
  double gaussian_ = 0, others_ = 0;
  // The sizes of all largest losses together, and what may be wrong with log_top_.
  double sizes_ = 0, log_top_doubt_ = 0;
};

}  // namespace epsilometer
