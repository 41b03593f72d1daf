#include "core/numerics/quadrature.h"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/legendre.hpp>

namespace epsilometer {

Rule gauss_legendre(int size) {
  Rule rule;
  for (const double zero : boost::math::legendre_p_zeros<double>(size)) {
    const double slope = boost::math::legendre_p_prime(size, zero);
    const double weight = 2 / ((1 - zero * zero) * slope * slope);
    rule.nodes.push_back(zero);
    rule.weights.push_back(weight);
    if (zero == 0) continue;
    rule.nodes.push_back(-zero);
    rule.weights.push_back(weight);
  }
  return rule;
}

const Rule& rule_for(double change) {
  static const std::array<Rule, 6> rules = {gauss_legendre(3), gauss_legendre(4), gauss_legendre(5),
                                            gauss_legendre(6), gauss_legendre(7), gauss_legendre(8)};
  static constexpr std::array<double, 5> limits = {0.002, 0.02, 0.06, 0.15, 0.5};
  return rules[static_cast<std::size_t>(std::lower_bound(limits.begin(), limits.end(), change) -
                                        limits.begin())];
}

}  // namespace epsilometer
