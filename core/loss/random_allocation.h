// Balls and bins, or random allocation: in every epoch each record joins one of t batches, drawn evenly and
// by itself, and every batch is released with normal noise. Zeroing the record out, an epoch shows (1/t) sum
// N(mu e_i, I) against N(0, I), and some tables do (Chua et al. 2025; Feldman and Shenfeld 2025): what is
// known of it lies between two laws on grids.
#pragma once

#include <memory>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// The loss of one epoch: mu in [0, 1e100], the distance of the two means of a batch in standard deviations;
/// `batches` a whole number from 1 on. Where no grid is fine enough the ends are far apart: mu itself,
/// because fixing the batch tells more, and the more telling of mu / sqrt(t), which the sum of all batches
/// tells, and of one batch alone, which is a Poisson sample of rate 1/t.
std::shared_ptr<const PrivacyLoss> random_allocation(double mu, double batches);

}  // namespace epsilometer
