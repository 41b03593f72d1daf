// Gradient and Hessian of a regularised sum of losses J at given coefficients, certified. Where those are the
// minimum of a random objective: what realised_objective_loss asks of each record of the table that was used,
// and of any that was not in it (core/report/personal/realised_loss.h).
#pragma once

#include <optional>

#include "core/base/progress.h"
#include "core/model/bounded_records.h"
#include "core/numerics/certified_factor.h"
#include "core/release/record_facts.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {

/// What a loss makes of a record of so many features whose prediction is u and whose slope and share are
/// known.
RowCause cause_of(const Loss& loss, const BoundedRecords::Record& record, Interval u,
                  const RecordSlope& slope, std::size_t dimension, double share);

class RecordsAtMinimum {
 public:
  /// `loss` must outlive it. `records`: the table that was used. lambda of the sum, not negative;
  /// `coefficients` exactly as released. One pass over the table. `causes`: where those of all records go,
  /// whose shares are known with_leverages() only.
  RecordsAtMinimum(const BoundedRecords& records, const Loss& loss, double lambda,
                   std::vector<double> coefficients, const Progress& progress = {},
                   std::vector<RowCause>* causes = nullptr);

  /// How far the minimum of J is from the coefficients at most; infinite where lambda is 0.
  double distance() const;
  const std::vector<double>& coefficients() const { return coefficients_; }
  /// As doubles find it.
  const std::vector<double>& gradient() const { return gradient_; }
  /// Of the sum of the losses' Hessians at most.
  double trace() const { return trace_; }
  /// The largest norm of a record.
  double longest() const { return longest_; }
  /// Whether the second derivative of some record's loss may jump, as it does where a gradient is clipped;
  /// assumed of each loss that is not one-signed.
  bool may_jump() const { return may_jump_; }
  /// The largest product of a record's norm and what its loss's third derivative is of its second at most.
  double bend() const { return bend_; }

  /// Whether doubles can tell the Hessian's leverages. Without them nothing below may be asked.
  bool knows_leverages() const { return factor_.has_value(); }
  const CertifiedFactor& factor() const { return *factor_; }

  /// Coefficients, and how far from them the minimum of J is at most.
  struct Place {
    std::vector<double> coefficients;
    double distance;
  };
  /// Where a step of Newton's method leads. Only where no second derivative may jump.
  Place nearer() const;

  /// Of CertifiedFactor::strip records or fewer, with the bounds of the table's own.
  std::vector<RecordAtMinimum> of(const BoundedRecords::Several& records) const;
  /// Of the same records, from their causes on.
  std::vector<RowCause> with_leverages(std::span<const RowCause> causes,
                                       const BoundedRecords::Several& records) const;

 private:
  const Loss& loss_;
  double lambda_;
  std::vector<double> coefficients_, gradient_;
  double gradient_error_, trace_, longest_ = 0, bend_ = 0;
  bool may_jump_ = false;
  std::optional<CertifiedFactor> factor_;
};

}  // namespace epsilometer
