// Logistic regression through the parabola that is nearest to log(1 + e^{-s}) for |s| <= range, whose minimum
// is that of least squares on the classes -1 and 1, divided by 4 b: Lev, Srinivasan, Shenfeld, Ligett,
// Sekhari and Wilson 2025, Section 5.2. With -s/2 for its odd part, the even part log(2 cosh(s/2)) is met by
// b s^2 and a constant, both ends and the middle equally wrong, at b = log(cosh(range / 2)) / range^2.
#include <cmath>

#include "core/release/linear/mixing.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> logistic_mixing(const FitRequest& request) {
  std::vector<const char*> numbers = mixing_numbers;
  numbers.push_back("range");
  const Request read(request, numbers, {"eigenvalue"});
  const double range = read.number("range", 1e-3, 100, 6);
  const double curvature = std::log(std::cosh(range / 2)) / (range * range);
  return mixing(read, {eigenvalue_choice(read), false, 1 / (4 * curvature)});
}

}  // namespace epsilometer::algorithms
