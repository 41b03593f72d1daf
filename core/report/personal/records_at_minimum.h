// Objective perturbation after the release, for a whole table: what realised_objective_loss asks of each of
// its records, and of any that was not in it. Exact minima only: core/report/personal/realised_loss.h.
#pragma once

#include <optional>

#include "core/base/progress.h"
#include "core/model/bounded_records.h"
#include "core/numerics/certified_factor.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {

class RecordsAtMinimum {
 public:
  /// `loss` must outlive it. `records`: the table that was used. lambda of the sum, not negative;
  /// `coefficients` exactly as released. One pass over the table.
  RecordsAtMinimum(const BoundedRecords& records, const Loss& loss, double lambda,
                   std::vector<double> coefficients, const Progress& progress = {});

  /// Whether doubles can tell the Hessian's leverages. Without them nothing below may be asked.
  bool knows_leverages() const { return factor_.has_value(); }

  /// Of CertifiedFactor::strip records or fewer, with the bounds of the table's own.
  std::vector<RecordAtMinimum> of(const BoundedRecords::Several& records) const;

  /// Of the same the share of the curvature in their own direction, slope.second * leverage, rounded up;
  /// `predictions`: the product of each with the coefficients.
  std::vector<double> shares(const BoundedRecords::Several& records,
                             std::span<const Interval> predictions) const;

 private:
  const Loss& loss_;
  std::vector<double> coefficients_, gradient_;
  double gradient_error_;
  std::optional<CertifiedFactor> factor_;
};

}  // namespace epsilometer
