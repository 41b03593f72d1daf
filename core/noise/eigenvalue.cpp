#include "core/noise/eigenvalue.h"

#include <cmath>
#include <vector>

#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"

namespace epsilometer {
namespace {

// The computation error that is priced, as a share of the unit.
constexpr double tolerance = 0x1p-20;

}  // namespace

double eigenvalue_sensitivity(double unit, int exponent) {
  return rounded_sensitivity(unit, tolerance * unit, 1, exponent);
}

// The interval is four roundings of the largest row sum wide, which is at most sqrt(d) times the trace, and
// what a factor may be wrong by on either side: shifted by an eigenvalue that is at most the d-th part of the
// trace.
double eigenvalue_error(std::size_t dimension) {
  return cholesky_error(2.01, dimension) +
         (2 * std::sqrt(static_cast<double>(dimension)) + 4) * unit_roundoff;
}

double most_rows_with_eigenvalue(std::size_t dimension) {
  return std::ldexp(1, std::ilogb(tolerance / eigenvalue_error(dimension)));
}

IntegerSum smallest_eigenvalue_sum(std::span<const double> matrix, std::size_t dimension, double unit,
                                   int exponent) {
  const Bounds least = smallest_eigenvalue(matrix, dimension);
  const double half = (least.upper - least.lower) / 2;
  if (!(half + 2 * unit_roundoff * trace(matrix, dimension) <= tolerance * unit))
    throw Refusal("unreachable", "eigenvalue", "uncertain",
                  "needs a smaller table to be computed well enough; the budget is spent");
  return rounded(std::vector{least.lower + half}, exponent);
}

double eigenvalue_margin(const GaussianNoise& noise, double unit, double failure) {
  return lower_margin(noise, failure) + tolerance * unit;
}

double eigenvalue_margin(const LaplaceNoise& noise, double unit, double failure) {
  return lower_margin(noise, failure) + tolerance * unit;
}

}  // namespace epsilometer
