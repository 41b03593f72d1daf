// The only ways in which a search may come to an interval, each of them a proof: whichever sums are tried,
// and in whatever order, what is found holds the truth.
#pragma once

#include <algorithm>
#include <utility>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"

namespace epsilometer {

/// What both intervals hold: where each holds the truth, so does this.
inline Bounds narrowed(const Bounds& one, const Bounds& other) {
  return {std::max(one.lower, other.lower), std::min(one.upper, other.upper)};
}

/// Whether its width is at most `gap` times its upper end.
inline bool is_narrow(const Bounds& found, double gap) {
  return found.upper < infinite && found.upper - found.lower <= gap * found.upper;
}

/// delta(epsilon) by a sum, which has bounds `lower` and `upper` at every epsilon.
template <class Sum>
Bounds delta_by(const Sum& sum, double epsilon) {
  return {sum.lower(epsilon), sum.upper(epsilon)};
}

/// Where a sum is expected to pass a level: between `low` and `high`, best near `centre`, and how far it
/// spreads. Heuristic, no guarantee.
struct Lookout {
  double low, high, centre, spread;
};

/// The smallest epsilon >= 0 with delta(epsilon) <= delta by a sum. Each end is where its own bound was
/// evaluated: the upper one keeps delta, the lower one exceeds it, unless it is 0.
template <class Sum>
Bounds epsilon_by(const Sum& sum, double delta, const Lookout& look) {
  const auto bisect = [&](const auto& small_enough, double no, double yes) {
    for (int i = 0; i < 80; ++i) {
      const double middle = no + (yes - no) / 2;
      (small_enough(middle) ? yes : no) = middle;
    }
    return std::pair(no, yes);
  };
  const auto upper_kept = [&](double x) { return sum.upper(x) <= delta; };
  const auto lower_kept = [&](double x) { return sum.lower(x) <= delta; };
  Bounds found{0, infinite};
  const double floor = std::max(0.0, look.low);
  if (upper_kept(floor)) {
    found.upper = floor;
  } else if (upper_kept(look.high)) {
    found.upper = bisect(upper_kept, floor, look.high).second;
  }
  // The lower bound loses its grip far from the tilt: look for a point above the level near the upper end.
  const double start = std::min(found.upper, std::max(floor, look.centre));
  for (double down = 1e-6 * (look.spread + start); start - down > floor; down *= 2) {
    if (lower_kept(start - down)) continue;
    found.lower = bisect(lower_kept, start - down, std::min(found.upper, look.high)).first;
    break;
  }
  return found;
}

/// The same by a sum whose bounds are good at every epsilon, up to the ceiling.
template <class Sum>
Bounds epsilon_anywhere_by(const Sum& sum, double delta, double ceiling) {
  return {crossing([&](double x) { return sum.lower(x); }, delta, ceiling).below,
          crossing([&](double x) { return sum.upper(x); }, delta, ceiling).above};
}

}  // namespace epsilometer
