#include "core/release/candidates.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/accounting/profile.h"
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

// How wide the intervals are of the profiles below a table, as of any other law of chords.
constexpr double table_gap = 0.01;

// What is beyond the losses of a table, as a share of delta.
constexpr double negligible = 1e-4;

// Of more that differ a table would take half a minute: of samples each point of it is a composition.
constexpr std::size_t most_different = 32, most_sampled = 6;

bool is_sampled(const Description& one) {
  return one.kind == "subsampled" || std::any_of(one.parts.begin(), one.parts.end(),
                                                 [](const Part& part) { return is_sampled(part.mechanism); });
}

std::set<Description> runs_of(const std::vector<Candidates::Planned>& candidates) {
  std::set<Description> all;
  for (const Candidates::Planned& one : candidates) all.insert(one.plan.description);
  return all;
}

bool is_gaussian(const Plan& plan, double largest) {
  const auto mu = privacy_loss(plan.description)->gaussian();
  return mu && *mu <= largest;
}

}  // namespace

Candidates::Candidates(const FitRequest& request) : others_(request.tuning->candidates) {
  in_range("tune.candidates", static_cast<double>(others_.size()), 1, 1000);
  const auto found_noises = std::make_shared<std::vector<FoundNoise>>();
  for (std::size_t i = 0; i < others_.size(); ++i) {
    FitRequest asked{request.algorithm, request.numbers, request.texts};
    for (const char* name : {"epsilon", "delta", "unitRows"}) asked.numbers.erase(name);
    take(asked.numbers, others_[i].numbers, place_of(i));
    take(asked.texts, others_[i].texts, place_of(i));
    asked.found_noises = found_noises;
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

bool run_alike(const std::vector<Candidates::Planned>& candidates) { return runs_of(candidates).size() == 1; }

std::optional<Description> dominating(const std::vector<Candidates::Planned>& candidates, double delta) {
  const std::set<Description> all = runs_of(candidates);
  if (all.size() == 1) return *all.begin();
  if (all.size() > (is_sampled(*all.begin()) ? most_sampled : most_different)) return std::nullopt;
  std::vector<std::shared_ptr<const PrivacyLoss>> losses;
  std::vector<std::unique_ptr<const Profile>> profiles;
  std::vector<const Profile*> asked;
  for (const Description& one : all) {
    losses.push_back(privacy_loss(one));
    asked.push_back(profiles.emplace_back(std::make_unique<const Profile>(*losses.back(), table_gap)).get());
  }
  const auto law = law_above(asked, negligible * delta);
  if (!law) return std::nullopt;
  Description table{"privacy-loss",
                    {{"infinite", law->infinite_mass()}},
                    {},
                    {{"rounded", "up"}, {"direction", "both"}},
                    {}};
  for (const Atom& atom : law->atoms()) {
    table.lists["losses"].push_back(atom.loss);
    table.lists["masses"].push_back(atom.mass);
  }
  return table;
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
