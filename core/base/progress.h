// How far a long calculation is, and whether it should go on.
#pragma once

#include <functional>

#include "core/base/refusal.h"

namespace epsilometer {

/// Called with a share from 0 to 1, at least every 50 ms or so; false asks to stop.
using Progress = std::function<bool(double share)>;

/// The share where how far it is would tell of the table what is not paid for.
inline constexpr double hidden_share = -1;

/// Goes on, or refuses with what has happened: nothing has been released.
inline void keep_going(const Progress& progress, double share) {
  if (!progress || progress(share)) return;
  throw Refusal("cancelled", "fit", "stopped", "was cancelled; nothing was released");
}

/// That of a part which is the whole's shares from one to another. `progress` must outlive it.
inline Progress part_of(const Progress& progress, double from, double to) {
  if (!progress) return {};
  return [&progress, from, to](double share) { return progress(from + share * (to - from)); };
}

}  // namespace epsilometer
