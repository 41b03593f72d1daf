#include "core/accounting/stated_orders.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/accounting/order_delta.h"
#include "core/base/bounds.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// A region so thin that its slope is lost in rounding: there every order is asked by itself.
bool is_thin(const std::vector<OrderBound>& bounds) {
  return (bounds.back().order - 1) * bounds.back().divergence < 1e-13;
}

// The logarithms of two neighbouring q between which a function of the border's point falls through 0.
template <class Before>
std::pair<double, double> passing(const std::vector<OrderBound>& bounds, const Before& before) {
  const auto sign = [&](double log_q) { return before(border(bounds, log_q), log_q); };
  double left = -1;
  while (left > -1e300 && !(sign(left) > 0)) left *= 2;
  double right = left / 2;
  for (; right < -1e-300 && sign(right) > 0; right /= 2) left = right;
  return sign_change(sign, left, right, 50);
}

}  // namespace

// sup of p - e^epsilon q. The border is concave, so the supremum lies between two neighbouring points where
// the slope passes e^epsilon, and below the tangent of the left one.
double stated_delta(const std::vector<OrderBound>& bounds, double epsilon) {
  if (is_thin(bounds)) {
    double least = 1;
    for (const OrderBound& one : bounds)
      least = std::min(least, order_delta(one.order, one.divergence, epsilon));
    return least;
  }
  const auto [left, right] = passing(
      bounds, [epsilon](const Border& at, double) { return std::max(at.log_slope, -1e300) - epsilon; });
  const Border at = border(bounds, left);
  // q (p/q - e^epsilon), with the doubt on p/q, plus the tangent's rise on the way to the right point.
  const double q_side = std::exp(left + epsilon), over = at.log_ratio + at.doubt - epsilon;
  const double rise = std::expm1(std::max(0.0, at.log_slope - epsilon)) * std::expm1(right - left);
  return std::min(1.0, rounded_up(q_side * (std::max(0.0, std::expm1(over)) + rise),
                                  rounding_margin + 4 * unit_roundoff * std::abs(left + epsilon)));
}

// Where the tangent passes delta at q = 0.
double stated_epsilon(const std::vector<OrderBound>& bounds, double delta) {
  if (is_thin(bounds)) {
    double least = HUGE_VAL;
    for (const OrderBound& one : bounds)
      least = std::min(least, order_epsilon(one.order, one.divergence, delta));
    return least;
  }
  const auto [left, right] = passing(bounds, [delta](const Border& at, double) {
    return std::log(delta) - at.log_p - std::log(-std::expm1(at.log_slope - at.log_ratio));
  });
  // The line from there to the point.
  return std::max(
      0.0, border(bounds, left).log_ratio + std::log1p(-delta * std::exp(-border(bounds, left).log_p)));
}

}  // namespace epsilometer
