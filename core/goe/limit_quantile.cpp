#include "core/goe/limit_quantile.h"

#include <cmath>
#include <numbers>

namespace epsilometer {
namespace {

// From these it is extrapolated; their ratio of 8 is one of 4 in the error.
constexpr double far_dimension = 16000, near_dimension = 2000;

double scaled_quantile(double dimension, double tail) {
  const double counted = dimension - 0.5,
               quantile = LargestEigenvalue(dimension, OffDiagonalVariance::one).upper_quantile(tail).value;
  return (quantile - 2 * std::sqrt(counted)) * std::pow(counted, 1.0 / 6);
}

}  // namespace

double limit_quantile(double dimension, OffDiagonalVariance variance, double tail) {
  const double s = (4 * scaled_quantile(far_dimension, tail) - scaled_quantile(near_dimension, tail)) / 3;
  const double unit = variance == OffDiagonalVariance::half ? std::numbers::sqrt2 / 2 : 1;
  return unit * (2 * std::sqrt(dimension) + s * std::pow(dimension, -1.0 / 6));
}

}  // namespace epsilometer
