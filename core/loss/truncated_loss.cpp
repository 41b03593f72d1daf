#include "core/loss/truncated_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

TruncatedLoss::TruncatedLoss(TruncatedNoise noise)
    : noise_(std::move(noise)),
      tail_(noise_.factor * exponential(noise_.log_density)),
      only_here_(is_apart() ? Bounds{1, 1} : probability(noise_.only_here)) {}

Bounds TruncatedLoss::delta_between(DoubleDouble epsilon) const {
  if (is_apart()) return {1, 1};
  if (epsilon.hi < 0) return mirrored(delta_between(-epsilon), epsilon.hi);
  if ((epsilon - noise_.range).hi >= 0) return only_here_;
  const Bounds whole = noise_.whole->profile()->delta_between(epsilon);
  // e^epsilon and the tail by themselves may be out of range; together they are no more than 1.
  const double grown = noise_.factor * exponential(epsilon + noise_.log_density) * -std::expm1(-epsilon.hi);
  const Bounds found{rounded_down((whole.lower + grown) / noise_.rescaled),
                     rounded_up((whole.upper + grown) / noise_.rescaled)};
  return {std::min(1.0, std::max(found.lower, only_here_.lower)),
          std::min(1.0, std::max(found.upper, only_here_.upper))};
}

// Of the noise without the bound, a half-line that is longer by what the bound cuts off.
Bounds TruncatedLoss::power(double false_positive) const {
  if (is_apart()) return {1, 1};
  if (false_positive == 0) return only_here_;
  if (false_positive == 1) return {1, 1};
  const auto at = [&](double level) {
    return level < 1 ? noise_.whole->profile()->power(level) : Bounds{1, 1};
  };
  const double level = false_positive * noise_.rescaled + tail_;
  const double lower = at(rounded_down(level)).lower - tail_ * (1 + rounding_margin),
               upper = at(rounded_up(level)).upper - tail_ * (1 - rounding_margin);
  // Concave from the one corner to the other.
  const double least = only_here_.lower + (1 - only_here_.lower) * false_positive;
  return {std::min(1.0, rounded_down(std::max(lower / noise_.rescaled, least))),
          std::min(1.0, rounded_up(std::max(upper / noise_.rescaled, least)))};
}

double TruncatedLoss::renyi(double) const { return std::numeric_limits<double>::infinity(); }

double TruncatedLoss::largest_loss() const { return is_apart() ? 0 : upward(noise_.range); }

}  // namespace epsilometer
