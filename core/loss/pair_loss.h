// One mechanism, known by the laws of its loss alone: a member of a class, for the lower ends of what the
// class costs.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class PairLoss final : public Knowing<KnownLaw> {
 public:
  PairLoss(std::shared_ptr<const Law> removing, std::shared_ptr<const Law> adding)
      : removing_(std::move(removing)), adding_(std::move(adding)) {}

  /// Nobody asks a member for an upper bound: none is stated.
  double renyi(double) const override { return std::numeric_limits<double>::infinity(); }
  double infinite_mass() const override {
    return std::max(removing_->infinite_mass(), adding_->infinite_mass());
  }
  bool symmetric() const override { return false; }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override {
    return direction == Direction::remove ? removing_ : adding_;
  }

 private:
  std::shared_ptr<const Law> removing_, adding_;
};

}  // namespace epsilometer
