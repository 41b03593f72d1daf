// The best of a random number of independent runs: after each of them a coin ends it with probability 1 /
// expected_runs, decided exactly, so that their number is geometric on 1, 2, ... No cap ends them: a coin
// that never does has probability 0, and a cap would cost delta. Liu and Talwar 2019, Section 3.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/noise/exact_sampler.h"

namespace epsilometer {

/// Of the least `score`; nothing where no run came to anything. `run()` answers with a std::optional, and
/// does not learn how many there are. Of equal scores the first counts: runs are alike, so that it is any of
/// those with the same probability, as the price asks for.
template <class Source, class Run>
auto best_run(Source& source, std::uint64_t expected_runs, const Run& run) {
  auto best = run();
  while (!exact::coin(source, 1, expected_runs)) {
    auto other = run();
    if (other && (!best || other->score < best->score)) best = std::move(other);
  }
  return best;
}

}  // namespace epsilometer
