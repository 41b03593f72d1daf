#include "core/loss/ramp.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/loss/gaussian_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// The loss base + slope x, where x >= 0 has `sides` times the normal density; the rest of the mass is at the
// base.
class RampLaw final : public Law {
 public:
  RampLaw(double base, double slope, double sides) : base_(base), slope_(slope), sides_(sides) {}

  std::vector<Atom> atoms() const override {
    return sides_ == 1 ? std::vector<Atom>{{base_, 0.5}} : std::vector<Atom>{};
  }
  double lowest_x() const override { return 0; }
  double loss(double x) const override { return base_ + slope_ * x; }
  double x_at(double loss) const override { return std::max(0.0, (loss - base_) / slope_); }
  double slope(double) const override { return slope_; }
  double log_density(double x) const override { return -x * x / 2 - log_root_two_pi + std::log(sides_); }
  double log_slope_bound(double from, double to) const override {
    return std::max(std::abs(from), std::abs(to)) + slope_;
  }
  double length_scale() const override { return 1; }
  double log_above(double x) const override {
    return log_normal_upper_tail(std::max(0.0, x)) + std::log(sides_);
  }
  double log_below(double x) const override { return x <= 0 ? -infinite : 0; }

 private:
  double base_, slope_, sides_;
};

DoubleDouble half_square(DoubleDouble x) {
  const DoubleDouble square = x * x;
  return {square.hi / 2, square.lo / 2};
}

}  // namespace

Ramp::Ramp(DoubleDouble constant, DoubleDouble slope, double sides)
    : slope_(slope), constant_(constant), base_(constant + half_square(slope)), sides_(sides) {}

double Ramp::delta(double epsilon) const {
  const double s = slope_.hi;
  if (s > 1e150) return 1;
  const DoubleDouble excess = DoubleDouble{epsilon} - base_;
  if (excess.hi < 0) {
    // 1 - E e^{-s max(z, 0)} or 1 - E e^{-s |z|}.
    const double missing = sides_ / 2 * mills_difference(0, s) / mills_ratio(0);
    return std::min(1.0, rounded_up(-std::expm1(excess.hi) + std::exp(excess.hi) * missing));
  }
  // Rounding may move the place by this much.
  const double doubt = 0x1p-90 * (std::abs(epsilon) + base_.hi) / s;
  if (excess.hi / s - doubt >= farthest_normal) return std::numeric_limits<double>::denorm_min();
  const DoubleDouble a = excess / slope_ - DoubleDouble{doubt};
  return std::min(1.0, rounded_up(sides_ * normal_density(a) * mills_difference(std::max(0.0, a.hi), s)));
}

// The likeliest ratios are those of the largest z; z > u has the false-positive rate sides e^{-constant}
// Phi(-u - s).
double Ramp::power(double x) const {
  const double rate = sides_ * exponential(-constant_), flat = rounded_down(rate * normal_upper_tail(slope_));
  if (x >= flat) {
    if (!(base_.hi < 700)) return 1;
    return std::min(1.0, rounded_up(sides_ / 2 + exponential(base_) * (x - flat)));
  }
  // A concave curve: an error in the rate is at most the same relative error in the power.
  return std::min(1.0, rounded_up(sides_ * GaussianLoss(slope_).power(x / rate).upper, 2 * rounding_margin));
}

double Ramp::renyi(double order) const {
  const double t = order - 1, w = t * slope_.hi;
  if (slope_.hi > 1e150) return infinite;
  if (w > 30) {
    return rounded_up(constant_.hi + order * slope_.hi * slope_.hi / 2 + std::log(sides_) / t);
  }
  // E e^{t s |z|} = 2 e^{w^2/2} Phi(w), from 1.
  const double grown = sides_ * (std::expm1(w * w / 2) + mills_difference(0, w) / mills_ratio(0) / 2);
  return rounded_up(base_.hi + std::log1p(grown) / t, 2 * rounding_margin);
}

std::shared_ptr<const Law> Ramp::law() const {
  return std::make_shared<RampLaw>(base_.hi, slope_.hi, sides_);
}

}  // namespace epsilometer
