// All that a linear model needs of a table: the sums of x x^T, x y and y^2. Each record is clipped and
// truncated to the grid by itself and the sums are exact integers, so that they are the same in any order and
// in any number of parts, and their sensitivities are those of the mathematics. How many records there are is
// private; nothing here tells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/noise/grid.h"
#include "core/numerics/row_products.h"
#include "core/table/records.h"

namespace epsilometer {

/// Public: what no record exceeds after clipping, |x| <= features in the norm and |y| <= label. The
/// truncated bounds have 2^20 to 2^21 steps.
struct LinearBounds {
  double features, label;
  Norm norm = Norm::l2;

  int features_exponent() const;
  int label_exponent() const;
  bool operator==(const LinearBounds&) const = default;
};

/// One block of the sums as a query: what a record moves it by when it is added or removed.
struct Query {
  /// The grid on which the sum is exact.
  int finest;
  /// In steps of that grid.
  double radius;
  /// What rounding to a coarser grid adds, in steps of the coarser one.
  double rounding;

  /// The grid for noise of that width: so coarse that 2^34 steps are enough, unless the finest one is
  /// coarser. Sums of 2^27 widths fit.
  int exponent(double width) const;
  /// In steps of a grid that is not finer than the finest, rounded up.
  double sensitivity(int exponent) const;
};

/// The same block for so many records of one person, who together move it by at most `moved`, in the units of
/// the data; whoever has nothing in it moves nothing.
Query own(const Query& query, double moved, double records);

/// X^T X as a whole matrix, in the Frobenius norm or as the sum of all its entries' sizes, when records are
/// bounded as said.
Query gram_query(std::size_t dimension, const LinearBounds& bounds, Norm norm);
/// X^T y, in the same norms.
Query cross_query(std::size_t dimension, const LinearBounds& bounds, Norm norm);

/// A linear model's normal equations in doubles: X^T X as a lower triangle, X^T y, y^T y.
struct NormalEquations {
  std::vector<double> gram, cross;
  double square;
};

/// The lower triangle of the sum of z z^T, z = (x, y).
std::vector<double> whole(const NormalEquations& equations);

/// Of the records as they are: neither clipped nor private.
NormalEquations normal_equations(const Records& records);

class LinearStatistics {
 public:
  LinearStatistics(std::size_t dimension, const LinearBounds& bounds);
  /// Computed elsewhere, with the same clipping and truncation: the lower triangle of the sum of z z^T, z =
  /// (x, y), in steps; and of how many records.
  LinearStatistics(std::size_t dimension, const LinearBounds& bounds, IntegerSum sums, double count);

  /// Features count as zeros where one of them is not finite, and a label where it is not.
  void add(std::span<const double> features, double label);
  void add(const Records& records, const Progress& progress);
  /// Refuses a part with another dimension or other bounds.
  void add(const LinearStatistics& part);

  /// Of records: as private as they are.
  double count() const { return count_; }
  std::size_t dimension() const { return dimension_; }
  const LinearBounds& bounds() const { return bounds_; }

  /// The lower triangle of X^T X, and X^T y, on a grid that is not finer than the finest.
  IntegerSum gram(int exponent) const;
  IntegerSum cross(int exponent) const;
  /// All of it in doubles, each correctly rounded.
  NormalEquations values() const;

 private:
  void take();
  void flush();
  IntegerSum all() const;
  std::size_t gram_size() const;

  std::size_t dimension_;
  LinearBounds bounds_;
  Truncation features_, label_;
  // The last records, whose products are still to be summed; and sums of such, whole numbers below 2^53.
  RowProducts waiting_;
  std::vector<double> recent_;
  std::size_t recent_count_ = 0;
  IntegerSum sums_;
  double count_;
};

}  // namespace epsilometer
