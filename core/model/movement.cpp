#include "core/model/movement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/bounds.h"
#include "core/numerics/invert.h"

namespace epsilometer {

double largest_movement(double gradient, double lambda, double curvature, double norm) {
  // The left side grows with r.
  const auto excess = [=](double r) {
    const double pull = lambda * r - curvature * std::expm1(-norm * r) / norm;
    return pull > 0 ? gradient / pull : std::numeric_limits<double>::infinity();
  };
  const double most = rounded_up(gradient / lambda);
  return std::min(most, crossing(excess, rounded_down(1), 2 * most).above);
}

}  // namespace epsilometer
