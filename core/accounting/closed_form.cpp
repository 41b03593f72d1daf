#include "core/accounting/closed_form.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// The best order of a bound(order, divergence) that is quasi-convex in log t, t = order - 1. A boundary order
// counts too: a minimiser approaches it only to the root of the precision.
template <class Bound>
double best_order(const PrivacyLoss& loss, const Bound& bound) {
  const double last = loss.largest_order();
  const auto order = [](double log_t) { return 1 + std::exp(log_t); };
  // Where the bound overflows it keeps growing, so that the search turns back.
  const auto value = [&](double log_t, double divergence) {
    const double at = bound(order(log_t), divergence);
    return at < 1e300 ? at : 1e300 * (1 + log_t / 1000);
  };
  const auto rough = [&](double log_t) { return value(log_t, loss.renyi_rough(order(log_t))); };
  const auto exact = [&](double log_t) { return value(log_t, loss.renyi(order(log_t))); };
  const double reach = std::isinf(last) ? 230 : std::log(last - 1), least = std::min(-35.0, reach - 1);
  const auto [start, there] = minimum(rough, least, reach, 40);
  double found = start;
  // Searches that begin at the same places ask for the same orders.
  if (exact(start) < there)
    found = minimum_near(exact, std::round(2 * start) / 2, 0.5, least, reach, 18).first;
  if (std::isinf(last)) return order(found);
  return bound(last, loss.renyi(last)) <= bound(order(found), loss.renyi(order(found))) ? last : order(found);
}

// The margin of an exponential whose argument is a sum of terms of about that size.
double arguments_margin(double size) { return rounding_margin + 4 * unit_roundoff * std::abs(size); }

// log delta <= t (D - epsilon) - t log(1 + 1/t) - log(1 + t) with t = order - 1.
double log_delta(double order, double divergence, double epsilon) {
  const double t = order - 1;
  return t * (divergence - epsilon) - t * std::log1p(1 / t) - std::log1p(t);
}

// The same solved for epsilon.
double level(double order, double divergence, double delta) {
  const double t = order - 1;
  return divergence - (std::log(delta) + t * std::log1p(1 / t) + std::log1p(t)) / t;
}

}  // namespace

double best_order_at_epsilon(const PrivacyLoss& loss, double epsilon) {
  return best_order(loss,
                    [&](double order, double divergence) { return log_delta(order, divergence, epsilon); });
}

double best_order_at_delta(const PrivacyLoss& loss, double delta) {
  return best_order(loss, [&](double order, double divergence) { return level(order, divergence, delta); });
}

double renyi_curve_delta(const PrivacyLoss& loss, double epsilon) {
  return at_any_epsilon(loss, epsilon, [&](double size) {
    const double order = best_order_at_epsilon(loss, size);
    const double exponent = log_delta(order, loss.renyi(order), size);
    const double margin = arguments_margin(std::abs(exponent) + 4 * std::log(order));
    return std::min(1.0, rounded_up(std::exp(exponent), margin));
  });
}

double renyi_curve_epsilon(const PrivacyLoss& loss, double delta) {
  const double order = best_order_at_delta(loss, delta), divergence = loss.renyi(order), t = order - 1;
  // log delta cancels at most against the other two terms.
  const double slack =
      rounding_margin * (divergence + (2 * std::abs(std::log(delta)) + 4 * std::log1p(order) + 4) / t);
  return std::max(0.0, level(order, divergence, delta) + slack);
}

namespace {

// A tiny epsilon needs a large order.
double coarse_order(std::size_t i) {
  constexpr std::array first{1.05, 1.1, 1.2,  1.4,  1.7,  2.0,  2.5,  3.0,  4.0,
                             5.0,  7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 64.0, 100.0};
  constexpr std::size_t last = first.size() - 1;
  return i < last ? first[i] : std::ldexp(first.back(), static_cast<int>(i - last));
}

constexpr std::size_t coarse_orders = 50;

}  // namespace

double CoarseRenyi::divergence(std::size_t i) const {
  while (divergences_.size() <= i) divergences_.push_back(loss_->renyi(coarse_order(divergences_.size())));
  return divergences_[i];
}

double CoarseRenyi::delta(double epsilon) const {
  double least = 1, before = infinite;
  for (std::size_t i = 0; i < coarse_orders; ++i) {
    const double order = coarse_order(i), t = order - 1, divergence = this->divergence(i);
    const double exponent = log_delta(order, divergence, epsilon);
    // Convex in the order: past its least it only grows.
    if (exponent > before) break;
    before = exponent;
    if (!(exponent < 0)) continue;
    const double size = t * (divergence + std::abs(epsilon)) + 8;
    least = std::min(least, rounded_up(std::exp(exponent), arguments_margin(size)));
  }
  return least;
}

double CoarseRenyi::epsilon(double delta) const {
  double least = infinite;
  for (std::size_t i = 0; i < coarse_orders; ++i) {
    const double order = coarse_order(i), t = order - 1, divergence = this->divergence(i);
    const double gain = t * std::log1p(1 / t) + std::log1p(t);
    const double epsilon = divergence - (std::log(delta) + gain) / t;
    const double slack = rounding_margin * (std::abs(divergence) + (gain - std::log(delta)) / t);
    // A convex function of t over t: past its least it only grows.
    if (epsilon + slack > least) break;
    least = epsilon + slack;
  }
  return std::max(0.0, least);
}

}  // namespace epsilometer
