// The loss of N(0, 1) against N(mu, 1), which is N(mu^2/2, mu^2): Balle and Wang 2018, Theorem 8.
#pragma once

#include "core/loss/privacy_loss.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

class GaussianLoss final : public KnownPair {
 public:
  /// mu >= 0: the distance of the two means in standard deviations.
  explicit GaussianLoss(DoubleDouble mu) : mu_(mu) {}

  Bounds delta(double epsilon) const override;
  Bounds power(double false_positive) const override;
  double renyi(double order) const override;
  double largest_loss() const override;
  std::optional<double> concentrated() const override;
  std::optional<NormalNoise> normal_noise() const override { return NormalNoise{mu_}; }
  bool composes() const override { return true; }
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    return std::make_shared<GaussianLoss>(mu_ * DoubleDouble{static_cast<double>(ahead + behind)});
  }
  bool groups_by_number() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override;
  Family family() const override { return {"gaussian", {}, {}}; }
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  DoubleDouble mu_;
};

}  // namespace epsilometer
