// How far the largest of several level numbers with normal noise is ahead of one more, W = M - Z, and what a
// shift of it tells: whether that one is the largest.
#pragma once

#include "core/loss/crowd.h"

namespace epsilometer {

class NormalCrowd final : public Crowd {
 public:
  /// So many others, and one that moves by `shift` standard deviations.
  NormalCrowd(double others, double shift) : others_(others), shift_(shift) {}

  /// Encloses the larger of sup_x P(W < x + shift) - e^epsilon P(W < x) and the same with W's tails
  /// exchanged, for epsilon >= 0. The upper end is 1 where the search failed.
  Bounds told(double epsilon) const override;

  /// That W is below a place, on both sides of the peak.
  std::vector<SingleTest> events() const override;

 private:
  struct End;
  End end_at(double x, double sign, double log_grown, double step) const;

  // The logarithm of M's density; right to 1e-15 of the largest of its terms.
  double log_density(double m) const;
  // The same of the probability that Z lies between x - shift and x; right to 1e-9 besides.
  double log_between(double x) const;
  // About where M is likeliest.
  double peak() const;
  // About how far from there an event may end that tells most at this epsilon.
  double reach(double epsilon) const;

  double others_, shift_;
};

}  // namespace epsilometer
