// From a Renyi bound to a profile or a test's power. Every order gives a valid bound, so searching for the
// best one needs no rigour; only the evaluation at the chosen order is rounded up.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Upper bound on delta(epsilon). A bound stated at a list of orders is converted optimally (Asoodeh, Liao,
/// Calmon, Kosut and Sankar 2021, Theorem 3, intersected over the orders), a curve by the best order of the
/// closed form (Canonne, Kamath and Steinke 2020, Proposition 12).
double renyi_delta(const PrivacyLoss& loss, double epsilon);

/// The closed form minimised over the order, for any loss with a Renyi curve: what a Renyi accountant
/// reports.
double renyi_curve_delta(const PrivacyLoss& loss, double epsilon);

/// The same for the smallest epsilon >= 0 at a delta in (0, 1].
double renyi_curve_epsilon(const PrivacyLoss& loss, double delta);

/// The same at a few orders only, for curves that are dear to evaluate: upper bounds on delta(epsilon) and on
/// epsilon at `delta`, for epsilon >= 0 and delta in (0, 1).
double renyi_coarse_delta(const PrivacyLoss& loss, double epsilon);
double renyi_coarse_epsilon(const PrivacyLoss& loss, double delta);

/// Upper bound on the true-positive rate of any test at that false-positive rate.
double renyi_power(const PrivacyLoss& loss, double false_positive);

}  // namespace epsilometer
