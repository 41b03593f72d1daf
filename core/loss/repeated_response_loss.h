// The loss of k independent binary randomized responses with one epsilon0, the worst case of k adaptively
// composed epsilon0-private releases: Kairouz, Oh and Viswanath 2015, Theorem 3.3. The total loss is
// (k - 2i) epsilon0 with binomial probability of i.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class RepeatedResponseLoss final : public Knowing<KnownProfile> {
 public:
  /// The largest k: beyond it the sum is left to the general composition.
  static constexpr double most = 100000;

  /// epsilon0 >= 0; count whole, from 1 to `most`.
  RepeatedResponseLoss(double epsilon0, double count);

  Bounds delta(double epsilon) const override;
  Bounds power(double false_positive) const override;
  double renyi(double order) const override;
  double largest_loss() const override;
  std::optional<double> concentrated() const override;
  bool composes() const override { return true; }
  std::vector<Repeated> parts() const override;

 private:
  double epsilon0_;
  int count_;
  // Probability of i under P; under Q it is that of count - i.
  std::vector<double> mass_;
  double margin_;
};

}  // namespace epsilometer
