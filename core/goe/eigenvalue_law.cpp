#include "core/goe/eigenvalue_law.h"

#include <cmath>

#include "core/goe/determinant.h"
#include "core/goe/hermite.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double square_root_of_pi = 1.772453850905516;
constexpr double log_two = 0.6931471805599453;

}  // namespace

EigenvalueLaw law_of(double below, double above, double density) {
  return {below,
          above,
          above < below ? std::log1p(-above) : std::log(below),
          below < above ? std::log1p(-below) : std::log(above),
          density,
          below > 0 ? density / below : 0,
          density / above};
}

EigenvalueLaw law_of_one(DoubleDouble s) {
  return law_of(normal_upper_tail(-s), normal_upper_tail(s), normal_density(s));
}

EigenvalueLaw law_of_two(DoubleDouble s) {
  // With x = sqrt 2 s, 1 - F = Q(x) + sqrt(pi) phi(s) Q(-s), where Q is the tail and phi the density of the
  // normal distribution; far below, everything is phi(x) times Mills ratios.
  const DoubleDouble x = square_root_of_two * s;
  const double half_density = normal_density(x) / square_root_of_two.hi;
  if (s.hi < -1) {
    const double mills = mills_ratio(-s.hi);
    const double below = half_density * (square_root_of_two.hi * mills_ratio(-x.hi) - mills);
    return law_of(below, 1 - below, half_density * (1 + s.hi * mills));
  }
  const double wide = square_root_of_pi * normal_density(s) * normal_upper_tail(-s);
  return law_of(normal_upper_tail(-x) - wide, normal_upper_tail(x) + wide, half_density + s.hi * wide);
}

EigenvalueLaw far_law(double dimension, DoubleDouble s) {
  HermiteFunctions hermite({s.hi});
  for (double j = 1; j < dimension; ++j) hermite.advance();
  const double leading = leading_factor(dimension) * hermite.scaled_integral(0);
  const double scale = hermite.scale(0), fall = hermite.scaled_function(0) / hermite.scaled_integral(0);
  const double above = std::ldexp(leading, int(std::max(-scale, -1e6))) * (1 - fall * s.lo);
  const double log_above = std::log(leading) - fall * s.lo - scale * log_two;
  return {1, above, -above, log_above, fall * above, fall * above, fall};
}

}  // namespace epsilometer
