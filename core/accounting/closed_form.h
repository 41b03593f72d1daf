// The closed-form conversion of Renyi bounds: Canonne, Kamath and Steinke 2020, Proposition 12. Every order
// gives a valid bound, so searching for the best one needs no rigour; only the evaluation at the chosen order
// is rounded up.
#pragma once

#include <cstddef>
#include <vector>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Minimised over the order, for any loss with a Renyi curve: what a Renyi accountant reports as
/// delta(epsilon).
double renyi_curve_delta(const PrivacyLoss& loss, double epsilon);

/// The same for the smallest epsilon >= 0 at a delta in (0, 1].
double renyi_curve_epsilon(const PrivacyLoss& loss, double delta);

/// The same at a few orders only, for curves that are dear to evaluate: each divergence is asked once. The
/// loss must outlive it.
class CoarseRenyi {
 public:
  explicit CoarseRenyi(const PrivacyLoss& loss) : loss_(&loss) {}

  /// Upper bounds on delta(epsilon) and on epsilon at `delta`, for epsilon >= 0 and delta in (0, 1).
  double delta(double epsilon) const;
  double epsilon(double delta) const;

 private:
  double divergence(std::size_t i) const;

  const PrivacyLoss* loss_;
  // Of the orders that were asked, from the least on.
  mutable std::vector<double> divergences_;
};

/// The order at which the closed form is least at that epsilon >= 0, or at that delta in (0, 1].
double best_order_at_epsilon(const PrivacyLoss& loss, double epsilon);
double best_order_at_delta(const PrivacyLoss& loss, double delta);

/// Any conversion for any epsilon: from the largest loss on the truth, and at a negative epsilon by the same
/// bound on the pair in the other order.
template <class Convert>
double at_any_epsilon(const PrivacyLoss& loss, double epsilon, const Convert& convert) {
  const double size = std::abs(epsilon);
  const double delta = size >= loss.largest_loss() ? loss.infinite_mass() : convert(size);
  if (epsilon >= 0) return delta;
  return std::min(1.0, rounded_up(-std::expm1(epsilon) + std::exp(epsilon) * delta));
}

}  // namespace epsilometer
