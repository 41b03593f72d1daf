#include "core/numerics/quick_sum.h"

#include <cmath>

#include "core/numerics/pair.h"

namespace epsilometer {
namespace {

// What d products and their sum are off by; what underflowed is below 2^-1074 each.
Interval quick_sum_of(std::size_t terms, double sum, double sizes) {
  const double rounding = (static_cast<double>(terms) + 2) * (1.01 * unit_roundoff * sizes + 0x1p-1073);
  return Interval::around(sum, rounded_up(rounding));
}

}  // namespace

// Both sums in one pass, each of them as quick_sum() makes it.
Interval quick_dot(std::span<const double> x, std::span<const double> y) {
  Pair a{}, b{}, c{}, d{};
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    const Pair first = pair_at(&x[i]) * pair_at(&y[i]), second = pair_at(&x[i + 2]) * pair_at(&y[i + 2]);
    a += first, b += second, c += size_of(first), d += size_of(second);
  }
  for (; i < x.size(); ++i) a[0] += x[i] * y[i], c[0] += std::abs(x[i] * y[i]);
  return quick_sum_of(x.size(), (a[0] + a[1]) + (b[0] + b[1]), (c[0] + c[1]) + (d[0] + d[1]));
}

Interval quick_square(std::span<const double> x) {
  const double sum = quick_sum(x.size(), [=](std::size_t i) { return x[i] * x[i]; });
  return larger(quick_sum_of(x.size(), sum, sum), 0);
}

}  // namespace epsilometer
