// Laplace noise of scale b on a query of L1 sensitivity Delta, e0 = Delta / b. Dwork, McSherry, Nissim and
// Smith 2006; profile: Balle, Barthe and Gaboardi 2020, Theorem 3. The loss has atoms of 1/2 at e0 and
// e^{-e0}/2 at -e0 and the density e^{(l - e0)/2}/4 between.
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/loss/laws/exponential_law.h"
#include "core/loss/privacy_loss.h"
#include "core/numerics/double_double.h"

namespace epsilometer::mechanisms {
namespace {

class LaplaceLoss final : public KnownPair {
 public:
  /// Of so many records, each of which moves the answer by the sensitivity.
  LaplaceLoss(double records, double sensitivity, double scale)
      : records_(records),
        sensitivity_(sensitivity),
        scale_(scale),
        moved_(two_product(records, sensitivity)),
        ratio_(moved_ / DoubleDouble{scale}) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }

  Bounds delta_between(DoubleDouble epsilon) const override {
    const double gap = distance_to_largest(epsilon);
    if (gap <= 0) return {0, 0};
    // Where both forms meet, at -e0, they are equal; rounding may take either.
    return probability(epsilon.hi < -ratio_.hi ? -std::expm1(epsilon.hi) : -std::expm1(-gap / 2));
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const double shrink = exponential(-ratio_);
    if (false_positive <= shrink / 2) return probability(false_positive * exponential(ratio_));
    if (false_positive <= 0.5) return probability(1 - shrink / (4 * false_positive));
    return probability(1 - shrink * (1 - false_positive));
  }

  double renyi(double order) const override {
    const double t = order - 1, e0 = ratio_.hi;
    if (e0 < tiny_loss) return renyi_of_tiny(order, largest_loss());
    return std::min(largest_loss(), rounded_up(cumulant(t, e0) / t));
  }

  double largest_loss() const override { return largest_loss_of(1); }
  double largest_loss_of(double count) const override {
    return quotient_upward(upward(two_product(count, records_)), sensitivity_, scale_);
  }

  std::optional<double> concentrated() const override { return concentrated_of_pure(ratio_.hi); }

  bool composes() const override { return true; }

  // The noise is log-concave: the further it is moved, the more it tells.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    return std::make_shared<LaplaceLoss>(records_ * (ahead + behind), sensitivity_, scale_);
  }
  bool groups_by_number() const override { return true; }

  std::shared_ptr<const Law> law(Direction) const override {
    const double e0 = ratio_.hi;
    std::vector<Atom> atoms{{e0, 0.5}, {-e0, std::exp(-e0) / 2}};
    return std::make_shared<ExponentialLaw>(e0, -e0 / 2 - std::log(4.0), std::move(atoms));
  }

 private:
  // m Delta / b - epsilon with full relative accuracy: the rounding of Delta / b would swamp a small
  // difference.
  double distance_to_largest(DoubleDouble epsilon) const {
    const double product = epsilon.hi * scale_;
    if (!std::isfinite(product)) return -product;
    return (moved_ - epsilon * DoubleDouble{scale_}).hi / scale_;
  }

  // log E e^{tL} = log (((t+1) e^{t e0} + t e^{-(t+1) e0}) / (2t+1)), of which 1 is taken off as an integral
  // of positive terms where the two parts would cancel.
  static double cumulant(double t, double e0) {
    if (t * e0 > 30) return t * e0 + std::log(((t + 1) + t * std::exp(-(2 * t + 1) * e0)) / (2 * t + 1));
    if ((t + 0.5) * e0 > 1) {
      return std::log1p(((t + 1) * std::expm1(t * e0) + t * std::expm1(-(t + 1) * e0)) / (2 * t + 1));
    }
    const auto growth = [t](double s) { return 2 * std::exp(-s / 2) * std::sinh((t + 0.5) * s); };
    const double integral = boost::math::quadrature::gauss<double, 20>::integrate(growth, 0.0, e0);
    return std::log1p(t * (t + 1) / (2 * t + 1) * integral);
  }

  double records_, sensitivity_, scale_;
  DoubleDouble moved_, ratio_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> laplace(const Description& description) {
  return std::make_shared<LaplaceLoss>(1, description.scale("sensitivity"), description.scale("scale"));
}

}  // namespace epsilometer::mechanisms
