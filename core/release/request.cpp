#include "core/release/request.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/accounting/near_level.h"
#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/release/price.h"

namespace epsilometer {
namespace {

using Names = std::vector<const char*>;

bool contains(const Names& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&name](const char* one) { return name == one; });
}

std::string listed(const Names& names) {
  std::string all;
  for (const char* name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

// Whether its price is that of a product of laws, so narrow an interval that the noise may follow from it.
bool is_product(const PrivacyLoss& loss) {
  const std::vector<Repeated> parts = loss.parts();
  return !loss.profile() && loss.composes() && !parts.empty() &&
         std::all_of(parts.begin(), parts.end(), [](const Repeated& part) { return part.loss->laws(); });
}

}  // namespace

// Compositions answer for epsilon faster than for delta.
double share_of_budget(const PrivacyLoss& loss, const Target& budget) {
  return share_of_budget(loss, budget, fine_gap).upper;
}

Bounds share_of_budget(const PrivacyLoss& loss, const Target& budget, double gap) {
  const Profile profile(loss, gap);
  const bool by_epsilon = profile.directions() > 0 || budget.delta == 0;
  const Bounds found = by_epsilon ? profile.epsilon(budget.delta) : profile.delta(budget.epsilon);
  const double all = by_epsilon ? budget.epsilon : budget.delta;
  return {found.lower / all, found.upper / all};
}

Request::Request(const FitRequest& request, const Names& numbers, const Names& texts, Failure failure)
    : asked_{request.algorithm, request.numbers, {}, request.texts, {}},
      failure_(failure),
      found_noises_(request.found_noises) {
  for (const auto& [name, value] : request.numbers)
    if (!contains({"epsilon", "delta", "unitRows", "intercept"}, name) && !contains(numbers, name))
      throw Refusal("unknown", name, shown(value),
                    "is not a number of " + request.algorithm + ": epsilon, delta, " + listed(numbers));
  for (const auto& [name, value] : request.texts)
    if (name != "accounting" && !contains(texts, name))
      throw Refusal("unknown", name, value, "is not a choice that " + request.algorithm + " offers");
}

double Request::number(const char* name, double minimum, double maximum) const {
  return asked_.number(name, minimum, maximum);
}

double Request::number(const char* name, double minimum, double maximum, double otherwise) const {
  return has(name) ? number(name, minimum, maximum) : otherwise;
}

double Request::whole(const char* name, double minimum, double maximum) const {
  return asked_.whole(name, minimum, maximum);
}

double Request::scale(const char* name) const { return asked_.scale(name); }

std::string Request::choice(const char* name, std::initializer_list<const char*> choices) const {
  if (!asked_.texts.contains(name)) return *choices.begin();
  const std::string& chosen = asked_.text(name);
  if (contains(choices, chosen)) return chosen;
  throw Refusal("range", name, chosen, "must be one of " + listed(choices));
}

Target Request::whole_budget() const {
  const double epsilon = number("epsilon", 1e-6, 1e6),
               delta = accurate_probability("delta", number("delta", 0, 1));
  if (delta == 0 && failure_ == Failure::may_happen)
    throw Refusal("range", "delta", "0", "must be above 0: the noise of " + asked_.kind + " may fail");
  return {epsilon, delta};
}

// The profile of m rows is at most delta(e) (1 + e^e + ... + e^{(m-1) e}) at m e: core/accounting/group.h,
// epsilon in equal parts.
Target Request::budget() const {
  const Target whole = whole_budget();
  const double rows = unit_rows();
  if (rows == 1) return whole;
  const double epsilon = rounded_down(whole.epsilon / rows);
  return {epsilon, rounded_down(whole.delta * std::expm1(epsilon) / std::expm1(whole.epsilon))};
}

Calibrated gaussian_noise(const Target& budget) {
  const Description gaussian{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}};
  return calibrate(gaussian, {"sigma", 1e-12, 1e12, false, true}, budget);
}

double Request::budget_mu() const { return 1 / gaussian_noise(budget()).value; }

double Request::noise(const char* name, const std::function<Description(double)>& described,
                      const std::function<double(double, double)>& printed,
                      const std::function<double()>& start, const Fineness& fineness) const {
  if (has(name)) {
    if (has("epsilon") || has("delta"))
      throw Refusal("range", name, shown(scale(name)),
                    "must be left out beside a budget: they cannot both be given");
    return named_noise(name, described);
  }
  const Target target = budget();
  if (paper()) {
    const double value = printed(target.epsilon, target.delta);
    if (price(described(value), target, fineness.gap) <= 1) return value;
    throw Refusal("unreachable", "accounting", "paper",
                  "breaks the promise here: its noise, " + shown(value) + ", is not enough");
  }
  if (!found_noises_) return least_noise(described, target, start(), fineness);
  for (const FoundNoise& one : *found_noises_)
    if (one.name == name && one.epsilon == target.epsilon && one.delta == target.delta &&
        one.description == described(one.value))
      return one.value;
  const double value = least_noise(described, target, start(), fineness);
  found_noises_->push_back({name, target.epsilon, target.delta, value, described(value)});
  return value;
}

double Request::named_noise(const char* name, const std::function<Description(double)>& described) const {
  const double value = scale(name);
  const auto is_possible = [&](double noise) {
    try {
      return privacy_loss(described(noise)) != nullptr;
    } catch (const Refusal&) {
      return false;
    }
  };
  if (is_possible(value)) return value;
  for (double factor = 2; factor < 1e40; factor *= 2) {
    const bool larger = is_possible(value * factor);
    if (larger || is_possible(value / factor))
      throw Refusal("range", name, shown(value),
                    std::string("must be ") + (larger ? "larger" : "smaller") + ": so " +
                        (larger ? "little" : "much") + " noise can be neither drawn nor priced here");
  }
  // Something else is wrong.
  described(value);
  return value;
}

void Request::must_be_proven_by_paper() const {
  const double epsilon = whole_budget().epsilon;
  if (budget().epsilon <= 1) return;
  throw Refusal("range", "epsilon", shown(epsilon),
                "must be at most " + shown(unit_rows()) +
                    " with the paper's accounting: its noise is proven for no more than 1 for each row");
}

double Request::price(const Description& description, const Target& target, double gap) const {
  const auto loss = privacy_loss(description);
  if (!is_priced_as_group(*loss)) return share_of_budget(*loss, target, gap).upper;
  const Target whole = whole_budget();
  return GroupPrivacy(loss, unit_rows(), fine_gap).delta(whole.epsilon).upper / whole.delta;
}

// Every other loss is priced for one row, by a budget that holds for all of them.
bool Request::is_priced_as_group(const PrivacyLoss& loss) const { return unit_rows() > 1 && loss.gaussian(); }

double Request::least_noise(const std::function<Description(double)>& described, const Target& target,
                            double start, const Fineness& fineness) const {
  // A glance may be as fine as a price.
  std::map<double, double> found;
  const auto cost = [&](double noise) {
    const auto known = found.find(noise);
    return known != found.end() ? known->second : price(described(noise), target, fineness.gap);
  };
  const auto glance = [&](double noise) -> std::optional<bool> {
    const auto loss = privacy_loss(described(noise));
    if (is_priced_as_group(*loss) || loss->parts().empty()) return std::nullopt;
    const Bounds share = share_of_budget(*loss, target, rough_gap);
    if (share.upper - share.lower <= fineness.gap * share.upper) found.emplace(noise, share.upper);
    return told_by(share, 1);
  };
  const Parameter parameter{"noise", 1e-12, 1e12, false, true};
  const auto share = [&](double noise, double gap) {
    const auto loss = privacy_loss(described(noise));
    if (is_priced_as_group(*loss) || !is_product(*loss)) return Bounds{0, infinite};
    return share_of_budget(*loss, target, gap);
  };
  if (const auto near = near_level(share, parameter, start, 1, fineness.gap)) return *near;
  return least_private(cost, parameter, start, 1, aim(), fineness.bits, glance).value;
}

}  // namespace epsilometer
