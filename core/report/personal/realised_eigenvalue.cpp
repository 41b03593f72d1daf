#include "core/report/personal/realised_eigenvalue.h"

#include <algorithm>
#include <cmath>

#include "core/noise/eigenvalue.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

// So well is a move found, as a share of the most that it can be.
constexpr double fineness = 0x1p-34;

}  // namespace

RealisedEigenvalue::RealisedEigenvalue(const LinearStatistics& table, const NoisyOutput& output,
                                       const Release& run, const Progress& progress) {
  const std::size_t d = table.dimension();
  const std::vector<double> gram = table.values().gram;
  const double whole = trace(gram, d), square = table.bounds().features * table.bounds().features;
  system_ = eigensystem(gram, d, progress);
  // From the largest value on; their differences are rounded once, and so was each entry of the matrix.
  for (const double value : system_.values) gaps_.push_back(value - system_.values.back());
  apart_ = rounded_up(system_.error + 2 * unit_roundoff * (whole + gaps_.front()));
  // Both tables' were computed, and rounded to the grid, when that was released.
  const double step = std::ldexp(1 / output.scale, output.exponent),
               computed = rounded_up(eigenvalue_error(d) * (whole + square) + step, 0x1p-40);
  const Bounds least = smallest_eigenvalue(gram, d);
  const double middle = least.lower + (least.upper - least.lower) / 2,
               known = (least.upper - least.lower) / 2 + 2 * unit_roundoff * whole;
  const double unit = unit_of(output.steps, output.exponent) * output.scale,
               value = noisy_values(run, output, 1)[0];
  const double doubt = computed + known + 8 * unit_roundoff * (std::abs(value) + std::abs(middle));
  noise_.emplace(std::vector{(value - middle) * unit}, rounded_up(doubt * unit, 0x1p-40),
                 rounded_up(2 * computed * unit, 0x1p-40), unit);
}

Interval RealisedEigenvalue::moved(std::span<const double> features, Direction direction) const {
  const std::size_t d = features.size();
  const Interval square = quick_square(features);
  const double size = square_root(square).upper(), sign = direction == Direction::add ? 1 : -1;
  std::vector<double> squares(d);
  double most = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double* const vector = &system_.vectors[i * d];
    const double z = quick_sum(d, [=](std::size_t k) { return vector[k] * features[k]; });
    squares[i] = z * z, most += squares[i];
  }
  // z z^T is so far from V^T x x^T V, V the basis of which the values are exact.
  const double turned = system_.tilt + (static_cast<double>(d) + 8) * unit_roundoff * (1 + system_.tilt);
  const double off = rounded_up(2 * apart_ + square.upper() * turned * (2 + turned), 0x1p-40);
  const double next = d > 1 ? gaps_[d - 2] : std::numeric_limits<double>::infinity();
  double low = 0, high = rounded_up(direction == Direction::add ? std::min(most, next) : most, 0x1p-40);
  const double enough = fineness * high, terms = static_cast<double>(d) + 8;
  while (high - low > enough) {
    const double t = low + (high - low) / 2;
    const auto term = [&](std::size_t i) { return squares[i] / (gaps_[i] - sign * t); };
    const auto term_size = [&](std::size_t i) { return std::abs(term(i)); };
    const double sum = quick_sum(d, term), error = terms * unit_roundoff * (1 + quick_sum(d, term_size));
    const double value = 1 + sign * sum;
    if (!(std::abs(value) > error)) break;
    (value > 0 ? high : low) = t;
  }
  const double longest = std::min(square.upper(), rounded_up(high + off));
  return sign *
         Interval(std::min(longest, rounded_down(low - off)), rounded_up(std::min(longest, size * size)));
}

Interval RealisedEigenvalue::loss(std::span<const double> features, Direction direction) const {
  const Interval moves = moved(features, direction);
  return noise_->loss(absolute(moves), moves * noise_->noise().front());
}

}  // namespace epsilometer
