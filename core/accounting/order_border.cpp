#include "core/accounting/order_border.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/order_delta.h"
#include "core/base/bounds.h"
#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// log((1-p)/(1-q)) for x = log(p/q).
double against(double log_q, double x) {
  const double gained = x < 1 ? std::exp(log_q) * std::expm1(x) : std::exp(log_q + x) - std::exp(log_q);
  return std::log1p(gained / std::expm1(log_q));
}

// log of the moment less one at that point, less what is allowed.
double excess(const OrderBound& bound, double allowed, double log_q, double x) {
  return log_sum(log_q + log_convexity(bound.order, x),
                 std::log(-std::expm1(log_q)) + log_convexity(bound.order, against(log_q, x))) -
         allowed;
}

// Whether p = 1, where y is minus infinity and h is t.
bool allows_certainty(const OrderBound& bound, double allowed, double log_q) {
  return log_sum(log_q + log_convexity(bound.order, -log_q),
                 std::log(-std::expm1(log_q) * (bound.order - 1))) <= allowed;
}

}  // namespace

Border border(const OrderBound& bound, double log_q) {
  const double order = bound.order, t = order - 1, allowed = log_allowed(order, bound.divergence);
  if (allows_certainty(bound, allowed, log_q)) return {0, -log_q, -infinite, 0};
  const auto beyond = [&](double x) { return excess(bound, allowed, log_q, x); };
  const double most = -log_q;
  double low = most / 2;
  while (low > 0 && beyond(low) > 0) low /= 2;
  const double x = sign_change(beyond, low, std::min(2 * low, most * (1 - unit_roundoff)), 52).second;
  const double apart = against(log_q, x) - x;
  const double log_slope = x + std::log(t / order * std::expm1(order * apart) / std::expm1(t * apart));
  // The roundings of the excess, over its derivative a q e^x (e^{tx} - e^{ty}) / (e^{tD} - 1), and those of x
  // itself.
  const double lost = rounding_margin + 4 * unit_roundoff * (std::abs(allowed) + std::abs(log_q));
  const double log_rate = std::log(order * -std::expm1(t * apart)) + log_q + order * x - allowed;
  return {log_q + x, x, log_slope, 8 * unit_roundoff * x + lost / std::exp(log_rate)};
}

// An order that allows a point of the border of others has its own border above it.
Border border(const std::vector<OrderBound>& bounds, double log_q) {
  Border lowest{0, -log_q, -infinite, 0};
  for (const OrderBound& bound : bounds) {
    const double allowed = log_allowed(bound.order, bound.divergence);
    if (lowest.log_p == 0 ? allows_certainty(bound, allowed, log_q)
                          : excess(bound, allowed, log_q, lowest.log_ratio) <= 0)
      continue;
    const Border candidate = border(bound, log_q);
    if (candidate.log_p < lowest.log_p) lowest = candidate;
  }
  return lowest;
}

// A point that is not allowed, between q = p and q = 0 which is allowed by no order.
double border_ratio(const OrderBound& bound, double rest) {
  const double order = bound.order, allowed = log_allowed(order, bound.divergence);
  if (!(allowed < 1e300)) return infinite;
  const double p = 1 - rest, log_p = std::log1p(-rest);
  const auto beyond = [&](double log_x) {
    const double x = std::exp(log_x), y = -std::log1p(p * -std::expm1(-x) / rest);
    const double gained = log_sum(log_p + log_convexity_to_p(order, x),
                                  std::log(rest - p * std::expm1(-x)) + log_convexity(order, y));
    return gained - allowed - rounding_margin - 8 * unit_roundoff * (std::abs(allowed) + (order - 1) * x);
  };
  double low = std::log(bound.divergence + 1) / 2, high = low;
  for (double step = 1; !(beyond(high) >= 0); step *= 2) {
    if (high > 600) return infinite;
    high += step;
  }
  for (double step = 1; beyond(low) >= 0; step *= 2) {
    if (low < -600) return std::exp(low);
    low -= step;
  }
  return rounded_up(std::exp(sign_change(beyond, low, high, 52).second));
}

}  // namespace epsilometer
