// Least squares on a Gaussian sketch of the table, with all that the coefficients come from: Lev, Srinivasan,
// Shenfeld, Ligett, Sekhari and Wilson 2025, Algorithm 2; the price is the exact one. Given the table they
// are a multivariate t vector; residual variance and whatever else only process the sketch.
#include "core/release/linear/mixing.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> linear_mixing(const FitRequest& request) {
  const Request read(request, mixing_numbers, {"eigenvalue"});
  return mixing(read, {eigenvalue_choice(read)});
}

}  // namespace epsilometer::algorithms
