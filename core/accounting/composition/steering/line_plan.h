// Along which line an integral runs, and how much of it is worth having: heuristic, no guarantee.
#pragma once

#include <algorithm>

namespace epsilometer {

/// The tilt, and where the tilted sum lies. With the exponents `rise` and `fall` Chernoff's inequality is
/// good at bounding its tails down to e^-depth. `log_delta` is the size of delta that is asked about: for it
/// the laws were cut.
struct LinePlan {
  double theta, centre, spread, rise, fall, depth, log_delta;

  /// About how many frequencies there are up to t.
  double frequencies(double t) const { return t * depth / std::min(rise, fall) / 6; }
};

}  // namespace epsilometer
