// Gauss-Legendre quadrature of densities whose logarithm is smooth.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace epsilometer {

/// Nodes and weights on [-1, 1].
struct Rule {
  std::vector<double> nodes, weights;
};

/// The rule of Gauss and Legendre with this many nodes.
Rule gauss_legendre(int size);

/// The smallest rule that integrates an entire density, whose logarithm moves by at most `change` over half
/// of the interval in every direction of the plane, with a relative error of 1e-14: by the best Bernstein
/// ellipse, for change <= 1.
const Rule& rule_for(double change);

/// Calls visit(x, weight) for the nodes of a composite rule over [from, to], of panels on which the logarithm
/// moves by at most `steepness` times their width and that are no longer than `longest`: 0.4 of the unit of
/// the narrowest Gaussian factor, whose logarithm bends where it is not steep.
template <class Visit>
void integrate(double from, double to, double steepness, double longest, const Visit& visit) {
  if (!(from < to)) return;
  const double panels =
      std::max(1.0, std::ceil(std::max((to - from) / 2 * steepness, (to - from) / longest)));
  const double half = (to - from) / panels / 2;
  const Rule& rule = rule_for(half * std::max(steepness, 0.2 / longest));
  for (double panel = 0; panel < panels; ++panel) {
    const double middle = from + (2 * panel + 1) * half;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      visit(middle + half * rule.nodes[i], half * rule.weights[i]);
  }
}

}  // namespace epsilometer
