#include "core/release/candidates.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/release/request.h"

namespace epsilometer {
namespace {

// What the table is, what is promised, and what the score rests on.
const std::set<std::string> in_common = {"epsilon",   "delta",      "unitRows", "dimension", "featureBound",
                                         "intercept", "labelBound", "classes",  "loss",      "neighbours"};

std::string place_of(std::size_t candidate) { return "tune.candidates." + std::to_string(candidate) + "."; }

template <class Value>
void take(std::map<std::string, Value>& values, const std::map<std::string, Value>& others,
          const std::string& place) {
  for (const auto& [name, value] : others) {
    if (in_common.contains(name))
      throw Refusal("unsupported", place + name, "another one", "must be the same for all candidates");
    values[name] = value;
  }
}

bool is_gaussian(const Plan& plan, double largest) {
  const auto mu = privacy_loss(plan.description)->gaussian();
  return mu && *mu <= largest;
}

}  // namespace

Candidates::Candidates(const FitRequest& request) : others_(request.tuning->candidates) {
  in_range("tune.candidates", static_cast<double>(others_.size()), 1, 1000);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    FitRequest asked{request.algorithm, request.numbers, request.texts};
    for (const char* name : {"epsilon", "delta", "unitRows"}) asked.numbers.erase(name);
    take(asked.numbers, others_[i].numbers, place_of(i));
    take(asked.texts, others_[i].texts, place_of(i));
    requests_.push_back(std::move(asked));
  }
}

Candidates::Planned Candidates::within(std::size_t candidate, const Target& budget) const {
  FitRequest asked = requests_[candidate];
  asked.numbers["epsilon"] = budget.epsilon;
  asked.numbers["delta"] = budget.delta;
  try {
    auto made = algorithm(asked);
    Plan plan = made->plan();
    const OutputKind kind = plan.result.kind;
    if (kind == OutputKind::coefficients || kind == OutputKind::class_coefficients)
      return {std::move(made), std::move(plan)};
    throw Refusal("unsupported", "algorithm.name", asked.algorithm,
                  "cannot be tuned: it releases no coefficients that could be scored");
  } catch (Refusal& refusal) {
    const Tuning::Candidate& other = others_[candidate];
    if (other.numbers.contains(refusal.field) || other.texts.contains(refusal.field))
      refusal.field = place_of(candidate) + refusal.field;
    // Its numbers may be none that anybody typed.
    else
      refusal.rule += ", within a run of candidate " + std::to_string(candidate) +
                      ", which has its own part of the budget";
    throw;
  }
}

std::vector<Candidates::Planned> Candidates::within(const Target& budget) const {
  std::vector<Planned> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(within(i, budget));
  return all;
}

bool Candidates::are_gaussian(const Target& budget) const {
  const double limit = gaussian_limit(budget);
  for (std::size_t i = 0; i < size(); ++i)
    if (!is_gaussian(within(i, budget).plan, limit)) return false;
  return true;
}

double gaussian_limit(const Target& budget) {
  const Calibrated found = gaussian_noise(budget);
  return rounded_up(1 / found.insufficient.value_or(found.value));
}

bool all_gaussian(const std::vector<Candidates::Planned>& candidates, double largest) {
  return std::all_of(candidates.begin(), candidates.end(),
                     [largest](const Candidates::Planned& one) { return is_gaussian(one.plan, largest); });
}

}  // namespace epsilometer
