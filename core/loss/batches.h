// What batches cost as they are run: shuffled, drawn with replacement, or cut where a Poisson sample is too
// large.
#pragma once

#include <memory>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Records are shuffled, anew for each epoch or once, and cut into `batches` of one size. The upper end is
/// that of a fixed order, `fixed`, which has normal noise: by joint convexity no order tells less in the
/// mean. The lower end is what tables tell in which all other records are opposite to the record: Chua,
/// Ghazi, Kamath, Kumar, Manurangsi, Sinha and Zhang 2024, How Private are DP-SGD Implementations? A replaced
/// record moves a batch by mu from where the others are, a zeroed one from mu beyond them to 2 mu.
std::shared_ptr<const PrivacyLoss> shuffled(std::shared_ptr<const PrivacyLoss> fixed, double batches,
                                            bool replaced);

/// `draws` times one of `records` records is drawn, with normal noise of which replacing one record by
/// another moves the sum by mu. Where a record is added: at j of the draws it takes the place of another one,
/// exactly.
std::shared_ptr<const PrivacyLoss> drawn_added(double mu, double draws, double records);

/// The same where a record is replaced, or zeroed and moved by `own` then: Balle, Barthe and Gaboardi 2018,
/// Theorem 10. The lower end is one pair of tables of each.
std::shared_ptr<const PrivacyLoss> drawn_changed(double mu, double own, double draws, double records);

/// A composition of Poisson samples of at most `records` records at this rate, each cut to `largest` records
/// where it has more: (1 + e^epsilon) steps P(Bin(records, rate) > largest) more than without the cut. Chua,
/// Ghazi, Harrison, Kamath, Kumar, Leeman, Manurangsi, Sinha and Zhang 2024, Scalable DP-SGD.
std::shared_ptr<const PrivacyLoss> truncated(std::shared_ptr<const PrivacyLoss> poisson, double rate,
                                             double steps, double records, double largest);

}  // namespace epsilometer
