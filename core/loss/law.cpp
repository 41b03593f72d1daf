#include "core/loss/law.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/quadrature.h"

namespace epsilometer {

namespace {

// Beyond this the moment is given up: infinity.
constexpr double most_panels = 5000;

struct Term {
  double log_mass, loss;
};

// Nodes of the smooth part where e^{tL} weighs anything: within e^-60 of its largest density. Panels follow
// the curvature of log density + t loss, which the loss can sharpen by at most t times its slope squared.
void smooth_terms(const Law& law, double t, std::vector<Term>& terms) {
  const double unit = law.unit(), slope = law.slope(40 * unit);
  const double panel = unit / std::sqrt(1 + t * slope * slope * unit * unit / 4);
  const double reach = 40 * unit + t * slope * unit * unit;
  const double low = std::max(law.lowest_x(), -reach), high = std::min(law.highest_x(), reach);
  if (!((high - low) / panel < most_panels)) {
    terms.push_back({0, std::numeric_limits<double>::infinity()});
    return;
  }
  const auto weight = [&](double x) { return law.log_density(x) + t * law.loss(x); };
  double peak = std::max(weight(low), weight(high));
  for (double x = low; x < high; x += panel) peak = std::max(peak, weight(x));
  for (double x = low, to = low; x < high; x = to) {
    to = std::min(high, x + panel);
    if (x < law.seam()) to = std::min(to, law.seam());
    const double from_weight = weight(x), to_weight = weight(to);
    if (std::max(from_weight, to_weight) < peak - 60) continue;
    const double steepness = std::abs(to_weight - from_weight) / (to - x) + 2 / panel;
    if (!(steepness * (to - x) < most_panels)) {
      terms.push_back({0, std::numeric_limits<double>::infinity()});
      return;
    }
    integrate(x, to, steepness, panel / 2, [&](double at, double node) {
      terms.push_back({std::log(node) + law.log_density(at), law.loss(at)});
    });
  }
}

}  // namespace

double log_moment(const Law& law, double t) {
  std::vector<Term> terms;
  for (const Atom& atom : law.atoms()) terms.push_back({std::log(atom.mass), atom.loss});
  if (law.lowest_x() < law.highest_x()) smooth_terms(law, t, terms);
  double peak = -std::numeric_limits<double>::infinity();
  for (const Term& term : terms) peak = std::max(peak, term.log_mass + t * term.loss);
  if (std::isinf(peak)) return peak;
  double sum = 0;
  for (const Term& term : terms) sum += std::exp(term.log_mass + t * term.loss - peak);
  return peak + std::log(sum);
}

}  // namespace epsilometer
