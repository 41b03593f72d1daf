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

bool costs_nothing(const Description& one) { return one.kind == "pure" && one.numbers.at("epsilon") == 0; }

// Of Gaussian noise and of nothing else. Sums that she does not move tell nothing of her.
std::optional<double> gaussian_mu(Description cost) {
  if (cost.kind == "composition")
    std::erase_if(cost.parts, [](const auto& part) { return costs_nothing(part.mechanism); });
  if (costs_nothing(cost) || (cost.kind == "composition" && cost.parts.empty())) return 0;
  return privacy_loss(cost)->gaussian();
}

// The steps of a descent cost what their laws cost, but only the last one is published. What one class's
// minimum tells may follow from those before it, which no law of their sum is known for.
bool is_published(const PlannedRequest& run) {
  if (run.plan.result.kind == OutputKind::class_coefficients) return false;
  try {
    return run.algorithm->facts_needed_before(run.plan).of != FactsNeeded::Of::path;
  } catch (const Refusal&) {
    return false;
  }
}

// Of so many numbers the noise is: sums over the rows, or coefficients.
std::size_t numbers_released(const PlannedRequest& run) {
  const auto dimension = static_cast<std::size_t>(run.request.numbers.at("dimension"));
  return run.algorithm->statistics() ? triangle(dimension) + dimension : dimension;
}

}  // namespace

Description own_price(const PlannedRequest& run, std::span<const double> features, double label) {
  const FactsNeeded needed = needed_before(run);
  const RecordFacts sizes = sizes_of(*run.algorithm, run.request, features, label);
  return run.algorithm->personal(largest_facts(sizes, needed), Release(run.plan));
}

void must_have_own_price(const PlannedRequest& run) { needed_before(run); }

PersonalBound OwnRealisedBound::of(const Description& own_price) const {
  const double mu = gaussian_mu(own_price).value_or(Interval::infinity);
  const double size = rounded_up(mu * (mu / 2 + deviation_ * discreteness));
  PersonalBound bound{};
  bound.model.loss = Interval(-size, size);
  bound.failure = failure_;
  return bound;
}

std::optional<OwnRealisedBound> own_realised_bound(const PlannedRequest& run, const ReportPromise& promise) {
  if (!is_published(run) || !gaussian_mu(run.plan.description)) return std::nullopt;
  const double deviation = promise.audience.kind == Audience::Kind::all
                               ? length_quantile(numbers_released(run), promise.failure)
                               : upper_quantile(promise.audience.share_of(promise.failure) / 2);
  return OwnRealisedBound(deviation, promise.failure);
}

}  // namespace epsilometer
