// e^x - 1 in double-doubles, for differences of exponentials that a double would blur.
#pragma once

#include <cmath>

#include "core/numerics/double_double.h"

namespace epsilometer {

/// e^x - 1 with a relative error of 2^-95; infinity above x = 709.
inline DoubleDouble exponential_minus_one(DoubleDouble x) {
  if (x.hi < -700) return {-1};
  if (x.hi > 709) return {HUGE_VAL};
  constexpr int halvings = 6;
  // x = n log 2 + rest; of the rest a 64th by Taylor's series, whose next term is below 1e-33 of the first.
  const double n = std::abs(x.hi) < 0.4 ? 0 : std::round(x.hi / logarithm_of_two.hi);
  const DoubleDouble rest = x - logarithm_of_two * DoubleDouble{n};
  const DoubleDouble small{std::ldexp(rest.hi, -halvings), std::ldexp(rest.lo, -halvings)};
  DoubleDouble sum{1};
  for (double term = 13; term > 1; --term) sum = DoubleDouble{1} + sum * small / DoubleDouble{term};
  sum = sum * small;
  // (e^y - 1)(e^y + 1) = e^{2y} - 1.
  for (int i = 0; i < halvings; ++i) sum = sum * (sum + DoubleDouble{2});
  if (n == 0) return sum;
  const int power = static_cast<int>(n);
  const DoubleDouble whole = sum + DoubleDouble{1};
  return DoubleDouble{std::ldexp(whole.hi, power), std::ldexp(whole.lo, power)} - DoubleDouble{1};
}

}  // namespace epsilometer
