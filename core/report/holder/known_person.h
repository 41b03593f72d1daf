// What a release cost one person, told to whoever may see its table: between the very table and the same one
// without the rows of that person, or with rows that might join it. Before the release as a description, of
// which every question about descriptions can be asked; after it as an interval of what came out told.
// Confidential, all of it.
#pragma once

#include "core/report/personal/per_instance.h"
#include "core/report/published/published_report.h"

namespace epsilometer {

struct KnownPerson {
  /// The worse of both directions (per_instance.h).
  PersonalCost cost;
  /// log p / p' of what came out, p of the table that was used, where its law is known: the minimum of a
  /// random objective, from the table's own gradient and Hessian, or noise on values of the table.
  std::optional<PersonalBound> realised;
};

/// `person`: its rows, all of them in the table (Direction::remove) or none (Direction::add), at most
/// `unit_rows`; refuses several of them where contributions do not add up. `failure`: with which probability
/// over the noise `realised` may be wrong, from 1e-40 to 1/2; nothing: it is not wanted.
KnownPerson known_person(const PlannedRequest& request, const Release& run, Pieces table,
                         const Records& person, Direction direction, std::optional<double> failure,
                         double unit_rows, const Progress& progress);

}  // namespace epsilometer
