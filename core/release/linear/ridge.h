// Solutions of normal equations: certified ones of exact sums, and usable ones of noisy sums.
#pragma once

#include <span>
#include <vector>

#include "core/noise/finish.h"
#include "core/numerics/cholesky.h"
#include "core/release/linear_statistics.h"
#include "core/release/release.h"

namespace epsilometer {

struct RidgeSolution {
  std::vector<double> coefficients;
  /// They are within this of (X^T X + lambda I)^{-1} X^T y in the l2 norm.
  double error;
};

/// `equations`: sums that were correctly rounded, or whose right side was rounded once or twice more; lambda
/// > 0; no eigenvalue of X^T X + lambda I is below `floor` >= lambda. Refuses what doubles cannot solve,
/// which no table is where lambda is not too small (is_solvable).
RidgeSolution ridge(const NormalEquations& equations, double lambda, double floor);

/// No error of ridge() is larger where X^T X has at most that trace, and the coefficients and the right side
/// at most those norms.
double largest_ridge_error(std::size_t dimension, double trace, double floor, double coefficients,
                           double cross);

/// Whether every table of so many records is solved to that error. It depends on rows / lambda.
bool is_solvable(std::size_t dimension, const LinearBounds& bounds, double rows, double lambda);

/// Refuses a lambda with which that is not so.
void must_be_solvable(std::size_t dimension, const LinearBounds& bounds, double rows, double lambda);

/// What a table of at most `most` records gets where `lambda` is for tables of `rows`: at least that, and no
/// more records to one of it.
double lambda_for(double most, double rows, double lambda);

/// The largest norm of the ridge coefficients of a table of at most `rows` records within the bounds: a
/// singular value s of X becomes s / (s^2 + lambda).
double largest_ridge_norm(const LinearBounds& bounds, double rows, double lambda);

/// The variances of the noise on the entries of a released G, on its diagonal and off it, and of a released
/// v.
struct EntryVariances {
  double diagonal, other, vector;
};

/// Which ridge a released matrix gets: the least that is not below `least` and leaves no eigenvalue below
/// `floor` > 0. `edge`: what the noise's own eigenvalues hardly exceed.
struct RidgeRule {
  double least, floor, edge;
};

/// (G + r I)^{-1} v for the "gram" and the "cross" of the release. Adds the coefficients, r as "ridge", and
/// the spread that the noise gives them, to first order: where no eigenvalue is below twice the edge.
void noisy_ridge(Release& release, const RidgeRule& rule, const EntryVariances& noise);

/// The lower triangle of A^{-1} times a factor; nothing beyond most_covariances.
std::vector<double> scaled_inverse(const Cholesky& factor, std::size_t dimension, double scale);

}  // namespace epsilometer
