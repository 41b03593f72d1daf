// A loss of at most constant + slope^2 / 2 + slope |z|, or slope max(z, 0), z standard normal: what is known
// of objective perturbation in closed form (mechanisms/objective_perturbation.cpp).
#pragma once

#include <memory>

#include "core/loss/laws/law.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

/// What follows from such a bound, rounded up. constant >= 0, slope > 0; sides: 2 for |z|, 1 for max(z, 0).
class Ramp {
 public:
  Ramp(DoubleDouble constant, DoubleDouble slope, double sides);

  /// The mean of (1 - e^{epsilon - bound})_+.
  double delta(double epsilon) const;
  /// The largest true-positive rate at that false-positive rate.
  double power(double false_positive) const;
  double renyi(double order) const;
  std::shared_ptr<const Law> law() const;

 private:
  DoubleDouble slope_, constant_, base_;
  double sides_;
};

}  // namespace epsilometer
