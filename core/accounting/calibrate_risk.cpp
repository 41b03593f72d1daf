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
  const Sought kept =
      least_private(description, parameter, demand_of(threshold(asked, limit)), {"limit", limit});
  const double sign = asked.less_is_worse() ? -1 : 1;
  const auto found_at = [&](double value) {
    GroupPrivacy alone(loss_with(description, parameter, value), 1, 1e-4);
    return risk(alone, asked);
  };
  const auto keeps = [&](const Bounds& found) {
    return sign * (sign > 0 ? found.upper : found.lower) <= sign * limit;
  };
  double value = kept.value;
  Bounds found = found_at(value);
  // The question itself rounds elsewhere than the search: a hair more noise, so that it too hears the limit
  // kept.
  for (double apart = 0x1p-50; !keeps(found) && !parameter.whole && apart < 0x1p-14; apart *= 32) {
    const double next = kept.value * (parameter.more_private ? 1 + apart : 1 - apart);
    if (next < parameter.minimum || next > parameter.maximum) break;
    if (const Bounds there = found_at(next); keeps(there)) value = next, found = there;
  }
  // That the limit is kept was evaluated, so it is a bound itself.
  const auto within = [&](double end) { return sign * std::min(sign * end, sign * limit); };
  return {value,
          kept.insufficient,
          {within(found.lower), within(found.upper)},
          moves_one_way(*loss_with(description, parameter, value), parameter) ? std::optional(value)
                                                                              : std::nullopt};
}

}  // namespace epsilometer
