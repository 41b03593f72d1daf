#include "core/accounting/posterior.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

// How much of the logarithm of a rate is not worth another question.
constexpr double coarse = 1e-5;

// Rates between which a rising function of the rate passes the exceptions: at `from` it is not above them by
// its upper end, at `to` not below them by its lower end.
struct Passage {
  double from, to;
};

template <class Value>
Passage passage(const Value& value, double prior, double exceptions) {
  // e^-deepest is the smallest rate that is asked: below, an event is certain to the last digit.
  const double deepest = std::min(690.0, 45 - std::log(prior) - std::log(exceptions));
  const auto upper = [&](double depth) { return value(std::exp(-depth)).upper; };
  const double depth = crossing(upper, exceptions, deepest).above;
  // The lower end passes them at a rate that is hardly larger where the interval is narrow.
  const auto passes = [&](double place) { return value(std::exp(-place)).lower >= exceptions; };
  double shallower = std::min(depth, deepest), deeper = shallower, step = 4 * unit_roundoff * (1 + shallower);
  for (; shallower > 0 && !passes(shallower); step *= 2) {
    deeper = shallower;
    shallower = std::max(0.0, shallower - step);
  }
  // Where the power hardly rises, as beside what shows for certain, the last of these steps was far too long.
  while (deeper - shallower > coarse) {
    const double middle = (deeper + shallower) / 2;
    (passes(middle) ? shallower : deeper) = middle;
  }
  // An infinite depth is the rate 0, where nothing rises above any exceptions.
  return {std::exp(-depth), std::exp(-shallower)};
}

Bounds within_one(double lower, double upper) {
  const double most = std::min(1.0, upper);
  return {std::clamp(lower, 0.0, most), most};
}

// p a / (p a + (1 - p) b), which rises with a and falls with b.
double share(double prior, double a, double b) { return prior * a / (prior * a + (1 - prior) * b); }

}  // namespace

Bounds posterior_given_event(GroupPrivacy& group, double prior, double exceptions) {
  const auto total = [&](double rate) {
    const Bounds power = group.power(rate, (exceptions - (1 - prior) * rate) / prior);
    return Bounds{rounded_down(prior * power.lower + (1 - prior) * rate),
                  rounded_up(prior * power.upper + (1 - prior) * rate)};
  };
  const Passage at = passage(total, prior, exceptions);
  // From the event's other part, or from the power itself: each loses digits where the other keeps them.
  const double rest_up = rounded_up((1 - prior) * at.to / exceptions);
  const double rest_down = rounded_down((1 - prior) * at.from / exceptions);
  double lower = std::max(prior, rounded_down(1 - rest_up)), upper = rounded_up(1 - rest_down);
  if (rest_up > 0.5) {
    upper = std::min(upper, rounded_up(prior * group.power(at.to).upper / exceptions));
    if (at.from > 0) lower = std::max(lower, rounded_down(prior * group.power(at.from).lower / exceptions));
  }
  return within_one(lower, upper);
}

Bounds posterior_when_right(GroupPrivacy& group, double prior, double exceptions) {
  const Passage at = passage([&](double rate) { return group.power(rate, exceptions); }, prior, exceptions);
  return within_one(rounded_down(share(prior, exceptions, at.to)),
                    rounded_up(share(prior, exceptions, at.from)));
}

Bounds posterior_when_wrong(GroupPrivacy& group, double prior, double exceptions) {
  const Bounds power = group.power(exceptions);
  return within_one(rounded_down(share(prior, power.lower, exceptions)),
                    rounded_up(share(prior, power.upper, exceptions)));
}

Posterior posterior(GroupPrivacy& group, double prior, double exceptions) {
  in_range("prior", prior, 1e-100, 1 - 1e-15);
  in_range("exceptions", exceptions, 1e-100, 1);
  return {posterior_given_event(group, prior, exceptions), posterior_when_right(group, prior, exceptions),
          posterior_when_wrong(group, prior, exceptions)};
}

}  // namespace epsilometer
