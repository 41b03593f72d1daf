#include "core/accounting/trade_off.h"

#include "core/accounting/profile.h"
#include "core/accounting/renyi.h"

namespace epsilometer {

Bounds power(const PrivacyLoss& loss, double false_positive) {
  accurate_probability("falsePositives", false_positive);
  if (const auto known = loss.power(false_positive)) return *known;
  const double upper = renyi_power(loss, false_positive);
  const double lower = loss.member() ? loss.member()->power(false_positive)->lower : false_positive;
  return {lower, std::max(lower, upper)};
}

}  // namespace epsilometer
