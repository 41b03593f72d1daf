#include "core/report/personal/paper_bounds.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

// Of a logarithm above log 1.25, and of sums and products of a few positive numbers.
double root_of_twice(double logarithm) { return std::sqrt(2 * rounded_up(logarithm)); }

void check(double s, double delta) {
  in_range("sensitivity", s, 0, 1e100);
  in_range("delta", delta, 1e-300, 0.5);
}

}  // namespace

double gaussian_tail_epsilon(double s, double delta) {
  check(s, delta);
  return s == 0 ? 0 : rounded_up(s * s / 2 + s * upper_quantile(delta));
}

double gaussian_log_tail_epsilon(double s, double delta) {
  check(s, delta);
  return s == 0 ? 0 : rounded_up(s * s / 2 + s * root_of_twice(std::log(1 / delta)));
}

std::optional<double> gaussian_textbook_epsilon(double s, double delta) {
  check(s, delta);
  const double epsilon = s == 0 ? 0 : rounded_up(s * root_of_twice(std::log(1.25 / delta)));
  return epsilon <= 1 ? std::optional(epsilon) : std::nullopt;
}

// The loss is (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2 or its negative, e within sqrt(2 l) deviations of its
// mean, l = log(2 / delta), except with probability delta.
PosteriorTail posterior_tail(double leverage, double residual, double delta) {
  in_range("leverage", leverage, 0, 1e100), in_range("residual", residual, 0, 1e100);
  in_range("delta", delta, 1e-300, 0.5);
  if (leverage == 0) return {0, 0};
  const double mu = leverage, more = 1 + mu, tail = rounded_up(std::log(2 / delta));
  const double log = std::log1p(mu), square = mu * residual * residual / more;
  // The difference of both is known to their rounding.
  const double middle = (std::abs(square - log) + rounding_margin * (square + log)) / 2;
  const double without = middle + mu * tail + residual * std::sqrt(2 * mu * tail);
  const double with = (log + square / more) / 2 + residual / more * std::sqrt(2 * mu * tail / more);
  return {rounded_up(without), rounded_up(with)};
}

double posterior_tail_epsilon(double leverage, double residual, double delta) {
  const PosteriorTail tail = posterior_tail(leverage, residual, delta);
  return std::max(tail.add, tail.remove);
}

}  // namespace epsilometer
