// What one record does to a ridge regression: leverage, residual, and how far it moves the coefficients, of
// the table with it and of the table without it (Wang 2019, Lemma 13). One factorisation serves all records
// of a table and any that might join it. All of it is confidential.
//
// With H = X^T X + lambda I of the table without (x, y), mu = x^T H^{-1} x, r = y - x.theta, and a prime for
// the table with it: mu' = mu / (1 + mu), r' = r / (1 + mu), theta' - theta = H^{-1} x r / (1 + mu).
#pragma once

#include <functional>

#include "core/loss/privacy_loss.h"
#include "core/numerics/certified_factor.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {

/// Certified intervals; an upper end is infinite where the table without the record does not determine the
/// coefficients, or doubles cannot tell that it does.
struct RecordInfluence {
  struct Side {
    /// x^T H^{-1} x, and x^T H^{-2} x.
    Interval leverage, squared_solution;
    /// y - x.theta; the record's gradient x (x.theta - y) is as long as |x| times it.
    Interval residual;
  };
  Side without, with;
  /// |theta' - theta|.
  Interval moved;
  /// |x|^2.
  Interval square;

  /// Of the record's loss where it is used: at the coefficients of the table with it.
  Interval gradient() const { return square_root(square) * absolute(with.residual); }
};

class RidgeInfluence {
 public:
  /// lambda >= 0. Refuses by name where doubles cannot tell that X^T X + lambda I is positive definite.
  RidgeInfluence(const TableSums& sums, double lambda);

  /// Direction::remove: the record is one of the table's. Direction::add: it is not, and joins. Refuses what
  /// is not finite.
  RecordInfluence of(std::span<const double> features, double label, Direction direction) const;

  /// Of every record of the table, in order, all of them finite. Where it is not asked how far each moves the
  /// coefficients, that and the squared solutions are 0.
  void of_all(const Records& table, bool moved, const Progress& progress,
              const std::function<void(std::size_t i, const RecordInfluence&)>& each) const;

  /// (theta' - theta)^T W (theta' - theta) for noise of covariance W^{-1}, W a positive definite lower
  /// triangle, row by row.
  Interval moved_square(std::span<const double> features, double label, Direction direction,
                        std::span<const double> weights) const;

  const std::vector<double>& coefficients() const { return coefficients_; }
  /// The coefficients are within this of the truth in the l2 norm.
  double error() const { return error_; }
  double lambda() const { return lambda_; }
  const CertifiedFactor& factor() const { return factor_; }

 private:
  RecordInfluence of(std::span<const double> features, double label, Direction direction,
                     const CertifiedFactor::Forms& forms, bool moved) const;

  double lambda_;
  CertifiedFactor factor_;
  std::vector<double> coefficients_;
  double error_;
};

}  // namespace epsilometer
