// Sums of vectors of bounded length with normal noise, on a grid so fine that what is lost by rounding each
// row is far below the noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/base/bounds.h"
#include "core/noise/noise.h"
#include "core/release/statistics/statistic_part.h"

namespace epsilometer {

class NoisyVector {
 public:
  /// Of vectors of at most that length, which is what a row moves when it is added or removed; `moved`: how
  /// far apart two of them are at most, or that length.
  NoisyVector(double length, double moved, std::size_t entries)
      : length_(rounded_up(length, 0x1p-40)), moved_(std::max(moved, length_)), entries_(entries) {}

  double moved() const { return moved_; }

  Description guarantee(double mu) const {
    const GaussianNoise noise = this->noise(mu);
    // Rounding toward 0 moves each entry by less than a step.
    const double room = moved_ > length_ ? std::sqrt(static_cast<double>(entries_)) : 0;
    const double steps = std::max(static_cast<double>(truncation(noise).radius()),
                                  rounded_up(std::ldexp(moved_, -noise.exponent) + room));
    return noise.guarantee(steps, static_cast<double>(entries_));
  }

  /// At which a row that moves it by `moved` costs mu.
  GaussianNoise noise(double mu) const {
    const double sigma = moved_ / mu;
    const int finest = static_cast<int>(std::ceil(std::log2(length_))) - 46;
    // A row that is counted is a whole number of steps.
    return GaussianNoise::of(sigma, std::clamp(default_exponent(sigma) - 8, finest, 0));
  }

  Truncation truncation(const GaussianNoise& noise) const { return {length_, Norm::l2, noise.exponent}; }

 private:
  double length_, moved_;
  std::size_t entries_;
};

/// In the units of the vector.
inline double deviation(const GaussianNoise& noise) {
  return std::ldexp(static_cast<double>(noise.steps), noise.exponent);
}

}  // namespace epsilometer
