// Everything that is (rho, omega)-truncated concentrated: Renyi divergence at most rho * order for orders
// below omega. Bun, Dwork, Rothblum and Steinke 2018, Definition 1; omega = infinity is zCDP, Bun and Steinke
// 2016.
#pragma once

#include "core/loss/renyi_loss.h"

namespace epsilometer {

class ConcentratedLoss final : public RenyiLoss {
 public:
  /// 0 <= rho.lower <= rho.upper: both ends of a rounded sum. omega > 1.
  ConcentratedLoss(Bounds rho, double omega);

  double renyi(double order) const override;
  double largest_order() const override { return omega_; }
  double largest_loss() const override;
  std::optional<double> concentrated() const override;
  Family family() const override { return {"concentrated", {}, {rho_.lower, rho_.upper, omega_}}; }
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  Bounds rho_;
  double omega_;
};

}  // namespace epsilometer
