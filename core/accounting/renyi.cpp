#include "core/accounting/renyi.h"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <tuple>

namespace epsilometer {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The best order of a bound that is quasi-convex in log t, t = order - 1. A boundary order counts too: a
// minimiser approaches it only to the root of the precision.
template <class Bound>
double best_order(const PrivacyLoss& loss, const Bound& bound) {
  const double last = loss.largest_order();
  // Where the bound overflows it keeps growing, so that the search turns back.
  const auto value = [&](double log_t) {
    const double at = bound(1 + std::exp(log_t));
    return at < 1e300 ? at : 1e300 * (1 + log_t / 1000);
  };
  const double reach = std::isinf(last) ? 230 : std::log(last - 1);
  const double found =
      boost::math::tools::brent_find_minima(value, std::min(-35.0, reach - 1), reach, 40).first;
  const double order = 1 + std::exp(found);
  return !std::isinf(last) && bound(last) <= bound(order) ? last : order;
}

// The margin of an exponential whose argument is a sum of terms of about that size.
double arguments_margin(double size) { return rounding_margin + 4 * unit_roundoff * std::abs(size); }

// log of h(x) = (e^{ax} - 1) - a (e^x - 1) = a times the integral of e^s (e^{ts} - 1) from 0 to x, with a =
// order and t = a - 1: positive, of second order in x, and evaluated without its cancellation.
double log_convexity(double order, double x) {
  const double t = order - 1;
  if (order * std::abs(x) <= 4) {
    const auto growth = [t](double s) { return std::exp(s) * std::expm1(t * s); };
    return std::log(order * boost::math::quadrature::gauss<double, 20>::integrate(growth, 0.0, x));
  }
  if (t * x > 30) return order * x + std::log1p(-order * std::exp(-t * x));
  if (x > 0) return x + std::log(std::expm1(t * x) - t + t * std::exp(-x));
  return std::log(std::exp(x) * (std::expm1(t * x) - t) + t);
}

double log_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

// A point (p, q) on the border of what an order allows: p^a q^(1-a) + (1-p)^a (1-q)^(1-a) = e^{(a-1) D}, the
// data processing inequality for the event itself, with p >= q. In likelihood ratios this reads q h(x) +
// (1-q) h(y) = e^{tD} - 1, all terms positive, for x = log(p/q) and y = log((1-p)/(1-q)).
struct Border {
  double log_p, log_ratio;
  /// log of dp/dq along the border.
  double log_slope;
  /// What rounding may cost in log_ratio.
  double doubt;
};

Border border(double order, double divergence, double log_q) {
  const double t = order - 1, rest = -std::expm1(log_q);
  const double scaled = t * divergence;
  const double allowed = scaled < 30 ? std::log(std::expm1(scaled)) : scaled + std::log1p(-std::exp(-scaled));
  const auto against = [&](double x) {
    const double gained = x < 1 ? std::exp(log_q) * std::expm1(x) : std::exp(log_q + x) - std::exp(log_q);
    return std::log1p(-gained / rest);
  };
  const auto excess = [&](double x) {
    return log_sum(log_q + log_convexity(order, x), std::log(rest) + log_convexity(order, against(x))) -
           allowed;
  };
  // At the far end p = 1, where y is minus infinity and h is t.
  const double most = -log_q;
  if (log_sum(log_q + log_convexity(order, most), std::log(rest * t)) <= allowed)
    return {0, most, -infinite, 0};
  double low = most / 2;
  while (low > 0 && excess(low) > 0) low /= 2;
  std::uintmax_t steps = 200;
  const double x =
      boost::math::tools::toms748_solve(excess, low, std::min(2 * low, most * (1 - unit_roundoff)),
                                        boost::math::tools::eps_tolerance<double>(52), steps)
          .second;
  const double apart = against(x) - x;
  const double log_slope = x + std::log(t / order * std::expm1(order * apart) / std::expm1(t * apart));
  // The roundings of `excess`, over its derivative a q e^x (e^{tx} - e^{ty}) / (e^{tD} - 1), and those of x
  // itself.
  const double lost = arguments_margin(std::abs(allowed) + std::abs(log_q));
  const double log_rate = std::log(order * -std::expm1(t * apart)) + log_q + order * x - allowed;
  return {log_q + x, x, log_slope, 8 * unit_roundoff * x + lost / std::exp(log_rate)};
}

// The border of the region that all stated orders allow.
Border border(const PrivacyLoss& loss, double log_q) {
  Border lowest{0, -log_q, -infinite, 0};
  for (const double order : loss.stated_orders()) {
    const Border candidate = border(order, loss.renyi(order), log_q);
    if (candidate.log_p < lowest.log_p) lowest = candidate;
  }
  return lowest;
}

// The closed form at its best order: log delta <= t (D - epsilon) - t log(1 + 1/t) - log(1 + t).
double curve_delta(const PrivacyLoss& loss, double epsilon) {
  const auto log_delta = [&](double order) {
    const double t = order - 1;
    return t * (loss.renyi(order) - epsilon) - t * std::log1p(1 / t) - std::log1p(t);
  };
  const double order = best_order(loss, log_delta);
  const double exponent = log_delta(order);
  return std::min(1.0,
                  rounded_up(std::exp(exponent), arguments_margin(std::abs(exponent) + 4 * std::log(order))));
}

// The same where the region is so thin that its slope is lost in rounding: from three values near the
// maximum, above which a concave function cannot rise further than its chords on the other side.
double thin_delta(const PrivacyLoss& loss, double epsilon) {
  const auto gain = [&](double q) {
    const Border at = border(loss, std::log(q));
    return q * (std::expm1(at.log_ratio + at.doubt) - std::expm1(epsilon));
  };
  const auto loss_of_gain = [&](double log_q) { return -gain(std::exp(log_q)); };
  const double q = std::exp(boost::math::tools::brent_find_minima(loss_of_gain, -700.0, -1e-4, 40).first);
  const double apart = 1e-5 * q;
  const double left = gain(q - apart), middle = gain(q), right = gain(q + apart);
  return std::min(1.0, rounded_up(std::max({0.0, middle, 2 * middle - left, 2 * middle - right}), 1e-12));
}

// sup of p - e^epsilon q over the region. Its border is concave, so the supremum lies between two
// neighbouring points where the slope passes e^epsilon, and below the tangent of the left one.
double optimal_delta(const PrivacyLoss& loss, double epsilon) {
  const double thinnest = (loss.largest_order() - 1) * loss.renyi(loss.largest_order());
  if (thinnest < 1e-13) return thin_delta(loss, epsilon);
  const auto steepness = [&](double log_q) {
    return std::max(border(loss, log_q).log_slope, -1e300) - epsilon;
  };
  double left = -1;
  while (left > -1e300 && !(steepness(left) > 0)) left *= 2;
  double right = left / 2;
  for (; right < -1e-300 && steepness(right) > 0; right /= 2) left = right;
  std::uintmax_t steps = 200;
  std::tie(left, right) = boost::math::tools::toms748_solve(
      steepness, left, right, boost::math::tools::eps_tolerance<double>(50), steps);
  const Border at = border(loss, left);
  // q (p/q - e^epsilon), with the doubt on p/q, plus the tangent's rise on the way to the right point.
  const double q_side = std::exp(left + epsilon), over = at.log_ratio + at.doubt - epsilon;
  const double rise = std::expm1(std::max(0.0, at.log_slope - epsilon)) * std::expm1(right - left);
  return std::min(
      1.0, rounded_up(q_side * (std::max(0.0, std::expm1(over)) + rise), arguments_margin(left + epsilon)));
}

// Any conversion for any epsilon: a negative one by the same bound on the pair in the other order.
double everywhere(double (*convert)(const PrivacyLoss&, double), const PrivacyLoss& loss, double epsilon) {
  const double size = std::abs(epsilon);
  const double delta = size >= loss.largest_loss() ? loss.infinite_mass() : convert(loss, size);
  if (epsilon >= 0) return delta;
  return std::min(1.0, rounded_up(-std::expm1(epsilon) + std::exp(epsilon) * delta));
}

}  // namespace

double renyi_curve_delta(const PrivacyLoss& loss, double epsilon) {
  return everywhere(curve_delta, loss, epsilon);
}

// The same formula solved for epsilon.
double renyi_curve_epsilon(const PrivacyLoss& loss, double delta) {
  const auto gained = [delta](double t) {
    return (std::log(delta) + t * std::log1p(1 / t) + std::log1p(t)) / t;
  };
  const auto level = [&](double order) { return loss.renyi(order) - gained(order - 1); };
  const double order = best_order(loss, level), divergence = loss.renyi(order), t = order - 1;
  // log delta cancels at most against the other two terms.
  const double slack =
      rounding_margin * (divergence + (2 * std::abs(std::log(delta)) + 4 * std::log1p(order)) / t + 4);
  return std::max(0.0, level(order) + slack);
}

double renyi_delta(const PrivacyLoss& loss, double epsilon) {
  return everywhere(loss.stated_orders().empty() ? curve_delta : optimal_delta, loss, epsilon);
}

namespace {

// A tiny epsilon needs a large order.
double coarse_order(int i) {
  constexpr std::array first{1.05, 1.1, 1.2,  1.4,  1.7,  2.0,  2.5,  3.0,  4.0,
                             5.0,  7.0, 10.0, 14.0, 20.0, 28.0, 40.0, 64.0, 100.0};
  const int last = static_cast<int>(first.size()) - 1;
  return i < last ? first[static_cast<std::size_t>(i)] : std::ldexp(first.back(), i - last);
}

constexpr int coarse_orders = 50;

}  // namespace

double renyi_coarse_delta(const PrivacyLoss& loss, double epsilon) {
  double least = 1, before = infinite;
  for (int i = 0; i < coarse_orders; ++i) {
    const double order = coarse_order(i), t = order - 1, divergence = loss.renyi(order);
    const double exponent = t * (divergence - epsilon) - t * std::log1p(1 / t) - std::log1p(t);
    // Convex in the order: past its least it only grows.
    if (exponent > before) break;
    before = exponent;
    if (!(exponent < 0)) continue;
    const double size = t * (divergence + std::abs(epsilon)) + 8;
    least = std::min(least, rounded_up(std::exp(exponent), arguments_margin(size)));
  }
  return least;
}

double renyi_coarse_epsilon(const PrivacyLoss& loss, double delta) {
  double least = infinite;
  for (int i = 0; i < coarse_orders; ++i) {
    const double order = coarse_order(i), t = order - 1, divergence = loss.renyi(order);
    const double gain = t * std::log1p(1 / t) + std::log1p(t);
    const double epsilon = divergence - (std::log(delta) + gain) / t;
    const double slack = rounding_margin * (std::abs(divergence) + (gain - std::log(delta)) / t);
    // A convex function of t over t: past its least it only grows.
    if (epsilon + slack > least) break;
    least = epsilon + slack;
  }
  return std::max(0.0, least);
}

double renyi_power(const PrivacyLoss& loss, double false_positive) {
  if (false_positive == 0 || false_positive == 1 || loss.largest_loss() == 0) return false_positive;
  const double log_q = std::log(false_positive);
  const auto at_order = [&](double order) { return border(order, loss.renyi(order), log_q); };
  const auto log_power = [&](double order) { return at_order(order).log_p; };
  const Border lowest =
      loss.stated_orders().empty() ? at_order(best_order(loss, log_power)) : border(loss, log_q);
  return std::min(1.0, rounded_up(std::exp(lowest.log_p), arguments_margin(log_q) + lowest.doubt));
}

}  // namespace epsilometer
