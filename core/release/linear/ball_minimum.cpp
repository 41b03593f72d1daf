#include "core/release/linear/ball_minimum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"

namespace epsilometer {
namespace {

// A sixteenth of what is left each time.
constexpr int refinements = 24;
constexpr int most_halvings = 110;

std::vector<DoubleDouble> precise(const IntegerSum& sums, int exponent) {
  std::vector<DoubleDouble> all(sums.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = epsilometer::precise(sums.wide_value(i), exponent);
  return all;
}

DoubleDouble inner(const std::vector<DoubleDouble>& a, const std::vector<DoubleDouble>& b) {
  DoubleDouble sum{0};
  for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
  return sum;
}

std::vector<double> highs(const std::vector<DoubleDouble>& x) {
  std::vector<double> all(x.size());
  std::transform(x.begin(), x.end(), all.begin(), [](DoubleDouble one) { return one.hi; });
  return all;
}

}  // namespace

PreciseQuadratic::PreciseQuadratic(const LinearStatistics& statistics, double lambda) : lambda_(lambda) {
  const int x = statistics.bounds().features_exponent(), y = statistics.bounds().label_exponent();
  gram_ = precise(statistics.gram(2 * x), 2 * x);
  cross_ = precise(statistics.cross(x + y), x + y);
  rounded_ = highs(gram_);
}

std::vector<DoubleDouble> PreciseQuadratic::residual(const std::vector<DoubleDouble>& x, double shift) const {
  std::vector<DoubleDouble> rest = cross_;
  for (std::size_t row = 0, place = 0; row < x.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column, ++place) {
      rest[row] = rest[row] - gram_[place] * x[column];
      rest[column] = rest[column] - gram_[place] * x[row];
    }
    rest[row] = rest[row] - (gram_[place++] + DoubleDouble{shift}) * x[row];
  }
  return rest;
}

// b.x and x^T H x from the residual b - H x: x.(b + r) = 2 b.x - x^T H x.
DoubleDouble PreciseQuadratic::value(const std::vector<DoubleDouble>& x) const {
  const DoubleDouble twice = inner(x, cross_) + inner(x, residual(x, lambda_));
  return {-twice.hi / 2, -twice.lo / 2};
}

DoubleDouble PreciseQuadratic::value(std::span<const double> x) const {
  std::vector<DoubleDouble> wide(x.size());
  std::transform(x.begin(), x.end(), wide.begin(), [](double one) { return DoubleDouble{one}; });
  return value(wide);
}

PreciseQuadratic::Solution PreciseQuadratic::solved(double shift) const {
  const auto factor = Cholesky::of(rounded_, dimension(), shift);
  if (!factor)
    throw Refusal("unreachable", "coefficients", "none",
                  "cannot be computed for this table in doubles; the budget is spent");
  std::vector<DoubleDouble> x(dimension());
  double before = HUGE_VAL;
  for (int i = 0; i < refinements; ++i) {
    const std::vector<double> rest = highs(residual(x, shift)), step = factor->solve(rest);
    const double size = std::sqrt(std::inner_product(rest.begin(), rest.end(), rest.begin(), 0.0));
    if (!(size < before / 2)) break;
    before = size;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = x[j] + DoubleDouble{step[j]};
  }
  const double length = square_root(inner(x, x)).hi;
  return {std::move(x), length};
}

// By duality, for s = lambda + nu and any x with residual r = b - (G + s I) x, no value on the ball is below
// value(x) + nu (|x|^2 - radius^2) / 2 - |r|^2 / 2s.
PreciseQuadratic::Minimum PreciseQuadratic::certified(std::vector<DoubleDouble> x, double shift,
                                                      double radius) const {
  const std::vector<double> rest = highs(residual(x, shift));
  double gap = std::inner_product(rest.begin(), rest.end(), rest.begin(), 0.0) / (2 * shift);
  if (shift > lambda_) {
    const DoubleDouble inside = two_product(radius, radius) - inner(x, x);
    gap += (shift - lambda_) / 2 * std::abs(inside.hi);
  }
  return {value(x), gap * (1 + 0x1p-20)};
}

PreciseQuadratic::Minimum PreciseQuadratic::least(double radius) const {
  Solution found = solved(lambda_);
  if (found.length <= radius) return certified(std::move(found.x), lambda_, radius);
  // |x| <= |b| / (lambda + nu).
  double below = lambda_, above = lambda_ + square_root(inner(cross_, cross_)).hi / radius * (1 + 0x1p-40);
  double shift = above;
  for (int i = 0; i < most_halvings && std::abs(found.length - radius) > 0x1p-46 * radius; ++i) {
    shift = below + (above - below) / 2;
    found = solved(shift);
    (found.length > radius ? below : above) = shift;
  }
  const DoubleDouble factor = DoubleDouble{radius} / square_root(inner(found.x, found.x));
  for (DoubleDouble& one : found.x) one = one * factor;
  return certified(std::move(found.x), shift, radius);
}

double least_certified_lambda(std::size_t dimension, const LinearBounds& bounds) {
  const double trace = most_records * bounds.features * bounds.features;
  return 3 * 64 * cholesky_error(trace, dimension) * 1.02;
}

}  // namespace epsilometer
