#include "core/report/published/privacy_report_price.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/release/tuning.h"
#include "core/report/personal/largest_facts.h"

namespace epsilometer {
namespace {

FactsNeeded needed_before(const PlannedRequest& run) {
  must_not_be_tuned(run.request);
  try {
    return run.algorithm->facts_needed_before(run.plan);
  } catch (const Refusal& refusal) {
    throw Refusal("unsupported", "algorithm", run.request.algorithm,
                  "has no price for one person beforehand: " + refusal.rule);
  }
}

}  // namespace

Description own_price(const PlannedRequest& run, std::span<const double> features, double label) {
  const FactsNeeded needed = needed_before(run);
  const RecordFacts sizes = sizes_of(*run.algorithm, run.request, features, label);
  return run.algorithm->personal(largest_facts(sizes, needed), Release(run.plan));
}

void must_have_own_price(const PlannedRequest& run) { needed_before(run); }

std::optional<PersonalBound> own_realised_bound(const PlannedRequest& run, const Description& own_price,
                                                const ReportPromise& promise) {
  // The steps cost what their laws cost, but only the last one is published.
  if (needed_before(run).of == FactsNeeded::Of::path) return std::nullopt;
  // What one class's minimum tells may follow from those before it, which no law of their sum is known for.
  if (run.plan.result.kind == OutputKind::class_coefficients) return std::nullopt;
  const auto mu = privacy_loss(own_price)->gaussian();
  if (!mu) return std::nullopt;
  if (promise.audience.kind == Audience::Kind::all)
    throw Refusal("unsupported", "audience", "all", "is for perturbed minima that are published themselves");
  const double each = promise.audience.share_of(promise.failure);
  const double size = rounded_up(*mu * (*mu / 2 + upper_quantile(each / 2) * discreteness));
  PersonalBound bound{};
  bound.model.loss = Interval(-size, size);
  bound.failure = promise.failure;
  return bound;
}

}  // namespace epsilometer
