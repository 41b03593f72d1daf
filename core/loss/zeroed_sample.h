// What a sample of fixed size, drawn without replacement, tells of a record that is zeroed, with normal
// noise. The record drawn instead, the record itself and 0 are three points of a ball; the best of them are,
// for epsilon >= 0,
// (-mu, mu, 0), and where the record is zeroed in P, (mu, 0, mu); below, those of the mirrored question.
#pragma once

#include <memory>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// mu > 0: how far a record moves the query, in standard deviations of the noise; rate in (0, 1).
std::shared_ptr<const PrivacyLoss> zeroed_sample(double mu, double rate);

}  // namespace epsilometer
