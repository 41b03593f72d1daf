// Which of several independent normal numbers of one variance is the largest.
#pragma once

#include <span>

#include "core/numerics/interval.h"

namespace epsilometer {

/// The probability that the number with means[which] is, the others having the other means and all of them
/// the standard deviation `sigma` > 0; two to a hundred numbers. Relatively right to 1e-12 or better where it
/// is above 1e-280.
Interval probability_of_largest(std::span<const double> means, double sigma, std::size_t which);

}  // namespace epsilometer
