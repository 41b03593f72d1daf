// The loss of randomized response among k categories, and with it of everything that is only known to be
// (epsilon0, delta0)-private: with probability delta0 the loss is infinite, otherwise it is e0, 0 or -e0.
// Warner 1965; worst case of the class for k = 2: Kairouz, Oh and Viswanath 2015, Theorem 3.3.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class ResponseLoss : public KnownPair {
 public:
  /// epsilon0 >= 0, categories >= 2 whole, delta0 in [0, 1].
  ResponseLoss(double epsilon0, double categories, double delta0);
  /// By the probabilities of the losses epsilon0 and 0; that of -epsilon0 is top e^-epsilon0, and no other
  /// loss is left.
  static std::shared_ptr<const ResponseLoss> with_masses(double epsilon0, double top, double middle);

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override;
  Bounds power(double false_positive) const override;
  double renyi(double order) const override;
  double largest_loss() const override { return epsilon0_; }
  double infinite_mass() const override { return delta0_; }
  std::optional<double> concentrated() const override;
  bool composes() const override { return true; }
  bool chains() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override;
  Family family() const override;
  std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& parts) const override;

 private:
  struct Masses {
    double top, middle, bottom;
  };
  ResponseLoss(double epsilon0, Masses finite, double delta0);
  static Masses masses_of(double epsilon0, double categories);

  double epsilon0_, delta0_;
  // Probabilities under P of the losses e0, 0 and -e0, given that the loss is finite.
  double top_, middle_, bottom_;
};

}  // namespace epsilometer
