// The sums of x x^T, x y and y^2 over a table in doubles, with a bound of their errors: from rows as they
// are, or from the exact sums of records that were clipped and put on a grid.
#pragma once

#include "core/base/progress.h"
#include "core/numerics/row_products.h"
#include "core/release/linear_statistics.h"

namespace epsilometer {

struct TableSums {
  NormalEquations equations;
  /// Relative: every sum is within this times the sum of the sizes of its terms. So X^T X is within error *
  /// trace in the Frobenius norm, and X^T y within error * sqrt(trace * square).
  double error;

  std::size_t dimension() const { return equations.cross.size(); }
};

/// Sums of terms of many rows, in blocks of doubles whose sums are added in two doubles.
class BlockSums {
 public:
  explicit BlockSums(std::size_t count) : block_(count), high_(count), low_(count) {}

  /// To which the terms of rows are added, 64 sums at most before end_rows() says in how many sums a term may
  /// have been.
  std::span<double> block() { return block_; }
  void end_rows(double sums);
  const std::vector<double>& values();
  /// Every sum is right to this times the sum of the sizes of its terms, each of which is rounded once.
  double error() const;

 private:
  void end_block();

  std::vector<double> block_, high_, low_;
  double in_block_ = 0, blocks_ = 0;
};

/// The lower triangle of the sum of z z^T.
class ProductSum {
 public:
  explicit ProductSum(std::size_t width);

  /// z = factor x.
  void add(std::span<const double> x, double factor = 1);
  /// Each is right to error() times the sum of the sizes of its terms, given z.
  const std::vector<double>& values();
  double error() const { return sums_.error(); }

 private:
  void join_block();

  RowProducts waiting_;
  BlockSums sums_;
};

/// n d^2 / 2 products. Refuses numbers that are not finite, by name.
TableSums table_sums(const Records& records, const Progress& progress = {});
TableSums table_sums(const LinearStatistics& statistics);

/// Refuses a record with a number that is not finite, or of another dimension.
void must_be_finite(std::span<const double> features, double label, std::size_t dimension);

}  // namespace epsilometer
