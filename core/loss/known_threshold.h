// What the queries of a sparse vector tell where the threshold, with its noise, is known in both runs: each
// query has Laplace noise of scale 1, and the stream ends with so many answers above. Derivations:
// docs/adaptive-releases.md, "Sparse vector".
#pragma once

#include <vector>

#include "core/loss/capabilities.h"

namespace epsilometer {

class KnownThreshold {
 public:
  /// From one run to the other a query comes nearer to being above by `nearer` at most, or gets further from
  /// it by `further` at most, in scales of its noise, both rounded up; nearer > 0, further >= 0.
  KnownThreshold(double nearer, double further, double answers);

  /// At least delta(epsilon) of both runs in this order, for any epsilon, where is_known(); in the other
  /// order too.
  double delta(double epsilon) const;
  /// Where both distances are the same, or one is 0, and answers are not very many.
  bool is_known() const { return !left_.empty(); }

  /// At least log E e^{power L} of both runs in this order, power > 0; infinity close to power_end() and from
  /// there on.
  double log_moment(double power) const;
  double power_end() const { return rate_; }
  /// From which power on queries that come nearer decide that, or some power where they always do.
  double turn() const;

 private:
  double size(double mean) const;
  // Of one answer, by queries that come nearer and by those that get further.
  double log_nearer(double power) const;
  double log_further(double power) const;

  double answers_, further_;
  // The rate of the exponential loss of answers below, log(1 + 1/rate); the inverse rate of the loss of
  // queries that get further.
  double rate_, log_ratio_, scale_further_;
  // delta(epsilon) is the mean of left_[j], of j until all answers are used up, of a generalized Poisson
  // number j with those parameters: rate epsilon + begin, spread.
  double begin_ = 0, spread_ = 0, left_margin_ = 0;
  std::vector<double> left_;
};

}  // namespace epsilometer
