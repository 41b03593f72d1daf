// The Gaussian sketch of the table itself, k rows (x, y) that look like none of it, and least squares on it:
// Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Lemma 1 and, with the smallest eigenvalue
// released first, Algorithm 1 in consistent units.
#include "core/release/linear/mixing.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> gaussian_mixing(const FitRequest& request) {
  const Request read(request, mixing_numbers, {"eigenvalue"});
  return mixing(read, {eigenvalue_choice(read), true});
}

}  // namespace epsilometer::algorithms
