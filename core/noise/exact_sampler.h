// Exact integer noise from uniform bits: no logarithm, no rounded probability. The discrete Laplace law is
// drawn as in Canonne, Kamath and Steinke 2020 (Algorithm 2), the discrete Gaussian in the form of Karney
// 2016 (Algorithm N, on a lattice). `Source` has word(), which answers with 32 uniform bits. `first_bits` is
// 32; tests take 8, so that the exact continuation of a coin is reached often.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace epsilometer::exact {

using Wide = unsigned __int128;

template <class Source>
std::uint64_t two_words(Source& source) {
  const std::uint64_t high = source.word();
  return high << 32 | source.word();
}

/// Uniform on 0 .. bound - 1, bound > 0: Lemire 2019.
template <class Source>
std::uint64_t uniform_below(Source& source, std::uint64_t bound) {
  Wide product = Wide{two_words(source)} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t uneven = -bound % bound;
    while (static_cast<std::uint64_t>(product) < uneven) product = Wide{two_words(source)} * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

/// The exact decision, given the first bits u of a uniform real U = (u + rest) / 2^bits: is U < a/b? `left`
/// and `low` are a and U's lower end in units of 1 / (b 2^bits).
template <class Source>
[[gnu::noinline]] bool decided_by_more_bits(Source& source, Wide left, Wide low, std::uint64_t b) {
  for (;;) {
    if (low + b <= left) return true;
    if (low >= left) return false;
    left = (left - low) << 32;
    low = Wide{source.word()} * b;
  }
}

/// True with probability exactly a/b, 0 <= a <= b < 2^62, b > 0. The quotient in doubles decides only where
/// it is further from U than its relative error, 2^-50, allows; 32 bits leave about one case in 2^31 open.
template <int first_bits = 32, class Source>
bool coin(Source& source, std::uint64_t a, std::uint64_t b) {
  const std::int64_t u = source.word() >> (32 - first_bits);
  constexpr auto cells = static_cast<double>(std::uint64_t{1} << first_bits);
  // Signed, because machines convert signed integers to doubles faster.
  const double quotient =
      static_cast<double>(static_cast<std::int64_t>(a)) / static_cast<double>(static_cast<std::int64_t>(b));
  const double room = quotient * cells - static_cast<double>(u);
  if (room >= 1.001) return true;
  if (room <= -0.001) return false;
  return decided_by_more_bits(source, Wide{a} << first_bits, Wide{static_cast<std::uint64_t>(u)} * b, b);
}

/// With trial(n) true with probability x/n, true with probability e^-x: von Neumann 1951. A run passes n = 64
/// with a probability below 2^-290, so n never overflows what it multiplies.
template <class Trial>
bool odd_run(Trial trial) {
  std::uint64_t n = 1;
  while (trial(n)) ++n;
  return n % 2 == 1;
}

/// True with probability e^{-halves / 2}.
template <class Source>
bool all_of(Source& source, std::uint64_t halves) {
  const auto trial = [&](std::uint64_t n) { return coin(source, 1, 2 * n); };
  while (halves > 0 && odd_run(trial)) --halves;
  return halves == 0;
}

/// The distribution function of P(k) ~ e^{-k^2/2} on k >= 0 at 0 .. 5, in units of 2^-192, rounded to
/// nearest. Made by tests/reference/half_normal.py.
inline constexpr std::array<std::array<std::uint32_t, 6>, 6> half_normal_table = {{
    {0x92025b19, 0x482ce72b, 0xd40241fe, 0x3d8503e0, 0xa90d8b16, 0x3a7013a0},
    {0xea917985, 0x47a0ef93, 0xd55d4ff9, 0xab842149, 0xf683a406, 0x378219ad},
    {0xfe5415c6, 0xe9da4bae, 0xeabab39c, 0x56d419be, 0x38e03915, 0x98c1226d},
    {0xfff35233, 0x19908c11, 0xd937bd03, 0x927c2f09, 0x5527786a, 0x3cee4bef},
    {0xffffdc31, 0xb8ef5942, 0x488c43f4, 0x219a48e8, 0xd9e24cd1, 0x2330590e},
    {0xffffffda, 0xa2d72344, 0xf06d574f, 0x25e26ea2, 0xec37a2ab, 0xa678cdd3},
}};

/// k >= 6 with P(k) ~ e^{-k^2/2}, exactly: 6 + i is proposed with e^{-6i} and accepted with e^{-i^2/2}.
template <class Source>
[[gnu::noinline]] std::uint64_t half_normal_tail(Source& source) {
  for (;;) {
    std::uint64_t i = 0;
    while (all_of(source, 12)) ++i;
    if (all_of(source, i * i)) return half_normal_table.size() + i;
  }
}

/// k >= 0 with P(k) ~ e^{-k^2/2}, but for the table's last bit: the tail has 2^-27 of the mass, so no
/// probability is off by more than a factor e^{+-2^-164}. Tails that ended somewhere would be outputs that
/// only one of two neighbours can have: no budget covers those.
template <class Source>
std::uint64_t half_normal(Source& source) {
  std::array<std::uint32_t, 6> u{source.word()};
  std::uint64_t k = 0;
  while (k < half_normal_table.size() && u[0] > half_normal_table[k][0]) ++k;
  if (k < half_normal_table.size() && u[0] == half_normal_table[k][0]) {
    for (std::size_t i = 1; i < u.size(); ++i) u[i] = source.word();
    while (k < half_normal_table.size() && u >= half_normal_table[k]) ++k;
  }
  return k < half_normal_table.size() ? k : half_normal_tail(source);
}

/// z with P(z) ~ e^{-z^2 / (2 s^2)} on the integers, 1 <= s <= 2^48: each within a factor e^{+-2^-163} of it.
/// |z| passes 2^11 s with a probability below e^-2000000, so nothing overflows. Proposes |z| = k s + j and
/// accepts with e^{-(2 k s + j) j / (2 s^2)}, as k + 1 coins of probability e^-y, y = (j / s) (2 k s + j) /
/// ((2 k + 2) s) <= 1.
template <int first_bits = 32, class Source>
std::int64_t discrete_gaussian(Source& source, std::uint64_t s) {
  for (;;) {
    const std::uint64_t k = half_normal(source);
    const std::uint64_t j_and_sign = uniform_below(source, 2 * s);
    const std::uint64_t j = j_and_sign >> 1;
    const bool negative = j_and_sign & 1;
    if (negative && k == 0 && j == 0) continue;
    const auto trial = [&](std::uint64_t n) {
      return coin<first_bits>(source, j, n * s) && coin<first_bits>(source, 2 * k * s + j, (2 * k + 2) * s);
    };
    std::uint64_t passed = 0;
    while (passed <= k && odd_run(trial)) ++passed;
    if (passed <= k) continue;
    const auto size = static_cast<std::int64_t>(k * s + j);
    return negative ? -size : size;
  }
}

/// |z| = quotient t + rest of a z with P(z) ~ e^{-|z| / t}, 1 <= t <= 2^48; quotients go up to `enough`, and
/// wrap at 2^64 where there is no such end.
struct LaplaceDraw {
  bool negative;
  std::uint64_t quotient, rest;
};

template <int first_bits = 32, class Source>
LaplaceDraw laplace_draw(Source& source, std::uint64_t t, std::uint64_t enough) {
  for (;;) {
    const std::uint64_t j_and_sign = uniform_below(source, 2 * t);
    const std::uint64_t j = j_and_sign >> 1;
    const bool negative = j_and_sign & 1;
    if (!odd_run([&](std::uint64_t n) { return coin<first_bits>(source, j, n * t); })) continue;
    std::uint64_t q = 0;
    const auto trial = [&](std::uint64_t n) { return n == 1 || coin<first_bits>(source, 1, n); };
    while (q != enough && odd_run(trial)) ++q;
    if (negative && q == 0 && j == 0) continue;
    return {negative, q, j};
  }
}

/// z with P(z) ~ e^{-|z| / t} on the integers, 1 <= t <= 2^48; |z| is capped at `largest`.
template <int first_bits = 32, class Source>
std::int64_t discrete_laplace(Source& source, std::uint64_t t, std::int64_t largest) {
  const LaplaceDraw draw = laplace_draw<first_bits>(source, t, static_cast<std::uint64_t>(largest) / t + 1);
  const auto size = static_cast<std::int64_t>(
      std::min<Wide>(Wide{draw.quotient} * t + draw.rest, Wide{std::uint64_t(largest)}));
  return draw.negative ? -size : size;
}

/// z without a cap, modulo 2^64: exactly, since the quotient is exact modulo 2^64.
template <int first_bits = 32, class Source>
std::uint64_t wrapped_discrete_laplace(Source& source, std::uint64_t t) {
  const LaplaceDraw draw = laplace_draw<first_bits>(source, t, std::uint64_t(-1));
  const std::uint64_t size = draw.quotient * t + draw.rest;
  return draw.negative ? -size : size;
}

/// The same without a cap, in full: a quotient would pass 2^64 with a probability below e^{-2^64}.
template <int first_bits = 32, class Source>
__int128 wide_discrete_laplace(Source& source, std::uint64_t t) {
  const LaplaceDraw draw = laplace_draw<first_bits>(source, t, std::uint64_t(-1));
  const auto size = static_cast<__int128>(Wide{draw.quotient} * t + draw.rest);
  return draw.negative ? -size : size;
}

/// True with probability exactly sinh^2(1 / 2b) / sinh^2(1 / 2a), 1 <= a <= b <= 2^48. That is
/// (cosh(1/b) - 1) / (cosh(1/a) - 1), whose series have positive terms: k >= 1 with P(k) ~ a^{-2k} / (2k)!,
/// then 2k coins of a/b. k is proposed with 2^-k; it passes 2^8 with a probability below 2^-256, and is
/// accepted there with one below 2^-4000.
template <int first_bits = 32, class Source>
bool ratio_of_squared_sinh(Source& source, std::uint64_t a, std::uint64_t b) {
  for (;;) {
    std::uint64_t k = 1;
    while (coin<first_bits>(source, 1, 2)) ++k;
    bool accepted = true;
    for (std::uint64_t j = 2; j <= k && accepted; ++j)
      accepted = coin<first_bits>(source, 1, (2 * j - 1) * a) && coin<first_bits>(source, 1, j * a);
    if (!accepted) continue;
    for (std::uint64_t i = 0; i < 2 * k; ++i)
      if (!coin<first_bits>(source, a, b)) return false;
    return true;
  }
}

}  // namespace epsilometer::exact
