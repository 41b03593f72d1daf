#include "core/release/generator.h"

#include <bit>
#include <cstring>

namespace epsilometer {
namespace {

static_assert(std::endian::native == std::endian::little, "the key stream is read as little-endian words");

// One word of each of four blocks: a lane is a block. Compilers turn this into one instruction per operation
// where the machine has it.
using Lanes __attribute__((vector_size(16))) = std::uint32_t;

Lanes all(std::uint32_t word) { return Lanes{word, word, word, word}; }

template <int bits>
Lanes rotated(Lanes x) {
  return (x << bits) | (x >> (32 - bits));
}

void quarter_round(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  a += b, d = rotated<16>(d ^ a);
  c += d, b = rotated<12>(b ^ c);
  a += b, d = rotated<8>(d ^ a);
  c += d, b = rotated<7>(b ^ c);
}

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
  const FourBlocks blocks = chacha20(key, 0, 0);
  std::memcpy(key.data(), blocks.data(), key.size());
  return key;
}

}  // namespace

FourBlocks chacha20(const Key& key, std::uint64_t counter, std::uint64_t nonce) {
  std::uint32_t words[8];
  std::memcpy(words, key.data(), sizeof words);
  std::array<Lanes, 16> start;
  constexpr std::uint32_t expand_32_byte_k[] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 4; ++i) start[i] = all(expand_32_byte_k[i]);
  for (int i = 0; i < 8; ++i) start[4 + i] = all(words[i]);
  for (int lane = 0; lane < 4; ++lane) {
    start[12][lane] = static_cast<std::uint32_t>(counter + lane);
    start[13][lane] = static_cast<std::uint32_t>((counter + lane) >> 32);
  }
  start[14] = all(static_cast<std::uint32_t>(nonce));
  start[15] = all(static_cast<std::uint32_t>(nonce >> 32));

  std::array<Lanes, 16> x = start;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 4; ++i) quarter_round(x[i], x[4 + i], x[8 + i], x[12 + i]);
    for (int i = 0; i < 4; ++i)
      quarter_round(x[i], x[4 + (i + 1) % 4], x[8 + (i + 2) % 4], x[12 + (i + 3) % 4]);
  }
  FourBlocks blocks;
  for (int i = 0; i < 16; ++i) {
    x[i] += start[i];
    for (int lane = 0; lane < 4; ++lane) blocks[16 * lane + i] = x[i][lane];
  }
  return blocks;
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
  for (std::size_t block = 0; block < words_.size() / 16; block += 4) {
    const FourBlocks blocks = chacha20(key_, block, stream_);
    std::memcpy(words_.data() + 16 * block, blocks.data(), sizeof blocks);
  }
  std::memcpy(key_.data(), words_.data(), key_.size());
  next_ = key_.size() / sizeof(std::uint32_t);
  std::memset(words_.data(), 0, key_.size());
}

TestRng::TestRng(std::uint64_t seed, std::uint64_t stream) : Generator(expanded(seed), stream, nullptr) {}

}  // namespace epsilometer
