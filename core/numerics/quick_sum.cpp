#include "core/numerics/quick_sum.h"

#include <cmath>

namespace epsilometer {
namespace {

// What d products and their sum are off by; what underflowed is below 2^-1074 each.
Interval quick_sum_of(std::size_t terms, double sum, double sizes) {
  const double rounding = (static_cast<double>(terms) + 2) * (1.01 * unit_roundoff * sizes + 0x1p-1073);
  return Interval::around(sum, rounded_up(rounding));
}

}  // namespace

Interval quick_dot(std::span<const double> x, std::span<const double> y) {
  const auto product = [=](std::size_t i) { return x[i] * y[i]; };
  const auto size = [=](std::size_t i) { return std::abs(x[i] * y[i]); };
  return quick_sum_of(x.size(), quick_sum(x.size(), product), quick_sum(x.size(), size));
}

Interval quick_square(std::span<const double> x) {
  const double sum = quick_sum(x.size(), [=](std::size_t i) { return x[i] * x[i]; });
  return larger(quick_sum_of(x.size(), sum, sum), 0);
}

}  // namespace epsilometer
