// The likelihood ratio of a random allocation, Z = (Y_1 + ... + Y_t) / t under Q with Y = e^{mu X - mu^2/2},
// X standard normal, from above and from below in convex order.
#pragma once

#include <optional>
#include <vector>

namespace epsilometer {

/// Of one law of Z under Q: masses at values of Z in ascending order.
struct RatioLaw {
  struct Mass {
    double ratio, mass;
  };
  std::vector<Mass> masses;
};

/// For every f >= 0 that is convex and monotone: E f(Z) <= the sum of f(ratio) mass over `above` + f(0)
/// `nothing` + its slope at infinity times `infinite`, and E f(Z) >= the sum over `below`, whose ratios may
/// be wrong by `doubt`, relatively.
struct AllocationGrid {
  RatioLaw above, below;
  double infinite, nothing, doubt;

  /// For mu in [1e-4, 20] and a whole number of batches from 2 to 1e9; nothing for others.
  static std::optional<AllocationGrid> of(double mu, double batches);
};

}  // namespace epsilometer
