// The loss mu^2/2 + mu z with z standard normal under P, of which only a part of the line is left.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/loss/laws/law.h"
#include "core/numerics/normal.h"

namespace epsilometer {

class TruncatedGaussianLaw final : public Law {
 public:
  /// mu > 0; z from -lowest to highest; `kept`: the mass of the standard normal law that all outcomes share,
  /// those with an infinite loss included.
  TruncatedGaussianLaw(double mu, double lowest, double highest, double kept, double infinite_mass)
      : mu_(mu),
        lowest_(-lowest),
        highest_(highest),
        log_density_(-0.91893853320467274 - std::log(kept)),
        log_kept_(std::log(kept)),
        infinite_(infinite_mass) {}

  double infinite_mass() const override { return infinite_; }
  double lowest_x() const override { return lowest_; }
  double highest_x() const override { return highest_; }
  double loss(double z) const override { return mu_ * mu_ / 2 + mu_ * z; }
  double x_at(double loss) const override { return std::clamp(loss / mu_ - mu_ / 2, lowest_, highest_); }
  double slope(double) const override { return mu_; }
  double log_density(double z) const override { return log_density_ - z * z / 2; }
  double log_slope_bound(double from, double to) const override {
    return std::max(std::abs(from), std::abs(to)) + mu_;
  }
  double length_scale() const override { return 1; }
  double analytic_halfwidth() const override { return std::numeric_limits<double>::infinity(); }
  int max_modes() const override { return 1; }
  double log_above(double z) const override { return z < highest_ ? tail(z) : outside; }
  double log_below(double z) const override { return z > lowest_ ? tail(-z) : outside; }

 private:
  static constexpr double outside = -std::numeric_limits<double>::infinity();
  // An upper bound; 1e-12 is more than what the logarithms lose.
  double tail(double z) const { return std::min(0.0, log_normal_upper_tail(z) - log_kept_ + 1e-12); }

  double mu_, lowest_, highest_, log_density_, log_kept_, infinite_;
};

}  // namespace epsilometer
