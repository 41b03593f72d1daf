// The random words of every release: ChaCha20 (Bernstein 2008; RFC 8439) with fast key erasure (Bernstein
// 2017). Assumed, as all of cryptography does: its words cannot be told from uniform ones.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/entropy.h"

namespace epsilometer {

/// One block of the key stream, as words. The counter and the nonce have 64 bits each, Bernstein's layout;
/// RFC 8439 takes the counter's upper half as nonce.
using Block = std::array<std::uint32_t, 16>;
Block chacha20(const Key& key, std::uint64_t counter, std::uint64_t nonce);

/// What the samplers draw from. Neither copied nor moved, so that no word is ever used twice; a worker has
/// its own. Every 4 KiB the key is replaced by words that nobody has seen, and a word is wiped when it is
/// read, so that memory never holds what a past release was made of.
class Generator {
 public:
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator();

  /// 32 uniform bits.
  std::uint32_t word() {
    if (next_ == words_.size()) refill();
    const std::uint32_t word = words_[next_];
    words_[next_++] = 0;
    return word;
  }

  /// To be called at the start of each release: mixes fresh secret bytes into the key and drops the words
  /// drawn with the old one. Refuses when the platform's source fails. Without a source it does nothing.
  void begin_release();

  /// Whether what was drawn can be drawn again by anybody, so that nothing made of it is private.
  bool demonstration() const { return entropy_ == nullptr; }

 protected:
  Generator(const Key& key, std::uint64_t stream, Entropy* entropy)
      : key_(key), stream_(stream), entropy_(entropy) {}

 private:
  void refill();
  void mix_fresh_bytes();

  Key key_;
  std::uint64_t stream_;
  Entropy* entropy_;
  std::array<std::uint32_t, 1024> words_{};
  std::size_t next_ = words_.size();
  std::uint32_t refills_ = 0;
};

/// For real data: keyed by the platform, which must outlive it.
class SystemRng final : public Generator {
 public:
  explicit SystemRng(Entropy& entropy) : Generator(fresh_key(entropy), 0, &entropy) {}
};

/// For tests and sample data: the same words for the same seed and stream everywhere.
class TestRng final : public Generator {
 public:
  explicit TestRng(std::uint64_t seed, std::uint64_t stream = 0);
};

}  // namespace epsilometer
