// Sums of many terms in doubles, of which only a bound of the rounding is needed.
#pragma once

#include <cstddef>

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

}  // namespace epsilometer
