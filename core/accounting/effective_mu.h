// Which Gaussian mechanism is as private: N(0, 1) against N(mu, 1), at one epsilon or as far as tests err
// with a given rate at least. T_mu and delta_mu are its power and its profile.
#pragma once

#include "core/accounting/group.h"
#include "core/base/bounds.h"

namespace epsilometer {

/// The mu with delta_mu(epsilon) = delta(epsilon), for epsilon in [0, 1e9]; 0 where delta is, infinite where
/// it is 1.
Bounds effective_mu(GroupPrivacy& group, double epsilon);

struct GaussianCover {
  /// The least mu such that every test whose false-positive and false-negative rates are `rate` or more is as
  /// good on N(mu, 1): min(T(x), 1 - rate) <= T_mu(x) for all x from `rate` on. By the symmetry of T it is
  /// enough to look at x up to 1/2. The upper end is the guarantee.
  Bounds mu;
  /// How loose the upper end of mu is, no safety margin: the least k with T(x + k) + k >= T_mu(x) for all x
  /// (Gomez et al. 2025), where T is the least concave curve above both directions. By Legendre's transform
  /// that is sup over epsilon >= 0 of (delta_mu - delta) / (1 + e^epsilon).
  Bounds regret;
};

/// `rate` lies in [1e-100, 0.49], or it is refused. Both numbers are suprema of functions between monotone or
/// convex ones: intervals are halved where they may hold the most, until that is at most a thousandth above
/// what is known at single points.
GaussianCover gaussian_cover(GroupPrivacy& group, double rate);

}  // namespace epsilometer
