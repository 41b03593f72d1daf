// Products of laws that dominate many releases of bounded range, each chosen by the answers before it: the
// releases are cut into blocks, the value of the game over one block is the profile of a pair, and blocks
// compose as pairs do. What is chosen within a block may depend on the epsilon asked of it, which costs about
// as much as one release in three blocks.
#pragma once

#include <vector>

#include "core/accounting/composition/range_game.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

/// Into how many releases a block is cut, and a range into how many cells.
struct BlockPlan {
  double rounds, cells;
  /// What the laws of such blocks add to epsilon, relatively, about.
  double lost;
};

/// count: whole, at least 2. What is less likely in a block than the floor, in (0, 1), counts as an infinite
/// loss. `budget`: how many windows may be tried, about a nanosecond each.
BlockPlan plan_blocks(const RepeatedRange& range, double floor, double budget);

/// Laws of blocks, the same in both directions; none when rounding spoils them.
std::vector<RepeatedLaw> range_blocks(const RepeatedRange& range, double floor, const BlockPlan& plan);

}  // namespace epsilometer
