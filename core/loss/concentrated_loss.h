// Everything that is (rho, omega)-truncated concentrated: Renyi divergence at most rho * order for orders
// below omega. Bun, Dwork, Rothblum and Steinke 2018, Definition 1; omega = infinity is zCDP, Bun and Steinke
// 2016.
#pragma once

#include "core/loss/renyi_loss.h"

namespace epsilometer {

class ConcentratedLoss final : public RenyiLoss {
 public:
  /// rho >= 0, omega > 1.
  ConcentratedLoss(double rho, double omega);

  double renyi(double order) const override;
  double largest_order() const override { return omega_; }
  double largest_loss() const override;
  std::optional<double> concentrated() const override;
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  double rho_, omega_;
};

}  // namespace epsilometer
