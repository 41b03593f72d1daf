// What a Poisson sample tells of a record that is replaced by another one. Among the events of one
// probability s where neither is drawn, those of a mechanism with the trade-off curve T, the power of the
// best test for whether the record is there, have a probability of at most T(s) where one is drawn, and of at
// least 1 - T(1 - s) where the other is. So no pair tells more than three laws on [0, 1]: the uniform one
// where neither is drawn, and the densities T'(s) and T'(1 - s); half-lines show that shifts of noise with a
// monotone likelihood ratio attain it, and mechanisms that are only known to be private, which these three
// may be.
#pragma once

#include <memory>
#include <string>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// The base is what adding a record tells, with a symmetric pair that composes; rate in (0, 1]. Refuses by
/// `kind` bases for which nobody knows it.
std::shared_ptr<const PrivacyLoss> replaced_sample(const std::shared_ptr<const PrivacyLoss>& base,
                                                   double rate, const std::string& kind);

}  // namespace epsilometer
