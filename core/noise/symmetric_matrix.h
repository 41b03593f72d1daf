// Release of a symmetric matrix H, the sum of one contribution per record, with noise of the Gaussian
// orthogonal ensemble: variance sigma^2 off the diagonal and 2 sigma^2 on it, the law of sigma (Z + Z^T) /
// sqrt(2). Its density depends on the Frobenius norm only, so a change of H by D is exactly a Gaussian
// release of sensitivity |D|_F / sqrt(2) at sigma. Matrices are lower triangles, row by row: (0,0), (1,0),
// (1,1), (2,0), …
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/noise/noise.h"

namespace epsilometer {

/// d (d + 1) / 2.
inline std::size_t triangle(std::size_t dimension) { return dimension * (dimension + 1) / 2; }

/// How neighbouring tables differ.
enum class Change { add_or_remove, replace };

/// What a table's records may contribute. Two positive semidefinite contributions are at most sqrt(2) radius
/// apart, because tr(AB) >= 0; others 2 radius.
struct Contributions {
  /// The largest Frobenius norm, in steps of the matrix.
  double radius;
  bool positive;

  /// The largest change of the sum, in steps.
  double sensitivity(Change change) const;
};

/// The exponent of the grid of x at which the matrix's noise has 2^30 to 2^32 steps.
int outer_product_exponent(double sigma);

/// Contributions x x^T with |x| <= bound: x is truncated to the grid of step 2^exponent, its products are
/// exact on the grid of step 2^(2 exponent), which is that of the matrix.
class OuterProducts {
 public:
  /// `bound` at most 2^30 steps.
  OuterProducts(double bound, int exponent, std::size_t dimension);

  Contributions contributions() const;
  int exponent() const { return 2 * exponent_; }
  /// The contribution of x, valid until the next call.
  std::span<const std::int64_t> of(std::span<const double> x);

 private:
  Truncation truncation_;
  int exponent_;
  std::vector<std::int64_t> x_, product_;
};

/// Any symmetric contributions with Frobenius norm at most `bound`.
class SymmetricContributions {
 public:
  SymmetricContributions(double bound, int exponent, std::size_t dimension);

  Contributions contributions() const;
  std::span<const std::int64_t> of(std::span<const double> lower_triangle);

 private:
  Truncation truncation_;
  std::vector<double> whole_;
  std::vector<std::int64_t> steps_, lower_;
};

/// The Frobenius norm of a lower triangle in steps, rounded up.
double frobenius_norm(std::span<const std::int64_t> lower_triangle);

/// The noise on a grid: diagonal and other standard deviations in steps, 2 other^2 >= diagonal^2.
struct OrthogonalNoise {
  int exponent;
  std::uint64_t diagonal, other;

  /// At least that sigma, in the sense of guarantee().
  static OrthogonalNoise of(double sigma, std::optional<int> exponent = {});

  /// The guarantee for a change of the sum with that Frobenius norm in steps: the worst case of a table with
  /// `contributions.sensitivity(change)`, one person's own with frobenius_norm() of what that person
  /// contributes.
  Description guarantee(double frobenius, std::size_t dimension) const;

  /// Bounds the noise's largest eigenvalue, where `tau` bounds that of the ensemble at sigma = 1, except with
  /// the same probability rho: at most rho (1 + 2^-78) + 2^-250 for dimensions up to 2^17. The noise is
  /// symmetric in law, so this bounds minus the smallest eigenvalue with the same probability, and the
  /// operator norm except with twice that.
  double eigenvalue_bound(double tau, std::size_t dimension) const;
};

/// H + noise as a lower triangle in the units of the data. Starts a release of the generator.
std::vector<double> released(Generator& generator, const IntegerSum& sum, const OrthogonalNoise& noise);

/// The classic alternative: independent noise of one variance on the upper triangle, mirrored.
struct UpperTriangleComparison {
  /// sqrt(2): its sigma for the same worst case. A change by D counts as its upper triangle's Euclidean norm,
  /// sqrt((|D|_F^2 + sum of D_ii^2) / 2), which for diagonal D is |D|_F, against |D|_F / sqrt(2) at our
  /// sigma.
  static constexpr double sigma_ratio = 1.4142135623730951;

  /// One person's sensitivities and, at sigma and sqrt(2) sigma, the resulting mu = sensitivity / sigma.
  double sensitivity, classic_sensitivity, mu, classic_mu;
};

/// Of a change of H by a lower triangle, at the given sigma of the ensemble. For display: to a few ulp.
UpperTriangleComparison compared_with_upper_triangle(std::span<const double> change, double sigma);

}  // namespace epsilometer
