#include "core/numerics/search.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>

namespace epsilometer {

std::pair<double, double> sign_change(const std::function<double(double)>& f, double from, double to,
                                      int bits) {
  const double first = f(from), last = f(to);
  // Boost's search would answer NaN.
  if (first != 0 && last != 0 && (first < 0) == (last < 0)) return {from, to};
  std::uintmax_t steps = 200;
  return boost::math::tools::toms748_solve(f, from, to, first, last,
                                           boost::math::tools::eps_tolerance<double>(bits), steps);
}

std::pair<double, double> minimum(const std::function<double(double)>& f, double from, double to, int bits) {
  return boost::math::tools::brent_find_minima(f, from, to, bits);
}

std::pair<double, double> minimum_near(const std::function<double(double)>& f, double place, double step,
                                       double from, double to, int bits) {
  double middle = std::clamp(place, from, to);
  double left = std::max(from, middle - step), right = std::min(to, middle + step);
  double below = f(left), here = f(middle), above = f(right);
  for (;; step *= 2) {
    if (below < here && below <= above) {
      right = middle, above = here, middle = left, here = below;
      below = f(left = std::max(from, left - step));
    } else if (above < here) {
      left = middle, below = here, middle = right, here = above;
      above = f(right = std::min(to, right + step));
    } else {
      break;
    }
  }
  const auto found = minimum(f, left, right, bits);
  return found.second < here ? found : std::pair{middle, here};
}

}  // namespace epsilometer
