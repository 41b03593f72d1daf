#include "core/release/whitening.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numerics/certified_factor.h"
#include "core/numerics/eigensystem.h"

namespace epsilometer {

Whitening::Whitening(std::span<const double> triangle, std::size_t dimension, double edge, double rows,
                     const Progress& progress)
    : dimension_(dimension), matrix_(dimension * dimension), bound_(1) {
  const Eigensystem system = eigensystem(triangle, dimension, progress);
  if (!std::isfinite(system.error)) {
    for (std::size_t j = 0; j < dimension; ++j) matrix_[j * dimension + j] = 1;
    return;
  }
  // How much of each direction is signal, and how much of that hardly can be noise.
  double least = std::numeric_limits<double>::infinity(), signal = 0, certain = 0;
  for (std::size_t k = 0; k < dimension; ++k) {
    const double value = std::max(system.values[k], 0.0), floored = value + edge;
    least = std::min(least, floored);
    signal += value / floored;
    certain += std::max(value - edge, 0.0) / floored;
    const std::span v = std::span(system.vectors).subspan(k * dimension, dimension);
    for (std::size_t row = 0; row < dimension; ++row)
      for (std::size_t column = 0; column < dimension; ++column)
        matrix_[row * dimension + column] += v[row] * v[column] / std::sqrt(floored);
  }
  const double longer = signal > 0 ? 1 + certain / (2 * signal) : 1;
  bound_ = std::min(longer * std::sqrt(std::max(signal, 1.0) / rows), 1 / std::sqrt(least));
}

void Whitening::apply(std::span<const double> row, std::span<float> whitened,
                      std::span<double> scratch) const {
  // By the columns of the matrix, which is symmetric: each sum in the same order, and several at once.
  std::fill(scratch.begin(), scratch.end(), 0);
  for (std::size_t k = 0; k < dimension_; ++k)
    for (std::size_t j = 0; j < dimension_; ++j) scratch[j] += matrix_[k * dimension_ + j] * row[k];
  double square = 0;
  for (std::size_t j = 0; j < dimension_; ++j) square += scratch[j] * scratch[j];
  const double shorter = std::max(std::sqrt(square), bound_);
  for (std::size_t j = 0; j < dimension_; ++j) whitened[j] = static_cast<float>(scratch[j] / shorter);
}

std::vector<double> Whitening::coefficients(std::span<const double> whitened) const {
  std::vector<double> result(dimension_);
  for (std::size_t j = 0; j < dimension_; ++j)
    for (std::size_t k = 0; k < dimension_; ++k) result[j] += matrix_[j * dimension_ + k] * whitened[k];
  return result;
}

// With W the matrix, c(d) u |W| |y| is what rounding takes of W y, and moves y by no more than that over W's
// least eigenvalue: e <= solution's error + k (|computed y| + e).
Whitening::Origin Whitening::origin(std::span<const double> coefficients) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> triangle;
  double squares = 0;
  for (std::size_t row = 0; row < dimension_; ++row)
    for (std::size_t column = 0; column < dimension_; ++column) {
      const double entry = matrix_[row * dimension_ + column];
      squares += entry * entry;
      if (column <= row) triangle.push_back(entry);
    }
  const auto factor = CertifiedFactor::of(triangle, dimension_, 0, 0);
  if (!factor) return {std::vector<double>(dimension_), none};
  auto [values, error] = factor->solve(coefficients);
  double length = 0;
  for (const double one : values) length = std::hypot(length, one);
  const double rounding = 4 * (static_cast<double>(dimension_) + 8) * unit_roundoff;
  const double share = rounded_up(rounding * std::sqrt(squares) / factor->floor());
  const double most = rounded_up((error + share * length) / (1 - share));
  return {std::move(values), share < 0.5 && most < none ? most : none};
}

}  // namespace epsilometer
