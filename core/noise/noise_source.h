// Where the noise of a run comes from, and whether anybody could draw it again.
#pragma once

#include <optional>

#include "core/noise/generator.h"

namespace epsilometer {

/// Of a run whose noise is to be repeatable; nothing for one whose noise nobody knows.
using Seed = std::optional<std::uint64_t>;

/// Whether a run with that seed protects anybody: whoever knows the seed takes the noise off again, whatever
/// the price says. Known before the run, and what Generator::demonstration() says of it.
constexpr bool is_private(const Seed& seed) { return !seed.has_value(); }

/// What `answer` makes of the generator of that seed, or of one that the platform's secure source keys.
template <class Answer>
auto with_generator(Entropy& entropy, const Seed& seed, const Answer& answer) {
  if (is_private(seed)) {
    SystemRng generator(entropy);
    return answer(generator);
  }
  TestRng generator(*seed);
  return answer(generator);
}

}  // namespace epsilometer
