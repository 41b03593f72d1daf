// The loss of two mixtures of normal laws of variance 1 about points of a line, one of them to the right of 0
// and the other to the left: the likelihood ratio grows, so that half-lines are the best tests.
#pragma once

#include <memory>
#include <utility>

#include "core/loss/laws/mixture_law.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

class MixtureLoss : public Knowing<KnownProfile, KnownLaw> {
 public:
  using Mixture = MixtureLaw::Mixture;

  /// The shifts of `ahead` grow from 0 on, those of `behind` fall from 0 on; both probabilities of 0
  /// positive.
  MixtureLoss(Mixture ahead, Mixture behind);

  /// P has the mixture ahead in the direction `remove`, the other one in `add`.
  Bounds delta(double epsilon) const override;
  Bounds power(double false_positive) const override;

  /// An upper bound; right to 1e-12 unless its quadrature would take too long.
  double renyi(double order) const override;
  double largest_loss() const override { return std::numeric_limits<double>::infinity(); }
  bool symmetric() const override { return symmetric_; }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override;

  /// P(X > x) - e^epsilon Q(X > x) where the loss is epsilon >= 0 at x, for mixtures of any shifts of which
  /// the loss grows from there on.
  static Bounds delta_above(const Mixture& ahead, const Mixture& behind, double epsilon);

  /// The power of the half-line x > c of that false-positive rate in (0, 1).
  static Bounds power_above(const Mixture& ahead, const Mixture& behind, double false_positive);

 private:
  Mixture ahead_, behind_, mirrored_ahead_, mirrored_behind_;
  bool symmetric_;
};

/// N(0, 1) and N(shift, 1) with probabilities 1 - rate and rate.
inline MixtureLaw::Mixture two_centres(double rate, double shift) { return {{1 - rate, 0}, {rate, shift}}; }

}  // namespace epsilometer
