// The game of adaptive_range.h on a lattice: one side of its value at every level.
#pragma once

#include <cstddef>
#include <vector>

namespace epsilometer {

/// Everything of that range, `count` times.
struct RepeatedRange {
  double range, count;
};

/// The value on the levels i step, i = 0, 1, ...; `beyond` from the last one on.
struct RangeValue {
  std::vector<double> values{0};
  double beyond = 0;

  /// i: whole.
  double at(double i) const {
    return i < static_cast<double>(values.size()) ? values[static_cast<std::size_t>(i)] : beyond;
  }
};

/// The step of a lattice and how many of its cells each range has: at least all of it from above, at most
/// from below.
struct RangeGrid {
  /// The widest range is the first, and has about that many cells.
  RangeGrid(const std::vector<RepeatedRange>& ranges, double widest_cells, bool from_above);

  double step;
  std::vector<int> cells;
};

/// What a value may be off by, relatively: each round rounds two products, their sum and what the windows and
/// the mirror image are made of.
double game_margin(double widest_range, double rounds);

/// One of a few floors, so that questions share games: not above the asked one, and not below 1e-300.
double common_floor(double floor);

/// The value from above or from below, but for rounding (game_margin). What is less than `floor` is not
/// followed further.
RangeValue range_game(const std::vector<RepeatedRange>& ranges, const RangeGrid& grid, double floor,
                      bool from_above);

}  // namespace epsilometer
