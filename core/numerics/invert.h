// Where a decreasing function falls to a level: the inverse of a monotone function, with both sides known.
#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace epsilometer {

/// Two neighbouring arguments (a few ulp apart) between which a decreasing function crosses a level:
/// f(above) <= level by evaluation, and f(below) > level by evaluation unless `below` is 0.
struct Crossing {
  double below;
  double above;
};

/// Narrows a bracket: f is non-negative and non-increasing up to rounding, f(below) > level >= f(above). Both
/// ends of the answer are checked by evaluation, never inferred.
template <class Function>
Crossing refine(const Function& f, double level, double below, double above, int bits = 52) {
  // Never zero: the sign is the comparison itself, and the search does not rest on a flat stretch of f.
  const auto distance = [&](double x) {
    const double value = f(x);
    const double apart = std::abs(std::log(value) - std::log(level));
    const double size = apart >= 1e-300 ? std::min(apart, 1500.0) : 1e-300;
    return value > level ? size : -size;
  };
  std::uintmax_t steps = 200;
  const auto bracket = boost::math::tools::toms748_solve(
      distance, below, above, boost::math::tools::eps_tolerance<double>(bits), steps);
  return {bracket.first, bracket.second};
}

/// Crosses on [0, ceiling]; when f(ceiling) > level, `above` is infinite.
template <class Function>
Crossing crossing(const Function& f, double level, double ceiling) {
  if (f(0.0) <= level) return {0, 0};
  // Bracket within a factor of two first: the answer may be 1e-90 or 1e90.
  double above = std::min(1.0, ceiling);
  while (above < ceiling && !(f(above) <= level)) above = std::min(2 * above, ceiling);
  if (above == ceiling && !(f(above) <= level)) return {ceiling, std::numeric_limits<double>::infinity()};
  double below = above / 2;
  while (below > 0 && f(below) <= level) {
    above = below;
    below /= 2;
  }
  return refine(f, level, below, above);
}

}  // namespace epsilometer
