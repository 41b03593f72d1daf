#include "core/goe/goe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/refusal.h"
#include "core/goe/edge.h"
#include "core/goe/eigenvalue_law.h"

namespace epsilometer {
namespace {

double whole_dimension(double dimension) {
  in_range("dimension", dimension, 1, 100000);
  if (dimension == std::floor(dimension)) return dimension;
  throw Refusal("range", "dimension", shown(dimension), "must be a whole number");
}

Estimate within(double value, double error, double least, double most) {
  return {value, {std::max(least, value - error), std::min(most, value + error)}};
}

// A search starts where the limit law (Tracy and Widom 1996) has this quantile, in the variable Edge::airy,
// with the first correction for finite d. Polynomials in the cube root of -log(tail), fitted to the limit for
// tails down to 1e-300 and to 1e-40: they are wrong by at most 0.014 and 0.06.
double airy_quantile(bool upper, double log_tail, double dimension) {
  const double v = std::cbrt(-log_tail);
  if (!upper)
    return 2.0635454504 + v * (-3.9738305909 + v * (0.1982774086 + v * (0.0438766649 + v * -0.0136202307)));
  return -4.0438973903 - 0.155 * v / (std::pow(dimension, 2.0 / 3) + 0.8) +
         v * (2.9224072746 +
              v * (-0.0175567946 +
                   v * (0.3471439119 + v * (-0.0509592741 + v * (0.00389411087 + v * -0.000120280112)))));
}

}  // namespace

LargestEigenvalue::LargestEigenvalue(double dimension, OffDiagonalVariance variance)
    : dimension_(whole_dimension(dimension)),
      unit_(variance == OffDiagonalVariance::one ? square_root_of_two : DoubleDouble{1}),
      edge_(dimension),
      determinant_(dimension) {}

EigenvalueLaw LargestEigenvalue::law(DoubleDouble s, Effort effort) const {
  // The survival is below about e^-phase; where the far law says less than 1e-20, it is right.
  if (s.hi > edge_.position() && edge_.phase(s.hi) > 40) {
    const EigenvalueLaw far = far_law(dimension_, s);
    if (far.log_above < -46) return far;
  }
  if (dimension_ == 1) return law_of_one(s);
  if (dimension_ == 2) return law_of_two(s);
  return determinant_.law(s, effort);
}

EigenvalueLaw LargestEigenvalue::law_at(double x) const {
  return law(DoubleDouble{in_range("x", x, -1e9, 1e9)} / unit_, Effort::full);
}

// Relative errors of S and F. Largest seen of S: 2e-15 at d = 50, 1.2e-14 at 500, 5e-14 from 10^4 to 10^5, in
// line with d roundings that do not conspire. F is the root of a determinant whose small factors lose digits;
// it is off by 4e-10 at most at F = 1e-6 and 1e-4 at 1e-16.
double LargestEigenvalue::error_above(const EigenvalueLaw& law) const {
  const double rounding = 2e-15 * (2 + std::sqrt(dimension_));
  return law.above <= 0.5 ? rounding : error_below(law) * law.below / law.above + unit_roundoff;
}

double LargestEigenvalue::error_below(const EigenvalueLaw& law) const {
  const double rounding = 2e-15 * (2 + std::sqrt(dimension_));
  if (law.above <= 0.5) return rounding * law.above / law.below + unit_roundoff;
  return rounding * std::pow(std::max(law.below, 1e-20), -0.8);
}

Estimate LargestEigenvalue::cdf(double x) const {
  const EigenvalueLaw at = law_at(x);
  // What was lost to rounding is below 1e-20.
  return within(at.below, std::max(1e-20, error_below(at) * at.below), 0, 1);
}

Estimate LargestEigenvalue::survival(double x) const {
  const EigenvalueLaw at = law_at(x);
  const double underflow = 4 * std::numeric_limits<double>::denorm_min();
  return within(at.above, error_above(at) * at.above + underflow, 0, 1);
}

Estimate LargestEigenvalue::log_survival(double x) const {
  const EigenvalueLaw at = law_at(x);
  const double error = error_above(at) + 8 * unit_roundoff * std::abs(at.log_above);
  return within(at.log_above, error, -std::numeric_limits<double>::infinity(), 0);
}

Estimate LargestEigenvalue::density(double x) const {
  const EigenvalueLaw at = law_at(x);
  const double error = 4 * (at.above <= 0.5 ? error_above(at) : error_below(at)) * at.density;
  const double value = at.density / unit_.hi;
  // Where F is lost to rounding the density is below 1e-17.
  return within(value, std::max(at.above == 1 ? 1e-17 : 0, error), 0,
                std::numeric_limits<double>::infinity());
}

Estimate LargestEigenvalue::upper_quantile(double tail) const {
  in_range("upperTail", tail, 1e-290, 1 - 1e-12);
  return tail <= 0.5 ? quantile(Side::upper, std::log(tail)) : quantile(Side::lower, std::log1p(-tail));
}

Estimate LargestEigenvalue::lower_quantile(double tail) const {
  in_range("lowerTail", tail, 1e-12, 1 - 1e-15);
  return tail < 0.5 ? quantile(Side::lower, std::log(tail)) : quantile(Side::upper, std::log1p(-tail));
}

// Newton's method on the logarithm of the tail. The law is log-concave, so that it cannot fail: after its
// first step it comes from one side.
Estimate LargestEigenvalue::quantile(Side side, double log_tail) const {
  const bool upper = side == Side::upper;
  DoubleDouble s{edge_.at_airy(airy_quantile(upper, log_tail, dimension_))};
  // In the lower tail a draft would miss a determinant that is itself smaller than its error.
  Effort effort = upper ? Effort::draft : Effort::full;
  for (int steps = 0;; ++steps) {
    const EigenvalueLaw at = law(s, effort);
    const double residual = (upper ? at.log_above : at.log_below) - log_tail;
    const double slope = upper ? -at.fall : at.rise;
    const double step = -residual / slope;
    s = s + DoubleDouble{step};
    // The next step would be of the order of this product, because the convergence is quadratic.
    const double next = std::abs(step * residual) / std::max(std::abs(s.hi), 0.01);
    if (effort == Effort::full && (!(next > 1e-17) || steps > 50)) {
      // By log-concavity a relative error of the tail moves the quantile by no more than itself over the
      // slope, on the side to which the tail is falling; on the other side by a trifle more, within the
      // factor of two.
      const double error = 2 * (upper ? error_above(at) : error_below(at)) / std::abs(slope) * unit_.hi;
      const double x = (s * unit_).hi, ends = std::numeric_limits<double>::infinity();
      return within(x, error + 4 * unit_roundoff * std::abs(x), -ends, ends);
    }
    if (!(next > 1e-6)) effort = Effort::full;
  }
}

}  // namespace epsilometer
