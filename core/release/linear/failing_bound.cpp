// With A the event that the bound fails, of probability p, delta is at most P(A) plus that of the composition
// on A's complement: p + delta(epsilon). The description says failure + (1 - failure) delta(epsilon), which
// is no less for all epsilon >= 0 in both directions, hence for all, when p = failure (1 - delta(0)).
#include "core/release/linear/failing_bound.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/linear/linear_algorithm.h"

namespace epsilometer {
namespace {

// More is no failure that anybody would accept.
constexpr double most_failure = 0.25;

}  // namespace

Description with_failing_bound(std::vector<Description> parts, double failure) {
  parts.push_back({"approximate", {{"epsilon", 0}, {"delta", failure}}, {}, {}, {}});
  return composed(std::move(parts));
}

double share_for_failure(const Request& request, double parts) {
  const bool is_named = request.has("sigma") && !request.has("epsilon");
  if (request.has("failure") || is_named) return request.number("failure", 1e-40, most_failure);
  return request.budget().delta / parts;
}

namespace {

// No bound for less can be found.
constexpr double least_chance = 1e-50;
// The largest delta at which epsilon is asked, and an epsilon at which e^-epsilon is far below that chance.
constexpr double most_delta = 1 - 1e-12, nothing_left = 700;

// At most 1 - delta(0), the least of 1 - P(E) + Q(E) over all events: with P(E) <= e^epsilon Q(E) + delta
// that is no less than (1 - delta) e^-epsilon, which has digits where delta(0) is 1 but for rounding.
double overlap(const PrivacyLoss& loss) {
  const Profile profile(loss);
  double found = 1 - profile.delta(0).upper;
  if (found > 1e-6) return found;
  // What one part tells by itself is quickly known, and the whole tells no less.
  for (const Repeated& part : loss.parts())
    if (Profile(*part.loss).epsilon(most_delta).lower > nothing_left) return found;
  for (const double delta : {0.5, 1 - 1e-3, 1 - 1e-6, 1 - 1e-9, most_delta})
    found = std::max(found, rounded_down((1 - delta) * std::exp(-profile.epsilon(delta).upper)));
  return found;
}

}  // namespace

double chance_of_failure(const std::vector<Description>& parts, double failure, const Request& request) {
  const auto loss = privacy_loss(composed(parts));
  const double share = overlap(*loss), chance = rounded_down(failure * share);
  if (chance >= least_chance) return chance;
  // Whether more of delta would do.
  const bool is_loud = most_failure * share < least_chance;
  const char* const field =
      is_loud ? (request.has("sigma") ? "sigma" : "epsilon") : (request.has("failure") ? "failure" : "delta");
  throw Refusal("unreachable", field, shown(request.number(field, -HUGE_VAL, HUGE_VAL)),
                std::string("must be ") + (field == std::string("epsilon") ? "less" : "larger") +
                    ": all else as it is asked, no probability is left with which a released bound may fail");
}

}  // namespace epsilometer
