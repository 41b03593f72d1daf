// What a released matrix says about the one beneath it. All statements hold together on the event that the
// noise's eigenvalues are within +-bound (OrthogonalNoise::eigenvalue_bound; each side fails with its own
// probability), and they only process what was released: they cost nothing.
#pragma once

#include <span>
#include <vector>

#include "core/base/bounds.h"
#include "core/numerics/eigensystem.h"

namespace epsilometer {

/// Where each eigenvalue of H lies, given the same one of the released matrix: Weyl 1912. `floor`: what no
/// eigenvalue of H is below, by construction (a regularisation, or 0 for a Gram matrix); -infinity if
/// unknown. The lower ends need the noise's largest eigenvalue only, the upper ends its smallest.
std::vector<Bounds> eigenvalue_bounds(std::span<const double> released_eigenvalues, double bound,
                                      double floor);

/// Where x^T H^{-1} x lies for any x, given the released matrix and a floor > 0 of the eigenvalues of H.
class InverseForms {
 public:
  /// `released`: a lower triangle whose diagonal may have been rounded once more, of at most
  /// largest_eigensystem rows. `bound` and `floor`: as above.
  InverseForms(std::span<const double> released, std::size_t dimension, double bound, double floor);

  /// The upper end needs the noise's largest eigenvalue only, the lower end its smallest.
  Bounds of(std::span<const double> x) const;

 private:
  Eigensystem system_;
  double bound_, floor_;
};

}  // namespace epsilometer
