#include "core/numerics/cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace epsilometer {
namespace {

// What the squares of roundings add to them: for a dimension up to 1e13.
constexpr double second_order = 0.01;

}  // namespace

// Each entry is made by the same operations in the same order as where inner products of rows are taken one
// by one; here those of a row go on side by side, from columns that lie in one piece, so that none waits for
// another. Eigen's LLT was measured beside it: about twice as fast in WebAssembly from d = 200 on, but 10 KB
// more to download, and other last digits of every model.
std::optional<Cholesky> Cholesky::of(std::span<const double> matrix, std::size_t dimension, double shift) {
  std::vector<double> factor(matrix.begin(), matrix.end()), columns(dimension * dimension);
  for (std::size_t row = 0; row < dimension; ++row) {
    double* const here = &factor[row * (row + 1) / 2];
    here[row] += shift;
    for (std::size_t k = 0; k < row; ++k) {
      double* const column = &columns[k * dimension];
      const double entry = here[k] /= column[k];
      for (std::size_t j = k + 1; j < row; ++j) here[j] -= entry * column[j];
      here[row] -= entry * entry;
      column[row] = entry;
    }
    if (!(here[row] > 0 && std::isfinite(here[row]))) return std::nullopt;
    columns[row * dimension + row] = here[row] = std::sqrt(here[row]);
  }
  return Cholesky(dimension, std::move(factor));
}

std::optional<Cholesky> Cholesky::shifted(std::span<const double> matrix, std::size_t dimension) {
  double largest = std::numeric_limits<double>::min();
  for (const double entry : matrix) {
    if (!std::isfinite(entry)) return std::nullopt;
    largest = std::max(largest, std::abs(entry));
  }
  auto factor = of(matrix, dimension);
  const double d = static_cast<double>(dimension);
  for (double shift = cholesky_error(d * largest, dimension); !factor && std::isfinite(shift); shift *= 4)
    factor = of(matrix, dimension, shift);
  return factor;
}

std::vector<double> Cholesky::solve(std::span<const double> right) const {
  std::vector<double> x(right.begin(), right.end());
  for (std::size_t row = 0; row < dimension_; ++row) {
    const double* const here = &factor_[row * (row + 1) / 2];
    for (std::size_t k = 0; k < row; ++k) x[row] -= here[k] * x[k];
    x[row] /= here[row];
  }
  for (std::size_t row = dimension_; row-- > 0;) {
    const double* const here = &factor_[row * (row + 1) / 2];
    x[row] /= here[row];
    for (std::size_t k = 0; k < row; ++k) x[k] -= here[k] * x[row];
  }
  return x;
}

double cholesky_error(double trace, std::size_t dimension) {
  return (1 + second_order) * (static_cast<double>(dimension) + 3) * unit_roundoff * trace;
}

double trace(std::span<const double> matrix, std::size_t dimension) {
  double sum = 0;
  for (std::size_t row = 0; row < dimension; ++row) sum += matrix[row * (row + 3) / 2];
  return sum;
}

std::vector<double> product(std::span<const double> matrix, std::span<const double> x) {
  std::vector<double> y(x.size());
  for (std::size_t row = 0, place = 0; row < x.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column, ++place) {
      y[row] += matrix[place] * x[column];
      y[column] += matrix[place] * x[row];
    }
    y[row] += matrix[place++] * x[row];
  }
  return y;
}

Bounds smallest_eigenvalue(std::span<const double> matrix, std::size_t dimension) {
  // Between minus the largest row sum and the smallest diagonal entry.
  double largest_row = 0, smallest_diagonal = matrix[0];
  std::vector<double> rows(dimension);
  for (std::size_t row = 0, place = 0; row < dimension; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) {
      rows[row] += std::abs(matrix[place]);
      if (column < row) rows[column] += std::abs(matrix[place]);
    }
  for (std::size_t row = 0; row < dimension; ++row) {
    largest_row = std::max(largest_row, rows[row]);
    smallest_diagonal = std::min(smallest_diagonal, matrix[row * (row + 3) / 2]);
  }
  // Products that are too small for doubles lose up to the smallest normal one, whatever is relative to them.
  const double d = static_cast<double>(dimension), lost = d * std::numeric_limits<double>::min();
  double below = -largest_row, above = smallest_diagonal;
  while (above - below > 4 * unit_roundoff * largest_row + lost) {
    const double middle = below + (above - below) / 2;
    (Cholesky::of(matrix, dimension, -middle) ? below : above) = middle;
  }
  const double moved = d * std::max(std::abs(below), std::abs(above));
  const double error = cholesky_error(std::abs(trace(matrix, dimension)) + moved, dimension) + lost;
  return {below - error, above + error};
}

}  // namespace epsilometer
