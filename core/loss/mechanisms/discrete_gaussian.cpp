// Noise p(x) ~ e^{-x^2/(2 sigma^2)} on the integers, on a count of whole sensitivity Delta: Canonne, Kamath
// and Steinke 2020, The Discrete Gaussian for Differential Privacy. The losses are Delta (Delta - 2x) / (2
// sigma^2), so the best tests are x <= m.
#include <algorithm>
#include <cmath>

#include "core/loss/concentrated_loss.h"
#include "core/loss/laws/atomic_law.h"
#include "core/numerics/double_double.h"
#include "core/numerics/lattice_sum.h"

namespace epsilometer::mechanisms {
namespace {

// Beyond 41 standard deviations there is less probability than the smallest double (Canonne, Kamath and
// Steinke 2020: the tail is no heavier than that of the continuous Gaussian).
constexpr double far = 41;

// A sum keeps all digits without what lies this many standard deviations from its largest term.
constexpr double enough = 9.5;

// Sums of at most 1e5 terms or 1e3 panels, pairs of exponentials with rounded arguments.
constexpr double sum_margin = 4 * rounding_margin;

// More atoms than this are too many for a composition.
constexpr double largest_for_atoms = 1e4;

class DiscreteGaussianLoss final : public Knowing<KnownProfile, KnownLaw, Unsteady> {
 public:
  static constexpr double largest_sensitivity = 1e6;

  DiscreteGaussianLoss(double sensitivity, double sigma)
      : sensitivity_(sensitivity), sigma_(sigma), variance_(two_product(sigma, sigma)), whole_(total()) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }

  Bounds delta_between(DoubleDouble epsilon) const override {
    // x has a loss above epsilon while x < level.
    const DoubleDouble part = variance_ * epsilon / DoubleDouble{sensitivity_};
    const double reach = far * sigma_ + 2;
    if (!(part.hi - sensitivity_ / 2 < reach)) return {0, std::numeric_limits<double>::denorm_min()};
    if (!(part.hi > -1e15)) return {1 - unit_roundoff, 1};
    const DoubleDouble level = DoubleDouble{sensitivity_ / 2} - part;
    // At a level that is a whole number but for rounding, either side is a bound.
    const DoubleDouble doubt{0x1p-98 * (sensitivity_ + std::abs(part.hi))};
    const double slope = sensitivity_ / variance_.hi;
    return {rounded_down(delta_at(level - doubt, slope), sum_margin),
            std::min(1.0, rounded_up(delta_at(level + doubt, slope), sum_margin))};
  }

  // With few integers within reach, more noise may make the telling ones likelier before it makes them less
  // telling.
  std::vector<std::string> parameters() const override { return {"sigma"}; }
  std::shared_ptr<const PrivacyLoss> shrinking() const override {
    const double rho = *concentrated();
    return std::make_shared<ConcentratedLoss>(Bounds{0, rho}, std::numeric_limits<double>::infinity());
  }

  // The losses that count are positive, and largest for the smallest sigma; e^{-x^2/(2 sigma^2)} and the sum
  // of these are largest for the largest one.
  std::optional<double> delta_up_to(double factor, double epsilon) const override {
    const DiscreteGaussianLoss widest(sensitivity_, rounded_up(sigma_ * factor));
    const DoubleDouble part = variance_ * DoubleDouble{epsilon} / DoubleDouble{sensitivity_};
    const double reach = far * widest.sigma_ + 2;
    if (!(part.hi - sensitivity_ / 2 < reach)) return std::numeric_limits<double>::denorm_min();
    const DoubleDouble doubt{0x1p-98 * (sensitivity_ + std::abs(part.hi))};
    const DoubleDouble level = DoubleDouble{sensitivity_ / 2} - part + doubt;
    const double sum = widest.delta_at(level, sensitivity_ / variance_.hi);
    return std::min(1.0, rounded_up(sum * (widest.whole_ / whole_), sum_margin));
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    // Reject x - Delta = ..., last for certain and last + 1 at random. Rounding may shift `last` by one only
    // where the curve, which is continuous, agrees on both sides.
    double last = -std::ceil(far * sigma_) - 2, next = -last;
    while (next - last > 1) {
      const double middle = std::floor((last + next) / 2);
      (below(middle) <= false_positive ? last : next) = middle;
    }
    const double mass = probability_of(next);
    const double share = mass > 0 ? std::clamp((false_positive - below(last)) / mass, 0.0, 1.0) : 1;
    const double hit = below(last + sensitivity_) + share * probability_of(next + sensitivity_);
    return epsilometer::probability(std::min(1.0, hit), sum_margin);
  }

  // Completing the square: order Delta^2/(2 sigma^2) + log(Z(f)/Z(0))/t, with Z(f) the sum of e^{-(x+f)^2/(2
  // sigma^2)} and f = t Delta modulo 1. By Poisson summation Z(f) <= Z(0), and for sigma > 3 the ratio is 1
  // to 70 digits.
  double renyi(double order) const override {
    const double t = order - 1, largest = order * sensitivity_ * sensitivity_ / variance_.hi / 2;
    if (sigma_ > 3) return rounded_up(largest);
    const DoubleDouble product = two_product(t, sensitivity_);
    const double f = std::abs((product.hi - std::round(product.hi)) + product.lo);
    double around = 0, rise = 0;
    for (double x = 1; x <= enough * sigma_ + 1; ++x) {
      // e^{-x^2/(2 sigma^2)} (2 cosh(x f / sigma^2) - 2), a square, without overflow.
      around += 2 * std::exp(-x * x / variance_.hi / 2);
      const double root = std::expm1(-x * f / variance_.hi);
      rise += std::exp(-x * (x - 2 * f) / variance_.hi / 2) * root * root;
    }
    const double log_ratio = -f * f / variance_.hi / 2 + std::log1p(rise / (1 + around));
    return rounded_up(largest + std::min(0.0, log_ratio) / t, sum_margin);
  }

  // Canonne, Kamath and Steinke 2020: the discrete Gaussian is as concentrated as the continuous one.
  std::optional<double> concentrated() const override {
    return rounded_up(sensitivity_ * sensitivity_ / variance_.hi / 2);
  }

  std::optional<NormalNoise> normal_noise() const override {
    return NormalNoise{DoubleDouble{sensitivity_} / DoubleDouble{sigma_}, sigma_, whole_};
  }
  bool composes() const override { return true; }

  // The noise is log-concave: the further it is moved, the more it tells.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    const double moved = sensitivity_ * (ahead + behind);
    return moved > largest_sensitivity ? nullptr : std::make_shared<DiscreteGaussianLoss>(moved, sigma_);
  }
  bool groups_by_number() const override { return true; }

  const KnownLaw* laws() const override { return sigma_ > largest_for_atoms ? nullptr : this; }

  // What is cut is far less than the rounding of any delta of 1e-300 or more, however often it is repeated.
  std::shared_ptr<const Law> law(Direction) const override {
    std::vector<Atom> atoms;
    double reach = std::ceil(far * sigma_);
    while (probability_of(reach) == 0) --reach;
    for (double x = reach; x >= -reach; --x)
      atoms.push_back({sensitivity_ * (sensitivity_ - 2 * x) / variance_.hi / 2, probability_of(x)});
    // A little more than 3, so that the quotient of what is rounded is more than 3 as well.
    const LossLattice lattice{sensitivity_ * sensitivity_ / variance_.hi / 2, sensitivity_ / variance_.hi,
                              -static_cast<std::int64_t>(reach), sigma_ > 3.01 ? sensitivity_ / sigma_ : 0};
    return std::make_shared<AtomicLaw>(std::move(atoms), 0, lattice);
  }

 private:
  // The sum over all integers of e^{-x^2/(2 sigma^2)}.
  double total() const {
    if (sigma_ > 3) return 2.5066282746310002 * sigma_;
    double sum = 0;
    for (double x = std::ceil(enough * sigma_) + 1; x >= 1; --x)
      sum += 2 * std::exp(-x * x / variance_.hi / 2);
    return 1 + sum;
  }

  double probability_of(double x) const {
    const DoubleDouble square = two_product(x, x) / variance_;
    return exponential({-square.hi / 2, -square.lo / 2}) / whole_;
  }

  // The sum of p(x) factor(x) over x <= top. The factor lies in [0, 1], does not grow with x, and its
  // logarithm is no steeper than that of 1 - e^{-slope (top - x)}.
  template <class Factor>
  double sum_below(double top, double slope, const Factor& factor) const {
    top = std::min(top, std::ceil(enough * sigma_));
    const double heaviest = std::min(top, 0.0), variance = variance_.hi;
    const auto term = [&](double x) {
      return std::exp(-(x - heaviest) * (x + heaviest) / variance / 2) * factor(x);
    };
    const double steepest = (std::abs(heaviest) + enough * sigma_) / variance + slope;
    const double count = std::floor(2 * std::min(0.4 * sigma_, 1 / steepest));
    double sum = 0;
    if (count < 64) {
      for (double x = top, last = 1; x >= heaviest || last * (10 * sigma_ + 10) > 1e-17 * sum; --x) {
        sum += last = term(x);
      }
    } else {
      const LatticeRule rule(count);
      for (double x = top, last = 1; x >= heaviest || last > 1e-18 * sum; x -= count)
        sum += last = rule.sum(term, x);
    }
    return sum * probability_of(heaviest);
  }

  // The sum of p(x) (1 - e^{-slope (level - x)}) over x < level.
  double delta_at(DoubleDouble level, double slope) const {
    const double above = std::ceil(level.hi);
    const double top = (above == level.hi && level.lo > 0 ? above + 1 : above) - 1;
    return sum_below(top, slope,
                     [&](double x) { return -std::expm1(-slope * (level - DoubleDouble{x}).hi); });
  }

  // P(X <= x).
  double below(double x) const {
    if (x >= 0) return 1 - below(-x - 1);
    return sum_below(x, 0, [](double) { return 1; });
  }

  double sensitivity_, sigma_;
  DoubleDouble variance_;
  double whole_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> discrete_gaussian(const Description& description) {
  return std::make_shared<DiscreteGaussianLoss>(
      description.whole("sensitivity", 1, DiscreteGaussianLoss::largest_sensitivity),
      description.number("sigma", 1e-2, 1e5));
}

}  // namespace epsilometer::mechanisms
