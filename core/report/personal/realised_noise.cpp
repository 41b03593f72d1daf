#include "core/report/personal/realised_noise.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
double length_of(std::span<const double> values) {
  double squares = 0;
  for (const double one : values) squares += one * one;
  return rounded_up(std::sqrt(squares), (static_cast<double>(values.size()) + 64) * unit_roundoff);
}

const std::vector<double>& noisy_values(const Release& run, const NoisyOutput& output, std::size_t size) {
  const std::vector<double>& values = run.values(output.name);
  if (values.size() != size)
    throw Refusal("malformed", "release.outputs", shown(static_cast<double>(values.size())),
                  "must have as many numbers of " + std::string(output.name) + " as the declared table says");
  in_range(output.name, values, -1e100, 1e100);
  return values;
}

double unit_of(std::uint64_t steps, int exponent) {
  return std::ldexp(1 / static_cast<double>(steps), -exponent);
}

namespace {

// x x^T as a lower triangle.
std::vector<double> outer_product(std::span<const double> x) {
  std::vector<double> product;
  for (std::size_t row = 0; row < x.size(); ++row)
    for (std::size_t column = 0; column <= row; ++column) product.push_back(x[row] * x[column]);
  return product;
}

}  // namespace

RealisedNoise::RealisedNoise(std::vector<double> noise, double doubt, double gap, double unit)
    : noise_(std::move(noise)),
      doubt_(doubt),
      gap_(gap),
      length_(length_of(noise_)),
      unit_(Interval::around(unit, 2 * unit_roundoff * unit)) {}

RealisedNoise RealisedNoise::on_coefficients(const NoisyOutput& output, const Release& run,
                                             std::span<const double> theta, double error) {
  const std::vector<double>& released = noisy_values(run, output, theta.size());
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
  moved = moved * unit_;
  along = along * unit_;
  const Interval far = absolute(moved) + Interval(-gap_, gap_);
  const double off = rounded_up(moved.magnitude() * doubt_ + gap_ * (length_ + doubt_), 8 * unit_roundoff);
  return square(Interval(std::max(0.0, far.lower()), far.upper())) / Interval(2) -
         (along + Interval(-off, off));
}

RealisedSums::RealisedSums(const LinearStatistics& table, std::span<const NoisyOutput> outputs,
                           const Release& run) {
  const std::size_t d = table.dimension();
  std::vector<double> gaussian;
  double doubts = 0, gaps = 0;
  for (const NoisyOutput& output : outputs) {
    const bool is_gram = output.of == NoisyOutput::Of::gram, is_cross = output.of == NoisyOutput::Of::cross;
    if (!is_gram && !is_cross && output.of != NoisyOutput::Of::rows) continue;
    const IntegerSum sums = is_gram    ? table.gram(output.exponent)
                            : is_cross ? table.cross(output.exponent)
                                       : rounded(std::vector{table.count()}, output.exponent);
    const int finest = is_gram    ? gram_query(d, table.bounds(), Norm::l2).finest
                       : is_cross ? cross_query(d, table.bounds(), Norm::l2).finest
                                  : 0;
    const bool is_gaussian = output.law == NoisyOutput::Law::gaussian;
    Block block{output.of, output.law, {}, {}, 0};
    block.units.assign(sums.size(), unit_of(output.steps, output.exponent));
    for (std::size_t row = 0; is_gram && row < d; ++row)
      block.units[row * (row + 3) / 2] = unit_of(output.diagonal, output.exponent);
    const std::vector<double>& values = noisy_values(run, output, sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double sum = std::ldexp(sums.nearest(i), output.exponent), unit = block.units[i];
      const double noise = values[i] - sum,
                   doubt = 4 * unit_roundoff * (std::abs(values[i]) + std::abs(sum)) * unit;
      // A coarser grid rounds what a record moves by less than a step.
      const double gap = output.exponent > finest ? std::ldexp(unit, output.exponent) : 0;
      if (is_gaussian) {
        gaussian.push_back(noise * unit), doubts += doubt * doubt, gaps += gap * gap;
      } else {
        // What is not known of the noise counts in both of its sizes.
        block.noise.push_back(noise), block.doubt += 2 * doubt + gap;
      }
    }
    block.doubt = rounded_up(block.doubt, (static_cast<double>(sums.size()) + 64) * unit_roundoff);
    blocks_.push_back(std::move(block));
  }
  if (gaussian.empty()) return;
  const double more = (static_cast<double>(gaussian.size()) + 64) * unit_roundoff;
  gaussian_.emplace(std::move(gaussian), rounded_up(std::sqrt(doubts), more),
                    rounded_up(std::sqrt(gaps), more));
}

// Products are whole numbers of steps, no more than 2^42, and so are sums of a thousand of them in doubles.
std::vector<double> RealisedSums::sums(NoisyOutput::Of of, const GridRecords& records, std::size_t first,
                                       std::size_t count) {
  if (of == NoisyOutput::Of::rows) return {static_cast<double>(count)};
  std::vector<double> sum;
  for (std::size_t k = first; k < first + count; ++k) {
    const auto x = records.row(k);
    std::vector<double> own;
    if (of == NoisyOutput::Of::gram) {
      own = outer_product(x);
    } else {
      for (const double one : x) own.push_back(one * records.labels[k]);
    }
    if (sum.empty()) {
      sum = std::move(own);
    } else {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += own[i];
    }
  }
  return sum;
}

// Each size is rounded twice, and their difference times the unit twice more.
Interval RealisedSums::laplace_loss(const Block& block, std::span<const double> moved, double sign) {
  const auto at = [&](std::size_t i) {
    const double e = block.noise[i];
    return (std::abs(e - sign * moved[i]) - std::abs(e)) * block.units[i];
  };
  const auto size = [&](std::size_t i) {
    return (std::abs(block.noise[i]) + std::abs(moved[i])) * block.units[i];
  };
  const auto step = [&](std::size_t i) { return std::abs(at(i)); };
  const std::size_t terms = moved.size();
  const double rounding = 8 * unit_roundoff * quick_sum(terms, size) +
                          (static_cast<double>(terms) + 8) * unit_roundoff * quick_sum(terms, step);
  return Interval::around(quick_sum(terms, at), rounded_up(block.doubt + rounding, 0x1p-40));
}

Interval RealisedSums::loss(const GridRecords& records, std::size_t first, std::size_t count,
                            Direction direction) const {
  const double sign = direction == Direction::add ? 1 : -1;
  std::vector<double> own;
  Interval told = 0;
  for (const Block& block : blocks_) {
    const std::vector<double> moved = sums(block.of, records, first, count);
    if (block.law == NoisyOutput::Law::laplace) {
      told = told + laplace_loss(block, moved, sign);
    } else {
      for (std::size_t i = 0; i < moved.size(); ++i) own.push_back(moved[i] * block.units[i]);
    }
  }
  if (!gaussian_) return told;
  // Each of them is three times rounded.
  constexpr double margin = 4 * unit_roundoff;
  const Interval length = square_root(quick_square(own)) * Interval(1 - margin, 1 + margin);
  const double off = rounded_up(length.upper() * gaussian_->length() * margin);
  const Interval along = quick_dot(own, gaussian_->noise()) + Interval(-off, off);
  return told + gaussian_->loss(length, sign > 0 ? along : -along);
}

bool RealisedSums::is_count() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const Block& block) { return block.of == NoisyOutput::Of::rows; });
}

bool holds_all_rows(std::span<const NoisyOutput> outputs, double rows) {
  for (const NoisyOutput& output : outputs)
    if (rows + 1 > output.most) return false;
  return true;
}

}  // namespace epsilometer
