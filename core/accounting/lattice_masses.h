// Losses on a lattice whose profile lies above, or below, a given one: the profile of a pair is convex in
// e^epsilon (Zhu, Dong and Wang 2022, Section 3), and so is piecewise linear with its kinks on the lattice
// what connects its values (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, from above) or lies below
// its cells. A kink is a probability.
#pragma once

#include <functional>
#include <vector>

#include "core/base/bounds.h"

namespace epsilometer {

/// The probability of each loss (first + i) step, and of an infinite one; nothing is left of what is below.
/// Their sum may be a rounding above 1, from above, and below 1 from below.
struct LatticeMasses {
  int first = 0;
  std::vector<double> masses;
  double infinite = 0;
};

/// The profile in one direction, on losses of -cells step to cells step. `delta`: both ends, of any epsilon.
/// `infinite`: no more than it is beyond all losses.
LatticeMasses masses_above(const std::function<Bounds(double)>& delta, double step, int cells);
LatticeMasses masses_below(const std::function<Bounds(double)>& delta, double step, int cells,
                           double infinite);

}  // namespace epsilometer
