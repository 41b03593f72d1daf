#include "core/loss/objective_levels.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <vector>

#include "core/loss/gaussian_loss.h"
#include "core/numerics/normal.h"
#include "core/numerics/supremum.h"

namespace epsilometer {
namespace {

// The normal density beyond is below the smallest double.
constexpr double farthest_density = 39;

// Of two factors that are not negative.
Range product(Range a, Range b) { return {a.low * b.low, a.high * b.high}; }

Range density(double from, double to) {
  const double a = normal_density({from}), b = normal_density({to});
  return {std::min(a, b), from < 0 && to > 0 ? normal_density({0}) : std::max(a, b)};
}

// A point of a one-parameter family of maps: its parameter; the abscissa in which it is measured, monotone in
// the parameter; its delta; and what the family wants to keep.
struct Point {
  double parameter, abscissa;
  Value value;
  double start = 0, root = 0, end = 0, peaks = 0;
};

// What all families share.
struct Parameters : ObjectiveLevels::Numbers {
  Value gaussian_delta() const {
    return {(gaussian.lower + gaussian.upper) / 2, (gaussian.upper - gaussian.lower) / 2};
  }

  // Phi(-w) - e^epsilon Phi(-w-h), given 1 - e^epsilon phi(w+h)/phi(w). The place w is right to a few ulp of
  // `reach`.
  Value beyond(double w, double h, double excess, double reach) const {
    const double moved = w + h, low = std::min(w, moved), high = std::max(w, moved), width = std::abs(h);
    const double sign = h < 0 ? -1 : 1;
    const double own = normal_density({w});
    double parts[3] = {};
    if (low >= -1) {
      parts[0] = own * sign * mills_difference(low, width);
      parts[1] = own * excess * mills_ratio(moved);
    } else if (high <= 1) {
      parts[0] = own * sign * mills_difference(-high, width);
      parts[1] = -own * excess * mills_ratio(-moved);
      parts[2] = -std::expm1(epsilon);
    } else {
      parts[0] = normal_upper_tail({w});
      parts[1] = -own * (1 - excess) *
                 (moved > -1 ? mills_ratio(moved) : normal_upper_tail({moved}) / normal_density({moved}));
    }
    const double relative =
        unit_roundoff * (64 + 6 * std::abs(w) * (std::abs(w) + std::abs(reach)) + 4 * epsilon);
    return {parts[0] + parts[1] + parts[2],
            relative * (std::abs(parts[0]) + std::abs(parts[1]) + std::abs(parts[2]))};
  }

  // 1 - e^epsilon phi(w+h)/phi(w).
  double excess(double w, double h) const { return -std::expm1(epsilon - h * (w + h / 2)); }

  // Whether the ratio at w, moved by the whole slope, is that of epsilon or larger.
  bool counts(double w, double threshold) const { return slope * (w + slope / 2) >= threshold; }

  // The w < y at which h = c (y - w) begins to gain, and the w > y at which it ends: w h + h^2/2 = E.
  double first_root(double y) const {
    const double m = share * y, a = (1 - share) * m;
    return (2 * level - m * m) / (a + root_of(m));
  }
  double last_root(double y) const {
    const double m = share * y;
    return ((1 - share) * m + root_of(m)) / (share * (2 - share));
  }
  double root_of(double m) const { return std::sqrt(std::max(0.0, m * m - 2 * level * share * (2 - share))); }

  // The normal probability between two places.
  Value mass(double from, double to) const {
    if (to <= 0) return mass(-to, -from);
    if (from < 0) return mass(0, -from) + mass(0, to);
    const double width = to - from, fallen = -std::expm1(-width * (from + width / 2));
    const double value = normal_density({from}) * (mills_difference(from, width) + fallen * mills_ratio(to));
    return {value, unit_roundoff * (64 + 6 * from * (from + to)) * value};
  }

  // What is gained from the left of a map with the record that comes down from s at `start` with slope -c.
  Value from_left(const Point& point) const {
    if (counts(point.start, epsilon)) return gaussian_delta();
    if (point.start >= point.root)
      return beyond(point.start, slope, excess(point.start, slope), point.abscissa);
    const double w = point.root, way = w * w + 2 * level;
    double height = share * (point.abscissa - w);
    if (level > 0) height = w < 0 ? std::sqrt(way) - w : 2 * level / (w + std::sqrt(way));
    return beyond(w, height, -kappa, w);
  }

  // Its slope in y.
  Range slopes_of_left(const Point& left, const Point& right) const {
    const Range rooted = product({kappa, kappa}, density(right.root, left.root));
    const auto rate = [this](double w) {
      return std::max(0.0, std::expm1(std::min(log_growth, epsilon - slope * (w + slope / 2))));
    };
    const Range whole = product({rate(right.start), rate(left.start)}, density(left.start, right.start));
    if (right.start < right.root) return rooted;
    return left.start >= left.root ? whole : hull(rooted, whole);
  }
};

// Without the record: the ramps that pass 0 at z and at -z.
class RampMaps {
 public:
  explicit RampMaps(const Parameters& parameters) : given_(parameters) {}

  Point at(double z) const { return {z, z, delta(z) + delta(-z)}; }
  Point between(const Point& a, const Point& b) const { return at((a.abscissa + b.abscissa) / 2); }
  Range slopes(const Point& left, const Point& right) const {
    return fall(-right.abscissa, -left.abscissa) - fall(left.abscissa, right.abscissa);
  }

 private:
  double end(double z) const { return z + given_.slope / given_.kappa; }

  // How far beyond z the ramp begins to gain.
  double way(double z) const {
    const double k = given_.kappa, a = k + k * k / 2, b = k * z, c = given_.epsilon + given_.log_growth;
    const double root = std::sqrt(b * b + 4 * a * c);
    return b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
  }

  Value delta(double z) const {
    const double w = end(z), s = given_.slope;
    if (given_.counts(w, given_.epsilon + given_.log_growth)) {
      const double u = way(z);
      return given_.beyond(z + u, given_.kappa * u, given_.share, std::abs(z) + u);
    }
    if (!given_.counts(w, given_.epsilon)) return given_.gaussian_delta();
    return given_.beyond(w, s, given_.excess(w, s), std::abs(z) + s / given_.kappa);
  }

  // The range of -F' over an interval.
  Range fall(double from, double to) const {
    const double s = given_.slope, first = end(from), last = end(to);
    const double threshold = given_.epsilon + given_.log_growth;
    const auto gaining = [&](double low) {
      return product({given_.share, given_.share}, density(low, to + way(to)));
    };
    if (given_.counts(first, threshold)) return gaining(from + way(from));
    const auto rate = [&](double w) {
      return -std::expm1(std::clamp(given_.epsilon - s * (w + s / 2), -given_.log_growth, 0.0));
    };
    const Range whole = product({rate(first), rate(last)}, density(first, last));
    return given_.counts(last, threshold) ? hull(whole, gaining(first)) : whole;
  }

  const Parameters& given_;
};

// With the record, E <= 0: the maps of one y.
class ConstantOffsetMaps {
 public:
  ConstantOffsetMaps(const Parameters& parameters, bool one_signed)
      : given_(parameters), one_signed_(one_signed) {}

  Point at(double y) const {
    const double way = given_.slope / given_.share;
    Point point{y, y, {}, y - way, given_.first_root(y), one_signed_ ? y : y + way};
    point.value = given_.from_left(point) - rest(point);
    if (!gains_throughout(point)) return point;
    const Value other = throughout(point);
    if (other.doubt < point.value.doubt) point.value = other;
    return point;
  }
  Point between(const Point& a, const Point& b) const { return at((a.abscissa + b.abscissa) / 2); }

  Range slopes(const Point& left, const Point& right) const {
    const Range range = given_.slopes_of_left(left, right) - slopes_of_right(left, right);
    if (!gains_throughout(left) || !gains_throughout(right)) return range;
    const Range other = slopes_throughout(left, right);
    return {std::max(range.low, other.low), std::min(range.high, other.high)};
  }

 private:
  // A small s against kappa: the map gains wherever it comes down, and nowhere else. Then delta is also a
  // difference of two masses near y, and its slope of two differences of densities, which cancel less.
  bool gains_throughout(const Point& point) const {
    return point.start >= point.root && point.end <= given_.last_root(point.abscissa) &&
           !given_.counts(point.start, given_.epsilon);
  }
  double after() const { return one_signed_ ? 0 : given_.slope / given_.kappa; }
  Value throughout(const Point& point) const {
    const double grown = std::exp(given_.epsilon), y = point.abscissa;
    const Value other = given_.mass(y - given_.slope / given_.kappa, y + after());
    return given_.mass(point.start, point.end) - Value{grown * other.number, grown * other.doubt};
  }
  Range slopes_throughout(const Point& left, const Point& right) const {
    const Range common = density(left.abscissa, right.abscissa);
    // phi(y - before) - phi(y + after), divided by phi(y).
    const auto step = [&](double before, double after, double scale) {
      const auto at = [=](double y) {
        return scale * (std::expm1(before * (y - before / 2)) - std::expm1(-after * (y + after / 2)));
      };
      const double low = at(left.abscissa), high = at(right.abscissa);
      return Range{low * (low < 0 ? common.high : common.low), high * (high < 0 ? common.low : common.high)};
    };
    const double before = given_.slope / given_.share;
    return step(given_.slope / given_.kappa, after(), std::exp(given_.epsilon)) -
           step(before, one_signed_ ? 0 : before, 1);
  }

  // What is not gained on the right, where the map has stopped or has gone too far.
  Value rest(const Point& point) const {
    const double w = point.end, y = point.abscissa;
    if (one_signed_) return given_.beyond(w, 0, -std::expm1(given_.epsilon), y);
    const double last = given_.last_root(y);
    if (w <= last) return given_.beyond(w, -given_.slope, given_.excess(w, -given_.slope), y);
    return given_.beyond(last,
                         2 * given_.level / (last + std::sqrt(std::max(0.0, last * last + 2 * given_.level))),
                         -given_.kappa, last);
  }

  Range slopes_of_right(const Point& left, const Point& right) const {
    const double s = given_.slope, grown = std::expm1(given_.epsilon);
    if (one_signed_) return product({grown, grown}, density(left.end, right.end));
    const double first = given_.last_root(left.abscissa), last = given_.last_root(right.abscissa);
    const Range rooted = product({given_.kappa, given_.kappa}, density(first, last));
    const auto rate = [&](double w) {
      return std::max(0.0, std::expm1(std::min(given_.log_growth, given_.epsilon + s * (w - s / 2))));
    };
    const Range whole = product({rate(left.end), rate(right.end)}, density(left.end, right.end));
    if (left.end > first && right.end > last) return rooted;
    return left.end <= first && right.end <= last ? whole : hull(rooted, whole);
  }

  const Parameters& given_;
  bool one_signed_;
};

// With the record, E > 0: the maps that follow the peaks up to the height of l, and keep its y.
class PeakMaps {
 public:
  explicit PeakMaps(const Parameters& parameters) : given_(parameters) {}

  double abscissa(double l) const { return std::sqrt(2 * (given_.level + l) / std::expm1(2 * l)); }
  double height(double l) const { return abscissa(l) * std::expm1(l); }

  // The last l at which the peaks fall, and with them the places at which a map can follow.
  double turn() const {
    return bisect(0, given_.log_growth, [this](double l) {
      return (given_.level + l) * -std::expm1(l - given_.log_growth) >=
             std::sinh(l) * (std::expm1(l) + given_.share);
    });
  }
  double of_height(double eta) const {
    return bisect(0, given_.log_growth, [this, eta](double l) { return height(l) <= eta; });
  }
  double of_place(double w, double high) const {
    return bisect(0, high, [this, w](double l) { return abscissa(l) >= w; });
  }

  Point at(double l, double peaks) const {
    const double w = abscissa(l), eta = w * std::expm1(l), y = w + eta / given_.share;
    Point point{l, y, {}, w + (eta - given_.slope) / given_.share, given_.first_root(y), w, peaks};
    point.value = given_.from_left(point) - given_.beyond(w, eta, -std::expm1(given_.log_growth - l), w) +
                  Value{peaks, peaks * (2 * rounding_margin + unit_roundoff * (640 + 8 * w * w))};
    return point;
  }
  Point between(const Point& a, const Point& b) const {
    const double low = a.parameter, high = b.parameter;
    const double l = high > 2 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
    return at(l, a.peaks + sum(low, l));
  }
  Range slopes(const Point& left, const Point& right) const {
    const auto short_of = [this](const Point& point) {
      return std::expm1(given_.log_growth - point.parameter);
    };
    const double near = normal_density({left.end}), away = normal_density({right.end});
    return given_.slopes_of_left(left, right) - Range{away * short_of(left), near * short_of(right)};
  }

  // The integral of K at its peak over the heights between two l; panels on which the logarithm of the
  // integrand moves by a few units and that are no longer than their distance from its singularities, 20
  // points each.
  double sum(double low, double high) const {
    using Rule = boost::math::quadrature::gauss<double, 20>;
    const auto along = [this](double l) { return density_of(l); };
    double total = 0;
    for (double last = 1; high > low && last > 1e-17 * total;) {
      const double exponent = (given_.level + high) / std::expm1(2 * high);
      const double next = std::max(low, high - std::min(1.0, high / (2.5 + exponent / 2)));
      total += last = Rule::integrate(along, next, high);
      high = next;
    }
    return total;
  }

 private:
  // K d eta / d l.
  double density_of(double l) const {
    const double square = given_.level + l, t = std::tanh(l / 2);
    const double rate = (t + square * (1 - t) * (1 + t) / 2) / std::sqrt(t / 2);
    return std::exp(-square / std::expm1(2 * l)) / 2.5066282746310002 * -std::expm1(-l) / given_.share *
           rate / (2 * std::sqrt(square));
  }

  // The last argument at which it holds.
  template <class Holds>
  static double bisect(double low, double high, const Holds& holds) {
    for (int i = 0; i < 1200; ++i) {
      const double middle =
          low > 0 && high > 2 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (holds(middle) ? low : high) = middle;
    }
    return low;
  }

  const Parameters& given_;
};

Bounds larger(Bounds a, Bounds b) { return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)}; }

}  // namespace

ObjectiveLevels::ObjectiveLevels(double epsilon, DoubleDouble slope, double kappa, DoubleDouble log_growth,
                                 double narrow)
    : numbers_{epsilon,       (DoubleDouble{epsilon} - log_growth).hi, slope.hi, kappa, kappa / (1 + kappa),
               log_growth.hi, GaussianLoss(slope).delta(epsilon)},
      narrow_(narrow) {}

Bounds ObjectiveLevels::adding(bool one_signed) const {
  const Parameters parameters{numbers_};
  const Bounds gaussian = parameters.gaussian;
  if (one_signed) return gaussian;
  // From this z on, the ramp at -z gains no more, and the one at z less and less.
  const double s = parameters.slope, last = s / parameters.kappa - parameters.epsilon / s + s / 2;
  if (last <= 0) return {2 * gaussian.lower, std::min(1.0, 2 * gaussian.upper)};
  const RampMaps ramps(parameters);
  return larger(gaussian, supremum(ramps, ramps.at(0), ramps.at(std::min(last, farthest_density)), narrow_));
}

Bounds ObjectiveLevels::removing(bool one_signed) const {
  const Parameters parameters{numbers_};
  // What is left out beyond `farthest_density` is no more than the Gaussian delta.
  if (parameters.level <= 0) {
    const ConstantOffsetMaps falls(parameters, one_signed);
    return larger(parameters.gaussian, supremum(falls, falls.at(0), falls.at(farthest_density), narrow_));
  }
  const PeakMaps peaks(parameters);
  const double turn = peaks.turn();
  if (peaks.height(turn) >= parameters.slope) {
    const double last = peaks.of_height(parameters.slope), w = peaks.abscissa(last);
    return larger(parameters.gaussian, probability(peaks.sum(0, last), unit_roundoff * (768 + 8 * w * w)));
  }
  if (peaks.abscissa(turn) >= farthest_density) return parameters.gaussian;
  const double start = peaks.of_place(farthest_density, turn);
  return larger(parameters.gaussian,
                supremum(peaks, peaks.at(start, 0), peaks.at(turn, peaks.sum(start, turn)), narrow_));
}

}  // namespace epsilometer
