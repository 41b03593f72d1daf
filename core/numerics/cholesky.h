// Symmetric matrices as lower triangles, row by row: factors, solutions, the smallest eigenvalue. Why it is
// written out, although Eigen is linked: cholesky.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/bounds.h"

namespace epsilometer {

/// L with L L^T = A + shift I.
class Cholesky {
 public:
  /// Nothing when the matrix is not positive definite as doubles see it, or not finite. A matrix whose
  /// smallest eigenvalue is above cholesky_error() has a factor, one that has a factor has its smallest
  /// eigenvalue above -cholesky_error().
  static std::optional<Cholesky> of(std::span<const double> matrix, std::size_t dimension, double shift = 0);

  /// Of the matrix with the least of a few shifts, none first, at which doubles find a factor; nothing when
  /// an entry is not finite.
  static std::optional<Cholesky> shifted(std::span<const double> matrix, std::size_t dimension);

  std::vector<double> solve(std::span<const double> right) const;
  /// A lower triangle.
  const std::vector<double>& factor() const { return factor_; }

 private:
  Cholesky(std::size_t dimension, std::vector<double> factor)
      : dimension_(dimension), factor_(std::move(factor)) {}

  std::size_t dimension_;
  std::vector<double> factor_;
};

/// The factor of a matrix with that trace (that of the shift included) is the exact one of a matrix that is
/// no further away than this in the Frobenius norm: Higham 2002, Theorems 10.3 and 10.7, |R^T| |R| <= trace.
double cholesky_error(double trace, std::size_t dimension);

double trace(std::span<const double> matrix, std::size_t dimension);

/// A x of a lower triangle.
std::vector<double> product(std::span<const double> matrix, std::span<const double> x);

/// Where the smallest eigenvalue lies, to rounding of the matrix's size. For finite matrices.
Bounds smallest_eigenvalue(std::span<const double> matrix, std::size_t dimension);

}  // namespace epsilometer
