// The standard normal distribution with relative accuracy in both tails, through the Mills ratio
// m(x) = (1 - Phi(x)) / phi(x), which neither underflows nor cancels.
#pragma once

#include "core/numerics/double_double.h"

namespace epsilometer {

/// m(x) for x >= -5 (below that it overflows any use we have for it). Relative error at most 8u.
double mills_ratio(double x);

/// m(a) - m(a + width) for a >= -1.25 and width >= 0, without cancellation. Relative error at most 24u.
double mills_difference(double a, double width);

/// phi(a), the density. The argument is a double-double because a * a would cost up to a^2 u.
double normal_density(DoubleDouble a);

/// 1 - Phi(a). Relative error at most 24u for every a.
double normal_upper_tail(DoubleDouble a);

/// log(1 - Phi(x)), without underflow; right to a few ulp of its size.
double log_normal_upper_tail(double x);

/// The t with 1 - Phi(t) = p, for p in (0, 1): good to a few ulp, an estimate to be certified by its user.
double normal_upper_quantile(double p);

}  // namespace epsilometer
