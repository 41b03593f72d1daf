#include "core/report/personal/largest_facts.h"

#include <cmath>

#include "core/base/bounds.h"
#include "core/report/personal/record_view.h"

namespace epsilometer {
namespace {

void fill_ridge(RecordFacts& facts, const FactsNeeded& needed) {
  if (facts.square == 0) return;
  const double lambda = needed.regularisation, c = rounded_up(std::sqrt(facts.square));
  const double solved = c * c <= lambda ? c / (lambda + c * c) : 0.5 / std::sqrt(lambda);
  facts.leverage = Interval(0, rounded_up(facts.square / lambda));
  facts.residual = rounded_up(facts.label + c * needed.coefficients);
  facts.moved = rounded_up(solved * facts.residual);
}

}  // namespace

RecordFacts largest_facts(RecordFacts facts, const FactsNeeded& needed) {
  switch (needed.of) {
    case FactsNeeded::Of::record:
      break;
    case FactsNeeded::Of::whitened:
      if (facts.square > 0) facts.leverage = Interval(0, 1);
      break;
    case FactsNeeded::Of::ridge:
      fill_ridge(facts, needed);
      break;
    case FactsNeeded::Of::sketch:
      if (facts.whole_square > 0)
        facts.leverage =
            Interval(0, rounded_up(facts.whole_square / (facts.whole_square + needed.regularisation)));
      break;
    case FactsNeeded::Of::minimum:
      if (facts.gradient > 0) facts.moved = rounded_up(facts.gradient / needed.regularisation);
      break;
    case FactsNeeded::Of::path:
      facts.gradients.assign(static_cast<std::size_t>(needed.steps), facts.gradient);
      break;
  }
  return facts;
}

RecordFacts sizes_of(const Algorithm& algorithm, const FitRequest& request, std::span<const double> features,
                     double label) {
  const Records one{1, features.size(), features, std::span(&label, 1)};
  constexpr FactsNeeded sizes{FactsNeeded::Of::record};
  const auto statistics = algorithm.statistics();
  const auto view = statistics ? linear_view(*statistics, sizes, {}, {}, {}, {})
                               : model_view(public_model(request), sizes, {}, {}, {});
  return view->facts(one, Direction::remove, {});
}

}  // namespace epsilometer
