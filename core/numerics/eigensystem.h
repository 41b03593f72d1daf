// All eigenvalues and eigenvectors of a symmetric matrix, with a certificate: of which matrix, near the one
// given, they are the exact ones.
#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"

namespace epsilometer {

/// Nobody waits for more rows: the time grows with their cube.
inline constexpr std::size_t largest_eigensystem = 512;

/// There is an orthonormal basis, no further than `tilt` from the computed vectors in the Frobenius norm, and
/// a symmetric matrix, no further than `error` from the one given, of which the computed values and that
/// basis are the exact eigenvalues and eigenvectors. So each value is within `error` of the true one (Weyl
/// 1912).
struct Certificates {
  double error, tilt;
};

struct Eigensystem : Certificates {
  /// From the largest to the smallest.
  std::vector<double> values;
  /// By rows: an eigenvector of each value, in the same order.
  std::vector<double> vectors;

  std::size_t dimension() const { return values.size(); }
};

/// Of a lower triangle of numbers from 1e-140 to 1e140 in size, or 0. Jacobi's rotations, in cycles, which
/// end for every matrix (Forsythe and Henrici 1960). Certificates are infinite where rounding spoilt all.
Eigensystem eigensystem(std::span<const double> triangle, std::size_t dimension, const Progress& progress);

/// No certificates are larger: `error` as a multiple of the matrix's Frobenius norm. As rotations lose
/// (Wilkinson 1965, Chapter 3), for half as many cycles again as are usual.
Certificates largest_certificates(std::size_t dimension);

/// The first `count` vectors, by rows; all of them where there are fewer.
std::vector<double> leading_vectors(const Eigensystem& system, std::size_t count);

/// Onto the span of the first `count` vectors, as a lower triangle.
std::vector<double> projection(const Eigensystem& system, std::size_t count);

/// How far that can be, in the Frobenius norm, from the projection onto the exact eigenvectors of the `count`
/// largest eigenvalues, where the matrix has at least that gap after them. Infinite where the gap is lost.
double projection_error(const Certificates& certificates, double gap, std::size_t count);

/// No further apart in the Frobenius norm are the projections, onto the eigenvectors of equally many largest
/// eigenvalues, of two matrices that differ by x x^T, |x| <= 1, one of which has at least that gap after
/// them: 1 / sqrt(2 gap (gap - 1)), rounded up. gap > 1.
double largest_projection_move(double gap);

}  // namespace epsilometer
