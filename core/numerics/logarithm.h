// The natural logarithm of double-doubles, for arguments of exponentials that a double would blur.
#pragma once

#include <cmath>

#include "core/numerics/double_double.h"

namespace epsilometer {

/// log(1 + x) for x > -1, with a relative error of 2^-95 (where 1 + x loses no digits of x to cancellation).
inline DoubleDouble log_one_plus(DoubleDouble x) {
  // log(1 + x) = n log 2 + 2 artanh(s), with |s| <= 0.18.
  int exponent = 0;
  DoubleDouble s = x / (DoubleDouble{2} + x);
  if (std::abs(x.hi) > 0.25) {
    const DoubleDouble whole = DoubleDouble{1} + x;
    std::frexp(whole.hi * 0.7071067811865476, &exponent);
    const DoubleDouble part{std::ldexp(whole.hi, -exponent), std::ldexp(whole.lo, -exponent)};
    s = (part - DoubleDouble{1}) / (part + DoubleDouble{1});
  }
  const DoubleDouble square = s * s;
  DoubleDouble sum{0};
  for (int odd = 45; odd >= 1; odd -= 2) sum = sum * square + DoubleDouble{1} / DoubleDouble{double(odd)};
  const DoubleDouble artanh = s * sum;
  return logarithm_of_two * DoubleDouble{double(exponent)} + DoubleDouble{2 * artanh.hi, 2 * artanh.lo};
}

/// log x for a double x > 0, with an absolute error of 2^-95 (1 + |log x|).
inline DoubleDouble logarithm(double x) {
  int exponent;
  const double part = std::frexp(x, &exponent);
  return logarithm_of_two * DoubleDouble{double(exponent)} + log_one_plus(DoubleDouble{part - 1});
}

}  // namespace epsilometer
