#include "core/release/fit.h"

#include "core/base/refusal.h"
#include "core/release/algorithm.h"

namespace epsilometer {

Release Algorithm::fit(const LinearStatistics&, Generator&) const { refuse_sums(); }

void refuse_sums() {
  throw Refusal("unsupported", "statistics", "sums over the records",
                "are not enough: this algorithm needs the records themselves");
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
  throw Refusal("unsupported", "unit.rows", shown(facts.records),
                "must be 1: what several records cost together is known where their contributions add up");
}

Plan plan(const FitRequest& request) { return algorithm(request)->plan(); }

Release fit(const FitRequest& request, const Records& records, Generator& generator,
            const Progress& progress) {
  return algorithm(request)->fit(records, generator, progress);
}

Release fit(const FitRequest& request, const LinearStatistics& statistics, Generator& generator) {
  return algorithm(request)->fit(statistics, generator);
}

}  // namespace epsilometer
