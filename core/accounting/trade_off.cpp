#include "core/accounting/trade_off.h"

#include <algorithm>

#include "core/accounting/renyi.h"

namespace epsilometer {

TradeOff::TradeOff(const PrivacyLoss& loss, const Profile& profile) : loss_(loss) {
  // Where the directions differ, one of them may have no infinite loss.
  const double limit = profile.directions() == 1 ? loss.infinite_mass() : 0;
  for (std::size_t i = 0; i < profile.directions(); ++i) {
    directions_.emplace_back([&profile, i](double epsilon) { return profile.delta(i, epsilon); }, limit);
  }
}

Bounds TradeOff::power(double false_positive) {
  accurate_probability("falsePositives", false_positive);
  if (const auto known = loss_.power(false_positive)) return *known;
  if (directions_.empty()) {
    const double upper = renyi_power(loss_, false_positive);
    const double lower = loss_.member() ? loss_.member()->power(false_positive)->lower : false_positive;
    return {lower, std::max(lower, upper)};
  }
  // Whoever never accuses wrongly sees only what cannot happen otherwise.
  if (false_positive == 0) return {loss_.infinite_mass(), rounded_up(loss_.infinite_mass(), 1e-12)};
  Bounds largest{0, 0};
  for (Envelope& direction : directions_) {
    const Bounds power = direction.power(false_positive);
    largest = {std::max(largest.lower, power.lower), std::max(largest.upper, power.upper)};
  }
  return largest;
}

Bounds power(const PrivacyLoss& loss, double false_positive) {
  const Profile profile(loss);
  return TradeOff(loss, profile).power(false_positive);
}

}  // namespace epsilometer
