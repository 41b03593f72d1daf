// Sums of many terms in doubles, of which only a bound of the rounding is needed.
#pragma once

#include <cstddef>
#include <span>

#include "core/numerics/interval.h"

namespace epsilometer {

/// term(0) + ... + term(count - 1), as four sums side by side, of which none waits for another: with no more
/// rounding than one sum after the other, count times 2^-53 of the sizes.
template <typename Term>
double quick_sum(std::size_t count, const Term& term) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += term(i + k);
  for (; i < count; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// x.y in a certified interval, wider by the rounding of as many sums than from two doubles throughout, and
/// ten times as fast.
Interval quick_dot(std::span<const double> x, std::span<const double> y);
/// The same of x.x, which is not negative.
Interval quick_square(std::span<const double> x);

}  // namespace epsilometer
