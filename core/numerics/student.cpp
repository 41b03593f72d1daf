#include "core/numerics/student.h"

#include <cmath>
#include <numbers>

#include "core/numerics/invert.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// Beyond, the two laws differ by less than the digits that are promised.
constexpr double nearly_normal = 1e7;

// Terms that fall below this no longer count.
constexpr double negligible = 1e-18;

// P(|T| <= t): the finite sums of Zelen and Severo 1964, 26.7.3 and 26.7.4.
double within(double t, double freedom) {
  const double angle = std::atan(t / std::sqrt(freedom)), sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = std::fmod(freedom, 2) == 1;
  double term = odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (double k = odd ? 3 : 2; k < freedom && term > negligible; k += 2) {
    term *= (k - 1) / k * cosine * cosine;
    sum += term;
  }
  return odd ? (angle + sine * sum) * 2 / std::numbers::pi : sine * sum;
}

}  // namespace

double student_within(double probability, double freedom) {
  if (freedom > nearly_normal) return normal_upper_quantile((1 - probability) / 2);
  const auto outside = [freedom](double t) { return 1 - within(t, freedom); };
  return crossing(outside, 1 - probability, 1e300).above;
}

}  // namespace epsilometer
