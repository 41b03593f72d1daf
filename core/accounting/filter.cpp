#include "core/accounting/filter.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

double up(double value) { return std::nextafter(value, infinite); }
double down(double value) { return std::nextafter(value, -infinite); }

double sum_upward(double a, double b) { return std::isinf(a + b) ? infinite : upward(two_sum(a, b)); }

// A product of nothing is nothing; low parts that underflow are a step.
double product_upward(double a, double b) {
  if (a == 0 || b == 0) return 0;
  const double product = a * b;
  if (std::isinf(product)) return infinite;
  return product < smallest_accurate ? up(product) : upward(two_product(a, b));
}

// All that is epsilon-private is mu-Gaussian private where the trade-off of the latter passes below the only
// corner of the former: 1 - Phi(mu / 2) <= 1 / (1 + e^epsilon). No more than e^{-x^2/2} / 2 is above x.
double mu_of_pure(double epsilon) {
  if (epsilon == 0 || std::isinf(epsilon)) return epsilon;
  if (epsilon > 600) return rounded_up(2 * std::sqrt(2 * epsilon));
  const double corner = rounded_down(std::exp(-epsilon) / (1 + std::exp(-epsilon)));
  double half = std::max(0.0, normal_upper_quantile(corner));
  while (rounded_up(normal_upper_tail({half})) > corner) half += 2 * unit_roundoff * (1 + half);
  return 2 * half;
}

double rho_of_pure(double epsilon) {
  return std::min(epsilon, std::isinf(epsilon) ? infinite : square_upward(epsilon) / 2);
}

// What fails with a probability beside: everything else is as private as its largest loss.
Charge of_largest_loss(const PrivacyLoss& loss, FilterRule rule, double order) {
  const double epsilon = loss.largest_loss();
  // Exact or rounded up, but of compositions, which are charged by their parts.
  const double delta = loss.infinite_mass();
  switch (rule) {
    case FilterRule::gdp: {
      const double mu = mu_of_pure(epsilon);
      return {std::isinf(mu) ? infinite : square_upward(mu), delta};
    }
    case FilterRule::zcdp:
      return {rho_of_pure(epsilon), delta};
    // Bun and Steinke 2016, Proposition 3.3; what never fails has a divergence of its own.
    case FilterRule::renyi:
      return {std::min(epsilon, product_upward(order, rho_of_pure(epsilon))), delta};
    case FilterRule::approximate:
      break;
  }
  return {epsilon, delta};
}

// What the rule knows of a single release besides; it never fails.
double of_rule(const PrivacyLoss& loss, FilterRule rule, double order) {
  const auto noise = loss.normal_noise();
  const bool normal = noise && noise->sigma == 0;
  const double square = normal ? square_upward(upward(noise->distance)) : infinite;
  const double rho = std::min(square / 2, loss.concentrated().value_or(infinite));
  switch (rule) {
    case FilterRule::gdp:
      return square;
    case FilterRule::zcdp:
      return rho;
    // A divergence is rounded up as if logarithms had been taken, and so that of a budget would exceed it.
    case FilterRule::renyi:
      return std::min(loss.renyi(order), product_upward(order, rho));
    case FilterRule::approximate:
      break;
  }
  return infinite;
}

}  // namespace

double square_upward(double mu) { return product_upward(mu, mu); }

double square_downward(double mu) {
  const double square = mu * mu;
  if (square < smallest_accurate) return std::max(0.0, down(square));
  return two_product(mu, mu).lo < 0 ? down(square) : square;
}

// A root is the nearest double; its square tells on which side.
double root_upward(double square) {
  const double root = std::sqrt(square);
  return square_downward(root) < square ? up(root) : root;
}

double root_downward(double square) {
  const double root = std::sqrt(square);
  return square_upward(root) > square ? std::max(0.0, down(root)) : root;
}

Charge charge_of(const PrivacyLoss& loss, double count, FilterRule rule, double order) {
  const std::vector<Repeated> parts = loss.parts();
  Charge once = of_largest_loss(loss, rule, order);
  if (const double known = of_rule(loss, rule, order); known <= once.amount) once = {known, 0};
  if (!parts.empty()) {
    Charge sum{0, 0};
    for (const Repeated& part : parts) {
      const Charge one = charge_of(*part.loss, part.count, rule, order);
      sum = {sum_upward(sum.amount, one.amount), sum_upward(sum.delta, one.delta)};
    }
    once = sum;
  }
  return {product_upward(count, once.amount), product_upward(count, once.delta)};
}

bool Filter::take(const Charge& entry) {
  const Charge sum{sum_upward(spent_.amount, entry.amount), sum_upward(spent_.delta, entry.delta)};
  const bool fits = sum.amount <= budget_.amount && sum.delta <= budget_.delta;
  if (fits) spent_ = sum;
  return fits;
}

Charge Filter::left() const {
  const auto rest = [](double all, double taken) {
    const DoubleDouble difference = two_sum(all, -taken);
    return std::max(0.0, difference.lo < 0 ? down(difference.hi) : difference.hi);
  };
  return {rest(budget_.amount, spent_.amount), rest(budget_.delta, spent_.delta)};
}

}  // namespace epsilometer
