// The loss of k random normal combinations of the rows of a table, plus noise, in which a row of leverage
// 1/gamma in the larger table changes N(0, 1)^k to N(0, 1 - 1/gamma)^k. A smaller leverage is a
// post-processing of that: whatever is said here grows with the leverage. With a = k/2 and S ~ Gamma(a), half
// a chi-square of k degrees of freedom, the loss is a log(1-t) + S/(gamma-1) with the row and -a log(1-t) -
// S/gamma without, t = 1/gamma.
#pragma once

#include "core/loss/privacy_loss.h"
#include "core/numerics/double_double.h"
#include "core/numerics/gamma_tail.h"

namespace epsilometer {

class MixingLoss final : public KnownPair {
 public:
  /// `size` k: the rows of the sketch, whole, from 1 on; gamma > 1.
  MixingLoss(double size, double gamma);

  Bounds delta(double epsilon) const override;
  /// Of one direction, for epsilon >= 0.
  Bounds delta(Direction direction, double epsilon) const {
    return direction == Direction::remove ? delta_removing(epsilon) : delta_adding(epsilon);
  }
  Bounds power(double false_positive) const override;
  double renyi(double order) const override;
  /// Of one direction; infinite with the row from the order gamma on, never without.
  Bounds renyi(Direction direction, double order) const;

  double largest_order() const override { return gamma_; }
  bool symmetric() const override { return false; }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override;

  /// Equal leverages: the degrees of freedom add.
  Family family() const override { return {"gaussian-mixing", {gamma_}, {size_}}; }
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  Bounds delta_removing(double epsilon) const;
  Bounds delta_adding(double epsilon) const;
  Bounds power_removing(double x) const;
  Bounds power_adding(double x) const;

  double size_, gamma_, a_;
  GammaTail tail_;
  DoubleDouble constant_;
};

}  // namespace epsilometer
