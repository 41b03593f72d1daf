// Objective perturbation after the release, for a whole table: what the released coefficients told about each
// of its records and about any that was not in it. Exact minima only: core/report/personal/realised_loss.h.
#pragma once

#include "core/base/progress.h"
#include "core/model/bounded_records.h"
#include "core/numerics/certified_factor.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {

class RealisedObjective {
 public:
  /// `records` must outlive it: the table that was used. lambda > 0 of the sum, sigma of the linear term,
  /// `coefficients` exactly as released. One pass over the table.
  /// Refuses where doubles cannot tell the Hessian's leverages.
  RealisedObjective(const BoundedRecords& records, const Loss& loss, double lambda, double sigma,
                    std::vector<double> coefficients, const Progress& progress = {});

  struct Told {
    /// log p / p' at the coefficients: realised_objective_loss.
    Interval loss;
    /// Why.
    RecordAtMinimum at;
  };
  /// Of so many records, CertifiedFactor::strip at most, from one on, of other records with the same bounds
  /// or of the table's own: in the table (Direction::remove), or not.
  std::vector<Told> of(const BoundedRecords& records, std::size_t from, std::size_t count,
                       Direction direction) const;

 private:
  // The gradient and the Hessian there.
  void sum_up(const BoundedRecords& records, double lambda, const Progress& progress);

  const Loss& loss_;
  double sigma_;
  std::vector<double> coefficients_, gradient_;
  double gradient_error_;
  std::vector<CertifiedFactor> factor_;
};

}  // namespace epsilometer
