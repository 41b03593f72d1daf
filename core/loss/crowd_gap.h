// How far the largest of several noisy numbers is ahead of one more, W = M - Z, and what a shift of it tells:
// whether that one is the largest.
#pragma once

#include <vector>

#include "core/base/bounds.h"
#include "core/loss/pair_loss.h"

namespace epsilometer {

/// What the winner among several noisy numbers tells of a move, for epsilon >= 0.
class Crowd {
 public:
  virtual ~Crowd() = default;

  /// Encloses the most that any event tells, over all tables: the largest P(E) - e^epsilon Q(E).
  virtual Bounds told(double epsilon) const = 0;

  /// The upper end alone.
  virtual double at_most(double epsilon) const { return told(epsilon).upper; }

  /// Some events, which are no rarer with the move than is said, and no likelier without it.
  virtual std::vector<SingleTest> events() const = 0;
};

/// Two independent laws, of M and of the symmetric Z, whose densities have concave logarithms, and the shift.
class CrowdGap : public Crowd {
 public:
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

  /// Encloses the larger of sup_x P(W < x + shift) - e^epsilon P(W < x) and the same with W's tails
  /// exchanged, for epsilon >= 0. The upper end is 1 where the search failed.
  Bounds told(double epsilon) const override;

  /// That W is below a place, on both sides of the peak.
  std::vector<SingleTest> events() const override;
};

}  // namespace epsilometer
