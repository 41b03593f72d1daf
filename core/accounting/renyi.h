// From a Renyi bound to the best profile and the best test's power that it allows, P and Q in either order.
// Every order gives a valid bound, so searching for the best one needs no rigour; only the evaluation at the
// chosen order is rounded up.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Upper bound on delta(epsilon) for any epsilon: what all orders allow together (Asoodeh, Liao, Calmon,
/// Kosut and Sankar 2021, Theorem 3), of a curve by its best order.
double renyi_delta(const PrivacyLoss& loss, double epsilon);

/// The same for the smallest epsilon >= 0 at a delta in (0, 1].
double renyi_epsilon(const PrivacyLoss& loss, double delta);

/// The same for the true-positive rate of any test at that false-positive rate.
double renyi_power(const PrivacyLoss& loss, double false_positive);

}  // namespace epsilometer
