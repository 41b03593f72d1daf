// Two-sided geometric noise, p(x) ~ e^{-|x|/b} on the integers, on a count of whole sensitivity Delta:
// Ghosh, Roughgarden and Sundararajan 2009. The losses are (Delta - 2x)/b for x = 0..Delta, with probability
// 1/(1+e^{-1/b}) at x = 0 and tanh(1/(2b)) e^{-x/b} between.
#include <algorithm>
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/privacy_loss.h"
#include "core/numerics/double_double.h"

namespace epsilometer::mechanisms {
namespace {

class DiscreteLaplaceLoss final : public KnownPair {
 public:
  static constexpr double largest_sensitivity = 1e4;

  DiscreteLaplaceLoss(double sensitivity, double scale)
      : sensitivity_(sensitivity), scale_(scale), step_(1 / scale), ratio_(over_scale(sensitivity)) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }

  Bounds delta_between(DoubleDouble epsilon) const override {
    // x has a loss above epsilon while x < level. An atom on the border adds nothing, on either side of it.
    if (!std::isfinite(epsilon.hi * scale_))
      return epsilon.hi > 0 ? Bounds{0, 0} : Bounds{1 - unit_roundoff, 1};
    const DoubleDouble product = epsilon * DoubleDouble{scale_};
    const DoubleDouble twice = DoubleDouble{sensitivity_} - product;
    if (twice.hi <= 0) return {0, 0};
    const DoubleDouble level{twice.hi / 2, twice.lo / 2};
    if (level.hi > sensitivity_) return probability(-std::expm1(epsilon.hi));
    const double last = std::ceil(level.hi) - 1;
    const double gap = 2 * (level - DoubleDouble{last}).hi / scale_;
    return probability(-std::expm1(-last / scale_) +
                       std::exp(-last / scale_) * -std::expm1(-gap) / (1 + std::exp(-step_)));
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    // Reject x = 0..last for certain and last + 1 at random: segments of a concave curve, which is the least
    // of them. Rounding may shift `last` by one, so its neighbours are asked too.
    const double spread = 1 + std::exp(-step_);
    const double reach = std::floor(sensitivity_ + scale_ * std::log(false_positive * spread));
    double least = 1;
    for (const double shift : {-1.0, 0.0, 1.0}) {
      const double last = std::clamp(reach + shift, -1.0, sensitivity_ - 1);
      double hit = 0, false_hit = 0;
      if (last >= 0) {
        hit = 1 - std::exp(-(last + 1) / scale_) / spread;
        false_hit = exponential(over_scale(last - sensitivity_)) / spread;
      }
      const double odds = exponential(over_scale(sensitivity_ - 2 * (last + 1)));
      least = std::min(least, hit + (false_positive - false_hit) * odds);
    }
    return probability(least);
  }

  double renyi(double order) const override {
    // E e^{tL} - 1 = sum over positive losses l of p(l) (e^{tl} - 1)(1 - e^{-(1+t)l}): pairing l with -l
    // leaves positive terms only, which fall with x. For large exponents e^{t l_0} is taken out.
    const double t = order - 1, top = sensitivity_ / scale_;
    if (top < tiny_loss) return renyi_of_tiny(order, largest_loss());
    const bool large = t * top > 30;
    double sum = large ? std::exp(-t * top) : 0, terms = 0;
    for (double x = 0; 2 * x < sensitivity_; ++x, ++terms) {
      const double mass = x == 0 ? 1 / (1 + std::exp(-step_)) : std::tanh(step_ / 2) * std::exp(-x / scale_);
      const double loss = (sensitivity_ - 2 * x) / scale_;
      const double growth =
          large ? std::exp(t * (loss - top)) * -std::expm1(-t * loss) : std::expm1(t * loss);
      const double term = mass * growth * -std::expm1(-order * loss);
      sum += term;
      if (term * (sensitivity_ / 2 - x) < unit_roundoff * sum) break;
    }
    const double margin = rounding_margin + unit_roundoff * terms;
    return std::min(largest_loss(),
                    rounded_up((large ? t * top + std::log(sum) : std::log1p(sum)) / t, margin));
  }

  double largest_loss() const override { return largest_loss_of(1); }
  double largest_loss_of(double count) const override { return quotient_upward(count, sensitivity_, scale_); }

  std::optional<double> concentrated() const override { return concentrated_of_pure(ratio_.hi); }

  bool composes() const override { return true; }

  // The noise is log-concave: the further it is moved, the more it tells.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    const double moved = sensitivity_ * (ahead + behind);
    return moved > largest_sensitivity ? nullptr : std::make_shared<DiscreteLaplaceLoss>(moved, scale_);
  }
  bool groups_by_number() const override { return true; }

  std::shared_ptr<const Law> law(Direction) const override {
    std::vector<Atom> atoms;
    const double end = 1 / (1 + std::exp(-step_));
    for (double x = sensitivity_; x >= 0; --x) {
      const double weight = x == 0 || x == sensitivity_ ? end : std::tanh(step_ / 2);
      atoms.push_back({(sensitivity_ - 2 * x) / scale_, weight * exponential(over_scale(-x))});
    }
    const LossLattice lattice{ratio_.hi, 2 / scale_, -static_cast<std::int64_t>(sensitivity_)};
    return std::make_shared<AtomicLaw>(std::move(atoms), 0, lattice);
  }

 private:
  DoubleDouble over_scale(double value) const { return DoubleDouble{value} / DoubleDouble{scale_}; }

  double sensitivity_, scale_, step_;
  DoubleDouble ratio_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> discrete_laplace(const Description& description) {
  return std::make_shared<DiscreteLaplaceLoss>(
      description.whole("sensitivity", 1, DiscreteLaplaceLoss::largest_sensitivity),
      description.scale("scale"));
}

}  // namespace epsilometer::mechanisms
