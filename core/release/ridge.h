// Solutions of normal equations: certified ones of exact sums, and usable ones of noisy sums.
#pragma once

#include <span>
#include <vector>

#include "core/release/finish.h"
#include "core/release/linear_statistics.h"

namespace epsilometer {

struct RidgeSolution {
  std::vector<double> coefficients;
  /// They are within this of (X^T X + lambda I)^{-1} X^T y in the l2 norm.
  double error;
};

/// `equations`: sums that were correctly rounded, or whose right side was rounded once or twice more; lambda
/// > 0; no eigenvalue of X^T X + lambda I is below `floor` >= lambda. Refuses what doubles cannot solve,
/// which is an answer about the data.
RidgeSolution ridge(const NormalEquations& equations, double lambda, double floor);

/// No error of ridge() is larger where X^T X has at most that trace, and the coefficients and the right side
/// at most those norms.
double largest_ridge_error(std::size_t dimension, double trace, double floor, double coefficients,
                           double cross);

/// The largest norm of the ridge coefficients of a table of at most `rows` records within the bounds: a
/// singular value s of X becomes s / (s^2 + lambda).
double largest_ridge_norm(const LinearBounds& bounds, double rows, double lambda);

/// (G + r I)^{-1} v for a released G, which need not be positive: the least r >= ridge for which no
/// eigenvalue is below floor > 0.
std::vector<double> noisy_ridge(std::span<const double> gram, std::span<const double> cross, double ridge,
                                double floor);

}  // namespace epsilometer
