// Everything with a Renyi divergence of at most xi + rho * order for orders below omega: (xi, rho)-zCDP for
// omega = infinity (Bun and Steinke 2016, Definition 1.1), truncated concentrated for xi = 0 (Bun, Dwork,
// Rothblum and Steinke 2018, Definition 1).
#pragma once

#include "core/loss/renyi_loss.h"

namespace epsilometer {

class ConcentratedLoss final : public RenyiLoss {
 public:
  /// 0 <= rho.lower <= rho.upper, as xi: both ends of a rounded sum; xi = 0 where rho = 0. omega > 1.
  ConcentratedLoss(Bounds rho, double omega, Bounds xi = {0, 0});

  double renyi(double order) const override;
  double largest_order() const override { return omega_; }
  double largest_loss() const override;
  std::optional<double> concentrated() const override;
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override;
  bool groups_by_number() const override { return true; }
  Family family() const override {
    return {"concentrated", {}, {rho_.lower, rho_.upper, xi_.lower, xi_.upper, omega_}};
  }
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  Bounds rho_, xi_;
  double omega_;
};

}  // namespace epsilometer
