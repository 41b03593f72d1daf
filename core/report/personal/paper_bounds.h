// What the literature says of the same quantities, for comparison beside the exact ones: corrected where it
// was printed wrong. The upper end is never below the truth of what is bounded, where the bound holds.
#pragma once

#include <optional>

#include "core/numerics/interval.h"

namespace epsilometer {

/// N(0, 1) against N(s, 1): epsilon = s^2 / 2 + s z, z the upper delta quantile (the tail of the loss), and
/// with sqrt(2 log(1 / delta)) for z.
Interval gaussian_tail_epsilon(double s, double delta);
Interval gaussian_log_tail_epsilon(double s, double delta);

/// s sqrt(2 log(1.25 / delta)), Dwork and Roth 2014, Theorem A.1; nothing above 1, where it does not hold.
std::optional<Interval> gaussian_textbook_epsilon(double s, double delta);

/// A posterior sample, leverage mu and residual R in units of sigma, of the table without the record: Wang
/// 2019, Theorem 14, with two-sided tails and both directions. As printed, (7) and (8) are below the truth.
struct PosteriorTail {
  /// Of the table without the record, and of the one with it.
  Interval add, remove;
};
PosteriorTail posterior_tail(double leverage, double residual, double delta);
/// The larger of both.
Interval posterior_tail_epsilon(double leverage, double residual, double delta);

}  // namespace epsilometer
