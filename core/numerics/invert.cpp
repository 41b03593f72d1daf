#include "core/numerics/invert.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer {

Crossing refine(const std::function<double(double)>& f, double level, double below, double above, int bits) {
  // Never zero: the sign is the comparison itself, and the search does not rest on a flat stretch of f.
  const auto distance = [&](double x) {
    const double value = f(x);
    const double apart = std::abs(std::log(value) - std::log(level));
    const double size = apart >= 1e-300 ? std::min(apart, 1500.0) : 1e-300;
    return value > level ? size : -size;
  };
  const auto bracket = sign_change(distance, below, above, bits);
  return {bracket.first, bracket.second};
}

Crossing crossing(const std::function<double(double)>& f, double level, double ceiling, int bits) {
  if (f(0.0) <= level) return {0, 0};
  // Bracket within a factor of two first: the answer may be 1e-90 or 1e90.
  double above = std::min(1.0, ceiling);
  while (above < ceiling && !(f(above) <= level)) above = std::min(2 * above, ceiling);
  if (above == ceiling && !(f(above) <= level)) return {ceiling, infinite};
  double below = above / 2;
  while (below > 0 && f(below) <= level) {
    above = below;
    below /= 2;
  }
  return refine(f, level, below, above, bits);
}

}  // namespace epsilometer
