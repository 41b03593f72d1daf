#include "core/loss/repeated_response_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/response_loss.h"

namespace epsilometer {

RepeatedResponseLoss::RepeatedResponseLoss(double epsilon0, double count)
    : epsilon0_(epsilon0), count_(static_cast<int>(count)), mass_(count_ + 1, 0.0) {
  // Weights by the ratio of neighbours, outward from the mode, then divided by their sum: no factorials,
  // whose logarithms would cost k log k roundings. The mode starts so high that only what is below 1e-550 of
  // it is lost.
  const double odds = std::exp(-epsilon0);
  const int mode = std::min(count_, static_cast<int>((count + 1) * odds / (1 + odds)));
  int span = 1;
  double sum = mass_[mode] = 1e250;
  for (int i = mode; i > 0 && mass_[i] > 0; --i, ++span) {
    sum += mass_[i - 1] = mass_[i] * (i / (count - i + 1)) / odds;
  }
  for (int i = mode; i < count_ && mass_[i] > 0; ++i, ++span) {
    sum += mass_[i + 1] = mass_[i] * ((count - i) / (i + 1)) * odds;
  }
  for (double& mass : mass_) mass /= sum;
  // Three roundings and the error of `odds` for each step from the mode, one for each addition, twice over.
  margin_ = rounding_margin + 24 * unit_roundoff * span;
}

Bounds RepeatedResponseLoss::delta(double epsilon) const {
  if (epsilon >= largest_loss()) return {0, 0};
  double sum = 0;
  for (int i = 0; i <= count_; ++i) {
    // One rounding only, also where the loss and epsilon nearly cancel.
    const double beyond = std::fma(count_ - 2 * i, epsilon0_, -epsilon);
    if (!(beyond > 0)) break;
    sum += mass_[i] * -std::expm1(-beyond);
  }
  return probability(sum, margin_);
}

Bounds RepeatedResponseLoss::power(double false_positive) const {
  if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
  // Neyman and Pearson: reject on the largest losses first, at random on the last.
  double true_positives = 0, false_positives = 0;
  for (int i = 0; i <= count_; ++i) {
    const double under_q = mass_[count_ - i];
    if (false_positives + under_q > false_positive) {
      const double share = (false_positive - false_positives) / under_q;
      return probability(true_positives + share * mass_[i], margin_);
    }
    false_positives += under_q;
    true_positives += mass_[i];
  }
  return probability(1, margin_);
}

double RepeatedResponseLoss::renyi(double order) const {
  return rounded_up(count_ * ResponseLoss(epsilon0_, 2, 0).renyi(order));
}

double RepeatedResponseLoss::largest_loss() const { return upward(two_product(count_, epsilon0_)); }

std::optional<double> RepeatedResponseLoss::concentrated() const {
  return rounded_up(count_ * *ResponseLoss(epsilon0_, 2, 0).concentrated());
}

// For a larger whole this is a sum like any other.
std::vector<Repeated> RepeatedResponseLoss::parts() const {
  return {{std::make_shared<ResponseLoss>(epsilon0_, 2, 0), static_cast<double>(count_)}};
}

}  // namespace epsilometer
