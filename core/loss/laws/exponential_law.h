// A law whose density is an exponential of the loss.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/loss/laws/law.h"

namespace epsilometer {

/// The density e^{l/2 + log_scale} on [-range, range], point masses at its ends, and infinite losses.
class ExponentialLaw final : public Law {
 public:
  /// range > 0.
  ExponentialLaw(double range, double log_scale, std::vector<Atom> atoms, double infinite_mass = 0)
      : range_(range), log_scale_(log_scale), atoms_(std::move(atoms)), infinite_(infinite_mass) {}

  std::vector<Atom> atoms() const override { return atoms_; }
  double infinite_mass() const override { return infinite_; }
  double lowest_x() const override { return -range_; }
  double highest_x() const override { return range_; }
  double loss(double x) const override { return x; }
  double x_at(double loss) const override { return std::clamp(loss, -range_, range_); }
  double slope(double) const override { return 1; }
  double log_density(double x) const override { return x / 2 + log_scale_; }
  std::optional<double> exponential() const override { return log_scale_; }
  double log_slope_bound(double, double) const override { return 1.5; }
  double length_scale() const override { return std::min(1.0, range_); }
  double analytic_halfwidth() const override { return std::numeric_limits<double>::infinity(); }
  int max_modes() const override { return 1; }
  // The slope does not tell how large the terms are: a loss is rounded where it is placed, where the density
  // adds it up, and in what a sample makes of it; the logarithm is right to 8u of its size.
  double rounding(double, double) const override { return 2 * (range_ + std::abs(log_scale_)); }
  // The whole support matters for any use; a bound of 1 inside it is enough.
  double log_above(double x) const override {
    return x < range_ ? 0 : -std::numeric_limits<double>::infinity();
  }
  double log_below(double x) const override {
    return x > -range_ ? 0 : -std::numeric_limits<double>::infinity();
  }

 private:
  double range_, log_scale_;
  std::vector<Atom> atoms_;
  double infinite_;
};

}  // namespace epsilometer
