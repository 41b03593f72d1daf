#include "core/accounting/trade_off.h"

#include "core/accounting/profile.h"
#include "core/accounting/renyi.h"

namespace epsilometer {

Bounds power(const PrivacyLoss& loss, double false_positive) {
  accurate_probability("falsePositives", false_positive);
  if (const auto known = loss.power(false_positive)) return *known;
  const double upper = renyi_power(loss, false_positive);
  return {std::min(upper, loss.member()->power(false_positive)->lower), upper};
}

}  // namespace epsilometer
