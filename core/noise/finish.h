// Finishing noise: an output that is not linear in its noise (a posterior sample, a minimiser) is computed
// with rounding errors that no integer grid removes. When a certificate bounds them, a little discrete
// Gaussian noise on the rounded result hides them: with ideal output m, the centres of that noise under
// neighbouring tables differ by at most 2 tolerance + sqrt(d) step, given m, so the release is the ideal one
// composed (adaptively) with a Gaussian one of mu = 2^-16.
#pragma once

#include <span>

#include "core/noise/noise.h"

namespace epsilometer {

/// The computed output is within `error` of the ideal one in the l2 norm, except with probability `failure`.
struct Certificate {
  double error, failure;
};

class Finish {
 public:
  /// `tolerance`: the largest error that any table may have, from public values, from 1e-90 to 1e90.
  Finish(double tolerance, std::size_t dimension);

  /// What it adds to the price of the ideal mechanism, as one more release, whatever the tolerance is. The
  /// certificate's failure adds (1 + e^epsilon) failure to delta.
  Description guarantee() const;

  /// The standard deviation that it adds to each coordinate.
  double sigma() const;
  /// A centre of it, rounded to its grid, is no further than 2^-17 of that from the ideal output.
  const GaussianNoise& noise() const { return noise_; }

  /// Of `computed`, or of computed + tails. Refuses an output that is not finite or an error above the
  /// tolerance, which no algorithm may let happen: it would be an answer about the data.
  std::vector<double> released(Generator& generator, std::span<const double> computed,
                               const Certificate& certificate, std::span<const double> tails = {}) const;

 private:
  double sensitivity() const;  // in steps

  double tolerance_;
  std::size_t dimension_;
  GaussianNoise noise_{};
};

/// A normal deviate for the inside of an algorithm that ends with finishing noise: within `normal_error` of
/// an ideal one (coupled), except with probability 2^-289, and up to a factor e^{2.1e-34} in law.
inline constexpr double normal_error = 40 * 0x1p-48;
double normal_deviate(Generator& generator);

}  // namespace epsilometer
