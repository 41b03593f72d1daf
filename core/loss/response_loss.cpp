#include "core/loss/response_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/repeated_response_loss.h"

namespace epsilometer {

ResponseLoss::ResponseLoss(double epsilon0, double categories, double delta0)
    : ResponseLoss(epsilon0, masses_of(epsilon0, categories), delta0) {}

ResponseLoss::ResponseLoss(double epsilon0, Masses finite, double delta0)
    : epsilon0_(epsilon0),
      delta0_(delta0),
      top_(finite.top),
      middle_(finite.middle),
      bottom_(finite.bottom) {}

std::shared_ptr<const ResponseLoss> ResponseLoss::with_masses(double epsilon0, double top, double middle) {
  return std::shared_ptr<const ResponseLoss>(
      new ResponseLoss(epsilon0, Masses{top, middle, std::exp(-epsilon0) * top}, 0));
}

ResponseLoss::Masses ResponseLoss::masses_of(double epsilon0, double categories) {
  // Divided by e^e0, which may overflow.
  const double shrink = std::exp(-epsilon0), top = 1 / (1 + (categories - 1) * shrink);
  return {top, (categories - 2) * shrink * top, shrink * top};
}

Bounds ResponseLoss::delta_between(DoubleDouble epsilon) const {
  const double beyond = (epsilon - DoubleDouble{epsilon0_}).hi, at = epsilon.hi;
  if (beyond >= 0) return Bounds{delta0_, delta0_};
  double finite;
  if (at < -epsilon0_) {
    finite = -std::expm1(at);
  } else {
    finite = top_ * -std::expm1(beyond);
    if (at < 0) finite += middle_ * -std::expm1(at);
  }
  return probability(delta0_ + (1 - delta0_) * finite);
}

Bounds ResponseLoss::power(double false_positive) const {
  if (false_positive == 0) return Bounds{delta0_, delta0_};
  // A mass of delta0 is never seen under P.
  if (false_positive >= 1 - delta0_) return {1 - unit_roundoff, 1};
  const double rest = false_positive / (1 - delta0_);
  double finite;
  if (rest <= bottom_) {
    finite = rest * std::exp(epsilon0_);
  } else if (rest <= bottom_ + middle_) {
    finite = top_ + (rest - bottom_);
  } else {
    finite = 1 - std::exp(-epsilon0_) * (1 - rest);
  }
  return probability(delta0_ + (1 - delta0_) * std::min(1.0, finite));
}

double ResponseLoss::renyi(double order) const {
  if (delta0_ > 0) return std::numeric_limits<double>::infinity();
  if (epsilon0_ < tiny_loss) return renyi_of_tiny(order, epsilon0_);
  // E e^{tL} - 1 = top (e^{t e0} - 1)(1 - e^{-(1+t) e0}), without cancellation; the 0 losses drop out.
  const double t = order - 1, exponent = t * epsilon0_;
  const double fade = -std::expm1(-order * epsilon0_);
  const double cumulant =
      exponent < 30 ? std::log1p(top_ * std::expm1(exponent) * fade)
                    : exponent + std::log(top_ * -std::expm1(-exponent) * fade + std::exp(-exponent));
  return std::min(epsilon0_, rounded_up(cumulant / t));
}

std::optional<double> ResponseLoss::concentrated() const {
  if (delta0_ > 0) return std::nullopt;
  return concentrated_of_pure(epsilon0_);
}

std::shared_ptr<const Law> ResponseLoss::law(Direction) const {
  const double finite = 1 - delta0_;
  if (middle_ == 0) {
    return std::make_shared<AtomicLaw>(
        std::vector<Atom>{{-epsilon0_, finite * bottom_}, {epsilon0_, finite * top_}}, delta0_);
  }
  return std::make_shared<AtomicLaw>(
      std::vector<Atom>{{-epsilon0_, finite * bottom_}, {0, finite * middle_}, {epsilon0_, finite * top_}},
      delta0_, LossLattice{0, epsilon0_, -1});
}

// Pure releases with one common epsilon compose exactly: Kairouz, Oh and Viswanath 2015, Theorem 3.3.
Family ResponseLoss::family() const {
  return middle_ == 0 && delta0_ == 0 ? Family{"response", {epsilon0_}, {}} : Family{};
}

std::shared_ptr<const PrivacyLoss> ResponseLoss::composed(const std::vector<Repeated>& parts) const {
  double count = 0;
  for (const Repeated& part : parts) count += part.count;
  if (count > RepeatedResponseLoss::most) return nullptr;
  return std::make_shared<RepeatedResponseLoss>(epsilon0_, count);
}

}  // namespace epsilometer
