// The loss of N(mu, 1) against N(0, 1) as a law: mu^2/2 + mu z with z standard normal under P.
#pragma once

#include <cmath>

#include "core/loss/laws/law.h"
#include "core/numerics/normal.h"

namespace epsilometer {

class GaussianLaw final : public Law {
 public:
  /// mu > 0.
  explicit GaussianLaw(double mu) : mu_(mu) {}

  double loss(double z) const override { return mu_ * mu_ / 2 + mu_ * z; }
  double x_at(double loss) const override { return loss / mu_ - mu_ / 2; }
  double slope(double) const override { return mu_; }
  double log_density(double z) const override { return -z * z / 2 - 0.91893853320467274; }
  double log_slope_bound(double from, double to) const override {
    return std::max(std::abs(from), std::abs(to)) + mu_;
  }
  double length_scale() const override { return 1; }
  double analytic_halfwidth() const override { return std::numeric_limits<double>::infinity(); }
  int max_modes() const override { return 1; }
  double gaussian() const override { return mu_; }
  double log_above(double z) const override { return log_normal_upper_tail(z); }
  double log_below(double z) const override { return log_normal_upper_tail(-z); }

 private:
  double mu_;
};

}  // namespace epsilometer
