#include "core/release/candidates.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// What the table is, what is promised, and what the score rests on.
const std::set<std::string> in_common = {"epsilon",   "delta",      "unitRows", "dimension", "featureBound",
                                         "intercept", "labelBound", "loss",     "neighbours"};

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

std::unique_ptr<const Algorithm> Candidates::within(std::size_t candidate, const Target& budget) const {
  FitRequest asked = requests_[candidate];
  asked.numbers["epsilon"] = budget.epsilon;
  asked.numbers["delta"] = budget.delta;
  try {
    auto made = algorithm(asked);
    if (made->plan().result.kind == OutputKind::coefficients) return made;
    throw Refusal("unsupported", "algorithm.name", asked.algorithm,
                  "cannot be tuned: it releases no coefficients that could be scored");
  } catch (Refusal& refusal) {
    const Tuning::Candidate& other = others_[candidate];
    if (other.numbers.contains(refusal.field) || other.texts.contains(refusal.field))
      refusal.field = place_of(candidate) + refusal.field;
    throw;
  }
}

std::vector<Plan> Candidates::plans(const Target& budget) const {
  std::vector<Plan> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(within(i, budget)->plan());
  return all;
}

double gaussian_limit(const Target& budget) {
  const Description one{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}};
  const Calibrated found = calibrate(one, {"sigma", 1e-12, 1e12, false, true}, budget);
  return rounded_up(1 / found.insufficient.value_or(found.value));
}

bool all_gaussian(const std::vector<Plan>& plans, double largest) {
  return std::all_of(plans.begin(), plans.end(), [largest](const Plan& plan) {
    const auto mu = privacy_loss(plan.description)->gaussian();
    return mu && *mu <= largest;
  });
}

}  // namespace epsilometer
