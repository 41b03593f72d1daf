// The total loss of several releases on the same table, when the whole has no closed form: a list of parts.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class SumLoss : public PrivacyLoss {
 public:
  /// Parts that are sums themselves are taken apart.
  explicit SumLoss(const std::vector<Repeated>& parts);

  std::vector<Repeated> parts() const override { return parts_; }
  bool symmetric() const override;
  bool attained() const override;
  double renyi(double order) const override;
  double largest_loss() const override;
  double infinite_mass() const override;
  double largest_order() const override;
  std::optional<double> concentrated() const override;

 private:
  std::vector<Repeated> parts_;
};

}  // namespace epsilometer
