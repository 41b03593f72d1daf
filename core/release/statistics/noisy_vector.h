// Sums of vectors of bounded length with normal noise, on a grid so fine that what is lost by rounding each
// row is far below the noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
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
  double entries() const { return static_cast<double>(entries_); }

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

/// A part that is one Gaussian release of such a sum.
class NormalPart : public StatisticPart {
 public:
  double importance() const final { return std::sqrt(weight_ * vector_.entries()) * vector_.moved(); }
  std::vector<Part> guarantee(double mu) const override { return {{vector_.guarantee(mu), 1}}; }
  void settle(double mu) final {
    noise_ = vector_.noise(mu);
    truncation_.emplace(vector_.truncation(noise_));
  }

 protected:
  NormalPart(double weight, NoisyVector vector) : weight_(weight), vector_(vector) {}

  // Of each entry, in the units of the vector, and on the grid.
  double sigma() const { return std::ldexp(static_cast<double>(noise_.steps), noise_.exponent); }
  int exponent() const { return noise_.exponent; }
  // What whoever makes the sums elsewhere must know: the grid, and in its steps what a row counts.
  void tell_steps(const std::string& name, double count_weight,
                  std::map<std::string, double>& parameters) const {
    parameters[name + "step"] = std::ldexp(1, exponent());
    parameters[name + "row"] = std::trunc(std::ldexp(count_weight, -exponent()));
  }
  // What an entry's noise is above with at most that probability.
  double margin(double failure) const { return lower_margin(noise_, failure); }

  // What a row's vector counts in the steps of the grid; entries that are 0 may be left out.
  std::vector<std::int64_t> steps_of(std::span<const double> row) const {
    std::vector<std::int64_t> steps(row.size());
    truncation_->apply(row, steps);
    return steps;
  }
  // Adds a row's vector to as many sums.
  void add_vector(std::span<const double> row, std::span<__int128> sums) const {
    const std::vector<std::int64_t> steps = steps_of(row);
    for (std::size_t i = 0; i < steps.size(); ++i) sums[i] += steps[i];
  }

  std::vector<double> noisy(const Sums& sums, Generator& generator) const {
    return released(generator, IntegerSum(sums), noise_);
  }

 private:
  double weight_;
  NoisyVector vector_;
  GaussianNoise noise_{};
  std::optional<Truncation> truncation_;
};

/// How a row counts beside the sums of its columns alone, whose squares are at most `square` together: an
/// error of the number of rows counts as much as a mean is away from the middle, and w0^2 = sqrt(square) / 2
/// is best for means of numbers half way to the ends.
inline double count_weight(double square) { return std::sqrt(std::sqrt(square) / 2); }

/// (weight, x), each number from -1 to 1; nothing where one of them is missing.
inline std::optional<std::vector<double>> counted_row(double weight, std::span<const double> x) {
  std::vector<double> row{weight};
  row.reserve(1 + x.size());
  for (const double value : x) {
    if (std::isnan(value)) return std::nullopt;
    row.push_back(std::clamp(value, -1.0, 1.0));
  }
  return row;
}

}  // namespace epsilometer
