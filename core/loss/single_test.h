// One test of a threshold that a mechanism makes, known by what it tells with the record and without: a
// member of a class whose worst pair of tables is another one for every epsilon.
#pragma once

#include <memory>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Of the tests on that power curve, which all belong to the class, one that tells most where losses are
/// weighed by e^{tilt loss}: for PrivacyLoss::witness_near. Null where none tells anything.
std::shared_ptr<const PrivacyLoss> single_test_near(const KnownProfile& power, double tilt);

}  // namespace epsilometer
