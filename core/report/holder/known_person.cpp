#include "core/report/holder/known_person.h"

#include <algorithm>

#include "core/base/refusal.h"
#include "core/report/holder/realised.h"

namespace epsilometer {
namespace {

void must_be_in(Pieces table, const Records& person) {
  std::vector<bool> found(person.count);
  for (const Records& piece : table)
    for (std::size_t i = 0; i < piece.count; ++i) take(person, piece.row(i), piece.labels[i], found);
  if (std::find(found.begin(), found.end(), false) == found.end()) return;
  throw Refusal("range", "row", "another", "must be in the table, or be asked about as one that is not");
}

}  // namespace

KnownPerson known_person(const PlannedRequest& request, const Release& run, Pieces table,
                         const Records& person, Direction direction, std::optional<double> failure,
                         double unit_rows, const Progress& progress) {
  const auto rows = static_cast<double>(person.count);
  if (rows > unit_rows)
    throw Refusal("range", "row", shown(rows) + " rows",
                  "must be at most " + shown(unit_rows) + ", as many as may belong to one who is protected");
  in_range("row", rows, 1, unit_rows);
  if (direction == Direction::remove) must_be_in(table, person);
  const PersonalCosts costs(request, run, table, part_of(progress, 0, 0.4), failure.has_value());
  KnownPerson known{costs.of(person, direction, part_of(progress, 0.4, 0.7)), {}};
  if (!failure) return known;
  in_range("failure", *failure, least_failure, most_failure);
  if (const auto& told = known.cost.facts.told) {
    known.realised.emplace();
    known.realised->model.loss = *told;
    known.realised->failure = known.cost.facts.told_failure;
    return known;
  }
  // Of several records there is a rule for Gaussian noise only, by what they cost together.
  if (const auto told = realised(request, run, table, *failure, part_of(progress, 0.7, 1)))
    known.realised =
        told->of(person.part(0, 1), direction, [&known](std::size_t) { return known.cost.description; })
            .front()
            .bound;
  return known;
}

}  // namespace epsilometer
