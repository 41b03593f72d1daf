// Interval arithmetic on doubles, every operation rounded outwards: what is computed with it holds the truth
// whatever cancels. An end may be infinite, which stands for a number too large for doubles; 0 times it is 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/bounds.h"

namespace epsilometer {

/// std::nextafter towards infinity of what is a number, without a call.
inline double next_above(double value) {
  if (value == 0) return std::numeric_limits<double>::denorm_min();
  if (value == std::numeric_limits<double>::infinity()) return value;
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits += value > 0 ? 1 : -1;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}
inline double next_below(double value) { return -next_above(-value); }

class Interval {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// A number that is known exactly.
  constexpr Interval(double exact) : Interval(exact, exact) {}
  constexpr Interval(double lower, double upper) : lower_(lower), upper_(upper) {}
  /// No further than `error` from the middle.
  static Interval around(double middle, double error) { return Interval(middle) + Interval(-error, error); }

  constexpr double lower() const { return lower_; }
  constexpr double upper() const { return upper_; }
  /// Of the largest of its sizes.
  double magnitude() const { return std::max(std::abs(lower_), std::abs(upper_)); }
  constexpr bool is_zero() const { return lower_ == 0 && upper_ == 0; }
  bool has(double value) const { return lower_ <= value && value <= upper_; }
  Bounds bounds() const { return {lower_, upper_}; }

  friend Interval operator-(Interval a) { return {-a.upper_, -a.lower_}; }
  friend Interval operator+(Interval a, Interval b) {
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    return outwards(a.lower_ + b.lower_, a.upper_ + b.upper_);
  }
  friend Interval operator-(Interval a, Interval b) { return a + -b; }
  friend Interval operator*(Interval a, Interval b) {
    if (a.lower_ > 0 && b.lower_ > 0) return outwards(a.lower_ * b.lower_, a.upper_ * b.upper_);
    if (a.is_zero() || b.is_zero()) return 0;
    const double low = times(a.lower_, b.lower_), high = times(a.upper_, b.upper_),
                 one = times(a.lower_, b.upper_), other = times(a.upper_, b.lower_);
    return outwards(std::min(std::min(low, one), std::min(other, high)),
                    std::max(std::max(low, one), std::max(other, high)));
  }
  /// Everything, where the divisor may be 0.
  friend Interval operator/(Interval a, Interval b) {
    if (b.has(0)) return {-infinity, infinity};
    return a * outwards(1 / b.upper_, 1 / b.lower_);
  }

 private:
  static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }
  // A difference of infinite ends may be anything.
  static Interval outwards(double lower, double upper) {
    return {std::isnan(lower) ? -infinity : next_below(lower),
            std::isnan(upper) ? infinity : next_above(upper)};
  }

  double lower_, upper_;
};

inline Interval square(Interval a) {
  const Interval whole = a * a;
  return {std::max(0.0, whole.lower()), whole.upper()};
}

inline Interval absolute(Interval a) { return {std::max({0.0, a.lower(), -a.upper()}), a.magnitude()}; }

inline Interval larger(Interval a, Interval b) {
  return {std::max(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

inline Interval smaller(Interval a, Interval b) { return -larger(-a, -b); }

/// The root of what is not negative: what rounding took below 0 counts as 0.
inline Interval square_root(Interval a) {
  const double low = std::sqrt(std::max(0.0, a.lower())), high = std::sqrt(std::max(0.0, a.upper()));
  return {std::max(0.0, next_below(low)), high == 0 ? 0 : next_above(high)};
}

/// What a function of the library says of a number, which is right to rounding; what overflowed is only known
/// to be at least the largest double.
inline Interval rounded(double value) {
  return {rounded_down(std::min(value, std::numeric_limits<double>::max())), rounded_up(value)};
}

inline Interval exponential(Interval a) {
  const double low = std::exp(a.lower()), high = a.upper() == a.lower() ? low : std::exp(a.upper());
  return {rounded(low).lower(), rounded(high).upper()};
}

/// log(1 + a) of a number above -1: what is rounded to -1 or below counts as just above it. That of 0 is 0.
inline Interval log_one_plus(Interval a) {
  const double low = std::min(a.lower(), std::numeric_limits<double>::max()), low_log = std::log1p(low);
  const auto outwards = [=](double x, double sign) {
    if (x <= -1) return -Interval::infinity;
    const double value = x == low ? low_log : std::log1p(x), off = sign * rounding_margin * std::abs(value);
    // Of numbers so small that the margin is none, one step stands for it.
    return value == 0 ? 0.0 : sign < 0 ? next_below(value + off) : next_above(value + off);
  };
  return {outwards(low, -1), outwards(a.upper(), 1)};
}

}  // namespace epsilometer
