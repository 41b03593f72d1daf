// The exponential mechanism, or anything of bounded range eta: the loss lies in a window [t - eta, t]. The
// two-point losses {t, t - eta} are the worst of the class. Dong, Durfee and Rogers 2020, Lemma 3.4; their
// supremum over t taken in closed form.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/laws/exponential_law.h"
#include "core/loss/pair_loss.h"

namespace epsilometer::mechanisms {
namespace {

// S(y) = log(sinh(y/2) / (y/2)) grows like y^2/24, then like y/2 - log y.
double log_sinh_ratio(double y) { return y / 2 + std::log1p(-std::exp(-y)) - std::log(y); }

// S'(y) = coth(y/2)/2 - 1/y, by its Taylor series where the two parts cancel (next term: 2e-18 of the sum).
double log_sinh_ratio_slope(double y) {
  if (y > 1) return 0.5 / std::tanh(y / 2) - 1 / y;
  const double square = y * y;
  double sum = 0;
  for (const double coefficient : {5.5090028283602295e-18, -2.174868698558062e-16, 8.586062056277845e-15,
                                   -3.3896802963225827e-13, 1.3382536530684679e-11, -5.284190138687493e-10,
                                   1.0 / 47900160, -1.0 / 1209600, 1.0 / 30240, -1.0 / 720, 1.0 / 12}) {
    sum = sum * square + coefficient;
  }
  return sum * y;
}

// S(low + length) - S(low) without cancellation, for low >= 0 and length > 0.
double log_sinh_ratio_growth(double low, double length) {
  const auto smooth = [low](double part) {
    const auto slope = [low](double along) { return log_sinh_ratio_slope(low + along); };
    return boost::math::quadrature::gauss<double, 20>::integrate(slope, 0.0, part);
  };
  if (length <= 2) return smooth(length);
  if (low > 40) return length / 2 - std::log1p(length / low);
  if (low >= 1) return log_sinh_ratio(low + length) - log_sinh_ratio(low);
  return smooth(1) + log_sinh_ratio(low + length) - log_sinh_ratio(low + 1);
}

class BoundedRangeLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  explicit BoundedRangeLoss(double range) : range_(range) {}

  // (e^{eta/2} - e^{epsilon/2})^2 / (e^eta - 1) for |epsilon| <= eta.
  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }

  Bounds delta_between(DoubleDouble epsilon) const override {
    const double gap = (DoubleDouble{range_} - epsilon).hi;
    if (gap <= 0) return {0, 0};
    if (epsilon.hi <= -range_) return probability(-std::expm1(epsilon.hi));
    const double half = std::expm1(-gap / 2);
    return probability(half * (half / -std::expm1(-range_)));
  }

  // The window that puts probability x on its larger loss under Q is the best at x.
  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    return probability(false_positive / (std::exp(-range_) - false_positive * std::expm1(-range_)));
  }

  // At the worst window log E e^{tL} = a S(a eta) - t S(t eta) - S(eta), a = t + 1: here as two growths of S.
  double renyi(double order) const override {
    if (range_ < tiny_loss) return renyi_of_tiny(order, range_ / 2);
    const double t = order - 1;
    const double shift = log_sinh_ratio_growth(t * range_, range_);
    const double growth = log_sinh_ratio_growth(range_, t * range_) / t;
    // The slope cancels by a factor of 13 at y = 1, the differences of S by one of 20; never above eta.
    return std::min(range_, rounded_up(shift + growth, 4 * rounding_margin));
  }

  // log of E e^{tL} = sinh((t + 1/2) eta) / ((2t + 1) sinh(eta/2)) for the density e^{l/2} of law().
  double pair_renyi(double order) const override {
    if (range_ < tiny_loss) return renyi_of_tiny(order, range_);
    const double t = order - 1;
    // log sinh(y/2)/(y/2) at (2t + 1) eta less that at eta.
    return std::min(range_,
                    rounded_up(log_sinh_ratio_growth(range_, 2 * t * range_) / t, 4 * rounding_margin));
  }

  // A score moves by so many times the sensitivity, and ranges add up.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    return std::make_shared<BoundedRangeLoss>(upward(two_product(range_, ahead + behind)));
  }
  bool groups_by_number() const override { return true; }

  double largest_loss() const override { return range_; }
  std::optional<double> range() const override { return range_; }

  // E e^{theta L} = e^{theta t} (A - B e^t) / (e^eta - 1) with A = e^eta - e^{-theta eta} and B = 1 -
  // e^{-theta eta} is largest at e^t = theta A / ((1 + theta) B).
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    if (range_ == 0) return std::make_shared<PairLoss>(law(Direction::remove), law(Direction::add));
    const double fade = -std::expm1(-tilt * range_), grown = -std::expm1(-(1 + tilt) * range_);
    const double best = range_ + std::log(tilt * grown / ((1 + tilt) * fade));
    // Where the product of the tilt and the range underflows, the middle is.
    const double top = std::isfinite(best) ? std::clamp(best, 0.0, range_) : range_ / 2;
    return std::make_shared<PairLoss>(window(top), window(range_ - top));
  }

  // The pair with the density e^{l/2} / (4 sinh(eta/2)) on [-eta, eta] has the profile of the class, and is
  // no mechanism of it: every epsilon has another worst window.
  std::shared_ptr<const Law> law(Direction) const override {
    if (range_ == 0) return std::make_shared<AtomicLaw>(std::vector<Atom>{{0, 1}}, 0);
    const double log_scale = -range_ / 2 - std::log(-2 * std::expm1(-range_));
    return std::make_shared<ExponentialLaw>(range_, log_scale, std::vector<Atom>{});
  }

  // Cesar and Rogers 2021, Lemma 3.2: eta-bounded range is eta^2/8-concentrated.
  std::optional<double> concentrated() const override {
    return rounded_up(std::min(range_, range_ * range_ / 8));
  }

 private:
  // The losses top and top - eta alone, top in [0, eta].
  std::shared_ptr<const Law> window(double top) const {
    const double whole = -std::expm1(-range_);
    const double upper = -std::expm1(top - range_) / whole,
                 lower = std::exp(-range_) * std::expm1(top) / whole;
    std::vector<Atom> atoms;
    if (upper > 0) atoms.push_back({top, upper});
    if (lower > 0) atoms.push_back({top - range_, lower});
    return std::make_shared<AtomicLaw>(std::move(atoms), 0);
  }

  double range_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> exponential(const Description& description) {
  return std::make_shared<BoundedRangeLoss>(description.number("epsilon", 0, 1e100));
}

}  // namespace epsilometer::mechanisms
