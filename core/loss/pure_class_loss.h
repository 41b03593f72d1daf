// A kind of release that is epsilon-private, and of which one mechanism is known: between that mechanism and
// everything that private (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
#pragma once

#include "core/loss/atomic_loss.h"
#include "core/loss/response_loss.h"

namespace epsilometer {

class PureClassLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  /// The member has a loss of epsilon.
  PureClassLoss(double epsilon, LossTable member)
      : pure_(epsilon, 2, 0), member_(std::make_shared<AtomicLoss>(std::move(member))) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override {
    return between(member_->delta_between(epsilon), pure_.delta_between(epsilon));
  }
  Bounds power(double false_positive) const override {
    return between(member_->power(false_positive), pure_.power(false_positive));
  }
  bool is_tight() const override { return false; }
  bool has_two_sided_bounds() const override { return true; }
  double renyi(double order) const override { return pure_.renyi(order); }
  double largest_loss() const override { return pure_.largest_loss(); }
  std::optional<double> concentrated() const override { return pure_.concentrated(); }
  std::shared_ptr<const Law> law(Direction direction) const override { return pure_.law(direction); }
  std::shared_ptr<const PrivacyLoss> witness_near(double) const override { return member_; }

 private:
  static Bounds between(const Bounds& least, const Bounds& most) {
    return {std::min(least.lower, most.upper), most.upper};
  }

  ResponseLoss pure_;
  std::shared_ptr<const AtomicLoss> member_;
};

}  // namespace epsilometer
