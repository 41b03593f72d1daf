// How far a long calculation is, and whether it should go on.
#pragma once

#include <cstddef>
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

/// Of rows, where nothing asks for another number.
inline constexpr std::size_t usual_block = 256;

/// Calls `some` for the rows from `first` to before `end`, at most so many at a time, until it was called for
/// all, and asks before each time whether to go on. What is done with a table is done so: engines of
/// WebAssembly compile a function well only when it is called again, so that a loop over all rows in one call
/// would run several times slower to its end.
void in_blocks(std::size_t count, std::size_t block, const Progress& progress,
               const std::function<void(std::size_t first, std::size_t end)>& some);

/// The same, for one row after the other.
template <class Each>
void each_row(std::size_t count, std::size_t block, const Progress& progress, const Each& each) {
  in_blocks(count, block, progress, [&each](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) each(i);
  });
}

/// That of a part which is the whole's shares from one to another. `progress` must outlive it.
inline Progress part_of(const Progress& progress, double from, double to) {
  if (!progress) return {};
  return [&progress, from, to](double share) { return progress(from + share * (to - from)); };
}

}  // namespace epsilometer
