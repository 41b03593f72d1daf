// How long an answer may take, and from where on more of it is not worth its time: heuristic, no guarantee.
#pragma once

#include <algorithm>
#include <cstddef>

namespace epsilometer::effort {

/// No longer transform and no more cells than this: the step is then coarser, and the interval as wide as it
/// must be. Of many laws each has a transform of its own, and all of them together must not take longer.
inline double most_points(std::size_t laws) {
  return std::clamp(1e7 / static_cast<double>(laws), 2048.0, 600000.0);
}
inline double most_cells(std::size_t laws) {
  return std::clamp(1e6 / static_cast<double>(laws), 256.0, 600000.0);
}

/// Beyond so many laws they are represented by a few that stand for all.
inline constexpr std::size_t many_laws = 32;

/// On a lattice one transform is as good as an enumeration that takes longer than this.
inline constexpr double few_outcomes = 3e4;

/// An interval this narrow is not worth a sum on uneven knots; one that is wider than the other after one
/// transform is not worth more of them.
inline constexpr double even_enough = 1e-3, hopeless = 0.3;

/// Sums on uneven knots start with few cells; where fewer than `least_uneven_cells` could be had they are not
/// relied on. No more pairs of cells than this in all doublings of one.
inline constexpr std::size_t fewest_uneven_cells = 64, least_uneven_cells = 256;
inline constexpr double most_pairs = 6e7;

/// In the time of how many such pairs a law is cut at one of its even cells, and one point of a transform is
/// made: measured.
inline constexpr double pairs_of_even_cell = 100, pairs_of_point = 30;

/// So many terms of an integral take as long as a pair; it tells more than even steps, and serves other
/// questions too, so that it may take so many times as long.
inline constexpr double terms_of_pair = 3, worth_of_line = 10;

/// So many pairs take no time that anybody sees.
inline constexpr double hardly_any = 1e6;

/// Even steps may need a second pass, or tell nothing: they come before more knots where they are expected to
/// be so many times as fast.
inline constexpr double risk_of_even = 3;

/// A law whose smooth part reaches further, in its own units, is not one of doubles any more.
inline constexpr double most_units = 4096;

/// A law whose loss or density moves by more powers of e takes minutes to cut, and even cells of it are too
/// wide for doubles.
inline constexpr double most_change = 1e9;

/// An integral whose cut-off leaves more than e^-this is not worth its nodes. Where it needs more
/// frequencies, or more terms for each law or for all, a transform is faster; and no more nodes are kept at a
/// time. To look for a nearer cut-off takes as long as so many frequencies.
inline constexpr double least_depth = 6, most_frequencies = 1e4;
inline constexpr double frequencies_of_look = 10;
inline constexpr double terms_of_law = 1e7, most_terms = 3e8, most_kept = 1e7;

/// Of one law an integral takes no more nodes than this, and looks at no more heights of its density.
inline constexpr double most_nodes = 5e4;
inline constexpr std::size_t most_heights = 60;

}  // namespace epsilometer::effort
