#include "core/accounting/renyi.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/closed_form.h"
#include "core/accounting/order_border.h"
#include "core/accounting/order_delta.h"
#include "core/accounting/stated_orders.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// log(order - 1), from where what an order allows is that of its limit to doubles, to where order is infinite
// to them.
constexpr double least_log_t = -30, most_log_t = 230;

// The candidate, or the next value at which a decreasing function is certainly no more than delta.
template <class Function>
double verified(double candidate, double delta, const Function& function) {
  if (!(candidate < 1e300) || function(candidate) <= delta) return candidate;
  double step = 8 * unit_roundoff * std::max(candidate, delta);
  while (function(candidate + step) > delta) step *= 4;
  return candidate + step;
}

// What the orders allow, P and Q in either order: the pairs (p, q) that each of them allows, and with them
// (1 - q, 1 - p). These two meet at p = 1 - q, in a corner of what both allow.
class Region {
 public:
  explicit Region(const PrivacyLoss& loss);

  double delta(double epsilon) const;
  double epsilon(double delta) const;
  double power(double false_positive) const;

 private:
  struct Best {
    OrderBound bound;
    double value;
  };

  template <class Value>
  Best least(double start, const Value& value) const;
  template <class Value>
  Best least_on_curve(double start, const Value& value) const;
  double one_way_delta(double epsilon) const;
  double one_way_epsilon(double delta) const;

  const PrivacyLoss& loss_;
  std::vector<OrderBound> stated_;
  // The logit of p at the corner, and the log of the border's slope to its left.
  double logit_, level_;
};

Region::Region(const PrivacyLoss& loss) : loss_(loss) {
  for (const double order : loss.stated_orders()) stated_.push_back({order, loss.renyi(order)});
  const Best corner = least(2, [](const OrderBound& at) { return order_logit(at.order, at.divergence); });
  logit_ = corner.value;
  level_ = slope_at_logit(corner.bound.order, logit_);
}

template <class Value>
Region::Best Region::least(double start, const Value& value) const {
  if (stated_.empty()) return least_on_curve(start, value);
  Best best{stated_.front(), value(stated_.front())};
  for (const OrderBound& bound : stated_)
    if (const double at = value(bound); at < best.value) best = {bound, at};
  return best;
}

// In log(order - 1).
template <class Value>
Region::Best Region::least_on_curve(double start, const Value& value) const {
  const double last = loss_.largest_order();
  const double most = std::isinf(last) ? most_log_t : std::log(last - 1);
  const double lowest = std::min(least_log_t, most - 1);
  const auto bound = [&](double log_t) {
    const double order = log_t >= most && !std::isinf(last) ? last : 1 + std::exp(log_t);
    return OrderBound{order, loss_.renyi(order)};
  };
  const auto at = [&](double log_t) { return std::min(1e300, value(bound(log_t))); };
  const auto [found, least] = minimum_near(at, std::log(start - 1), 0.5, lowest, most, 26);
  return {bound(found), least};
}

double Region::one_way_delta(double epsilon) const {
  if (!stated_.empty()) return stated_delta(stated_, epsilon);
  const Best best = least(best_order_at_epsilon(loss_, epsilon), [&](const OrderBound& at) {
    const double delta = order_delta(at.order, at.divergence, epsilon);
    return delta > 0 ? std::log(delta) : -800;
  });
  return order_delta(best.bound.order, best.bound.divergence, epsilon);
}

double Region::one_way_epsilon(double delta) const {
  if (!stated_.empty()) {
    return verified(stated_epsilon(stated_, delta), delta,
                    [&](double epsilon) { return stated_delta(stated_, epsilon); });
  }
  const Best best = least(best_order_at_delta(loss_, delta), [delta](const OrderBound& at) {
    return order_epsilon(at.order, at.divergence, delta);
  });
  return verified(best.value, delta, [&](double epsilon) {
    return order_delta(best.bound.order, best.bound.divergence, epsilon);
  });
}

// No line through the corner that is less steep than the border, to either side, meets what is allowed
// elsewhere.
double Region::delta(double epsilon) const {
  if (!(epsilon < level_)) return one_way_delta(epsilon);
  return std::min(1.0, rounded_up(-std::expm1(epsilon - logit_) / (1 + std::exp(-logit_))));
}

double Region::epsilon(double delta) const {
  if (this->delta(0) <= delta) return 0;
  const double at_corner = logit_ + std::log1p(-delta * (1 + std::exp(-logit_)));
  if (!(at_corner < level_)) return one_way_epsilon(delta);
  return verified(std::max(0.0, at_corner), delta, [this](double epsilon) { return this->delta(epsilon); });
}

double Region::power(double false_positive) const {
  const double start = best_order_at_delta(loss_, false_positive);
  if (std::log(false_positive) - std::log1p(-false_positive) > -logit_) {
    const Best best = least(start, [&](const OrderBound& at) { return border_ratio(at, false_positive); });
    return rounded_up(false_positive - (1 - false_positive) * std::expm1(-best.value));
  }
  const double log_q = std::log(false_positive);
  // Where certainty is allowed, the less the lower the divergence.
  const Best best = least(start, [log_q](const OrderBound& at) {
    const Border found = border(at, log_q);
    return found.log_p < 0 ? found.log_ratio : at.divergence;
  });
  const Border lowest = border(best.bound, log_q);
  return rounded_up(std::exp(lowest.log_p),
                    rounding_margin + 4 * unit_roundoff * std::abs(log_q) + lowest.doubt);
}

}  // namespace

double renyi_delta(const PrivacyLoss& loss, double epsilon) {
  return at_any_epsilon(loss, epsilon, [&](double size) { return Region(loss).delta(size); });
}

double renyi_epsilon(const PrivacyLoss& loss, double delta) {
  return delta == 1 || loss.largest_loss() == 0 ? 0 : Region(loss).epsilon(delta);
}

double renyi_power(const PrivacyLoss& loss, double false_positive) {
  if (false_positive == 0 || false_positive == 1 || loss.largest_loss() == 0) return false_positive;
  return std::min(1.0, Region(loss).power(false_positive));
}

}  // namespace epsilometer
