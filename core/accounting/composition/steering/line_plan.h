// Along which line an integral runs, and how much of it is worth having: heuristic, no guarantee.
#pragma once

namespace epsilometer {

/// The tilt, and where the tilted sum lies. With the exponents `rise` and `fall` Chernoff's inequality is
/// good at bounding its tails down to e^-depth. `log_delta` is the size of delta that is asked about: for it
/// the laws were cut.
struct LinePlan {
  double theta, centre, spread, rise, fall, depth, log_delta;
};

}  // namespace epsilometer
