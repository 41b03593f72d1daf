#include "core/accounting/profile.h"

#include <limits>

#include "core/accounting/renyi.h"
#include "core/base/refusal.h"
#include "core/numerics/invert.h"

namespace epsilometer {

bool is_exact(const PrivacyLoss& loss) { return loss.delta(0).has_value(); }

Bounds delta(const PrivacyLoss& loss, double epsilon) {
  in_range("epsilon", epsilon, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  if (epsilon >= loss.largest_loss()) return {loss.infinite_mass(), loss.infinite_mass()};
  if (const auto known = loss.delta(epsilon)) return *known;
  const double upper = renyi_delta(loss, epsilon);
  return {std::min(upper, loss.member()->delta(epsilon)->lower), upper};
}

Bounds epsilon(const PrivacyLoss& loss, double delta) {
  accurate_probability("delta", delta);
  const double infinite = std::numeric_limits<double>::infinity();
  const double largest = loss.largest_loss();
  if (delta < loss.infinite_mass() || (delta == 0 && largest == infinite)) return {infinite, infinite};
  const double ceiling = std::min(largest, std::numeric_limits<double>::max());
  const auto lower = [&](double x) { return epsilometer::delta(loss, x).lower; };
  const auto upper = [&](double x) { return epsilometer::delta(loss, x).upper; };
  return {crossing(lower, delta, ceiling).below, crossing(upper, delta, ceiling).above};
}

double accurate_probability(const char* field, double value) {
  if (value == 0 || (value >= 1e-300 && value <= 1)) return value;
  throw Refusal("range", field, shown(value), "must be 0 or a number from 1e-300 to 1");
}

}  // namespace epsilometer
