#include "core/loss/concentrated_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

// The Gaussian with mu^2/2 = rho keeps the bound; rounded down so that it certainly does.
ConcentratedLoss::ConcentratedLoss(Bounds rho, double omega)
    : RenyiLoss(rounded_down(std::sqrt(2 * rho.lower), 4 * unit_roundoff)), rho_(rho), omega_(omega) {}

// Divergences grow continuously with the order from below, so the bound holds at omega as well.
double ConcentratedLoss::renyi(double order) const {
  if (rho_.upper == 0) return 0;
  return order <= omega_ ? rounded_up(rho_.upper * order, 2 * unit_roundoff)
                         : std::numeric_limits<double>::infinity();
}

double ConcentratedLoss::largest_loss() const {
  return rho_.upper == 0 ? 0 : std::numeric_limits<double>::infinity();
}

std::optional<double> ConcentratedLoss::concentrated() const {
  if (std::isinf(omega_)) return rho_.upper;
  return std::nullopt;
}

// Renyi divergences add: Bun and Steinke 2016, Lemma 1.7. The smallest omega holds for all.
std::shared_ptr<const PrivacyLoss> ConcentratedLoss::composed(const std::vector<Repeated>& parts) const {
  double omega = omega_, terms = 1;
  Bounds sum{0, 0};
  for (const Repeated& part : parts) {
    const std::vector<double> other = part.loss->family().amounts;
    sum.lower += part.count * other[0];
    sum.upper += part.count * other[1];
    omega = std::min(omega, other[2]);
    ++terms;
  }
  if (sum.upper == 0) return std::make_shared<ConcentratedLoss>(sum, omega);
  const double margin = 2 * unit_roundoff * terms;
  return std::make_shared<ConcentratedLoss>(
      Bounds{rounded_down(sum.lower, margin), rounded_up(sum.upper, margin)}, omega);
}

}  // namespace epsilometer
