// An account of pure losses of the same people, ordinary and ex post: what is still promised about several
// releases, each chosen with those before it in sight. The logarithms of the likelihood ratios add up, given
// all that came before; so the sum of what was spent bounds that of all that came out, and the sum of the
// worst that of all that might have. Rogers, Roth, Ullman and Vadhan 2016 for accounts of this kind; of pure
// losses a sum is all there is to prove. What came out cost no two neighbours more than that, so that more
// rows pay as many times as much. A loss ex post is never added to a release that may fail with a probability
// delta: nothing is known of such a sum.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/loss/description.h"

namespace epsilometer {

struct OdometerRun {
  /// What it might have cost whoever has `rows` rows.
  Description description;
  std::string neighbours;
  double rows;
  /// What it did cost them, ex post; nothing where the guarantee is an ordinary one, or nothing came out.
  std::optional<double> spent{};
};

struct Odometer {
  /// After the fact, and before it. Rounded up.
  double spent, worst;
};

/// For whoever has `group` rows, or as many as the run with the most, if that is more. Refuses releases that
/// may fail, and neighbouring tables of two kinds.
Odometer odometer(std::span<const OdometerRun> runs, double group = 1);

}  // namespace epsilometer
