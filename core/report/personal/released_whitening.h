// By what a whitened fit whitened its rows, as its release or a report on it tells:
// core/release/noisy_gram.h.
#pragma once

#include <vector>

#include "core/release/noisy_gram.h"
#include "core/release/release.h"

namespace epsilometer {

/// By what the rows of a fit were whitened, as it was released, and with which noise.
struct ReleasedWhitening {
  /// A lower triangle, row by row; and about how many rows there are.
  std::vector<double> gram;
  double rows;
  /// Of the minimum and of the matrix.
  double sigma, lambda, gram_sigma;
};

/// Refuses, by name, what cannot have come of that plan: another number of entries, less than one row, other
/// noise than it runs.
void must_fit(const ReleasedWhitening& whitening, const Plan& plan, std::size_t dimension);

/// Of a release of that kind.
ReleasedWhitening released_whitening(const Release& run);

/// `gram`: of the rows as they are, of that dimension. Refuses what must_fit() does.
Whitening whitening_of(const NoisyGram& gram, const ReleasedWhitening& told, const Plan& plan,
                       std::size_t dimension);

}  // namespace epsilometer
