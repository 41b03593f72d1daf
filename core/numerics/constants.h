// Constants that <numbers> does not have.
#pragma once

#include <limits>

namespace epsilometer {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The root of 2 pi, and its logarithm: of the density of the normal distribution.
inline constexpr double root_two_pi = 2.5066282746310002, log_root_two_pi = 0.91893853320467274;

/// Standard deviations beyond which every tail of a normal distribution is below the smallest double.
inline constexpr double farthest_normal = 40;

}  // namespace epsilometer
