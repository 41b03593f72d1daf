// Log-concave noise that is cut off at a bound A and rescaled, against itself shifted by D. With F the law of
// the noise without the bound, tail = 1 - F(A) and Z = 1 - 2 tail, the outcomes with a loss above epsilon are
// a half-line, so that for 0 <= epsilon < the largest finite loss
//   delta = (delta of the noise without the bound + (e^epsilon - 1) tail) / Z,
// from there on it is the probability of the outcomes that only one of both has; epsilon < 0 by symmetry.
// Geng, Ding, Guo and Kumar 2020 for Laplace noise.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// What is known of noise with a bound of less than infinity, and of its shift.
struct TruncatedNoise {
  /// The noise without the bound, a symmetric pair; it has a profile.
  std::shared_ptr<const PrivacyLoss> whole;
  /// What a tail is, to a few ulp, and the tail as a density at the bound times a factor: the logarithm of
  /// that density in units of the noise, and the factor.
  DoubleDouble log_density;
  double factor;
  /// Z, and P(outcomes that the shifted noise cannot have), to a few ulp.
  double rescaled, only_here;
  /// The supremum of the finite losses; not above 0 where there is no outcome that both can have.
  DoubleDouble range;
  /// The law of the loss, the same in both directions.
  std::shared_ptr<const Law> law;
};

class TruncatedLoss final : public KnownPair {
 public:
  explicit TruncatedLoss(TruncatedNoise noise);

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override;
  Bounds power(double false_positive) const override;
  /// Infinite: some outcomes show the shift for certain.
  double renyi(double order) const override;
  double largest_loss() const override;
  double infinite_mass() const override { return only_here_.upper; }
  double least_infinite_mass() const override { return only_here_.lower; }
  bool composes() const override { return true; }
  bool chains() const override { return true; }
  std::shared_ptr<const Law> law(Direction) const override { return noise_.law; }

 private:
  bool is_apart() const { return !(noise_.range.hi > 0); }

  TruncatedNoise noise_;
  double tail_;
  Bounds only_here_;
};

}  // namespace epsilometer
