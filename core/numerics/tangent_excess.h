// How far a power lies above its tangent: r^a - 1 - a (r - 1) with r = e^x, for a > 1. Positive, of second
// order in x, and evaluated without the cancellation of its terms.
#pragma once

#include <cmath>

namespace epsilometer {

/// What both functions below may lose to rounding, besides what the error of x costs.
inline constexpr double excess_margin = 64 * 0x1p-53;

/// e^{ax} - 1 - a (e^x - 1) with a = 1 + t, for a x <= 1.
inline double tangent_excess(double t, double x) {
  const double a = 1 + t, z = a * x;
  if (z < -1) return -t * std::expm1(x) + std::exp(x) * std::expm1(t * x);
  // The Taylor series: of z^n / n! there is 1 - a^{1-n}. What is left out is below 1e-18 of the sum.
  double share = t / a, step = share, power = z * z / 2, sum = share * power;
  for (int n = 3; n <= 20; ++n) {
    step /= a;
    share += step;
    power *= z / n;
    sum += share * power;
  }
  return sum;
}

/// The same over e^{ax}, for x > 0 and a x > 1/2.
inline double tangent_excess_share(double t, double x) {
  return -std::expm1(-t * x) + t * std::exp(-t * x) * std::expm1(-x);
}

/// The logarithm of tangent_excess(order - 1, x), for any x.
inline double log_tangent_excess(double order, double x) {
  const double t = order - 1;
  return order * x > 1 ? order * x + std::log(tangent_excess_share(t, x)) : std::log(tangent_excess(t, x));
}

}  // namespace epsilometer
