// The most that anybody at all could pay for joining a very table whose ridge coefficients are released with
// normal noise: the largest change of the coefficients over all records within the declared bounds.
#pragma once

#include "core/release/linear_statistics.h"
#include "core/report/personal/ridge_influence.h"

namespace epsilometer {

/// |theta' - theta| over all records with |x| <= bounds.features in the l2 norm and |y| <= bounds.label. The
/// upper end is proven: with h the smallest eigenvalue of H and mu = x^T H^{-1} x <= C^2 / h, the change is
/// at most sqrt(mu / h) / (1 + mu) (C_Y + C |theta|). The lower one is what a search found, a record that
/// pays it.
Interval largest_addition(const RidgeInfluence& influence, const LinearBounds& bounds);

}  // namespace epsilometer
