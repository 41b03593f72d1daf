#include "core/report/holder/people_losses.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/release/price.h"
#include "core/report/holder/realised.h"
#include "core/report/personal/failing_parts.h"
#include "core/report/personal/shared_prices.h"

namespace epsilometer {
namespace {

// Reading the table and factoring it come first.
constexpr double share_of_reading = 0.5, share_of_realised = 0.3;
// Then the losses, and after them what the model makes of each row.
constexpr double share_of_losses = 0.8;

// What a column says of one row more, of so many; nothing is kept where it says 0 of every row.
void put(std::vector<double>& column, std::size_t row, std::size_t count, double value) {
  if (column.empty()) {
    if (value == 0) return;
    column.reserve(count);
    column.resize(row);
  }
  column.push_back(value);
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

PeopleLosses people_losses(const PlannedRequest& request, const Release& run, Pieces table,
                           const PeopleQuestion& asked, double unit_rows, const Progress& progress) {
  const std::optional<double>& order = asked.order;
  if (order) in_range("order", *order, least_order, most_order);
  must_be_one_row(unit_rows);
  std::unique_ptr<const Realised> came_out;
  const double read = asked.failure ? share_of_realised : 0;
  if (asked.failure) came_out = realised(request, run, table, *asked.failure, part_of(progress, 0, read));
  const PersonalCosts costs(request, run, table, part_of(progress, read, share_of_reading),
                            asked.failure.has_value());
  PeoplePrices prices(asked.delta, price(run.description, {asked.epsilon, asked.delta, 1}).epsilon.upper);
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
  const std::size_t count = row_count(table);
  people.losses.reserve(count);
  if (asked.failure)
    for (auto* column : {&people.told_lower, &people.told_upper}) column->reserve(count);
  const std::size_t each = table.front().count;
  // What follows from what is looked at anyway.
  RowCauses causes;
  for (auto* column : {&causes.leverages_without, &causes.misfits, &causes.gradients}) column->reserve(count);
  // Rows of one piece that are told of together, the last of them `row`.
  std::vector<RecordFacts> together;
  const auto tell = [&](std::size_t row, const RecordFacts& facts) {
    together.push_back(facts);
    const Records& piece = table[row / each];
    const std::size_t end = row % each + 1;
    if (end < piece.count && together.size() < CertifiedFactor::strip) return;
    const Records rows = piece.part(end - together.size(), together.size());
    const auto own = [&](std::size_t i) { return describe(together[i]); };
    for (const Realised::Told& told : came_out->of(rows, Direction::remove, own)) {
      people.told_lower.push_back(told.bound.model.loss.lower());
      people.told_upper.push_back(told.bound.model.loss.upper());
      if (told.cause) causes.add(*told.cause);
    }
    together.clear();
  };
  costs.facts_of_all(
      part_of(progress, share_of_reading, share_of_losses), [&](std::size_t row, const RecordFacts& facts) {
        if (facts.told) {
          people.told_lower.push_back(facts.told->lower());
          people.told_upper.push_back(facts.told->upper());
          people.told_failure = std::max(people.told_failure, facts.told_failure);
        } else if (came_out) {
          people.told_failure = *asked.failure;
          tell(row, facts);
        }
        if (facts.cause) causes.add(*facts.cause);
        if (order)
          people.divergences.push_back(std::min(people.promised_divergence, divergence(describe(facts))));
        people.losses.push_back(shared.epsilon(facts));
        put(people.leverages, row, count, facts.leverage.upper());
        put(people.residuals, row, count, facts.residual);
        put(people.lengths, row, count, std::sqrt(facts.square));
        put(people.moves, row, count, facts.moved);
      });
  // Of a ridge regression they follow from the same matrix.
  if (request.algorithm->facts_needed(run).of == FactsNeeded::Of::ridge)
    causes.leverages_without = people.leverages;
  people.causes =
      row_causes(request.request, run, table, std::move(causes), part_of(progress, share_of_losses, 1));
  keep_going(progress, 1);
  people.promised = prices.everybody();
  return people;
}

}  // namespace epsilometer
