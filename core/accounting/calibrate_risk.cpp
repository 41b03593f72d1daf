#include "core/accounting/calibrate_risk.h"

#include <algorithm>

#include "core/accounting/trade_off.h"

namespace epsilometer {
namespace {

Demand demand_of(const Threshold& limit) {
  const auto value = [=](const Profile& profile, double at) {
    return limit.of_power ? TradeOff(profile.loss(), profile).power(at) : profile.delta(at);
  };
  // Power rises with the rate, delta falls with epsilon.
  const double strict = limit.of_power ? limit.at.upper : limit.at.lower;
  const double lax = limit.of_power ? limit.at.lower : limit.at.upper;
  return {[=](const Profile& profile) { return value(profile, strict).upper; },
          [=](const Profile& profile) { return value(profile, lax).lower; }, limit.most.lower,
          limit.most.upper};
}

}  // namespace

CalibratedRisk calibrate(const Description& description, const Parameter& parameter, const Risk& asked,
                         double limit) {
  const Sought kept = least_private(description, parameter, demand_of(threshold(asked, limit)));
  const auto loss = loss_with(description, parameter, kept.value);
  GroupPrivacy alone(loss, 1, 1e-4);
  Bounds found = risk(alone, asked);
  // That the limit is kept was evaluated, so it is a bound itself.
  if (asked.less_is_worse())
    found = {std::max(found.lower, limit), std::max(found.upper, limit)};
  else
    found = {std::min(found.lower, limit), std::min(found.upper, limit)};
  return {kept.value, kept.insufficient, found,
          moves_one_way(*loss, parameter) ? std::optional(kept.value) : std::nullopt};
}

}  // namespace epsilometer
