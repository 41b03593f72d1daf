#include "core/noise/generator.h"

#include <bit>
#include <cstring>

namespace epsilometer {
namespace {

static_assert(std::endian::native == std::endian::little, "the key stream is read as little-endian words");

// Writes that the optimiser may not drop although nobody reads them.
template <class Memory>
void wipe(Memory& memory) {
  volatile auto* byte = reinterpret_cast<volatile unsigned char*>(&memory);
  for (std::size_t i = 0; i < sizeof memory; ++i) byte[i] = 0;
}

constexpr std::uint32_t refills_until_fresh = (64u << 20) / 4096;

Key expanded(std::uint64_t seed) {
  Key key{};
  std::memcpy(key.data(), &seed, sizeof seed);
  const Block block = chacha20(key, 0, 0);
  std::memcpy(key.data(), block.data(), key.size());
  return key;
}

}  // namespace

Block chacha20(const Key& key, std::uint64_t counter, std::uint64_t nonce) {
  Block start = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
  std::memcpy(&start[4], key.data(), key.size());
  std::memcpy(&start[12], &counter, sizeof counter);
  std::memcpy(&start[14], &nonce, sizeof nonce);
  Block x = start;
  const auto quarter_round = [&x](int a, int b, int c, int d) {
    x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 7);
  };
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 4; ++i) quarter_round(i, 4 + i, 8 + i, 12 + i);
    for (int i = 0; i < 4; ++i) quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (int i = 0; i < 16; ++i) x[i] += start[i];
  return x;
}

Generator::~Generator() {
  wipe(key_);
  wipe(words_);
}

void Generator::begin_release() {
  if (entropy_ == nullptr) return;
  mix_fresh_bytes();
  wipe(words_);
  next_ = words_.size();
}

void Generator::mix_fresh_bytes() {
  Key fresh = fresh_key(*entropy_);
  for (std::size_t i = 0; i < key_.size(); ++i) key_[i] ^= fresh[i];
  wipe(fresh);
}

void Generator::refill() {
  if (entropy_ != nullptr && ++refills_ % refills_until_fresh == 0) mix_fresh_bytes();
  for (std::size_t counter = 0; counter < words_.size() / 16; ++counter) {
    const Block block = chacha20(key_, counter, stream_);
    std::memcpy(words_.data() + 16 * counter, block.data(), sizeof block);
  }
  std::memcpy(key_.data(), words_.data(), key_.size());
  next_ = key_.size() / sizeof(std::uint32_t);
  std::memset(words_.data(), 0, key_.size());
}

TestRng::TestRng(std::uint64_t seed, std::uint64_t stream) : Generator(expanded(seed), stream, nullptr) {}

}  // namespace epsilometer
