// Unevaluated sums of two doubles, about 106 bits: Dekker 1971, Knuth 1969. Only what the closed forms need
// where a rounding of the argument would be amplified. Needs contraction off and round to nearest.
#pragma once

#include <cmath>

namespace epsilometer {

/// hi + lo with |lo| <= ulp(hi)/2.
struct DoubleDouble {
  double hi;
  double lo = 0;
};

/// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double virtual_b = sum - a;
  return {sum, (a - (sum - virtual_b)) + (b - virtual_b)};
}

/// a * b exactly, unless the low part underflows.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

/// Relative error 2^-103 unless the sum cancels to less than the operands' own error.
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.hi, b.hi);
  const DoubleDouble low = two_sum(a.lo, b.lo);
  const DoubleDouble folded = two_sum(high.hi, high.lo + low.hi);
  return two_sum(folded.hi, folded.lo + low.lo);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  return two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.hi / b.hi;
  const DoubleDouble rest = a - b * DoubleDouble{first};
  const double second = rest.hi / b.hi;
  return two_sum(first, second);
}

inline DoubleDouble square_root(DoubleDouble a) {
  if (a.hi == 0) return {0};
  const double root = std::sqrt(a.hi);
  const DoubleDouble rest = a - two_product(root, root);
  return two_sum(root, rest.hi / (2 * root));
}

/// The double at or just above: exact where the value is a double.
inline double upward(DoubleDouble a) { return a.lo > 0 ? std::nextafter(a.hi, HUGE_VAL) : a.hi; }

/// count * a / b, rounded up: exact where it is a double. All positive.
inline double quotient_upward(double count, double a, double b) {
  const DoubleDouble product = two_product(count, a);
  const double guess = (product / DoubleDouble{b}).hi;
  // The quotient of doubles may lie on either side of its nearest double; products tell exactly.
  const DoubleDouble back = two_product(guess, b);
  const bool below = back.hi < product.hi || (back.hi == product.hi && back.lo < product.lo);
  return below ? std::nextafter(guess, HUGE_VAL) : guess;
}

/// log 2, off by less than 2^-110.
inline constexpr DoubleDouble logarithm_of_two{0.6931471805599453, 2.3190468138462996e-17};

/// exp(a) without the |a| * u that rounding the argument would cost.
inline double exponential(DoubleDouble a) { return std::exp(a.hi) * (1 + a.lo); }

/// A whole number times 2^exponent, to 107 bits.
inline DoubleDouble precise(__int128 steps, int exponent) {
  const auto high = static_cast<double>(steps);
  const auto low = static_cast<double>(steps - static_cast<__int128>(high));
  return {std::ldexp(high, exponent), std::ldexp(low, exponent)};
}

}  // namespace epsilometer
