/**
 * Unpacks LZMA, by Igor Pavlov's specification of 2015: raw streams of known size, of which no literal depends on its
 * position (lp 0). They are a fifth smaller than gzip, the best that browsers unpack themselves. pack.mjs copies this
 * text into the modules.
 */

/** The range coder: bits, each by a probability that learns, from a byte array. */
class RangeDecoder {
  constructor(packed) {
    this.packed = packed;
    this.next = 1;
    this.range = 0xffffffff;
    this.code = 0;
    for (let i = 0; i < 4; i++) this.code = this.code * 256 + packed[this.next++];
  }

  refill() {
    if (this.range >= 0x1000000) return;
    this.range *= 256;
    this.code = this.code * 256 + this.packed[this.next++];
  }

  bit(chances, at) {
    const chance = chances[at];
    const bound = (this.range >>> 11) * chance;
    const one = this.code >= bound;
    if (one) {
      this.range -= bound;
      this.code -= bound;
      chances[at] = chance - (chance >> 5);
    } else {
      this.range = bound;
      chances[at] = chance + ((2048 - chance) >> 5);
    }
    this.refill();
    return one ? 1 : 0;
  }

  /** So many bits from a tree of chances, the highest first. */
  tree(chances, bits, from = 0) {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node * 2 + this.bit(chances, from + node);
    return node - (1 << bits);
  }

  /** The same, the lowest first. */
  reversedTree(chances, bits, from = 0) {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.bit(chances, from + node);
      node = node * 2 + bit;
      value |= bit << i;
    }
    return value;
  }

  /** Bits that are as often 0 as 1. */
  even(bits) {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.range = Math.floor(this.range / 2);
      const one = this.code >= this.range;
      if (one) this.code -= this.range;
      this.refill();
      value = value * 2 + (one ? 1 : 0);
    }
    return value;
  }
}

const chances = (count) => new Uint16Array(count).fill(1024);

/** Lengths of copies, from 2 to 273. */
class Lengths {
  constructor() {
    this.choices = chances(2);
    this.short = chances(16 << 3);
    this.middle = chances(16 << 3);
    this.long = chances(256);
  }

  read(coder, position) {
    if (!coder.bit(this.choices, 0)) return 2 + coder.tree(this.short, 3, position << 3);
    if (!coder.bit(this.choices, 1)) return 10 + coder.tree(this.middle, 3, position << 3);
    return 18 + coder.tree(this.long, 8);
  }
}

/** Distances of copies, less 1; near ones of long copies are likelier. */
class Distances {
  constructor() {
    this.slots = chances(4 << 6);
    this.near = chances(128);
    this.low = chances(16);
  }

  read(coder, length) {
    const slot = coder.tree(this.slots, 6, Math.min(length - 2, 3) << 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 + (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + coder.reversedTree(this.near, bits, base - slot);
    return base + coder.even(bits - 4) * 16 + coder.reversedTree(this.low, 4);
  }
}

/** One byte, by the one before it; after a copy also by the byte that the copy would have gone on with. */
function literal(coder, table, from, match) {
  let node = 1;
  let expected = match;
  while (expected >= 0 && node < 256) {
    const guess = (expected >> 7) & 1;
    expected <<= 1;
    const bit = coder.bit(table, from + ((1 + guess) << 8) + node);
    node = node * 2 + bit;
    if (bit !== guess) break;
  }
  while (node < 256) node = node * 2 + coder.bit(table, from + node);
  return node - 256;
}

/** What to copy: from how far back, and how many bytes. Keeps the last four distances, the latest first. */
class Copies {
  constructor() {
    [this.isRepeat, this.isOlder, this.isThird, this.isFourth] = [0, 0, 0, 0].map(() => chances(12));
    this.isLong = chances(12 << 4);
    this.lengths = new Lengths();
    this.repeatLengths = new Lengths();
    this.distances = new Distances();
    this.recent = [0, 0, 0, 0];
  }

  /** Which of the last distances is repeated. */
  which(coder, state) {
    if (!coder.bit(this.isOlder, state)) return 0;
    if (!coder.bit(this.isThird, state)) return 1;
    return coder.bit(this.isFourth, state) ? 3 : 2;
  }

  /** The length, and the state to go on from. */
  read(coder, state, position) {
    const late = state >= 7;
    if (!coder.bit(this.isRepeat, state)) {
      const length = this.lengths.read(coder, position);
      this.recent = [this.distances.read(coder, length), ...this.recent.slice(0, 3)];
      return { length, state: late ? 10 : 7 };
    }
    const which = this.which(coder, state);
    if (which === 0 && !coder.bit(this.isLong, (state << 4) + position))
      return { length: 1, state: late ? 11 : 9 };
    this.recent.unshift(...this.recent.splice(which, 1));
    return { length: this.repeatLengths.read(coder, position), state: late ? 11 : 8 };
  }
}

/** `size` bytes of what was packed with that lc and pb. */
export function unlzma(packed, size, lc, pb) {
  const coder = new RangeDecoder(packed);
  const result = new Uint8Array(size);
  const literals = chances(0x300 << lc);
  const isCopy = chances(12 << 4);
  const copies = new Copies();
  // What was done last: one of the twelve states of the specification.
  let state = 0;
  for (let at = 0; at < size; ) {
    const position = at & ((1 << pb) - 1);
    if (coder.bit(isCopy, (state << 4) + position)) {
      const copy = copies.read(coder, state, position);
      const from = copies.recent[0] + 1;
      for (const end = at + copy.length; at < end; at++) result[at] = result[at - from];
      state = copy.state;
    } else {
      const before = at > 0 ? result[at - 1] >> (8 - lc) : 0;
      const match = state < 7 ? -1 : result[at - copies.recent[0] - 1];
      result[at++] = literal(coder, literals, 0x300 * before, match);
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
    }
  }
  return result;
}
