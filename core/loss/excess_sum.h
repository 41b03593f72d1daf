// A Renyi divergence of order a as a sum of positive terms: E_Q[r^a] - 1 = E_Q[r^a - 1 - a (r - 1)] for r =
// dP/dQ.
#pragma once

#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/tangent_excess.h"

namespace epsilometer {

class ExcessSum {
 public:
  explicit ExcessSum(double order) : t_(order - 1) {}

  /// An outcome of the loss log r, and the logarithm of its weight under Q.
  void add(double log_weight, double log_r) {
    const double power = (t_ + 1) * log_r;
    const bool large = power > 1;
    const double exponent = large ? log_weight + power : log_weight;
    if (exponent > peak_ + 300) {
      sum_ *= std::exp(peak_ - exponent);
      peak_ = exponent;
    }
    const double factor = large ? tangent_excess_share(t_, log_r) : tangent_excess(t_, log_r);
    sum_ += factor * std::exp(exponent - peak_);
  }

  /// Rounded up, where the sum may be off by this, relative to itself and absolutely.
  double divergence(double relative, double absolute) const {
    const double sum = sum_ * (1 + relative + rounding_margin) + absolute * std::exp(-peak_);
    const double whole = peak_ > 0 ? peak_ + std::log(sum + std::exp(-peak_)) : std::log1p(sum);
    return rounded_up(whole / t_);
  }

 private:
  // The sum is e^peak sum.
  double t_, peak_ = 0, sum_ = 0;
};

}  // namespace epsilometer
