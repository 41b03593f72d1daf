#include "core/accounting/lattice_masses.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {
namespace {

// A value of the profile at e^epsilon = x; `place` on the lattice.
struct Node {
  int place;
  double x, value;
};

double slope(const Node& from, const Node& to) { return (to.value - from.value) / (to.x - from.x); }

// Those of the lower convex hull, whose left end is the value 1 at x = 0. A convex function that is nowhere
// above the nodes is nowhere above their hull, and one below all chords keeps below.
std::vector<Node> hull_of(const std::vector<Node>& nodes) {
  std::vector<Node> hull{{0, 0, 1}};
  for (const Node& node : nodes) {
    while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), node))
      hull.pop_back();
    hull.push_back(node);
  }
  return hull;
}

// By how much the profile of these masses must be multiplied to be nowhere below, or nowhere above, the
// nodes: F(x) = infinite + sum of masses (1 - x / x_l)_+, from the right, by sums of positive terms.
double correction(const LatticeMasses& found, const std::vector<Node>& nodes, double step, bool from_above) {
  const double margin = (64 + 32 * static_cast<double>(found.masses.size())) * unit_roundoff;
  double steep = 0, value = found.infinite, worst = 1;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (i + 1 < nodes.size()) {
      const Node& right = nodes[i + 1];
      steep += found.masses[static_cast<std::size_t>(right.place - found.first)] / right.x;
      value +=
          (nodes[i].x > 0 ? nodes[i].x * std::expm1((right.place - nodes[i].place) * step) : right.x) * steep;
    }
    if (value == 0 || (from_above && nodes[i].value == 0)) continue;
    const double ratio = nodes[i].value / value;
    worst = from_above ? std::max(worst, rounded_up(ratio, margin))
                       : std::min(worst, rounded_down(ratio, margin));
  }
  return worst;
}

// A hull that is above the nodes by a rounding is one from above, and is corrected from below.
LatticeMasses masses_of(const std::vector<Node>& nodes, double step, bool from_above) {
  const std::vector<Node> hull = hull_of(nodes);
  LatticeMasses found{nodes.front().place, std::vector<double>(nodes.size()), hull.back().value};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const double after = i + 1 < hull.size() ? slope(hull[i], hull[i + 1]) : 0;
    const double kink = std::max(0.0, after - slope(hull[i - 1], hull[i]));
    found.masses[static_cast<std::size_t>(hull[i].place - found.first)] = kink * hull[i].x;
  }
  const double factor = correction(found, from_above ? hull : nodes, step, from_above);
  for (double& mass : found.masses) mass *= factor;
  found.infinite *= factor;
  return found;
}

// The most by which a convex function of e^epsilon may be below its chord on a cell, from what it is in the
// middle of it in epsilon: a concave difference that is d at a share s of the cell is nowhere above d /
// min(s, 1 - s).
double below_chord(const Bounds& here, const Bounds& middle, const Bounds& there, double step) {
  const double share = 1 / (1 + std::exp(step / 2));
  const double chord = here.upper + share * (there.upper - here.upper);
  const double most = (rounded_up(chord, 1e-13) - middle.lower) / std::min(share, 1 - share);
  return rounded_up(std::max(0.0, most), 1e-12);
}

}  // namespace

LatticeMasses masses_above(const std::function<Bounds(double)>& delta, double step, int cells) {
  std::vector<Node> nodes;
  for (int i = -cells; i <= cells; ++i) nodes.push_back({i, std::exp(i * step), delta(i * step).upper});
  return masses_of(nodes, step, true);
}

// Within a cell the profile is above its chord less the most that it can be below it: so far down a line
// keeps below the profile, and at a node the lower one of two such lines counts. Where the next line would
// end below what is beyond all losses, that is all there is; on the left the profile is above 1 - x.
LatticeMasses masses_below(const std::function<Bounds(double)>& delta, double step, int cells,
                           double infinite) {
  std::vector<Node> nodes;
  double before = -std::expm1(-cells * step) * (1 - rounding_margin);
  Bounds here = delta(-cells * step);
  for (int i = -cells; true; ++i) {
    const double x = std::exp(i * step);
    const Bounds there = delta((i + 1) * step);
    const double gap = below_chord(here, delta((i + 0.5) * step), there, step);
    if (i == cells || here.lower - gap <= infinite || there.lower - gap < infinite) {
      nodes.push_back({i, x, infinite});
      return masses_of(nodes, step, false);
    }
    nodes.push_back({i, x, std::min(before, here.lower - gap)});
    before = there.lower - gap;
    here = there;
  }
}

}  // namespace epsilometer
