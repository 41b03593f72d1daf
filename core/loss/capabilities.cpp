#include "core/loss/capabilities.h"

#include "core/numerics/search.h"

namespace epsilometer {

double KnownProfile::power_below_lines(double false_positive, double largest) const {
  const double far = std::min(700.0, largest);
  const auto line = [&](double share) {
    const double epsilon = share * far;
    return rounded_up(delta_upper(epsilon) + std::exp(epsilon) * false_positive);
  };
  return minimum(line, -1, 1, 12).second;
}

}  // namespace epsilometer
