// The largest eigenvalue of d x d matrices, for any d, from one scalar determinant. With N = d, phi_j and t_j
// of hermite.h, a = sqrt(N/2), I_j the integral of phi_j over the line, c = I_N / 2 for even and 1 / (a
// I_{N-1}) for odd N, and
//   S(y,x) = sum_{j<N} phi_j(y) phi_j(x) + a phi_{N-1}(y) (c - t_N(x)),      S(y,inf) = a c phi_{N-1}(y),
//   g(x) = int_s^inf S(y,x) dy,   J(x) = int_s^x S(y,s) dy,   H(x) = int_x^inf S(y,inf) dy,
//   (B f)(x) = int_s^inf S(y,x) f(y) dy + [g(x)/2 - J(x)] f(s) + [g(x)/2 - H(x)] f(inf)
// on functions over [s, inf] with their values at both ends, F(s)^2 = det(1 - B). This comes from the 2 x 2
// matrix kernel of the ensemble (Mehta 2004, chapter 7; Tracy and Widom 1996) by exchanging factors of the
// determinant and integrating by parts, which leaves the scalar kernel and two terms of rank one.
//
// Every entry of B is O(1 - F) and its leading terms are positive, so 1 - F keeps its relative accuracy if
// the elimination works on B and never on 1 - B. Under a shift of s with all points, B changes by a matrix of
// rank two (Christoffel-Darboux), so that the slope of log F costs two more rows and columns.
//
// Points: Gauss-Legendre on [s, s + reach] with spectral convergence (Bornemann 2010); no entry needs a
// second quadrature, since the integrals of phi_j come by recurrence too. Time O(d n^2) for n points, memory
// O(n^2).
#pragma once

#include "core/goe/edge.h"
#include "core/goe/eigenvalue_law.h"

namespace epsilometer {

/// A draft takes a third of the time and serves to get near a quantile.
enum class Effort { draft, full };

class EigenvalueDeterminant {
 public:
  /// dimension: whole, from 1 to 100000.
  explicit EigenvalueDeterminant(double dimension);

  /// F is 0 where it is below 1e-20.
  EigenvalueLaw law(DoubleDouble s, Effort effort) const;

 private:
  double dimension_;
  /// a and c above.
  double factor_, constant_;
  Edge edge_;
};

/// a c, from the same product of integrals.
double leading_factor(double dimension);

}  // namespace epsilometer
