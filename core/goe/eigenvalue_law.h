// The law of the largest eigenvalue s of the ensemble with density prod |y_i - y_j| exp(-sum y_i^2 / 2),
// whose off-diagonal elements have variance 1/2 and whose spectrum ends near sqrt(2d).
#pragma once

#include "core/numerics/double_double.h"

namespace epsilometer {

inline constexpr DoubleDouble square_root_of_two{1.4142135623730951, -9.667293313452913e-17};

/// F and S = 1 - F with their logarithms and the slopes of these. S and everything about it has relative
/// accuracy, F only absolute one. Both are log-concave (Prekopa 1973).
struct EigenvalueLaw {
  double below, above;
  double log_below, log_above;
  double density;
  /// (log F)' and -(log S)'.
  double rise, fall;
};

/// From F, S and the density.
EigenvalueLaw law_of(double below, double above, double density);

/// Closed forms for d = 1 and 2.
EigenvalueLaw law_of_one(DoubleDouble s);
EigenvalueLaw law_of_two(DoubleDouble s);

/// Any d, where S < 1e-20: S is a c t_{d-1}(s) (the notation of determinant.h) times 1 + O(S). Right for
/// every s, however small S is.
EigenvalueLaw far_law(double dimension, DoubleDouble s);

}  // namespace epsilometer
