// What the best attacker can do: the largest true-positive rate of any test at a false-positive rate. One
// minus it is the trade-off function of Dong, Roth and Su (2019).
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// `false_positive` is 0, or in [1e-300, 1], or refused.
Bounds power(const PrivacyLoss& loss, double false_positive);

}  // namespace epsilometer
