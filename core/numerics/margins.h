// What rounding may cost in long sums and products of frequencies.
#pragma once

#include <algorithm>

#include "core/base/bounds.h"

namespace epsilometer {

/// Of a sum over all frequencies, relatively, whose terms are right to 32u: as many roundings as there are
/// (Higham 2002, Section 4.2).
constexpr double frequencies_margin(double frequencies) {
  return std::max(1e-12, (frequencies + 32) * unit_roundoff * (1 + 1e-6));
}

/// Of an entry of a power: beside what is counted there, an exponential of less than 90 and a product (8u).
inline constexpr double entry_margin = 1e-15;

/// No factor of a product counts as less, and no product: what underflow could take from either.
inline constexpr double least_factor = 1e-150, least_product = 1e-290;

}  // namespace epsilometer
