#include "core/release/release.h"

#include <algorithm>

#include "core/base/refusal.h"
#include "core/release/algorithm.h"

namespace epsilometer {

Release Algorithm::fit(const LinearStatistics&, Generator&, const Progress&) const { refuse_sums(); }

// Whoever tells no votes() is not asked.
Release Algorithm::fit(const VoteCounts&, Generator&) const { refuse_sums(); }

Release Algorithm::fit(const StatisticSums&, Generator&) const { refuse_sums(); }

void refuse_sums() {
  throw Refusal("unsupported", "statistics", "sums over the records",
                "are not enough: this algorithm needs the records themselves");
}

const Output* Release::find(const std::string& name) const {
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&name](const Output& output) { return output.name == name; });
  return found == outputs.end() ? nullptr : &*found;
}

const std::vector<double>& Release::values(const std::string& name) const {
  const Output* found = find(name);
  if (found) return found->values;
  throw Refusal("unknown", "output", name, "is not in this release");
}

double Release::number(const std::string& name) const {
  const std::vector<double>& found = values(name);
  if (!found.empty()) return found.front();
  throw Refusal("malformed", "release.outputs", name, "must have a value");
}

std::vector<double> Release::coefficients() const {
  for (const Output& output : outputs)
    if (output.kind == OutputKind::coefficients) return output.values;
  return {};
}

FactsNeeded Algorithm::facts_needed(const Release&) const {
  throw Refusal("unsupported", "algorithm", "no rule", "has no rule for what it costs one record alone");
}

Description Algorithm::personal(const RecordFacts&, const Release& run) const {
  facts_needed(run);
  return {};
}

void must_be_one(const RecordFacts& facts) {
  if (facts.records == 1) return;
  throw Refusal("unsupported", "row", shown(facts.records) + " rows",
                "must be one: what several records cost together is known where their contributions add up");
}

// Whatever public values can break was refused before there was a table.
bool is_spent(const Refusal& refusal) { return refusal.kind == "unreachable"; }

Plan plan(const FitRequest& request) { return algorithm(request)->plan(); }

Release fit(const FitRequest& request, const Records& records, Generator& generator,
            const Progress& progress) {
  return algorithm(request)->fit(records, generator, progress);
}

Release fit(const FitRequest& request, const LinearStatistics& statistics, Generator& generator) {
  return algorithm(request)->fit(statistics, generator);
}

}  // namespace epsilometer
