#include "core/report/personal/per_instance.h"

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

FactsNeeded needed_of(const Algorithm& algorithm, const FitRequest& request, const Release& run) {
  try {
    return algorithm.facts_needed(run);
  } catch (const Refusal& refusal) {
    if (refusal.field != "algorithm") throw;
    throw Refusal(refusal.kind, refusal.field, request.algorithm, refusal.rule);
  }
}

std::unique_ptr<const RecordView> view_of(const Algorithm& algorithm, const FitRequest& request,
                                          const Release& run, Pieces table, bool came_out,
                                          const Progress& progress) {
  const FactsNeeded needed = needed_of(algorithm, request, run);
  std::vector<NoisyOutput> outputs;
  if (came_out && !run.outputs.empty()) outputs = algorithm.noisy_outputs(run);
  if (const auto statistics = algorithm.statistics())
    return linear_view(*statistics, needed, table, outputs, run, progress);
  if (needed.of == FactsNeeded::Of::whitened)
    return whitened_view(public_model(request), run, table.front().dimension);
  return model_view(public_model(request), needed, table, std::move(outputs), run);
}

}  // namespace

PersonalCosts::PersonalCosts(const PlannedRequest& request, Release run, Pieces table,
                             const Progress& progress, bool came_out)
    : algorithm_(request.algorithm),
      run_(std::move(run)),
      table_(table.begin(), table.end()),
      view_(view_of(*algorithm_, request.request, run_, table_, came_out, progress)) {}

PersonalCost PersonalCosts::of(const Records& records, Direction direction, const Progress& progress) const {
  in_range("records", static_cast<double>(records.count), 1, 1000);
  const RecordFacts facts = view_->facts(records, direction, progress);
  return {description_of(facts), facts};
}

PersonalCost PersonalCosts::of(std::span<const double> features, double label, Direction direction) const {
  return of({1, features.size(), features, {&label, 1}}, direction);
}

void PersonalCosts::facts_of_all(const Progress& progress,
                                 const std::function<void(std::size_t, const RecordFacts&)>& each) const {
  std::size_t i = 0;
  view_->all(table_, progress, [&](const RecordFacts& facts) { each(i++, facts); });
}

}  // namespace epsilometer
