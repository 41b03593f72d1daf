#include "core/accounting/calibrate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

// Zero is in the range of some parameters, but the search is by factors.
constexpr double smallest_positive = 1e-100;

// A game takes long to play: a search by coarser ones, for fewer bits, and by the coarsest that there is
// where that tells enough.
constexpr double game_gap = 1e-2, coarsest_gap = 1;
constexpr int game_bits = 10;

// From the value that the description has, by growing factors, to a safe and a risky value; false at the end
// of the range. Extreme values are tried only when all others have been, and far ones with a glance first.
// `refused`: whether the value asked last cannot be answered at all. From one that can be, towards safety,
// that is a step too far.
template <class Keeps, class Far>
bool bracket(const Keeps& keeps, const Far& far, const bool& refused, const Parameter& parameter,
             double& safe, double& risky) {
  constexpr double least_factor = 1.05;
  const double bottom = std::max(parameter.minimum, parameter.whole ? 1 : smallest_positive);
  double here = std::clamp(safe, bottom, parameter.maximum);
  const bool kept = keeps(here);
  bool is_answered = !refused;
  // Towards risk when this value is safe, towards safety otherwise.
  const bool up = kept != parameter.more_private;
  for (double factor = 4;; factor *= factor) {
    const double next = up ? std::min(here * factor, parameter.maximum) : std::max(here / factor, bottom);
    const double there = parameter.whole ? std::round(next) : next;
    if (there == here) return (kept ? safe : risky) = here, false;
    const bool is_kept = far(there);
    if (refused && is_answered && !kept) {
      if (factor <= least_factor) return risky = here, false;
      // Its square root comes next.
      factor = std::pow(factor, 0.25);
      continue;
    }
    is_answered = !refused;
    if (is_kept != kept) {
      safe = kept ? here : there;
      risky = kept ? there : here;
      return true;
    }
    here = there;
  }
}

// Halves the distance in octaves, or in whole numbers, until `safe` and `risky` are within a factor of two.
template <class Keeps>
void approach(const Keeps& keeps, double& safe, double& risky) {
  while (std::max(safe, risky) > 2 * std::min(safe, risky)) {
    const double middle = std::sqrt(safe) * std::sqrt(risky);
    (keeps(middle) ? safe : risky) = middle;
  }
}

template <class Keeps>
void approach_whole(const Keeps& keeps, double& safe, double& risky) {
  while (std::abs(safe - risky) > 1) {
    const bool wide = std::max(safe, risky) > 4 * std::min(safe, risky);
    const double middle = std::floor(wide ? std::sqrt(safe) * std::sqrt(risky) : (safe + risky) / 2);
    (keeps(middle) ? safe : risky) = middle;
  }
}

// Whether its profile was composed, or follows from one that was.
bool rests_on_sum(const PrivacyLoss& loss) {
  if (const AroundProfile* around = loss.around_profile()) return rests_on_sum(*around->inside());
  return !loss.parts().empty() && !loss.profile();
}

// The largest loss, for a target that allows no other.
double pure_cost(const PrivacyLoss& loss) {
  return loss.infinite_mass() > 0 ? infinite : loss.largest_loss();
}

// A value that keeps the promise together with all that are more private: where a class that shrinks keeps
// it, and below that as far down, cell by cell, as a bound on all values of a cell does.
std::optional<double> lasting_value(const Description& description, const Parameter& parameter, Target target,
                                    double value) {
  const auto loss = loss_with(description, parameter, value);
  if (moves_one_way(*loss, parameter)) return value;
  const Unsteady* unsteady = loss->unsteady();
  if (!unsteady->shrinking() || !parameter.more_private) return std::nullopt;
  const auto cost = [&](double at) {
    return delta(*loss_with(description, parameter, at)->unsteady()->shrinking(), target.epsilon).upper;
  };
  double lasting;
  try {
    lasting = std::max(value, least_private(cost, parameter, value, target.delta, aim_of(target), 16).value);
  } catch (const Refusal&) {
    return std::nullopt;
  }
  for (double factor = 1.01; lasting > value && factor > 1 + 1e-6;) {
    const double from = std::max(value, lasting / factor);
    const auto bound =
        loss_with(description, parameter, from)->unsteady()->delta_up_to(lasting / from, target.epsilon);
    if (!bound) break;
    const bool kept = *bound <= target.delta;
    if (kept) lasting = from;
    factor = kept ? std::min(1.01, 1 + 1.5 * (factor - 1)) : 1 + (factor - 1) / 3;
  }
  return lasting;
}

}  // namespace

Aim aim_of(const Target& target) { return {"epsilon", target.epsilon, " at delta = " + shown(target.delta)}; }

bool moves_one_way(const PrivacyLoss& loss, const Parameter& parameter) {
  const Unsteady* unsteady = loss.unsteady();
  if (!unsteady) return true;
  const std::vector<std::string> parameters = unsteady->parameters();
  return std::find(parameters.begin(), parameters.end(), parameter.place().number) == parameters.end();
}

std::shared_ptr<const PrivacyLoss> loss_with(Description description, const Parameter& parameter,
                                             double value) {
  number_at(description, parameter.place()) = value;
  return privacy_loss(description);
}

std::optional<bool> told_by(const Bounds& cost, double level) {
  if (cost.upper <= level) return true;
  return cost.lower > level ? std::optional(false) : std::nullopt;
}

Sought least_private(const std::function<double(double)>& cost, const Parameter& parameter, double start,
                     double level, const Aim& aim, int bits, const Glance& glance) {
  // What cannot be answered at a value that only the search tried does not keep the promise.
  bool refused = false;
  // The ends of a bracket are asked again where it is narrowed.
  std::map<double, double> known;
  const auto cost_of = [&](double value) {
    refused = false;
    if (const auto found = known.find(value); found != known.end()) return found->second;
    try {
      return known[value] = cost(value);
    } catch (const Refusal&) {
      refused = true;
      return known[value] = infinite;
    }
  };
  const auto keeps = [&](double value) { return cost_of(value) <= level; };
  const auto far = [&](double value) {
    try {
      refused = false;
      if (const auto told = glance ? glance(value) : std::nullopt) return *told;
    } catch (const Refusal&) {
    }
    return keeps(value);
  };
  double safe = start, risky = start;
  if (!bracket(keeps, far, refused, parameter, safe, risky)) {
    if (keeps(safe)) return {safe, std::nullopt};
    if (!parameter.more_private && parameter.minimum == 0 && keeps(0)) return {0, smallest_positive};
    throw Refusal("unreachable", aim.field, shown(aim.value),
                  "cannot be kept" + aim.beside + ", all else as it is asked: no " + parameter.name +
                      " from " + shown(parameter.minimum) + " to " + shown(parameter.maximum) +
                      " was found that does");
  }
  if (parameter.whole) {
    approach_whole(far, safe, risky);
    return {safe, risky};
  }
  approach(far, safe, risky);
  const double sign = parameter.more_private ? 1 : -1;
  const auto falling = [&](double x) { return cost_of(sign * x); };
  // Where a glance knew of an end what the cost does not tell, the ends stay as they are: they were proven.
  const Crossing found = refine(falling, level, sign * risky, sign * safe, bits);
  return {sign * found.above, sign * found.below};
}

Sought least_private(Description description, const Parameter& parameter,
                     const std::function<double(const PrivacyLoss&)>& cost, double level, const Aim& aim,
                     int bits, const std::function<std::optional<bool>(const PrivacyLoss&)>& told) {
  // Refuses what is wrong with the description itself, where the search would only find no value.
  privacy_loss(description);
  double& number = number_at(description, parameter.place());
  const auto at = [&](double value) {
    number = value;
    return privacy_loss(description);
  };
  Glance glance;
  if (told) glance = [&](double value) { return told(*at(value)); };
  return least_private([&](double value) { return cost(*at(value)); }, parameter, number, level, aim, bits,
                       glance);
}

Sought least_private(const Description& description, const Parameter& parameter, const Demand& demand,
                     const Aim& aim) {
  const auto asked = privacy_loss(description);
  const Profile profile(*asked);
  const bool is_game = profile.is_game();
  const double gap = is_game ? game_gap : 1e-4, glance_gap = is_game ? coarsest_gap : rough_gap;
  // The end that tells already by a coarse profile on which side of the level both are, where one does.
  const auto at_a_glance = [&](const PrivacyLoss& loss) -> std::optional<double> {
    const Profile rough(loss, glance_gap);
    if (const double most = demand.upper(rough); most <= demand.keeps) return most;
    const double least = demand.lower(rough);
    return least > demand.breaks ? std::optional(least) : std::nullopt;
  };
  const auto cost = [&](const PrivacyLoss& loss, const auto& end) {
    const auto told = is_game ? at_a_glance(loss) : std::nullopt;
    return told ? *told : end(Profile(loss, gap));
  };
  const auto upper = [&](const PrivacyLoss& loss) { return cost(loss, demand.upper); };
  const auto lower = [&](const PrivacyLoss& loss) { return cost(loss, demand.lower); };
  // A certified interval is not worth more digits than it has; nor is a bound that was composed.
  const bool certified = profile.certainty() == Certainty::certified;
  const int bits = is_game ? game_bits : certified || rests_on_sum(*asked) ? 16 : 52;
  std::function<std::optional<bool>(const PrivacyLoss&)> told;
  if (profile.is_sum() && certified && !is_game) {
    told = [&](const PrivacyLoss& loss) -> std::optional<bool> {
      const auto end = at_a_glance(loss);
      return end ? std::optional(*end <= demand.keeps) : std::nullopt;
    };
  }
  const double value = least_private(description, parameter, upper, demand.keeps, aim, bits, told).value;
  // Where the interval is narrow, the neighbourhood of the answer tells; otherwise the whole search again.
  const double nearest = is_game ? 0x1p-12 : 0x1p-18;
  for (double apart = nearest; certified && !parameter.whole && apart < 0x1p6 * nearest; apart *= 4) {
    const double near = value * (parameter.more_private ? 1 - apart : 1 + apart);
    if (near < parameter.minimum || near > parameter.maximum) break;
    if (lower(*loss_with(description, parameter, near)) > demand.breaks) return {value, near};
  }
  return {value, least_private(description, parameter, lower, demand.breaks, aim, bits, told).insufficient};
}

Calibrated calibrate(const Description& description, const Parameter& parameter, Target target) {
  in_range("epsilon", target.epsilon, 0, std::numeric_limits<double>::max());
  accurate_probability("delta", target.delta);
  if (target.delta == 0) {
    const Sought kept = least_private(description, parameter, pure_cost, target.epsilon, aim_of(target));
    const auto found = loss_with(description, parameter, kept.value);
    return {kept.value, found->reaches_largest_loss() ? kept.insufficient : std::nullopt, epsilon(*found, 0),
            kept.value};
  }
  const Sought kept = least_private(
      description, parameter,
      {[&](const Profile& of) { return of.delta_upper(target.epsilon); },
       [&](const Profile& of) { return of.least_delta(target.epsilon); }, target.delta, target.delta},
      aim_of(target));
  const Bounds cost = epsilon(*loss_with(description, parameter, kept.value), target.delta);
  // delta(target.epsilon) <= target.delta was evaluated, so the target itself is an upper bound.
  return {kept.value,
          kept.insufficient,
          {std::min(cost.lower, target.epsilon), std::min(cost.upper, target.epsilon)},
          lasting_value(description, parameter, target, kept.value)};
}

}  // namespace epsilometer
