// How far the largest of several noisy numbers is ahead of one more, W = M - Z, and what a shift of it tells:
// whether that one is the largest.
#pragma once

#include "core/base/bounds.h"

namespace epsilometer {

/// Two independent laws, of M and of the symmetric Z, whose densities have concave logarithms, and the shift.
class CrowdGap {
 public:
  virtual ~CrowdGap() = default;

  /// The logarithm of M's density; right to 1e-15 of the largest of its terms.
  virtual double log_density(double m) const = 0;
  /// The logarithm of the probability that Z exceeds x, as right.
  virtual double log_tail(double x) const = 0;
  /// The same that it lies between x - shift and x; right to 1e-9 besides.
  virtual double log_between(double x) const = 0;
  /// About where M is likeliest.
  virtual double peak() const = 0;
  /// About how far from there an event may end that tells most at this epsilon.
  virtual double reach(double epsilon) const = 0;
  virtual double shift() const = 0;
  /// Whether an upper end is wanted, because no other crowd tells more.
  virtual bool is_worst() const = 0;

  /// Encloses the larger of sup_x P(W < x + shift) - e^epsilon P(W < x) and the same with W's tails
  /// exchanged, for epsilon >= 0. The upper end is 1 where the search failed. If it is not wanted, it is 1
  /// too, and the lower end is that of the first of both.
  Bounds told(double epsilon) const;
};

}  // namespace epsilometer
