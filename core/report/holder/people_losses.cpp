#include "core/report/holder/people_losses.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/failing_parts.h"
#include "core/report/personal/shared_prices.h"

namespace epsilometer {
namespace {

// Reading the table and factoring it come first.
constexpr double share_of_reading = 0.5;

void forget_where_nothing(std::vector<double>& column) {
  if (std::all_of(column.begin(), column.end(), [](double value) { return value == 0; })) column.clear();
}

void must_be_one_row(double unit_rows) {
  if (unit_rows == 1) return;
  throw Refusal("unsupported", "table.unit.rows", shown(unit_rows),
                "must be 1: which rows belong to one person is not known here");
}

}  // namespace

void must_have_losses(const Algorithm& algorithm, const Release& run, double unit_rows) {
  must_be_one_row(unit_rows);
  algorithm.facts_needed(run);
}

PeopleLosses people_losses(const PlannedRequest& request, const Release& run, Pieces table, double delta,
                           std::optional<double> order, double unit_rows, const Progress& progress) {
  if (order) in_range("order", *order, least_order, most_order);
  must_be_one_row(unit_rows);
  const PersonalCosts costs(request, run, table, part_of(progress, 0, share_of_reading));
  PeoplePrices prices(delta, run.description);
  PeopleLosses people;
  const auto divergence = [&](const Description& description) {
    const Unfailing found = without_failures(description);
    people.failure = std::max(people.failure, found.failure);
    return privacy_loss(found.description)->renyi(*order);
  };
  if (order) people.promised_divergence = divergence(run.description);
  const SharedPrices::Describe describe = [&costs](const RecordFacts& facts) {
    return costs.description_of(facts);
  };
  SharedPrices shared(prices, describe);
  std::size_t count = 0;
  for (const Records& piece : table) count += piece.count;
  people.losses.reserve(count);
  const auto columns = {&people.leverages, &people.residuals, &people.lengths, &people.moves};
  for (auto* column : columns) column->reserve(count);
  costs.facts_of_all(part_of(progress, share_of_reading, 1), [&](std::size_t, const RecordFacts& facts) {
    if (order)
      people.divergences.push_back(std::min(people.promised_divergence, divergence(describe(facts))));
    people.losses.push_back(shared.epsilon(facts));
    people.leverages.push_back(facts.leverage.upper());
    people.residuals.push_back(facts.residual);
    people.lengths.push_back(std::sqrt(facts.square));
    people.moves.push_back(facts.moved);
  });
  for (auto* column : columns) forget_where_nothing(*column);
  people.promised = prices.everybody();
  return people;
}

}  // namespace epsilometer
