// What others put in the place of a quantile of the largest eigenvalue: that of the limit law. For comparison
// with the truth only; no answer rests on it.
#pragma once

#include "core/goe/goe.h"

namespace epsilometer {

/// 2 sqrt d + s d^{-1/6}, s the upper quantile of the law of d -> infinity (Tracy and Widom 1996), which is
/// approached by the finite ones, counted from d - 1/2, with an error that falls like d^{-2/3}; two of them
/// cancel it. An approximation to a few digits: no error of it is proven. dimension and tail as
/// LargestEigenvalue has them.
double limit_quantile(double dimension, OffDiagonalVariance variance, double tail);

}  // namespace epsilometer
