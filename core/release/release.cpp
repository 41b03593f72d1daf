#include "core/release/release.h"

#include "core/base/refusal.h"
#include "core/release/algorithm.h"

namespace epsilometer {

Release Algorithm::fit(const LinearStatistics&, Generator&) const { refuse_sums(); }

void refuse_sums() {
  throw Refusal("unsupported", "statistics", "sums over the records",
                "are not enough: this algorithm needs the records themselves");
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
