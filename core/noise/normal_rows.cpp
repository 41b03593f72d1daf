#include "core/noise/normal_rows.h"

#include <cmath>

#include "core/noise/finish.h"

namespace epsilometer {
namespace {

// Of the covariance that the factor stands for, in the Frobenius norm.
double apart(double whole_trace, std::size_t dimension) {
  return cholesky_error(whole_trace, dimension) + unit_roundoff * whole_trace;
}

double whole(double trace, std::size_t dimension, double variance) {
  return trace + static_cast<double>(dimension) * variance;
}

}  // namespace

std::optional<NormalRows> NormalRows::of(std::span<const double> matrix, std::size_t dimension,
                                         double variance, double floor) {
  auto factor = Cholesky::of(matrix, dimension, variance);
  const double sum = trace(matrix, dimension);
  if (!factor || !(apart(whole(sum, dimension, floor), dimension) <= floor / 2)) return std::nullopt;
  return NormalRows(*std::move(factor), sum, dimension, floor);
}

// Any root of the covariance gives the same law. With B = L L^T, the true covariance A and both at least half
// the floor: |B^(1/2) - A^(1/2)| <= |B - A| / sqrt(2 floor) (van Hemmen and Ando 1980), in the
// Frobenius norm; then the product with the deviates rounds, and they are not quite normal.
double NormalRows::error(double trace, std::size_t dimension, double floor, std::size_t rows,
                         double deviates) {
  const double sum = whole(trace, dimension, floor), root = std::sqrt(sum);
  const auto d = static_cast<double>(dimension);
  const double root_error = apart(sum, dimension) / std::sqrt(2 * floor) + (d + 1) * unit_roundoff * root;
  return rounded_up(deviates * root_error + root * std::sqrt(d * static_cast<double>(rows)) * normal_error);
}

NormalRows::Drawn NormalRows::draw(Generator& generator, std::size_t rows) const {
  Drawn drawn{std::vector<double>(rows * dimension_), 0};
  std::vector<double> deviates(dimension_);
  double squares = 0;
  generator.begin_release();
  for (std::size_t start = 0; start < drawn.values.size(); start += dimension_) {
    for (double& one : deviates) {
      one = normal_deviate(generator);
      squares += one * one;
    }
    const double* entry = factor_.factor().data();
    for (std::size_t row = 0; row < dimension_; ++row)
      for (std::size_t k = 0; k <= row; ++k, ++entry) drawn.values[start + row] += *entry * deviates[k];
  }
  // One more than the sum's rounding, and than what the ideal deviates differ by.
  drawn.error = error(trace_, dimension_, floor_, rows, std::sqrt(squares) + 1);
  return drawn;
}

}  // namespace epsilometer
