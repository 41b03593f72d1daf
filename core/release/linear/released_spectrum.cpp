#include "core/release/linear/released_spectrum.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/goe/goe.h"
#include "core/noise/spectrum_confidence.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/eigensystem.h"

namespace epsilometer {
namespace {

void add_intervals(Release& release, const std::string& name, std::vector<double> values,
                   const std::vector<Bounds>& bounds) {
  std::vector<double> lower, upper;
  for (const Bounds& one : bounds) lower.push_back(one.lower), upper.push_back(one.upper);
  release.add(vector_output(name, std::move(values)));
  release.add(vector_output(name + "AtLeast", std::move(lower)));
  release.add(vector_output(name + "AtMost", std::move(upper)));
}

// The products of features around their mean: the Schur complement of the constant feature in M + shift I.
// The larger M is, the larger it is.
struct Centred {
  std::vector<double> products;
  /// In the Frobenius norm.
  double rounding;
};

Centred centred(std::span<const double> matrix, std::size_t features, double shift) {
  Centred result{{matrix.begin(), matrix.begin() + static_cast<std::ptrdiff_t>(triangle(features))}, 0};
  const std::span<const double> sums = matrix.subspan(triangle(features), features);
  const double records = matrix.back() + shift;
  for (std::size_t row = 0, place = 0; row < features; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) {
      const double entry = result.products[place] + (row == column ? shift : 0);
      const double mean = sums[row] * sums[column] / records;
      result.products[place] = entry - mean;
      result.rounding += 8 * unit_roundoff * (std::abs(entry) + std::abs(mean) + std::abs(shift));
    }
  result.rounding *= 1.01;
  return result;
}

class Spectrum {
 public:
  Spectrum(Release& release, std::span<const double> matrix, double margin, const SpectrumRequest& request,
           const Progress& progress)
      : release_(release), matrix_(matrix), margin_(margin), request_(request), progress_(progress) {}

  void add() {
    const Eigensystem system = eigensystem(matrix_, request_.dimension, progress_);
    // Entries of the released matrix are rounded to doubles.
    const double margin = rounded_up(margin_ + system.error + unit_roundoff * norm());
    add_intervals(release_, "eigenvalues", system.values, eigenvalue_bounds(system.values, margin, 0));
    if (request_.intercept > 0)
      add_covariance(margin);
    else
      add_leading_vectors(system);
  }

 private:
  double norm() const {
    double sum = 0;
    for (const double entry : matrix_) sum += 2 * std::abs(entry);
    return sum;
  }

  void add_leading_vectors(const Eigensystem& system) {
    if (request_.components == 0) return;
    release_.add(
        matrix_output("directions", leading_vectors(system, request_.components), system.dimension()));
  }

  // The true products are between the released ones minus and plus the margin times I, so that those around
  // the mean, and each of their eigenvalues, are between what follows from these.
  void add_covariance(double margin) {
    const std::size_t features = request_.dimension - 1;
    const double square = request_.intercept * request_.intercept, records = matrix_.back();
    if (features == 0 || !(records > margin)) return;
    std::vector<double> covariance = centred(matrix_, features, 0).products;
    for (double& entry : covariance) entry *= square / records;
    const Eigensystem system = eigensystem(covariance, features, progress_);
    const std::vector<double> least = shifted(features, -margin), most = shifted(features, margin);
    std::vector<Bounds> bounds;
    for (std::size_t i = 0; i < features; ++i)
      bounds.push_back({rounded_down(std::max(0.0, least[i]) * square / (records + margin)),
                        rounded_up(std::max(0.0, most[i]) * square / (records - margin))});
    release_.add(symmetric_output("covariance", std::move(covariance), features));
    add_intervals(release_, "covarianceEigenvalues", system.values, bounds);
    add_leading_vectors(system);
  }

  // The eigenvalues of the products around the mean in the released matrix + shift I, rounded away from 0
  // where that is added and towards it where it is taken off.
  std::vector<double> shifted(std::size_t features, double shift) const {
    const Centred products = centred(matrix_, features, shift);
    Eigensystem system = eigensystem(products.products, features, progress_);
    const double error = rounded_up(system.error + products.rounding);
    for (double& value : system.values) value += std::copysign(error, shift);
    return system.values;
  }

  Release& release_;
  std::span<const double> matrix_;
  double margin_;
  const SpectrumRequest& request_;
  const Progress& progress_;
};

}  // namespace

double spectrum_margin(const OrthogonalNoise& noise, std::size_t dimension) {
  // The ensemble of variance 1 off the diagonal, as the noise has it.
  const LargestEigenvalue largest(static_cast<double>(dimension), OffDiagonalVariance::one);
  const double tau = largest.upper_quantile((1 - interval_level) / 2).bounds.upper;
  // Sums were rounded to the grid of the noise: a step for each entry.
  const double steps = std::ldexp(static_cast<double>(dimension), noise.exponent);
  return rounded_up(noise.eigenvalue_bound(std::max(0.0, tau), dimension) + steps);
}

void add_spectrum(Release& release, std::span<const double> matrix, double margin,
                  const SpectrumRequest& request, const Progress& progress) {
  Spectrum(release, matrix, margin, request, progress).add();
}

}  // namespace epsilometer
