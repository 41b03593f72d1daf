// The total loss of several releases on the same table, when the whole has no closed form: a list of parts.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class SumLoss : public Knowing<ClassBound, Unsteady> {
 public:
  /// Parts that are sums themselves are taken apart.
  explicit SumLoss(const std::vector<Repeated>& parts);

  std::vector<Repeated> parts() const override { return parts_; }
  bool symmetric() const override;
  bool composes() const override;
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override;
  bool encloses() const override;
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override;
  bool groups_by_number() const override;
  const Unsteady* unsteady() const override;
  std::vector<std::string> parameters() const override;
  std::shared_ptr<const PrivacyLoss> shrinking() const override;
  double renyi(double order) const override { return sum(&PrivacyLoss::renyi, order); }
  double renyi_rough(double order) const override { return sum(&PrivacyLoss::renyi_rough, order); }
  double largest_loss() const override;
  bool reaches_largest_loss() const override;
  double infinite_mass() const override { return infinite_mass_; }
  double least_infinite_mass() const override { return least_infinite_mass_; }
  double largest_order() const override;
  std::optional<double> concentrated() const override;

 private:
  double sum(double (PrivacyLoss::*divergence)(double) const, double order) const;

  // With laws of their own, for the product; and as they were stated: a part may be a bound that its own
  // parts cannot attain together.
  std::vector<Repeated> parts_, stated_;
  double infinite_mass_, least_infinite_mass_;
};

/// What parts cost together: in closed form where they know one, otherwise their sum.
std::shared_ptr<const PrivacyLoss> together(const std::vector<Repeated>& parts);

}  // namespace epsilometer
