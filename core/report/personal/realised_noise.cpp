#include "core/report/personal/realised_noise.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

double length_of(std::span<const double> values) {
  double squares = 0;
  for (const double one : values) squares += one * one;
  return rounded_up(std::sqrt(squares), (static_cast<double>(values.size()) + 64) * unit_roundoff);
}

const std::vector<double>& checked(const Release& run, const NoisyOutput& output, std::size_t size) {
  const std::vector<double>& values = run.values(output.name);
  if (values.size() != size)
    throw Refusal("malformed", "release.outputs", shown(static_cast<double>(values.size())),
                  "must have as many numbers of " + std::string(output.name) + " as the declared table says");
  in_range(output.name, values, -1e100, 1e100);
  return values;
}

// A unit of the data in deviations of so many steps.
double unit_of(std::uint64_t steps, int exponent) {
  return std::ldexp(1 / static_cast<double>(steps), -exponent);
}

// x x^T as a lower triangle.
std::vector<double> outer_product(std::span<const double> x) {
  std::vector<double> product;
  for (std::size_t row = 0; row < x.size(); ++row)
    for (std::size_t column = 0; column <= row; ++column) product.push_back(x[row] * x[column]);
  return product;
}

}  // namespace

RealisedNoise::RealisedNoise(std::vector<double> noise, double doubt, double gap, double unit)
    : noise_(std::move(noise)), doubt_(doubt), gap_(gap), unit_(unit), length_(length_of(noise_)) {}

RealisedNoise RealisedNoise::on_coefficients(const NoisyOutput& output, const Release& run,
                                             std::span<const double> theta, double error) {
  const std::vector<double>& released = checked(run, output, theta.size());
  const double unit = unit_of(output.steps, output.exponent), d = static_cast<double>(theta.size());
  std::vector<double> noise(theta.size());
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = (released[i] - theta[i]) * unit;
  // Rounding to the grid takes half a step of a coordinate.
  const double off = rounded_up(output.error + std::ldexp(std::sqrt(d), output.exponent));
  const double sizes = length_of(released) + length_of(theta);
  return {std::move(noise), rounded_up((off + error + 4 * unit_roundoff * sizes) * unit, 0x1p-40),
          rounded_up(2 * off * unit, 0x1p-40), unit};
}

Interval RealisedNoise::loss(Interval moved, Interval along) const {
  moved = moved * Interval::around(unit_, 2 * unit_roundoff * unit_);
  along = along * Interval::around(unit_, 2 * unit_roundoff * unit_);
  const Interval far = absolute(moved) + Interval(-gap_, gap_);
  const double off = rounded_up(moved.magnitude() * doubt_ + gap_ * (length_ + doubt_), 8 * unit_roundoff);
  return square(Interval(std::max(0.0, far.lower()), far.upper())) / Interval(2) -
         (along + Interval(-off, off));
}

RealisedSums::RealisedSums(const LinearStatistics& table, std::span<const NoisyOutput> outputs,
                           const Release& run) {
  const std::size_t d = table.dimension();
  std::vector<double> noise;
  double doubts = 0, gaps = 0;
  for (const NoisyOutput& output : outputs) {
    if (output.of == NoisyOutput::Of::coefficients) continue;
    const bool is_gram = output.of == NoisyOutput::Of::gram, is_cross = output.of == NoisyOutput::Of::cross;
    const IntegerSum sums = is_gram    ? table.gram(output.exponent)
                            : is_cross ? table.cross(output.exponent)
                                       : rounded(std::vector{table.count()}, output.exponent);
    const int finest = is_gram    ? gram_query(d, table.bounds(), Norm::l2).finest
                       : is_cross ? cross_query(d, table.bounds(), Norm::l2).finest
                                  : 0;
    Block block{output.of, {}};
    block.units.assign(sums.size(), unit_of(output.steps, output.exponent));
    for (std::size_t row = 0; is_gram && row < d; ++row)
      block.units[row * (row + 3) / 2] = unit_of(output.diagonal, output.exponent);
    const std::vector<double>& values = checked(run, output, sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double sum = std::ldexp(sums.nearest(i), output.exponent), unit = block.units[i];
      noise.push_back((values[i] - sum) * unit);
      doubts += std::pow(4 * unit_roundoff * (std::abs(values[i]) + std::abs(sum)) * unit, 2);
      // A coarser grid rounds what a record moves by less than a step.
      if (output.exponent > finest) gaps += std::pow(std::ldexp(unit, output.exponent), 2);
    }
    blocks_.push_back(std::move(block));
  }
  const double more = (static_cast<double>(noise.size()) + 64) * unit_roundoff;
  noise_.emplace(std::move(noise), rounded_up(std::sqrt(doubts), more), rounded_up(std::sqrt(gaps), more));
}

Interval RealisedSums::loss(std::span<const double> features, double label, Direction direction) const {
  std::vector<double> own;
  for (const Block& block : blocks_) {
    std::vector<double> moved{1};
    if (block.of == NoisyOutput::Of::gram) moved = outer_product(features);
    if (block.of == NoisyOutput::Of::cross) {
      moved.assign(features.begin(), features.end());
      for (double& one : moved) one *= label;
    }
    for (std::size_t i = 0; i < moved.size(); ++i) own.push_back(moved[i] * block.units[i]);
  }
  // Each of them is three times rounded.
  constexpr double margin = 4 * unit_roundoff;
  const Interval length = square_root(quick_square(own)) * Interval(1 - margin, 1 + margin);
  const double off = rounded_up(length.upper() * noise_->length() * margin);
  const Interval along = quick_dot(own, noise_->noise()) + Interval(-off, off);
  return noise_->loss(length, direction == Direction::add ? along : -along);
}

bool holds_all_rows(std::span<const NoisyOutput> outputs, double rows) {
  for (const NoisyOutput& output : outputs)
    if (rows + 1 > output.most) return false;
  return true;
}

}  // namespace epsilometer
