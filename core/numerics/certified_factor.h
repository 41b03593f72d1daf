// A symmetric positive definite matrix that is known up to an error, and quadratic forms of its inverse in
// certified intervals: one factorisation, then d^2 products for each vector.
//
// What doubles make of x^T A^{-1} x is exactly x^T (A + E)^{-1} x with |E| <= e: the error of the entries, of
// the factor and of both substitutions (Higham 2002, Theorems 8.5, 10.3; with a rounding more in each row).
// With no eigenvalue of A below h and eta = e / h < 1, (1 - eta) A <= A + E <= (1 + eta) A, so that the form
// is off by the factor 1 +- eta at most, and A^{-1} x by eta times its computed norm.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/numerics/cholesky.h"
#include "core/numerics/interval.h"
#include "core/numerics/pair.h"

namespace epsilometer {

class CertifiedFactor {
 public:
  /// Of A + shift I, where A is positive semidefinite, and the lower triangle given, finite, is within
  /// `error` of it in the Frobenius norm. Nothing where doubles cannot tell well enough that the sum is
  /// positive definite, eta > 1/4.
  static std::optional<CertifiedFactor> of(std::span<const double> matrix, std::size_t dimension,
                                           double shift, double error);

  struct Forms {
    /// x^T A^{-1} x and x^T A^{-2} x.
    Interval once, twice;
  };
  Forms forms(std::span<const double> x) const;

  /// How many vectors are taken together: about four times as fast as one by one.
  static constexpr std::size_t strip = 8;
  /// Of `strip` vectors or fewer, one after the other. Where `twice` is not asked for it is 0, at half the
  /// cost.
  std::vector<Forms> forms(std::span<const double> vectors, std::size_t count, bool twice = true) const;

  /// A^{-1} x, within `error` of it in the l2 norm.
  struct Solution {
    std::vector<double> values;
    double error;
  };
  Solution solve(std::span<const double> x) const;

  /// No eigenvalue is smaller.
  double floor() const { return floor_; }
  const Cholesky& factor() const { return factor_; }
  std::size_t dimension() const { return dimension_; }

 private:
  CertifiedFactor(Cholesky factor, std::size_t dimension, double floor, double eta);

  Forms certified(double once, double twice, int exponent) const;

  Cholesky factor_;
  // As substitution reads them.
  std::vector<Pair> lower_, turned_;
  std::size_t dimension_;
  double floor_, eta_;
};

/// x^T A x of CertifiedFactor::strip vectors or fewer, one after the other, A a lower triangle of which each
/// number is there twice: each within (d + 8) 2^-53 |A|_F |x|^2.
std::array<double, CertifiedFactor::strip> quadratic_forms(std::span<const Pair> matrix,
                                                           std::span<const double> vectors, std::size_t count,
                                                           std::size_t dimension);

}  // namespace epsilometer
