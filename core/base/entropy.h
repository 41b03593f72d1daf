// Where secret bytes come from: the platform's secure source, handed in from outside. The core has no device
// of randomness of its own, and nothing here takes a seed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/refusal.h"

namespace epsilometer {

using Key = std::array<std::uint8_t, 32>;

/// crypto.getRandomValues in a browser and in Node, getrandom natively.
class Entropy {
 public:
  virtual ~Entropy() = default;

  /// Overwrites every byte with fresh secret ones; false when the source fails.
  virtual bool fill(Key& key) = 0;
};

/// 32 fresh bytes, or no release at all. Zeros are what a platform leaves that did not write: a working
/// source gives them with probability 2^-256.
inline Key fresh_key(Entropy& entropy) {
  Key key{};
  if (entropy.fill(key) && std::any_of(key.begin(), key.end(), [](std::uint8_t byte) { return byte != 0; }))
    return key;
  throw Refusal("missing", "entropy", "none", "the platform's secure source of randomness must answer");
}

}  // namespace epsilometer
