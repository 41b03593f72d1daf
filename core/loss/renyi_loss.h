// What is known when only Renyi divergences are bounded: a curve, and a Gaussian that keeps the bound.
#pragma once

#include "core/loss/gaussian_loss.h"

namespace epsilometer {

/// Base of the kinds that state a Renyi bound and nothing else. Their profile is a conversion (accounting).
class RenyiLoss : public Knowing<ClassBound> {
 public:
  /// `mu`: of a Gaussian pair whose Renyi curve keeps the stated bound.
  explicit RenyiLoss(double mu) : witness_(std::make_shared<GaussianLoss>(DoubleDouble{mu})) {}

  std::shared_ptr<const KnownPair> witness() const override { return witness_; }

 private:
  std::shared_ptr<const KnownPair> witness_;
};

}  // namespace epsilometer
