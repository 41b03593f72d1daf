#include "core/accounting/order_delta.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/search.h"
#include "core/numerics/tangent_excess.h"

namespace epsilometer {
namespace {

// 1/z - 1/(e^z - 1), by its Taylor series where the two cancel.
double gap_density(double z) {
  if (z > 0.1) return 1 / z - 1 / std::expm1(z);
  const double square = z * z;
  return 0.5 - z * (1.0 / 12 - square * (1.0 / 720 - square * (1.0 / 30240 - square / 1209600)));
}

// log of (a/t) (1 - e^{-tu}) / (1 - e^{-au}) with a = t + 1 > 1: positive, without cancellation.
double slope_gap(double t, double u) {
  if (t * u > 1)
    return std::log1p(1 / t) + std::log1p(std::exp(-t * u) * std::expm1(-u) / -std::expm1(-(t + 1) * u));
  if (u > 1) return std::log((t + 1) / t * std::expm1(-t * u) / std::expm1(-(t + 1) * u));
  const auto density = [u](double s) { return gap_density(s * u); };
  return u * boost::math::quadrature::gauss<double, 7>::integrate(density, t, t + 1);
}

// A point (p, q) on the border of what the order allows, for some divergence, where the border's slope is
// e^epsilon: with x = log(p/q), y = log((1-p)/(1-q)) and u = x - y the slope is e^{x - gap(u)}.
struct Touching {
  double x, y, u;

  // The steps are those of Newton's method for u - gap(u) = epsilon - y; the gap grows by 0 to 1/2, and by
  // less than u does in proportion. That x is taken lower by more than what u may be off makes epsilon
  // smaller and delta larger.
  Touching(double t, double epsilon, double minus_y) : y(-minus_y) {
    const double aim = epsilon + minus_y;
    u = 2 * aim;
    for (int i = 0; i < 30; ++i) {
      const double growth = t / std::expm1(t * u) - (t + 1) / std::expm1((t + 1) * u);
      const double next = u - (u - slope_gap(t, u) - aim) / (1 - std::clamp(growth, 0.0, 0.5));
      const bool settled = std::abs(next - u) <= 16 * unit_roundoff * u;
      u = next;
      if (settled) break;
    }
    x = (epsilon + slope_gap(t, u)) * (1 - rounding_margin);
    u = x + minus_y;
  }

  double log_p() const { return std::log(std::expm1(y) / std::expm1(-u)); }
  double log_rest() const { return std::log(std::expm1(-x) / std::expm1(-u)); }
};

// Arguments of the searches below stay in the range of exp.
constexpr double least_log = -700;

}  // namespace

double log_sum(double a, double b) {
  return a == b ? a + std::log(2.0) : std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

double log_convexity(double order, double x) { return log_tangent_excess(order, x); }

double log_convexity_to_p(double order, double x) {
  const double t = order - 1;
  return order * x > 1 ? t * x + std::log(tangent_excess_share(t, x)) : std::log(tangent_excess(t, x)) - x;
}

double log_allowed(double order, double divergence) {
  const double scaled = (order - 1) * divergence;
  return scaled < 30 ? std::log(std::expm1(scaled)) : scaled + std::log1p(-std::exp(-scaled));
}

double order_delta(double order, double divergence, double epsilon) {
  const double t = order - 1;
  if (divergence == 0) return 0;
  if (!(t * divergence < 1e300)) return 1;
  // Every p up to 1 is allowed, with q = e^-divergence, before the border is as flat as e^epsilon.
  if (divergence >= epsilon + std::log1p(1 / t))
    return std::min(1.0, rounded_up(-std::expm1(epsilon - divergence)));
  // There it is this much, and no divergence so small allows more.
  const double ceiling = std::min(1.0, rounded_up(1 / order));
  const double allowed = log_allowed(order, divergence);
  // A point that is allowed a little more than the divergence bounds what is allowed less.
  const auto excess = [&](double log_minus_y) {
    const Touching at(t, epsilon, std::exp(log_minus_y));
    const double size = std::abs(allowed) + t * at.x + std::abs(at.log_p());
    const double gained =
        log_sum(at.log_p() + log_convexity_to_p(order, at.x), at.log_rest() + log_convexity(order, at.y));
    const double beyond = gained - allowed - rounding_margin - 8 * unit_roundoff * size;
    // Where everything underflows.
    return beyond > -1e6 ? beyond : -1e6;
  };
  double least = least_log, most = 6.5;
  if (excess(most) < 0) return ceiling;
  if (excess(least) < 0) {
    most = sign_change(excess, least, most, 50).second;
  } else {
    most = least;
  }
  if (!(excess(most) >= 0)) return ceiling;
  const Touching at(t, epsilon, std::exp(most));
  return std::min(ceiling,
                  rounded_up(-std::expm1(-slope_gap(t, at.u)) * (std::expm1(at.y) / std::expm1(-at.u)),
                             2 * rounding_margin));
}

// The tangent at the point with u = x - y meets q = 0 at p (1 - e^{-gap(u)}), which is to be delta.
double order_epsilon(double order, double divergence, double delta) {
  const double t = order - 1;
  if (divergence == 0) return 0;
  if (!(t * divergence < 1e300)) return HUGE_VAL;
  // As far as p = 1, where q = e^-divergence.
  if (delta * order >= 1) return std::max(0.0, divergence + std::log1p(-delta));
  const double allowed = log_allowed(order, divergence);
  const auto gap = [&](double log_u) { return slope_gap(t, std::exp(log_u)); };
  const auto p_at = [&](double log_u) { return delta / -std::expm1(-gap(log_u)); };
  const auto x_at = [&](double log_u) {
    const double u = std::exp(log_u), rest = 1 - p_at(log_u);
    return u < 600 ? std::log1p(rest * std::expm1(u)) : u + std::log(rest);
  };
  const auto excess = [&](double log_u) {
    const double u = std::exp(log_u), p = p_at(log_u), x = x_at(log_u);
    if (!(x > 0)) return least_log;
    const double log_rest = std::log(std::expm1(-x) / std::expm1(-u));
    const double y = std::log1p(p * std::expm1(-u));
    const double beyond =
        log_sum(std::log(p) + log_convexity_to_p(order, x), log_rest + log_convexity(order, y)) - allowed;
    return std::clamp(beyond, least_log, -least_log);
  };
  // The gap is at most u/2, and must be at least -log(1-delta) for p to be a probability.
  const double least = std::max(least_log, std::log(-2 * std::log1p(-delta)));
  double most = least + 1;
  for (double step = 1; most < -least_log && excess(most) < 0; step *= 2) most += step;
  if (!(most < -least_log) || excess(least) >= 0) return 0;
  const double log_u = sign_change(excess, least, most, 52).second;
  return std::max(0.0, x_at(log_u) - gap(log_u));
}

// There the moment less one is 2 sinh(a x/2) sinh(t x/2) / cosh(x/2).
double order_logit(double order, double divergence) {
  const double t = order - 1;
  if (divergence == 0) return 0;
  if (!(t * divergence < 1e300)) return HUGE_VAL;
  const double allowed = log_allowed(order, divergence);
  const auto excess = [&](double log_x) {
    const double half = std::exp(log_x) / 2, s = t * half, z = order * half;
    const double steep = z < 1 ? std::log(std::sinh(z) / std::cosh(half))
                               : s + std::log1p(-std::exp(-2 * z)) - std::log1p(std::exp(-2 * half));
    const double flat = s < 1 ? std::log(2 * std::sinh(s)) : s + std::log1p(-std::exp(-2 * s));
    const double doubt = rounding_margin + 8 * unit_roundoff * (std::abs(allowed) + 2 * s);
    return steep + flat - allowed - doubt;
  };
  // For small x it is a t x^2 / 2.
  double least = std::min((allowed - std::log(order * t / 2)) / 2, std::log(divergence + 2)) - 1,
         most = least;
  for (double step = 1; excess(most) < 0; step *= 2) most += step;
  for (double step = 1; excess(least) > 0; step *= 2) least -= step;
  if (least == most) return std::exp(most);
  return std::exp(sign_change(excess, least, most, 50).second);
}

double slope_at_logit(double order, double logit) {
  return std::max(0.0, logit - slope_gap(order - 1, 2 * logit) - rounding_margin * logit);
}

}  // namespace epsilometer
