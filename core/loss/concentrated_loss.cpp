#include "core/loss/concentrated_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

// The Gaussian with mu^2/2 = rho keeps the bound; rounded down so that it certainly does.
ConcentratedLoss::ConcentratedLoss(Bounds rho, double omega, Bounds xi)
    : RenyiLoss(rounded_down(std::sqrt(2 * rho.lower), 4 * unit_roundoff)),
      rho_(rho),
      xi_(xi),
      omega_(omega) {}

// Divergences grow continuously with the order from below, so the bound holds at omega as well.
double ConcentratedLoss::renyi(double order) const {
  if (rho_.upper == 0) return 0;
  return order <= omega_ ? rounded_up(xi_.upper + rho_.upper * order, 4 * unit_roundoff)
                         : std::numeric_limits<double>::infinity();
}

double ConcentratedLoss::largest_loss() const {
  return rho_.upper == 0 ? 0 : std::numeric_limits<double>::infinity();
}

// xi <= xi * order.
std::optional<double> ConcentratedLoss::concentrated() const {
  if (!std::isinf(omega_)) return std::nullopt;
  return xi_.upper == 0 ? rho_.upper : rounded_up(xi_.upper + rho_.upper, 2 * unit_roundoff);
}

// Bun and Steinke 2016, Proposition 1.9; m records of Gaussian noise attain it. With xi or omega it says less
// than one record after the other.
std::shared_ptr<const PrivacyLoss> ConcentratedLoss::group(int ahead, int behind) const {
  if (xi_.upper > 0 || std::isfinite(omega_)) return nullptr;
  const double square = std::pow(ahead + behind, 2);
  const Bounds rho{rounded_down(square * rho_.lower), rounded_up(square * rho_.upper)};
  return std::make_shared<ConcentratedLoss>(rho_.upper == 0 ? rho_ : rho, omega_);
}

// Renyi divergences add: Bun and Steinke 2016, Lemma 1.7. The smallest omega holds for all.
std::shared_ptr<const PrivacyLoss> ConcentratedLoss::composed(const std::vector<Repeated>& parts) const {
  double omega = omega_, terms = 1;
  Bounds rho{0, 0}, xi{0, 0};
  const auto add = [](Bounds& sum, double count, double lower, double upper) {
    sum.lower += count * lower;
    sum.upper += count * upper;
  };
  for (const Repeated& part : parts) {
    const std::vector<double> other = part.loss->family().amounts;
    add(rho, part.count, other[0], other[1]);
    add(xi, part.count, other[2], other[3]);
    omega = std::min(omega, other[4]);
    ++terms;
  }
  const double margin = 2 * unit_roundoff * terms;
  for (Bounds* sum : {&rho, &xi}) {
    if (sum->upper > 0) *sum = {rounded_down(sum->lower, margin), rounded_up(sum->upper, margin)};
  }
  return std::make_shared<ConcentratedLoss>(rho, omega, xi);
}

}  // namespace epsilometer
