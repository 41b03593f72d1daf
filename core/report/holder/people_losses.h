// What a release cost each row of a table, at one delta, and why: columns of numbers for whoever may see the
// table. Confidential, all of it.
#pragma once

#include <optional>
#include <vector>

#include "core/report/holder/row_causes.h"
#include "core/report/personal/per_instance.h"

namespace epsilometer {

/// One number for each row, in order.
struct PeopleLosses {
  /// epsilon, rounded up by about a sixteenth (what it depends on by a 22nd; so where it is hardly above 0 by
  /// more), and never above the release's own.
  std::vector<double> losses;
  /// How unusual the features are: of the table without the row, at most 1 where it is that of a sketch, and
  /// |w|^2 of a whitened row w; how far the model misses its label; how long the features are; how far the
  /// row moves the coefficients. Empty where the algorithm's loss does not depend on it.
  std::vector<double> leverages, residuals, lengths, moves;
  /// What the released model makes of each row, whatever the loss depends on.
  RowCauses causes;
  /// What everybody was promised, at that delta.
  double promised;
  /// Renyi divergence of the row's own pair where no part of the release fails, the worse of both directions,
  /// rounded up, and never above the release's own, which is `promised_divergence`; infinite where no bound
  /// is known. Empty and 0 without an order.
  std::vector<double> divergences;
  double promised_divergence = 0;
  /// With what probability some part fails, under either table: core/report/personal/failing_parts.h says
  /// what is known then.
  double failure = 0;
  /// Where what came out told of each row lies: exactly, but for what doubles cannot tell, where what came
  /// out is noise on values of the table, else by realised.h. Empty where it was not asked for or no law is
  /// known of it.
  std::vector<double> told_lower, told_upper;
  /// With which probability over the noise that is wrong of a row, of each by itself.
  double told_failure = 0;
};

/// What is asked of all rows alike.
struct PeopleQuestion {
  double delta;
  /// Of Renyi divergences, from 1.000001 to 1e6.
  std::optional<double> order{};
  /// With which probability over the noise what is told of what came out may be wrong, of each row by itself,
  /// from 1e-40 to 1/2.
  std::optional<double> failure{};
  /// That of the budget at that delta, where there is one: nobody pays more where the release keeps it.
  std::optional<double> epsilon{};
};

/// Refuses what people_losses() refuses of any table: algorithms without a rule, a `run` that lacks what they
/// release on the way, such as the path of a descent, and persons with several rows.
void must_have_losses(const Algorithm& algorithm, const Release& run, double unit_rows);

/// `run`: the release on that very table. Refuses what must_have_losses() does.
PeopleLosses people_losses(const PlannedRequest& request, const Release& run, Pieces table,
                           const PeopleQuestion& asked, double unit_rows, const Progress& progress);

}  // namespace epsilometer
