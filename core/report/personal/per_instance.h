// What a release costs one person: the privacy loss between the very table that was used and the same table
// without that person's record, or with a record that might join it. Per-instance differential privacy: Wang
// 2019. A number below the price of the release, which holds whoever is in whatever table; it depends on the
// table, so it is confidential: for whoever may see the table, or for publication only after noise of its
// own.
//
// The answer is a description, made of the person's own numbers, of a mechanism whose pair is that of the two
// tables or dominates it by no more than rounding: so profile, epsilon, Renyi curve, trade-off and the
// composition of several releases into one person's ledger are those of core/accounting. Where an algorithm
// releases something on the way (a noisy eigenvalue or count from which its noise follows), the answer is for
// what was released.
#pragma once

#include "core/report/personal/record_view.h"

namespace epsilometer {

struct PersonalCost {
  /// For adding or removing the record, the worse of both directions.
  Description description;
  /// Why.
  RecordFacts facts;
};

class PersonalCosts {
 public:
  /// `run`: the release of that request on that table, or its plan where nothing is released on the way. What
  /// `table` refers to must outlive this. One pass over the table, and one factorisation where it needs one.
  /// Refused by name where the algorithm has no rule. `came_out`: whether facts are to say what came out told
  /// (RecordFacts::told), where that is noise on what the table gives.
  PersonalCosts(const PlannedRequest& request, Release run, Pieces table, const Progress& progress = {},
                bool came_out = false);

  /// Of one record, which is in the table (Direction::remove) or might join it (Direction::add); of several
  /// records of one person where the algorithm's contributions add up, refused by name elsewhere.
  PersonalCost of(const Records& records, Direction direction, const Progress& progress = {}) const;
  PersonalCost of(std::span<const double> features, double label, Direction direction) const;

  /// The facts of each record of the table, in order.
  void facts_of_all(const Progress& progress,
                    const std::function<void(std::size_t, const RecordFacts&)>& each) const;
  /// What a record of these facts costs.
  Description description_of(const RecordFacts& facts) const { return algorithm_->personal(facts, run_); }

 private:
  std::shared_ptr<const Algorithm> algorithm_;
  Release run_;
  std::vector<Records> table_;
  std::unique_ptr<const RecordView> view_;
};

}  // namespace epsilometer
