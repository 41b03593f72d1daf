// The game of menu.h on a lattice, from above or from below.
#pragma once

#include <vector>

#include "core/accounting/lattice_masses.h"

namespace epsilometer {

/// The values D(origin + i step) for i from -before to after, all of one side, rounding included.
struct MenuValues {
  double origin, step;
  int before;
  std::vector<double> values;

  double level(std::size_t place) const { return origin + (static_cast<double>(place) - before) * step; }
};

MenuValues menu_game(const std::vector<LatticeMasses>& menu, double rounds, double step, double origin,
                     double reach, bool above);

}  // namespace epsilometer
