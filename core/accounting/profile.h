// The privacy profile and its inverse, for whatever is known about a loss: the exact pair where there is one,
// otherwise the best conversion of its Renyi bound.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Whether both ends differ by rounding only; otherwise only the upper end is a guarantee.
bool is_exact(const PrivacyLoss& loss);

/// delta(epsilon) for any finite epsilon.
Bounds delta(const PrivacyLoss& loss, double epsilon);

/// The smallest epsilon >= 0 with delta(epsilon) <= delta; infinity when there is none. `delta` is 0 or in
/// [1e-300, 1], or it is refused: below that doubles lose the accuracy that we promise.
Bounds epsilon(const PrivacyLoss& loss, double delta);

/// A probability that may be 0 but not too small to be accurate; refused otherwise.
double accurate_probability(const char* field, double value);

}  // namespace epsilometer
