// The largest eigenvalue of the Gaussian orthogonal ensemble GOE(d): its distribution and its quantiles at
// every finite dimension, with relative accuracy in the far upper tail. No limit law enters an answer.
//
// Source of the method: determinant.h. That the formulas are right is proven; what rounding costs is
// measured, against 25-digit values of another formula up to d = 500 and extended precision beyond, and the
// bounds of every answer are at least three times the largest error seen. The tests also hold
// the survival under the expected number of eigenvalues above x, which it cannot exceed.
#pragma once

#include "core/base/bounds.h"
#include "core/goe/determinant.h"

namespace epsilometer {

/// Variance of the elements off the diagonal; on it the variance is twice that. `one` is G = (Z + Z^T) / sqrt
/// 2 for a square Z of independent standard normals, with a spectrum that ends near 2 sqrt d; `half` is (Z +
/// Z^T) / 2, all eigenvalues smaller by sqrt 2 (Chiani 2014). To take one for the other is costly: at d = 50
/// the largest eigenvalue exceeds 12 with probability 4.2e-6 for `half` and 0.991 for `one`.
enum class OffDiagonalVariance { one, half };

/// A computed value, and an interval around the truth.
struct Estimate {
  double value;
  Bounds bounds;
};

class LargestEigenvalue {
 public:
  /// dimension: whole, from 1 to 100000.
  LargestEigenvalue(double dimension, OffDiagonalVariance variance);

  // At an x from -1e9 to 1e9.

  /// P(largest <= x): within 1e-14 for d <= 1000 and 1e-13 beyond.
  Estimate cdf(double x) const;
  /// P(largest > x): within 1e-13 of its size for d <= 500 and 1e-12 beyond, until it underflows.
  Estimate survival(double x) const;
  /// The logarithm of the survival, which does not underflow: with the absolute error of the former's
  /// relative one, or a few units in its last place.
  Estimate log_survival(double x) const;
  /// The derivative of the cdf, to a few times the relative error of the survival, or in the lower half of
  /// the cdf.
  Estimate density(double x) const;

  // The upper bound of a quantile is the safe end for whoever needs `largest <= quantile` with high
  // probability.

  /// The x with survival(x) = tail, for a tail from 1e-290 to 1 - 1e-12: within 2 units in the last place up
  /// to 1/2, above that as the lower quantile of 1 - tail.
  Estimate upper_quantile(double tail) const;
  /// The x with cdf(x) = tail, for a tail from 1e-12 to 1 - 1e-15: within 1e-10 of its size from 1e-6 on.
  Estimate lower_quantile(double tail) const;

 private:
  enum class Side { upper, lower };
  /// The law at s = x / unit, where the off-diagonal variance is 1/2.
  EigenvalueLaw law(DoubleDouble s, Effort effort) const;
  EigenvalueLaw law_at(double x) const;
  double error_above(const EigenvalueLaw& law) const;
  double error_below(const EigenvalueLaw& law) const;
  Estimate quantile(Side side, double log_tail) const;

  double dimension_;
  DoubleDouble unit_;
  Edge edge_;
  EigenvalueDeterminant determinant_;
};

}  // namespace epsilometer
