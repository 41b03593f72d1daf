// What can be told of single persons about a release: whether there is an answer is known before anybody
// asks.
#pragma once

#include "core/release/algorithm.h"

namespace epsilometer {

struct PersonsTold {
  /// What it cost each row of the very table, to whoever may see the table (people_losses.h).
  bool rows;
  /// What it cost one person, by a report that may be published (published_report.h).
  bool report;
  /// What it told of all voters of the very table alike, to whoever may see the table (vote_loss.h).
  bool votes = false;

  bool operator==(const PersonsTold&) const = default;
};

/// Of a release that is planned: `rows` also where the answer needs what will be released on the way.
/// `unit_rows`: how many rows each of those who are protected has at most.
PersonsTold persons_told(const Algorithm& algorithm, const Plan& plan, double unit_rows);

/// Of a release that was made by that algorithm.
PersonsTold persons_told(const Algorithm& algorithm, const Release& run, double unit_rows);

}  // namespace epsilometer
