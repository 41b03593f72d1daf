#include "core/release/linear/linear_algorithm.h"

#include "core/base/refusal.h"

namespace epsilometer {

Norm row_norm(const Request& request) {
  return request.choice("norm", {"l2", "l1"}) == "l1" ? Norm::l1 : Norm::l2;
}

// Labels that are not used are 0, within any bound.
LinearAlgorithm::LinearAlgorithm(const Request& request, Norm norm, Labels labels)
    : dimension_(static_cast<std::size_t>(request.whole("dimension", 1, 4096))),
      bounds_{request.number("featureBound", 1e-30, 1e30),
              labels == Labels::unused ? 1 : request.number("labelBound", 1e-30, 1e30), norm} {}

Plan LinearAlgorithm::plan() const {
  Plan plan = planned();
  plan.result = result();
  plan.needs_sums_only = true;
  return plan;
}

Release LinearAlgorithm::fit(Pieces table, Generator& generator, const Progress& progress) const {
  LinearStatistics statistics(dimension_, bounds_);
  for (const Records& piece : table) statistics.add(piece, progress);
  return run(statistics, generator, progress);
}

Release LinearAlgorithm::fit(const LinearStatistics& statistics, Generator& generator,
                             const Progress& progress) const {
  if (statistics.dimension() != dimension_ || statistics.bounds() != bounds_)
    throw Refusal("range", "statistics", "other bounds",
                  "must be made with the dimension, the bounds and the norm of the request");
  return run(statistics, generator, progress);
}

Description composed(std::vector<Description> parts) {
  Description whole{"composition", {}, {}, {}, {}};
  for (Description& part : parts) whole.parts.push_back({std::move(part), 1});
  return whole;
}

}  // namespace epsilometer
