#include "core/loss/mixing_loss.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

// e^w - 1 - w >= 0, by its series where that cancels (next term: 1e-19 of the sum).
double exponential_excess(double w) {
  if (std::abs(w) > 0.5) return std::expm1(w) - w;
  double sum = 1;
  for (double n = 16; n > 2; --n) sum = 1 + sum * w / n;
  return sum * w * w / 2;
}

// In x = +-log(S/a)/2 both the density and the loss are entire: S = a e^{2x} with the row, S = a e^{-2x}
// without.
class MixingLaw final : public Law {
 public:
  MixingLaw(double a, double log_peak, double sign, double base, double rate)
      : a_(a), log_peak_(log_peak), sign_(sign), base_(base), rate_(rate) {}

  double loss(double x) const override { return base_ + sign_ * rate_ * std::expm1(2 * sign_ * x); }
  double x_at(double loss) const override {
    const double grown = std::max(-1.0, sign_ * (loss - base_) / rate_);
    return sign_ * std::log1p(grown) / 2;
  }
  double slope(double x) const override { return 2 * rate_ * std::exp(2 * sign_ * x); }
  double log_density(double x) const override { return log_peak_ - a_ * exponential_excess(2 * sign_ * x); }
  double log_slope_bound(double from, double to) const override {
    // Where the density is below e^-2000, no accuracy is needed.
    const double widest = std::exp(2 * std::max(sign_ * from, sign_ * to));
    return std::min(2 * a_ * std::max(1.0, widest) + 2 * rate_ * widest, 4e4 + 40 * (a_ + rate_));
  }
  double length_scale() const override { return 0.5 / std::sqrt(a_); }
  // Chernoff: P(S > s) and P(S < s) are at most e^{-a (s/a - 1 - log(s/a))} on the far side of a.
  double log_above(double x) const override { return chernoff(x, 1); }
  double log_below(double x) const override { return chernoff(x, -1); }

 private:
  double chernoff(double x, double side) const {
    return side * x <= 0 ? 0 : -a_ * exponential_excess(2 * sign_ * x) * (1 - 1e-13);
  }

  double a_, log_peak_, sign_, base_, rate_;
};

// The difference of two probabilities that lie on both sides of a, the larger one at `distance` and the
// smaller one at `other`, is 1 up to (weight)(1/|distance| + 1/|other|): where that is nothing, and the
// integral would lose digits.
bool is_certain(double weight, DoubleDouble distance, DoubleDouble other) {
  return weight * (1 / std::abs(distance.hi) + 1 / std::abs(other.hi)) < unit_roundoff;
}

// Both curves are concave, so an error in the false-positive rate is at most the same relative error in the
// power.
Bounds between(double lower, double upper) {
  return {probability(lower, 4 * gamma_margin).lower, probability(upper, 4 * gamma_margin).upper};
}

// Where a decreasing function of the distance from a, which is above -a and below `farthest`, falls to the
// level; or the other way round, where `farthest` is a.
template <class Tail>
Crossing threshold(const Tail& tail, double level, double a, double farthest) {
  const double nearest = farthest == a ? -infinite : -a;
  double step = std::sqrt(a), low = 0, high = 0;
  for (; low > nearest && tail(low) <= level; step *= 2) low = std::max(nearest, low - step);
  for (step = std::sqrt(a); high < farthest && tail(high) > level; step *= 2)
    high = std::min(farthest, high + step);
  return refine(tail, level, low, high);
}

}  // namespace

MixingLoss::MixingLoss(double size, double gamma)
    : size_(size),
      gamma_(gamma),
      a_(size / 2),
      tail_(a_),
      // -a log(1 - 1/gamma) > 0
      constant_(DoubleDouble{-a_} * log_one_plus(DoubleDouble{-1} / DoubleDouble{gamma})) {}

Bounds MixingLoss::delta(double epsilon) const {
  const Bounds removing = delta_removing(std::abs(epsilon)), adding = delta_adding(std::abs(epsilon));
  const Bounds worse{std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
  if (epsilon >= 0) return worse;
  return mirrored(worse, epsilon);
}

Bounds MixingLoss::power(double false_positive) const {
  if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
  const Bounds removing = power_removing(false_positive), adding = power_adding(false_positive);
  return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
}

// E e^{tL} of a gamma variable: with the row (1-1/gamma)^{at} (1 - t/(gamma-1))^{-a}, finite for t < gamma -
// 1; without (1-1/gamma)^{-at} (1 + t/gamma)^{-a}.
Bounds MixingLoss::renyi(Direction direction, double order) const {
  const bool removes = direction == Direction::remove;
  if (removes && order >= gamma_) return {infinite, infinite};
  const DoubleDouble t = DoubleDouble{order} - DoubleDouble{1}, a{a_}, gamma{gamma_};
  const DoubleDouble grown = removes ? -t / (gamma - DoubleDouble{1}) : t / gamma;
  const DoubleDouble part = a * log_one_plus(grown) / t;
  const double value = (removes ? -part - constant_ : constant_ - part).hi;
  // The two parts agree to a share of 1/gamma, of which double-doubles leave 2^-90 gamma.
  const double margin = rounding_margin + 0x1p-90 * gamma_ / std::min(1.0, t.hi);
  return {rounded_down(value, margin), rounded_up(value, margin)};
}

double MixingLoss::renyi(double order) const {
  return std::max(renyi(Direction::remove, order).upper, renyi(Direction::add, order).upper);
}

std::shared_ptr<const Law> MixingLoss::law(Direction direction) const {
  const double log_peak = std::log(2 * tail_.weight({0}));
  const DoubleDouble scale{direction == Direction::remove ? gamma_ - 1 : gamma_};
  const DoubleDouble rate = DoubleDouble{a_} / scale;
  if (direction == Direction::remove) {
    return std::make_shared<MixingLaw>(a_, log_peak, 1, (rate - constant_).hi, rate.hi);
  }
  return std::make_shared<MixingLaw>(a_, log_peak, -1, (constant_ - rate).hi, rate.hi);
}

std::shared_ptr<const PrivacyLoss> MixingLoss::composed(const std::vector<Repeated>& parts) const {
  double size = 0;
  for (const Repeated& part : parts) size += part.count * part.loss->family().amounts[0];
  return size <= 1e15 ? std::make_shared<MixingLoss>(size, gamma_) : nullptr;
}

// L > epsilon where S > s; under the other table where S > s gamma/(gamma-1), and the two densities there
// agree.
Bounds MixingLoss::delta_removing(double epsilon) const {
  const DoubleDouble whole = DoubleDouble{epsilon} + constant_, gamma{gamma_}, a{a_};
  if (!(whole.hi * gamma_ < 1e290)) return {0, std::numeric_limits<double>::denorm_min()};
  const DoubleDouble distance = whole * (gamma - DoubleDouble{1}) - a;
  const double weight = tail_.weight(distance);
  if (distance.hi < 0 && is_certain(weight, distance, whole * gamma - a)) return {1 - 2 * unit_roundoff, 1};
  if (weight == 0) return {0, std::numeric_limits<double>::denorm_min()};
  return probability(weight * tail_.above(distance, whole.hi), gamma_margin);
}

// L > epsilon where S < s; under the other table where S < s (1 - 1/gamma).
Bounds MixingLoss::delta_adding(double epsilon) const {
  const DoubleDouble whole = constant_ - DoubleDouble{epsilon}, gamma{gamma_}, a{a_};
  if (whole.hi <= 0) return {0, 0};
  const DoubleDouble distance = whole * gamma - a;
  const double weight = tail_.weight(distance);
  const DoubleDouble other = whole * (gamma - DoubleDouble{1}) - a;
  if (distance.hi > 0 && is_certain(weight, distance, other)) return {1 - 2 * unit_roundoff, 1};
  if (weight == 0) return {0, std::numeric_limits<double>::denorm_min()};
  // Close to the largest loss the place itself is in doubt.
  const double doubt = 0x1p-90 * (a_ + 1) * (epsilon / whole.hi + 1);
  return probability(weight * tail_.below(distance, whole.hi), gamma_margin + doubt);
}

// Rejects S > s, which is S > s (1 - 1/gamma) in units of P.
Bounds MixingLoss::power_removing(double x) const {
  const DoubleDouble one_less = DoubleDouble{gamma_} - DoubleDouble{1}, a{a_};
  const auto hit = [&](double distance) {
    return tail_.upper((DoubleDouble{distance} * one_less - a) / DoubleDouble{gamma_});
  };
  const Crossing found =
      threshold([this](double distance) { return tail_.upper({distance}); }, x, a_, infinite);
  return between(hit(found.above), hit(found.below));
}

// Rejects S < s, which is S < s gamma/(gamma-1) in units of P.
Bounds MixingLoss::power_adding(double x) const {
  const DoubleDouble one_less = DoubleDouble{gamma_} - DoubleDouble{1}, gamma{gamma_}, a{a_};
  // Near 0 the density is a power of s, and both probabilities are in one ratio.
  const double smallest = 1e-20 * one_less.hi / gamma_;
  if (tail_.lower(two_sum(-a_, smallest)) >= x) return probability(x * exponential(constant_));
  if (tail_.lower({-a_ / 2}) > x) {
    const auto hit = [&](double w) { return tail_.lower(DoubleDouble{std::exp(-w)} * gamma / one_less - a); };
    const auto miss = [&](double w) { return tail_.lower(two_sum(-a_, std::exp(-w))); };
    const Crossing found = refine(miss, x, -std::log(a_ / 2), -std::log(smallest));
    return between(hit(found.above), hit(found.below));
  }
  const auto hit = [&](double nearer) { return tail_.lower((a - DoubleDouble{nearer} * gamma) / one_less); };
  const Crossing found = threshold([this](double nearer) { return tail_.lower({-nearer}); }, x, a_, a_);
  return between(hit(found.above), hit(found.below));
}

}  // namespace epsilometer
