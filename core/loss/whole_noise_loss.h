// Log-concave noise on the whole numbers, on a count of whole sensitivity D: P its law, Q the law moved by D.
// The loss falls with the outcome, so the best tests are x <= m. For each kind of noise only the logarithms
// of its probabilities are told.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// A symmetric law on the whole numbers.
class WholeNoise {
 public:
  virtual ~WholeNoise() = default;

  /// log P(x) for whole x >= 0, with an absolute error of 2^-74 and a relative one of 2^-96.
  virtual DoubleDouble log_mass(double x) const = 0;
  /// Beyond this there is less than e^-760 of it together, and log_mass may end there.
  virtual double reach() const = 0;
  /// The same law, of which log_mass is known as far as another sensitivity asks.
  virtual std::shared_ptr<const WholeNoise> moved_by(double sensitivity) const = 0;
  /// The lattice of the losses of the outcomes from -lowest to lowest, where they have one.
  virtual std::optional<LossLattice> lattice(double /*sensitivity*/, double /*lowest*/) const {
    return std::nullopt;
  }
  /// The outcomes without which E e^{(order - 1) L} - 1 loses less than 1e-18 of itself.
  struct Outcomes {
    double first, last;
  };
  /// Null when log_mass does not reach as far, or where the bound on Renyi divergences is as good.
  virtual std::optional<Outcomes> telling(double order, double sensitivity) const = 0;
  /// At least the Renyi divergence of an order, for orders whose telling outcomes are too many or too far
  /// out.
  virtual double renyi_bound(double order, double sensitivity) const = 0;
  /// The same law, known further out for an order; null where that is too far.
  virtual std::shared_ptr<const WholeNoise> wider(double /*order*/, double /*sensitivity*/) const {
    return nullptr;
  }
};

class WholeNoiseLoss final : public KnownPair {
 public:
  /// Of tables that move more outcomes than this at once too many probabilities would be needed.
  static constexpr double largest_sensitivity = 1e4;

  /// sensitivity whole, from 1 to reach(); log_mass is known up to reach() + sensitivity.
  WholeNoiseLoss(std::shared_ptr<const WholeNoise> noise, double sensitivity);

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override;
  Bounds power(double false_positive) const override;
  double renyi(double order) const override;
  bool composes() const override { return true; }
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override;
  bool groups_by_number() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override;

 private:
  DoubleDouble log_mass(double x) const { return noise_->log_mass(std::abs(x)); }
  double mass(double x) const;
  DoubleDouble loss(double x) const { return log_mass(x) - log_mass(x - sensitivity_); }
  double delta_at(DoubleDouble epsilon) const;

  std::shared_ptr<const WholeNoise> noise_;
  double sensitivity_, reach_;
};

}  // namespace epsilometer
