// What rounding may cost in long sums and products of frequencies.
#pragma once

namespace epsilometer {

/// Of a sum over all frequencies, relatively: as many roundings as there are, up to 9000.
inline constexpr double frequencies_margin = 1e-12;

/// Of an entry of a power: beside what is counted there, an exponential of less than 90 and a product (8u).
inline constexpr double entry_margin = 1e-15;

/// No factor of a product counts as less, and no product: what underflow could take from either.
inline constexpr double least_factor = 1e-150, least_product = 1e-290;

}  // namespace epsilometer
