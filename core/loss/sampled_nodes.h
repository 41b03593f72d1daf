// Places at which the moments of a sampled pair are summed: nodes of a trapezoidal rule, or outcomes. The
// rule converges geometrically for functions analytic in a strip: with step h, |error| <= 2 N / (e^{2 pi d/h}
// - 1), where N bounds the integral of |f| along the lines at distance d (Trefethen and Weideman 2014,
// Theorem 5.1). A finite end a is reached by x = a + c log(1 + e^y), which maps the strip |Im y| < pi/4 into
// the sector |Im x| < Re x - a with |Im x| < c pi/4, where |dx| <= sqrt(2) d Re x.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/numerics/constants.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

/// A place under Q: what its density weighs there, and how fast log density and loss change.
struct Node {
  double weight = 0;
  DoubleDouble log_density{0}, loss{0};
  double density_slope = 0, loss_slope = 0;
  /// Its coordinate if that is rounded, whose error the slopes tell; 0 if it is exact.
  double place = 0;
};

namespace nodes {

using std::numbers::pi;

inline double softplus(double y) { return std::max(y, 0.0) + std::log1p(std::exp(-std::abs(y))); }
inline double logistic(double y) { return 1 / (1 + std::exp(-y)); }

/// N(0, 1) against N(mu, 1), at distances d from the middle mu/2: the loss is mu d.
struct Normal {
  DoubleDouble mu;
  /// A mean of no test lies above this x = d + mu/2.
  double top;

  Node at(double distance, double weight, double place) const {
    const DoubleDouble d{distance}, x = d + DoubleDouble{mu.hi / 2, mu.lo / 2}, square = x * x;
    const DoubleDouble log_density{-square.hi / 2, -square.lo / 2};
    return {weight, log_density - DoubleDouble{log_root_two_pi}, mu * d, -x.hi, mu.hi, place};
  }
  double x(double d) const { return d + mu.hi / 2; }

  // Left of -4 a kernel grows like the square of the loss at most, twice over for orders below 2.
  double rest_below(double x, double step) const { return x < -4 ? 2.4 / (-x * step) : infinite; }
  // Where r^order times the density falls, and up to `top` does not rise above its ends again.
  double rest_above(double x, double weight, double step) const {
    return 1.2 * (std::max(0.0, top - x) + 1.3 + step) / weight;
  }
};

/// All of the line.
struct Line {
  Normal normal;
  double step;
  double far_d;

  double first() const { return -infinite; }
  double near() const { return std::round(-normal.mu.hi / 2 / step); }
  double far() const { return std::ceil(far_d / step); }
  Node at(double k) const { return normal.at(k * step, step, 0); }
  Node beyond(double) const { return {}; }
  double rest_below(double k) const { return normal.rest_below(normal.x(k * step), step); }
  double rest_above(double k) const { return normal.rest_above(normal.x(k * step), step, step); }
};

/// Where the loss is positive.
struct HalfLine {
  Normal normal;
  double step;
  double far_d;
  double scale = std::min(1.0, 1 / normal.mu.hi);

  double first() const { return -infinite; }
  double near() const { return 0; }
  double far() const { return std::ceil(far_d / scale / step); }
  double d(double k) const { return scale * softplus(k * step); }
  double weight(double k) const { return scale * step * logistic(k * step); }
  Node at(double k) const { return normal.at(d(k), weight(k), d(k)); }
  Node beyond(double) const { return {}; }
  double rest_below(double k) const { return k * step < -3 ? 2.1 / step : infinite; }
  double rest_above(double k) const { return normal.rest_above(normal.x(d(k)), weight(k), scale * step); }
};

/// Noise on the whole numbers k with this sigma; `shift` is whole.
struct Lattice {
  double sigma, shift, whole, top, far_k;
  bool positive_only;
  DoubleDouble variance = two_product(sigma, sigma);

  double first() const { return positive_only ? std::floor(shift / 2) + 1 : -infinite; }
  double near() const { return std::max(0.0, first()); }
  double far() const { return std::max(std::ceil(far_k), first()); }
  Node at(double k) const {
    const DoubleDouble square = two_product(k, k) / variance;
    const DoubleDouble loss = two_product(shift, k - shift / 2) / variance;
    return {1 / whole, {-square.hi / 2, -square.lo / 2}, loss, -k / sigma, shift / sigma, 0};
  }
  Node beyond(double) const { return {}; }
  double rest_below(double k) const { return k < -4 * sigma ? 2.4 * sigma * sigma / -k : infinite; }
  double rest_above(double k) const { return 1.2 * (std::max(0.0, top - k) + 1.3 * sigma + 1); }
};

/// The density e^{-l/2 + log_scale} of losses l from `low` to `high`, under Q.
struct Interval {
  double low, high, log_scale, step;
  double width = high - low;

  double first() const { return -infinite; }
  double near() const { return 0; }
  double far() const { return std::max(0.0, std::round(width / step)); }
  // The difference of two softplus: how far from `low`, by symmetry also how far from `high`.
  double along(double y) const {
    if (width > 1) return softplus(y) - softplus(y - width);
    return std::log1p(-std::expm1(-width) / (std::exp(-y) + std::exp(-width)));
  }
  Node at(double k) const {
    const double y = k * step;
    const double loss = y < width / 2 ? low + along(y) : high - along(width - y);
    return at_loss(loss, width_at(y));
  }
  double width_at(double y) const { return step * -std::expm1(-width) * logistic(y) * logistic(width - y); }
  Node at_loss(double loss, double weight) const {
    return {weight, DoubleDouble{log_scale - loss / 2}, {loss}, -0.5, 1, loss};
  }
  // All that is left above, at the high end, once the weights fall.
  Node beyond(double k) const {
    const double y = k * step;
    return at_loss(high, y > width + 1 ? 1.5 * width_at(y) / step : infinite);
  }
  double rest_below(double k) const { return k * step < -3 ? 6 / step : infinite; }
  double rest_above(double k) const {
    const Node node = at(k);
    return 1.2 * (high - node.loss.hi + step) / node.weight;
  }
};

}  // namespace nodes
}  // namespace epsilometer
