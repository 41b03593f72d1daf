// Noise that can be taken back step by step: discrete Laplace noise of falling widths on one integer, so that
// whoever has seen the first t values has paid for the t-th alone. Koufogiannis, Han and Pappas 2015, in the
// discrete-time form of Ligett, Neel, Roth, Waggoner and Wu 2017 (Algorithm 1), on integers.
//
// Discrete Laplace noise of s steps has the characteristic function 1 / (1 + (1 - cos u) k_s), k_s =
// 1 / (2 sinh^2(1 / 2s)). The quotient of those of s >= r steps is k_r/k_s + (1 - k_r/k_s) / (1 + (1 - cos u)
// k_s): so noise of s steps is noise of r steps that is kept with probability k_r/k_s = sinh^2(1 / 2s) /
// sinh^2(1 / 2r), or else gets noise of s steps added. Nothing of that depends on the data, so all values up
// to the t-th only process the t-th. Each coordinate needs a coin of its own: a common one would tell several
// coordinates' noise from independent noise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/noise/generator.h"
#include "core/noise/grid.h"

namespace epsilometer {

/// The noise of one coordinate at every level.
class NoisePath {
 public:
  /// `steps`: of each level, from 1 to 2^48, never rising.
  NoisePath(Generator& generator, std::span<const std::uint64_t> steps);

  /// Modulo 2^64, as is whatever is made of it: that processes the exact integers.
  std::uint64_t at(std::size_t level) const;

 private:
  struct Change {
    // The last level at which the noise is this.
    std::size_t level;
    std::uint64_t noise;
  };
  // From the last level to the first.
  std::vector<Change> changes_;
};

/// Sums with noise that falls from level to level; the widths of each coordinate are its own.
class ReducedNoise {
 public:
  /// `exponent`: of the grid of all sums that follow.
  explicit ReducedNoise(int exponent) : exponent_(exponent) {}

  /// One more coordinate, with the noise of these levels.
  void add(std::int64_t sum, Generator& generator, std::span<const std::uint64_t> steps);

  /// All coordinates at a level, in the units of the data.
  std::vector<double> at(std::size_t level) const;

 private:
  int exponent_;
  std::vector<std::int64_t> sums_;
  std::vector<NoisePath> paths_;
};

}  // namespace epsilometer
