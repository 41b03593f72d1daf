// An output that is Gaussian noise on what the table gives and nothing else, told so that what it says of one
// record can be found exactly afterwards: Redberg and Wang 2021.
#pragma once

#include <cstdint>
#include <limits>

#include "core/noise/symmetric_matrix.h"

namespace epsilometer {

struct NoisyOutput {
  /// What the noise is on: sums over the records, how many of them there are, or a model's coefficients.
  enum class Of { gram, cross, rows, coefficients };
  Of of;
  /// Of the release.
  const char* name;
  /// Discrete Gaussian noise of so many steps of 2^exponent; of X^T X off the diagonal, and on it.
  int exponent;
  std::uint64_t steps, diagonal;
  /// coefficients: what was rounded to the grid is within this of the true ones in the l2 norm.
  double error = 0;
  /// rows: of a table of more the other outputs were made as though it had none.
  double most = std::numeric_limits<double>::infinity();
};

inline NoisyOutput noisy_output(NoisyOutput::Of of, const char* name, const GaussianNoise& noise,
                                double error = 0) {
  return {of, name, noise.exponent, noise.steps, noise.steps, error};
}
inline NoisyOutput noisy_gram_output(const OrthogonalNoise& noise) {
  return {NoisyOutput::Of::gram, "gram", noise.exponent, noise.other, noise.diagonal};
}

}  // namespace epsilometer
