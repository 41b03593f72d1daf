// Given m, delta is P(S) - e^epsilon Q(S) of the set S where the loss is above epsilon: outside two roots
// where P is the wider law N(m, a^2), a = 1 + mu, between them where it is N(0, 1). It is even in m and grows
// with |m|: its derivative there is the difference of P's densities at the roots, and the vertex between
// them, -m / (a^2 - 1), lies left of both centres. So delta grows with the size of m's mean and with its
// variance.
//
// The average over m: linear interpolation of delta between knots, integrated exactly against the law of |m|.
// A function whose derivative moves by at most `swing` within a cell is within swing * width / 4 of its
// chord. That derivative is the difference of two densities at the roots, each monotone between its top and
// the knots: the roots, in deviations of P, move one way with m, but for the right one of the narrow law,
// which turns at m^2 = 2 (log a - epsilon); and S is empty up to m^2 = 2 (a^2 - 1) (epsilon - log a).
#include "core/report/personal/ridge_objective_loss.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// Of m on either side of its mean: beyond lies less than 1e-40.
constexpr double side = 13.5;
constexpr std::size_t cells = 4096;
constexpr double top = 0.3989422804014327;

double density(double z) { return top * std::exp(-z * z / 2); }

struct RidgeRoots {
  bool empty;
  /// In deviations of P from its mean.
  double left, right;
};

struct Point {
  RidgeRoots roots;
  double delta, error;
};

/// One direction at one epsilon and one width.
class Conditional {
 public:
  Conditional(Direction direction, double epsilon, double leverage)
      : wide_(direction == Direction::add),
        epsilon_(epsilon),
        a_(1 + leverage),
        squeeze_(leverage * (2 + leverage)),
        log_(std::log1p(leverage)) {}

  // Where pieces begin.
  std::vector<double> seams() const {
    if (wide_) return {};
    const double over = epsilon_ - log_;
    return {over > 0 ? std::sqrt(2 * squeeze_ * over) : std::sqrt(-2 * over)};
  }

  Point at(double m) const {
    const double constant = (wide_ ? -epsilon_ : epsilon_) - log_ - m * m / (2 * a_ * a_);
    const double square = squeeze_ / (2 * a_ * a_), linear = m / (a_ * a_);
    const double inside = linear * linear - 4 * square * constant;
    if (!(inside > 0)) return {{true, 0, 0}, 0, 0};
    const double q = -(linear + std::sqrt(inside)) / 2, left = q / square, right = constant / q;
    return wide_ ? outside(m, left, right) : between(m, left, right);
  }

 private:
  static double tail(double z) { return normal_upper_tail({z}); }
  // What arguments with a few roundings of their parts make of a tail or a density.
  static double rounding(double z, double part) {
    return (rounding_margin + 16 * unit_roundoff * (1 + std::abs(z)) * (1 + part));
  }

  Point finished(RidgeRoots roots, double p, double q, double argument, double part) const {
    const double weighted = q > 0 ? std::exp(epsilon_ + std::log(q)) : 0;
    const double error = (p + weighted) * rounding(argument, part) + weighted * epsilon_ * 8 * unit_roundoff;
    return {roots, std::max(0.0, p - weighted), error};
  }

  Point outside(double m, double left, double right) const {
    const RidgeRoots roots{false, (left - m) / a_, (right - m) / a_};
    const double p = tail(-roots.left) + tail(roots.right), q = tail(-left) + tail(right);
    return finished(roots, p, q, std::max(std::abs(right), std::abs(roots.right)),
                    std::max({std::abs(m), std::abs(right), std::abs(left)}));
  }

  static double mass(double from, double to) {
    return from > 0 ? tail(from) - tail(to) : to < 0 ? tail(-to) - tail(-from) : 1 - tail(-from) - tail(to);
  }

  Point between(double m, double left, double right) const {
    const double p = mass(left, right), q = mass((left - m) / a_, (right - m) / a_);
    Point found = finished({false, left, right}, p, q, std::max(std::abs(left), std::abs(right)),
                           std::max({std::abs(m), std::abs(right), std::abs(left)}));
    // Differences of tails cancel in a narrow set.
    const double largest = std::max(tail(std::min(std::abs(left), std::abs(right))), p);
    found.error += 2 * rounding_margin * largest;
    return found;
  }

  bool wide_;
  double epsilon_, a_, squeeze_, log_;
};

double swing(double from, double to) {
  const double here = density(from), there = density(to);
  return from * to < 0 ? top - std::min(here, there) : std::abs(here - there);
}

double swing(const Point& from, const Point& to) {
  if (from.roots.empty && to.roots.empty) return 0;
  // Where S begins both roots are one, which lies between those of any later m.
  if (from.roots.empty) return 2 * swing(to.roots.left, to.roots.right);
  if (to.roots.empty) return 2 * swing(from.roots.left, from.roots.right);
  return swing(from.roots.left, to.roots.left) + swing(from.roots.right, to.roots.right);
}

std::vector<double> knots_between(double from, double to, const std::vector<double>& seams) {
  std::vector<double> knots;
  for (std::size_t i = 0; i <= cells; ++i)
    knots.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(cells));
  for (const double seam : seams)
    if (seam > from && seam < to) knots.insert(std::upper_bound(knots.begin(), knots.end(), seam), seam);
  return knots;
}

/// Of delta over the law of |m|: that of m, folded.
class FoldedAverage {
 public:
  FoldedAverage(double mean, double deviation) : mean_(mean), deviation_(deviation) {}

  void add(double from, const Point& before, double to, const Point& after) {
    add(mean_, from, before, to, after);
    add(-mean_, from, before, to, after);
  }

  Bounds bounds() const {
    return {std::max(0.0, sum_ * (1 - 1e-12) - error_), std::min(1.0, sum_ * (1 + 1e-12) + error_)};
  }

 private:
  void add(double centre, double from, const Point& before, double to, const Point& after) {
    const double low = (from - centre) / deviation_, high = (to - centre) / deviation_, width = to - from;
    const double mass = low > 0 ? normal_upper_tail({low}) - normal_upper_tail({high})
                                : normal_upper_tail({-high}) - normal_upper_tail({-low});
    if (!(mass > 0)) return;
    const double along = deviation_ * (density(low) - density(high)) / mass + centre - from;
    const double share = std::clamp(along / width, 0.0, 1.0);
    sum_ += mass * (before.delta * (1 - share) + after.delta * share);
    error_ += mass * (swing(before, after) * width / 4 + before.error + after.error);
    // Masses and first moments are differences of numbers of that size.
    const double size = density(std::min(std::abs(low), std::abs(high)));
    error_ += 1e-15 * (1 + low * low + high * high) * size * (1 + deviation_ / width) *
              std::max(before.delta, after.delta);
  }

  double mean_, deviation_, sum_ = 0;
  // What is beyond the last knot.
  double error_ = 1e-39;
};

}  // namespace

RidgeObjectiveLoss::RidgeObjectiveLoss(const RecordInfluence& influence, double sigma)
    : leverage_(influence.without.leverage), mean_(0), variance_(0) {
  in_range("leverage", leverage_.upper(), 0, 1e6);
  in_range("residual", influence.without.residual.magnitude(), 0, 1e100);
  const Interval noise(in_range("sigma", sigma, 1e-100, 1e100));
  mean_ = square_root(influence.square) * absolute(influence.without.residual) / noise;
  variance_ = larger(influence.square * influence.without.squared_solution - square(leverage_), 0);
  in_range("residual", mean_.upper(), 0, 1e6);
}

Bounds RidgeObjectiveLoss::at(Direction direction, double epsilon, double mean, double variance) const {
  const double leverage = leverage_.lower() + (leverage_.upper() - leverage_.lower()) / 2;
  const Conditional conditional(direction, epsilon, leverage);
  const double deviation = std::sqrt(variance);
  if (deviation < 1e-12 * (1 + mean)) {
    // The law of m is a point, or nearly: delta moves by less than half of what m does.
    const Point point = conditional.at(mean);
    const double off = point.error + deviation;
    return {std::max(0.0, point.delta - off), point.delta + off + 1e-300};
  }
  const std::vector<double> knots =
      knots_between(std::max(0.0, mean - side * deviation), mean + side * deviation, conditional.seams());
  FoldedAverage average(mean, deviation);
  Point before = conditional.at(knots.front());
  for (std::size_t i = 1; i < knots.size(); ++i) {
    const Point after = conditional.at(knots[i]);
    average.add(knots[i - 1], before, knots[i], after);
    before = after;
  }
  return average.bounds();
}

Bounds RidgeObjectiveLoss::delta(Direction direction, double epsilon) const {
  in_range("epsilon", epsilon, 0, 1e6);
  if (leverage_.is_zero()) return {0, 0};
  const Bounds least = at(direction, epsilon, mean_.lower(), variance_.lower()),
               most = at(direction, epsilon, mean_.upper(), variance_.upper());
  // |d delta / d a| <= E_P |z^2 - 1| / a over S, z the deviations of the wide law: at most (2 + m^2) / a.
  const double doubt = (leverage_.upper() - leverage_.lower()) *
                       (2 + mean_.upper() * mean_.upper() + variance_.upper()) / (1 + leverage_.lower());
  return {std::max(0.0, rounded_down(least.lower - doubt)), std::min(1.0, rounded_up(most.upper + doubt))};
}

Bounds RidgeObjectiveLoss::delta(double epsilon) const {
  const Bounds adding = delta(Direction::add, std::abs(epsilon)),
               removing = delta(Direction::remove, std::abs(epsilon));
  const Bounds worse{std::max(adding.lower, removing.lower), std::max(adding.upper, removing.upper)};
  if (epsilon >= 0) return worse;
  return mirrored(worse, epsilon);
}

}  // namespace epsilometer
