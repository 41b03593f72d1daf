// What a released noisy matrix of products says of the one beneath it: eigenvalues, in intervals that hold
// together, directions, and the covariance of a table whose last feature is a constant. All of it only
// processes what was released, so it costs nothing.
#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/release.h"

namespace epsilometer {

/// By which the eigenvalues of the released matrix and of the one beneath it differ at most, all together,
/// with probability interval_level: half the rest for each side.
double spectrum_margin(const OrthogonalNoise& noise, std::size_t dimension);

struct SpectrumRequest {
  std::size_t dimension;
  /// The constant that every record's last feature is; 0: there is none.
  double intercept;
  /// How many directions are told.
  std::size_t components;
};

/// Adds, of a released lower triangle that is called X^T X, noise included:
/// "eigenvalues", from the largest, of the released matrix; "eigenvaluesAtLeast" and "eigenvaluesAtMost":
/// intervals of those of X^T X, all at once with probability interval_level.
/// With an intercept, if the noisy number of records is above its margin: "covariance", of the other features
/// around their mean, "covarianceEigenvalues", "covarianceEigenvaluesAtLeast", "covarianceEigenvaluesAtMost".
/// The intervals of both hold on the same event.
/// "directions", where components are asked for: of the covariance where there is an intercept, else of
/// X^T X.
void add_spectrum(Release& release, std::span<const double> matrix, double margin,
                  const SpectrumRequest& request, const Progress& progress);

}  // namespace epsilometer
