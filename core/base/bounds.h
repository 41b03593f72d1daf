// A certified interval and the allowance for rounding that makes it one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace epsilometer {

/// lower <= truth <= upper, always.
struct Bounds {
  double lower;
  double upper;
};

/// Half an ulp of one: the relative error of one correctly rounded operation on doubles.
inline constexpr double unit_roundoff = 0x1p-53;

/// What a closed form may lose to rounding, relative to its value. Every closed form of this library is a
/// short sum or product of positive terms: at most 12 operations (1u each) and 5 calls of exp, expm1, log or
/// log1p, which are assumed right to 4 ulp (8u), as glibc and musl are. That is 52u; a form that can lose
/// more says so and widens its own answer.
inline constexpr double rounding_margin = 64 * unit_roundoff;

/// Below this, gradual underflow costs relative accuracy, so the interval also widens by an absolute step.
inline constexpr double smallest_accurate = 1e-290;

inline double rounded_up(double value, double margin = rounding_margin) {
  const double slack = value < smallest_accurate ? 4 * std::numeric_limits<double>::denorm_min() : 0;
  return value * (1 + margin) + slack;
}

inline double rounded_down(double value, double margin = rounding_margin) {
  const double slack = value < smallest_accurate ? 4 * std::numeric_limits<double>::denorm_min() : 0;
  return std::max(0.0, value * (1 - margin) - slack);
}

/// The rho for which everything epsilon-private is rho-zero-concentrated: epsilon^2/2 (Bun and Steinke 2016,
/// Proposition 1.4), and never more than epsilon.
inline double concentrated_of_pure(double epsilon) {
  return rounded_up(std::min(epsilon, epsilon * epsilon / 2));
}

/// Renyi divergence of a loss that is never larger than `loss`, tiny: order * loss^2 / 2 (Bun and Steinke
/// 2016, Proposition 3.3) is the truth to within the loss itself, where closed forms would underflow.
inline constexpr double tiny_loss = 1e-90;
inline double renyi_of_tiny(double order, double loss) {
  return loss == 0 ? 0 : rounded_up(order * loss * loss / 2);
}

/// The interval around a computed probability.
inline Bounds probability(double value, double margin = rounding_margin) {
  return {std::min(1.0, rounded_down(value, margin)), std::min(1.0, rounded_up(value, margin))};
}

/// The profile of (P, Q) at a negative epsilon from that of (Q, P) at -epsilon: P(E) - e^epsilon Q(E) = 1 -
/// e^epsilon + e^epsilon Q(E') - P(E') for the complement E'.
inline Bounds mirrored(const Bounds& delta, double epsilon) {
  const auto mirror = [epsilon](double value) { return -std::expm1(epsilon) + std::exp(epsilon) * value; };
  return {probability(mirror(delta.lower)).lower, probability(mirror(delta.upper)).upper};
}

}  // namespace epsilometer
