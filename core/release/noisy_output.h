// An output that is noise on what the table gives and nothing else, told so that what it says of one record
// can be found exactly afterwards: Redberg and Wang 2021.
#pragma once

#include <cstdint>
#include <limits>

#include "core/noise/symmetric_matrix.h"

namespace epsilometer {

struct NoisyOutput {
  /// What the noise is on: sums over the records, how many of them there are, the smallest eigenvalue of X^T
  /// X, of ridge coefficients log(1 + `per_length` times their length), the coefficients themselves, or one
  /// sample of N(coefficients, sigma^2 (X^T X + lambda I)^{-1}), which ends with finishing noise.
  enum class Of { gram, cross, rows, eigenvalue, length, sample, coefficients };
  Of of;
  /// Of the release.
  const char* name;
  /// Discrete noise of so many steps of 2^exponent, deviations of Gaussian noise or the scale of Laplace
  /// noise; of X^T X off the diagonal, and on it.
  int exponent;
  std::uint64_t steps, diagonal;
  /// coefficients: what was rounded to the grid is within this of the true ones in the l2 norm.
  double error = 0;
  /// Of a table of more records not all outputs are what is said here.
  double most = std::numeric_limits<double>::infinity();
  enum class Law { gaussian, laplace };
  Law law = Law::gaussian;
  /// eigenvalue, length: the noise is on so many times that number, and what is told is divided by it again.
  double scale = 1;
  double per_length = 0;
  /// sample.
  double sigma = 0;
};

inline NoisyOutput noisy_output(NoisyOutput::Of of, const char* name, const GaussianNoise& noise,
                                double error = 0) {
  return {of, name, noise.exponent, noise.steps, noise.steps, error};
}
inline NoisyOutput noisy_gram_output(const OrthogonalNoise& noise) {
  return {NoisyOutput::Of::gram, "gram", noise.exponent, noise.other, noise.diagonal};
}

}  // namespace epsilometer
