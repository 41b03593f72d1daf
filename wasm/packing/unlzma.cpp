// Unpacks LZMA, by Igor Pavlov's specification of 2015: raw streams of known size, of which no literal
// depends on its position (lp 0). They are a fifth smaller than gzip, the best that browsers unpack
// themselves. A module of its own, without a library: it is shipped beside each module that it unpacks, so it
// is written to be small.
#include <cstdint>

namespace {

using Chance = std::uint16_t;

// The most bits of the byte before a literal that may tell what is likely (lc).
constexpr int kMostContext = 4;

// Lengths of copies, from 2 to 273.
struct Lengths {
  Chance choices[2];
  Chance low[16][8];
  Chance middle[16][8];
  Chance high[256];
};

// How likely each bit is to be 0, in 2048ths.
struct Chances {
  Chance is_copy[12][16];
  Chance is_repeat[12];
  Chance is_older[12];
  Chance is_third[12];
  Chance is_fourth[12];
  Chance is_long[12][16];
  Lengths lengths;
  Lengths repeat_lengths;
  Chance slots[4][64];
  Chance near[128];
  Chance lowest[16];
  Chance literals[1 << kMostContext][0x300];
};

Chances chances;
const std::uint8_t* packed;
std::uint32_t range;
std::uint32_t code;
const std::uint8_t* start;
std::uint8_t* at;
// What was done last: one of the twelve states of the specification.
int state;
// The last four distances, less 1, the latest first.
std::uint32_t recent[4];
int literal_shift;
std::uint32_t position_mask;

[[gnu::always_inline]] inline void refill() {
  if (range >= 1u << 24) return;
  range <<= 8;
  code = code << 8 | *packed++;
}

// A bit by a chance that learns; without a call where most bits are read.
[[gnu::always_inline]] inline std::uint32_t bit_here(Chance& chance) {
  const std::uint32_t bound = (range >> 11) * chance;
  const bool one = code >= bound;
  if (one) {
    range -= bound;
    code -= bound;
    chance -= chance >> 5;
  } else {
    range = bound;
    chance += (2048 - chance) >> 5;
  }
  refill();
  return one;
}

// The same in a call, which is smaller.
[[gnu::noinline]] std::uint32_t bit(Chance& chance) { return bit_here(chance); }

// So many bits from a tree of chances, the highest first.
std::uint32_t tree(Chance* nodes, int bits) {
  std::uint32_t node = 1;
  for (int i = 0; i < bits; ++i) node = node << 1 | bit_here(nodes[node]);
  return node - (1u << bits);
}

// The same, the lowest first.
std::uint32_t reversed_tree(Chance* nodes, int bits) {
  std::uint32_t node = 1;
  std::uint32_t value = 0;
  for (int i = 0; i < bits; ++i) {
    const std::uint32_t one = bit(nodes[node]);
    node = node << 1 | one;
    value |= one << i;
  }
  return value;
}

// Bits that are as often 0 as 1.
std::uint32_t even(int bits) {
  std::uint32_t value = 0;
  for (int i = 0; i < bits; ++i) {
    range >>= 1;
    const bool one = code >= range;
    if (one) code -= range;
    refill();
    value = value << 1 | one;
  }
  return value;
}

std::uint32_t length(Lengths& lengths, std::uint32_t position) {
  if (!bit(lengths.choices[0])) return 2 + tree(lengths.low[position], 3);
  if (!bit(lengths.choices[1])) return 10 + tree(lengths.middle[position], 3);
  return 18 + tree(lengths.high, 8);
}

// The distance of a new copy, less 1; near ones of long copies are likelier.
std::uint32_t distance(std::uint32_t length) {
  const std::uint32_t slot = tree(chances.slots[length < 5 ? length - 2 : 3], 6);
  if (slot < 4) return slot;
  const int bits = int(slot >> 1) - 1;
  const std::uint32_t base = (2 | (slot & 1)) << bits;
  if (slot < 14) return base + reversed_tree(chances.near + base - slot, bits);
  const std::uint32_t high = even(bits - 4) << 4;
  return base + high + reversed_tree(chances.lowest, 4);
}

// Puts a distance first, before those that came before the given place.
void remember(std::uint32_t distance, int place) {
  for (; place > 0; --place) recent[place] = recent[place - 1];
  recent[0] = distance;
}

// The length of a copy from the latest distance, which it sets.
std::uint32_t copied(std::uint32_t position) {
  const bool late = state >= 7;
  const int before = state;
  if (!bit(chances.is_repeat[before])) {
    state = late ? 10 : 7;
    const std::uint32_t result = length(chances.lengths, position);
    remember(distance(result), 3);
    return result;
  }
  if (bit(chances.is_older[before])) {
    const int place = !bit(chances.is_third[before]) ? 1 : bit(chances.is_fourth[before]) ? 3 : 2;
    remember(recent[place], place);
  } else if (!bit(chances.is_long[before][position])) {
    state = late ? 11 : 9;
    return 1;
  }
  state = late ? 11 : 8;
  return length(chances.repeat_lengths, position);
}

// One byte, by the one before it; after a copy also by the byte that the copy would have gone on with.
std::uint8_t literal() {
  Chance* table = chances.literals[at > start ? at[-1] >> literal_shift : 0];
  std::uint32_t node = 1;
  if (state >= 7) {
    std::uint32_t expected = *(at - 1 - recent[0]);
    for (bool as_expected = true; as_expected && node < 256;) {
      const std::uint32_t guess = expected >> 7 & 1;
      expected <<= 1;
      const std::uint32_t one = bit(table[((1 + guess) << 8) + node]);
      node = node << 1 | one;
      as_expected = one == guess;
    }
  }
  while (node < 256) node = node << 1 | bit_here(table[node]);
  state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
  return std::uint8_t(node);
}

}  // namespace

extern "C" {

// Before the first step: where the packed bytes are, where the others go, and the form of the packed ones (lc
// at most 4).
void begin(const std::uint8_t* from, std::uint8_t* into, int lc, int pb) {
  auto* all = reinterpret_cast<Chance*>(&chances);
  for (std::uint32_t i = 0; i < sizeof(Chances) / sizeof(Chance); ++i) all[i] = 1024;
  packed = from + 1;
  range = ~0u;
  for (int i = 0; i < 4; ++i) code = code << 8 | *packed++;
  start = at = into;
  literal_shift = 8 - lc;
  position_mask = (1u << pb) - 1;
}

// Goes on until at least `size` bytes are there; at the end of the packed ones, exactly so many.
void more(std::uint32_t size) {
  while (at < start + size) {
    const std::uint32_t position = std::uint32_t(at - start) & position_mask;
    if (bit(chances.is_copy[state][position])) {
      for (std::uint32_t left = copied(position); left > 0; --left, ++at) *at = *(at - 1 - recent[0]);
    } else {
      *at = literal();
      ++at;
    }
  }
}
}
