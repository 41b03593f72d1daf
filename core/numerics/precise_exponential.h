// The exponential function in two doubles. Products are split by hand (Dekker 1971), because a fused
// multiplication is a slow call in WebAssembly.
#pragma once

#include <cmath>
#include <limits>

#include "core/numerics/double_double.h"

namespace epsilometer {

/// a * b exactly, for sizes below 2^995 whose product does not underflow.
inline DoubleDouble split_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1;
  const double product = a * b, far_a = splitter * a, far_b = splitter * b;
  const double high_a = far_a - (far_a - a), high_b = far_b - (far_b - b);
  const double low_a = a - high_a, low_b = b - high_b;
  return {product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

/// Of the same error as operator*, in the range of split_product.
inline DoubleDouble quick_product(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = split_product(a.hi, b.hi);
  return two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// What precise_exponential is wrong by: relative to the value, and below e^-600 absolutely.
inline constexpr double exponential_error = 0x1p-96, smallest_exponential = 1e-260;

/// e^a, infinite where that is more than doubles hold. With r = a - k log 2, |r| <= 0.35, that is 2^k (1 + p)
/// with 1 + p = e^r, where p comes from the Taylor series of e^t - 1, t = r / 256, to its tenth term, squared
/// eight times as p (2 + p).
inline DoubleDouble precise_exponential(DoubleDouble a) {
  constexpr double largest = 0x1.62e42fefa39efp+9;
  if (a.hi > largest) return {std::numeric_limits<double>::infinity()};
  if (a.hi < -600) return {std::exp(a.hi) * (1 + a.lo)};
  constexpr DoubleDouble sixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};
  constexpr DoubleDouble part24{0x1.5555555555555p-5, 0x1.5555555555555p-59};
  constexpr DoubleDouble part120{0x1.1111111111111p-7, 0x1.1111111111111p-63};
  const double k = std::floor(a.hi / logarithm_of_two.hi + 0.5);
  const DoubleDouble r = a - quick_product({k}, logarithm_of_two), t{r.hi / 256, r.lo / 256};
  const double x = t.hi,
               rest = 1.0 / 720 + x * (1.0 / 5040 + x * (1.0 / 40320 + x * (1.0 / 362880 + x / 3628800)));
  DoubleDouble sum = part120 + DoubleDouble{x * rest};
  for (const DoubleDouble next : {part24, sixth, DoubleDouble{0.5}, DoubleDouble{1}})
    sum = next + quick_product(t, sum);
  DoubleDouble p = quick_product(t, sum);
  for (int i = 0; i < 8; ++i) p = DoubleDouble{2 * p.hi, 2 * p.lo} + quick_product(p, p);
  const DoubleDouble power = DoubleDouble{1} + p;
  const int exponent = static_cast<int>(k);
  return {std::ldexp(power.hi, exponent), std::ldexp(power.lo, exponent)};
}

/// 1 / a, relative error 2^-98, for sizes between 2^-900 and 2^900.
inline DoubleDouble precise_inverse(DoubleDouble a) {
  const double first = 1 / a.hi;
  const DoubleDouble rest = DoubleDouble{1} - quick_product(a, {first});
  return two_sum(first, first * rest.hi);
}

}  // namespace epsilometer
