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

/// E f(Z) <= sum f(ratio) mass over `above` + slope `infinite` for every convex increasing f of that slope at
/// infinity, and E f(Z) <= the same + f(0) `nothing` for every convex decreasing f. E f(Z) >= the sum over
/// `below` for every f >= 0 that is convex and monotone.
struct AllocationGrid {
  RatioLaw above, below;
  double infinite, nothing;

  /// Nothing where a grid that can be had is too coarse.
  static std::optional<AllocationGrid> of(double mu, double batches);
};

}  // namespace epsilometer
