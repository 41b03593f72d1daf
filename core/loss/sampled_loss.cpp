// Both directions of a Poisson sample: q delta_0(log(1 + (e^epsilon - 1)/q)) with the record, and the mirror
// of that without it. A sample of fixed size has the first for epsilon >= 0 and the second below.
#include "core/loss/sampled_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/loss/laws/fixed_size_law.h"
#include "core/loss/laws/mixture_law.h"
#include "core/loss/laws/subsampled_law.h"
#include "core/loss/pair_loss.h"
#include "core/loss/sampled_moment.h"
#include "core/loss/sum_loss.h"
#include "core/numerics/exponential.h"
#include "core/numerics/logarithm.h"

namespace epsilometer {
namespace {

// What exponentials, quotients and logarithms of double-doubles lose, relative to their results.
constexpr double level_error = 0x1p-92;

// 1 is nothing beside e^this.
constexpr double farthest_level = 70;

/// What both ways of sampling share: the Poisson-sampled pair in either direction.
class SampledLoss : public Knowing<KnownProfile, KnownLaw, ClassBound, Unsteady> {
 public:
  /// The base pair is symmetric and has a law; rate in (0, 1).
  SampledLoss(std::shared_ptr<const PrivacyLoss> base, double rate) : base_(std::move(base)), rate_(rate) {}

  double renyi(double order) const override {
    if (infinite_mass() > 0) return std::numeric_limits<double>::infinity();
    // Sampling never costs more than the mechanism itself: Renyi divergence is quasi-convex in the pair.
    return std::min({sampled_renyi(*base_, rate_, sampling(), order), largest_loss(), base_->renyi(order)});
  }

  double largest_loss() const override {
    const double largest = base_->largest_loss();
    if (std::isinf(largest)) return largest;
    return rounded_up(log_mixed(rate_, largest));
  }

  double infinite_mass() const override { return joined(base_->infinite_mass()); }
  double least_infinite_mass() const override { return joined(base_->least_infinite_mass()); }

  // The mixture of one mechanism's pair. Without replacement it is what two tables show in which all other
  // records are alike, and like the record on one side.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    const auto base = composing_near(base_, tilt);
    if (!base) return nullptr;
    return std::make_shared<PairLoss>(poisson_law(*base, Direction::remove),
                                      poisson_law(*base, Direction::add));
  }

  const Unsteady* unsteady() const override { return base_->unsteady() ? this : nullptr; }
  std::vector<std::string> parameters() const override { return base_->unsteady()->parameters(); }

 protected:
  virtual Sampling sampling() const = 0;

  std::shared_ptr<const Law> poisson_law(const PrivacyLoss& base, Direction direction) const {
    const Direction other = direction == Direction::remove ? Direction::add : Direction::remove;
    return std::make_shared<SubsampledLaw>(base.laws()->law(direction), base.laws()->law(other), rate_,
                                           direction == Direction::remove);
  }

  // q delta_0(log(1 + (e^epsilon - 1)/q)), by collecting terms in the supremum.
  Bounds delta_removing(double epsilon) const {
    if (epsilon > farthest_level)
      return base_delta(DoubleDouble{epsilon} - logarithm(rate_), level_error * epsilon, rate_);
    const DoubleDouble inner = exponential_minus_one({epsilon}) / DoubleDouble{rate_};
    const double rest = (DoubleDouble{1} + inner).hi;
    if (rest <= 0) return probability(-std::expm1(epsilon));
    const DoubleDouble level = log_one_plus(inner);
    const double off = level_error * (std::abs(level.hi) + std::min(1.0, std::abs(inner.hi)) / rest);
    return as_often_as_it_joins(epsilon, base_delta(level, off, rate_));
  }

  // q e^epsilon (1 + z) delta_0(-log(1 + z)) with z = (e^-epsilon - 1)/q.
  Bounds delta_adding(double epsilon) const {
    if (epsilon < -farthest_level)
      return base_delta(DoubleDouble{epsilon} + logarithm(rate_), level_error * -epsilon, 1);
    const DoubleDouble z = exponential_minus_one({-std::min(epsilon, farthest_level)}) / DoubleDouble{rate_};
    const double rest = (DoubleDouble{1} + z).hi;
    if (rest <= 0) return {0, 0};
    const DoubleDouble level = -log_one_plus(z);
    const double lost = level_error * std::min(1.0, std::abs(z.hi)) / rest;
    return as_often_as_it_joins(
        epsilon, base_delta(level, level_error * std::abs(level.hi) + lost, rate_ * std::exp(epsilon) * rest,
                            rounding_margin + lost));
  }

  // A test hits a mixture as often as its parts.
  Bounds power_removing(double x) const {
    const Bounds base = known().power(x);
    return {probability((1 - rate_) * x + rate_ * base.lower).lower,
            probability((1 - rate_) * x + rate_ * base.upper).upper};
  }

  // The base test of false-positive rate y hits the mixture at (1-q) T(y) + q y: bracketed where that is x.
  // The tests on the way to T(0) are no false positive of the base at all.
  Bounds power_adding(double x) const {
    if (x <= (1 - rate_) * known().power(0).upper) return probability(x / (1 - rate_));
    double low = 0, high = 1;
    for (int i = 0; i < 1100 && low < high; ++i) {
      const double y = low > 0 && high > 2 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
      if (y <= low || y >= high || y < 1e-300) break;
      const Bounds base = known().power(y);
      const double most = rounded_up((1 - rate_) * base.upper + rate_ * y);
      const double least = rounded_down((1 - rate_) * base.lower + rate_ * y);
      if (most <= x) {
        low = y;
      } else if (least >= x) {
        high = y;
      } else {
        break;
      }
    }
    // T(y) is also (x - q y) / (1-q), which a small q makes the sharper of the two.
    const double off = 4 * unit_roundoff * x;
    const Bounds solved{rounded_down((x - rate_ * high - off) / (1 - rate_)),
                        rounded_up((x - rate_ * low + off) / (1 - rate_))};
    return {std::max(low > 0 ? known().power(low).lower : 0, solved.lower),
            std::min(known().power(high).upper, solved.upper)};
  }

  double rate() const { return rate_; }
  const PrivacyLoss& base() const { return *base_; }
  const KnownProfile& known() const { return *base_->profile(); }

 private:
  // Rounded up to the next double: a delta is below the one exactly when it is below the other.
  double joined(double mass) const {
    const double product = rate_ * mass;
    return std::fma(rate_, mass, -product) > 0 ? std::nextafter(product, 1.0) : product;
  }

  // The base profile, scaled, at a level and with a factor that may be off by these relative and absolute
  // amounts.
  Bounds base_delta(DoubleDouble level, double off, double factor, double margin = rounding_margin) const {
    const DoubleDouble away{off};
    return {rounded_down(factor * known().delta_between(level + away).lower, margin),
            std::min(1.0, rounded_up(factor * known().delta_between(level - away).upper, margin))};
  }

  // The profile is no more than the record joins, but for a negative epsilon.
  Bounds as_often_as_it_joins(double epsilon, const Bounds& found) const {
    return epsilon < 0 ? found : Bounds{std::min(found.lower, rate_), std::min(found.upper, rate_)};
  }

  std::shared_ptr<const PrivacyLoss> base_;
  double rate_;
};

class PoissonLoss final : public SampledLoss {
 public:
  PoissonLoss(std::shared_ptr<const PrivacyLoss> base, double rate, Joining joining)
      : SampledLoss(std::move(base), rate), joining_(joining) {}

  Bounds delta(double epsilon) const override {
    const Bounds removing = delta_removing(epsilon), adding = delta_adding(epsilon);
    return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
  }

  Bounds power(double false_positive) const override {
    const Bounds removing = power_removing(false_positive), adding = power_adding(false_positive);
    return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
  }

  bool symmetric() const override { return false; }
  bool composes() const override { return base().composes(); }

  std::shared_ptr<const Law> law(Direction direction) const override {
    return poisson_law(base(), direction);
  }

  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    const auto mu = base().gaussian();
    if (joining_ != Joining::by_itself || !mu || !(*mu > 0)) return nullptr;
    const auto pair = std::make_shared<PairLoss>(std::make_shared<MixtureLaw>(*mu, rate(), ahead, behind),
                                                 std::make_shared<MixtureLaw>(*mu, rate(), behind, ahead));
    return std::make_shared<SumLoss>(std::vector<Repeated>{{pair, 1}});
  }

 protected:
  Sampling sampling() const override { return Sampling::poisson; }

 private:
  Joining joining_;
};

/// Its profile is that of Poisson sampling with the record for epsilon >= 0, without it below: two different
/// pairs of tables, so that no mechanism has the law of both halves.
class FixedSizeLoss final : public SampledLoss {
 public:
  using SampledLoss::SampledLoss;

  Bounds delta(double epsilon) const override {
    return epsilon < 0 ? delta_adding(epsilon) : delta_removing(epsilon);
  }

  // The concave hull of both directions' curves, which mirror each other: a line of slope 1 joins the points
  // where each has that slope. On the base's own curve this point is (x, 1 - x), with 1 - 2x the advantage.
  Bounds power(double false_positive) const override {
    const Bounds advantage = known().delta(0);
    const Bounds raised{rounded_down(rate() * advantage.lower), rounded_up(rate() * advantage.upper)};
    const double start = rounded_down((1 - advantage.upper) / 2);
    const double end = rounded_up((1 + advantage.upper) / 2) - raised.lower;
    if (false_positive <= start) return power_removing(false_positive);
    if (false_positive >= end) return power_adding(false_positive);
    return {std::min(1.0, rounded_down(false_positive + raised.lower)),
            std::min(1.0, rounded_up(false_positive + raised.upper))};
  }

  std::shared_ptr<const Law> law(Direction) const override {
    double rest = (1 - rate()) * known().delta(0).lower;
    for (const Atom& atom : base().laws()->law(Direction::remove)->atoms())
      rest += atom.loss == 0 ? atom.mass : 0;
    return std::make_shared<FixedSizeLaw>(poisson_law(base(), Direction::remove),
                                          poisson_law(base(), Direction::add), rest);
  }

 protected:
  Sampling sampling() const override { return Sampling::without_replacement; }
};

}  // namespace

std::shared_ptr<const PrivacyLoss> poisson_sampled(std::shared_ptr<const PrivacyLoss> base, double rate,
                                                   Joining joining) {
  return std::make_shared<PoissonLoss>(std::move(base), rate, joining);
}

std::shared_ptr<const PrivacyLoss> fixed_size_replaced(std::shared_ptr<const PrivacyLoss> base, double rate) {
  return std::make_shared<FixedSizeLoss>(std::move(base), rate);
}

}  // namespace epsilometer
