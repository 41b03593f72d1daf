// The generator against RFC 8439, and the promises of its header.
#include "core/noise/generator.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <type_traits>

namespace epsilometer::generator_test {

namespace {

class FailingEntropy final : public Entropy {
 public:
  bool fill(Key& key) override {
    key.fill(7);
    return false;
  }
};

class CountingEntropy final : public Entropy {
 public:
  bool fill(Key& key) override {
    ++calls;
    if (failing) return false;
    if (!silent) key.fill(static_cast<std::uint8_t>(calls));
    return true;
  }

  int calls = 0;
  bool failing = false, silent = false;
};

}  // namespace

TEST_CASE("ChaCha20 gives the blocks of RFC 8439") {
  Key key;
  for (int i = 0; i < 32; ++i) key[i] = static_cast<std::uint8_t>(i);
  // Section 2.3.2: nonce 00000009 0000004a 00000000, counter 1.
  CHECK(chacha20(key, std::uint64_t{0x09000000} << 32 | 1, 0x4a000000) ==
        Block{0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
              0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb,
              0x4e3c50a2});
  // Appendix A.1, vectors 1 and 2: zeros, counters 0 and 1.
  CHECK(chacha20(Key{}, 0, 0) == Block{0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653, 0xb819d2bd, 0x1aed8da0,
                                       0xccef36a8, 0xc70d778b, 0x7c5941da, 0x8d485751, 0x3fe02477, 0x374ad8b8,
                                       0xf4b8436a, 0x1ca11815, 0x69b687c3, 0x8665eeb2});
  CHECK(chacha20(Key{}, 1, 0) == Block{0xbee7079f, 0x7a385155, 0x7c97ba98, 0x0d082d73, 0xa0290fcb, 0x6965e348,
                                       0x3e53c612, 0xed7aee32, 0x7621b729, 0x434ee69c, 0xb03371d5, 0xd539d874,
                                       0x281fed31, 0x45fb0a51, 0x1f0ae1ac, 0x6f4d794b});
}

TEST_CASE("test words are the same everywhere, and differ between seeds and streams") {
  TestRng rng(1);
  CHECK(rng.word() == 0x1ae7f4c1);
  for (int i = 1; i < 1'000'000; ++i) rng.word();
  CHECK(rng.word() == 0x5cb2c4a3);
  CHECK(rng.demonstration());
  std::set<std::uint32_t> first;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t stream = 0; stream < 10; ++stream) first.insert(TestRng(seed, stream).word());
  CHECK(first.size() == 100);
}

TEST_CASE(
    "a system generator's words are those of fast key erasure, with fresh bytes at each release and every "
    "64 MiB") {
  CountingEntropy entropy;
  SystemRng rng(entropy);
  CHECK(!rng.demonstration());
  CHECK(entropy.calls == 1);
  // The model: a key gives 64 blocks, of which the first half block becomes the next key.
  Key key;
  key.fill(1);
  const auto mix = [&key](int call) {
    for (std::uint8_t& byte : key) byte ^= static_cast<std::uint8_t>(call);
  };
  constexpr int words_of_a_key = 1024 - 8, refills = (64 << 20) / 4096;
  int wrong = 0;
  const auto refill = [&](int words) {
    const Block first = chacha20(key, 0, 0), last = chacha20(key, 63, 0);
    for (int i = 0; i < words; ++i) {
      const std::uint32_t word = rng.word();
      if (i < 8) wrong += word != first[8 + i];
      if (i >= words_of_a_key - 16) wrong += word != last[i - (words_of_a_key - 16)];
    }
    std::memcpy(key.data(), first.data(), key.size());
  };
  refill(words_of_a_key);
  // What is left of the old key's words is never used.
  refill(5);
  rng.begin_release();
  CHECK(entropy.calls == 2);
  mix(2);
  for (int i = 2; i < refills - 1; ++i) refill(words_of_a_key);
  CHECK(entropy.calls == 2);
  CHECK(wrong == 0);
  mix(3);
  refill(words_of_a_key);
  CHECK(entropy.calls == 3);
  refill(words_of_a_key);
  CHECK(wrong == 0);
}

TEST_CASE("without entropy there is no release") {
  CountingEntropy entropy;
  SystemRng rng(entropy);
  for (bool CountingEntropy::*fault : {&CountingEntropy::failing, &CountingEntropy::silent}) {
    entropy.*fault = true;
    CHECK_THROWS_AS(SystemRng{entropy}, Refusal);
    CHECK_THROWS_AS(rng.begin_release(), Refusal);
    entropy.*fault = false;
  }
  // No way from a seed to a system generator, nor to a copy that would repeat its words.
  static_assert(!std::is_constructible_v<SystemRng, std::uint64_t>);
  static_assert(!std::is_constructible_v<SystemRng, Key>);
  static_assert(!std::is_copy_constructible_v<SystemRng> && !std::is_copy_constructible_v<TestRng>);
}

TEST_CASE("bytes of a source that says it failed are not used") {
  FailingEntropy failing;
  CHECK_THROWS_AS(fresh_key(failing), Refusal);
}

}  // namespace epsilometer::generator_test
