#include "core/report/personal/realised_loss.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/double_double.h"
#include "core/numerics/normal.h"
#include "core/numerics/quick_sum.h"

namespace epsilometer {
namespace {

struct Dot {
  DoubleDouble value;
  double error;
};

// d products and sums in two doubles, the first of them exact; each sum is right to 2^-103 of the sizes so
// far, which are at most the sum of all sizes. Underflow of a product's low part costs 2^-1074.
Dot precise_dot(std::span<const double> x, std::span<const double> y) {
  DoubleDouble sum{0};
  double sizes = 0, terms = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 0 || y[i] == 0) continue;
    ++terms;
    const DoubleDouble product = two_product(x[i], y[i]);
    sum = sum + product;
    sizes += std::abs(product.hi);
  }
  if (terms == 0) return {sum, 0};
  return {sum, rounded_up((terms - 1) * 0x1p-101 * sizes + (terms + 1) * 0x1p-1073)};
}

Interval around(DoubleDouble value, double error) {
  return Interval(value.hi) + (Interval(value.lo) + Interval(-error, error));
}

// `found` is at u, in doubt by so much; the label as the loss takes it.
RecordSlope slope_near(const Loss& loss, const PreciseLossAt& found, double u, double doubt, double label,
                       double limit) {
  // What overflowed is beyond every limit.
  if (std::isinf(found.first.hi) && std::isfinite(limit)) return {std::copysign(limit, found.first.hi), 0};
  const Interval free = around(found.first, found.error + loss.drift(found, u, label, doubt));
  const auto kept = [limit](double first) { return std::clamp(first, -limit, limit); };
  const Interval first(kept(free.lower()), kept(free.upper()));
  if (absolute(free).lower() > limit) return {first, 0};
  const Bounds second = loss.second_near(found, u, label, doubt);
  return {first, {free.magnitude() > limit ? 0 : second.lower, second.upper}};
}

double interval_sigma(double sigma) { return in_range("sigma", sigma, 1e-100, 1e100); }

// What the noise may do to the loss, and what the record's own gradient does.
PublicBound assembled(Direction direction, Interval grown, std::optional<Interval> published,
                      Interval gradient_square, Interval noise, double sigma) {
  const Interval own = gradient_square / (Interval(2) * square(Interval(sigma)));
  const Interval outside = larger(own, grown - own);
  const Interval worst = noise + (direction == Direction::remove ? grown + own : outside);
  PublicBound bound{worst.upper(), {}};
  if (published) bound.paper = (*published + own + noise).upper();
  return bound;
}

// -log(1 - ratio) for ratios below 1.
std::optional<Interval> published_determinant(Interval ratio) {
  if (!(ratio.upper() < 1)) return std::nullopt;
  return -log_one_plus(-ratio);
}

Interval sizes(std::span<const double> values) {
  Interval sum = 0;
  for (const double value : values) sum = sum + Interval(std::abs(value));
  return sum;
}

// sqrt(2 log(2 d / failure)) bounds all d entries of standard normal noise together.
Interval uniform_quantile(std::size_t dimension, double failure) {
  const double tail =
      rounded_up(std::log(2 * static_cast<double>(dimension) / in_range("failure", failure, 1e-300, 1)));
  return square_root(Interval(2) * Interval(tail));
}

}  // namespace

Interval dot(std::span<const double> x, std::span<const double> y) {
  const Dot found = precise_dot(x, y);
  return around(found.value, found.error);
}

double upper_quantile(double p) {
  in_range("failure", p, 1e-300, 0.5);
  double t = std::max(0.0, normal_upper_quantile(p));
  while (rounded_up(normal_upper_tail({t})) > p) t += 2 * unit_roundoff * (1 + t);
  return t;
}

Interval quantile(double p) {
  const double most = upper_quantile(p);
  double least = most;
  while (least > 0 && rounded_down(normal_upper_tail({least})) < p) least -= 2 * unit_roundoff * (1 + least);
  return {least, most};
}

double length_quantile(std::size_t dimension, double failure) {
  return rounded_up(std::sqrt(static_cast<double>(dimension)) + upper_quantile(failure));
}

RecordSlope slope_at(const Loss& loss, std::span<const double> record, double label,
                     std::span<const double> coefficients, double limit) {
  const auto [u, doubt] = precise_dot(record, coefficients);
  const double bounded = loss.label(label);
  return slope_near(loss, loss.at(u, bounded), u.hi, doubt, bounded, limit);
}

RecordSlope quick_slope_at(const Loss& loss, Interval u, double label, double limit) {
  const double middle = u.lower() + (u.upper() - u.lower()) / 2;
  const double doubt = rounded_up(std::max(u.upper() - middle, middle - u.lower()));
  const double bounded = loss.label(label);
  return slope_near(loss, loss.quick_at(middle, bounded), middle, doubt, bounded, limit);
}

Interval realised_objective_loss(Direction direction, Interval determinant, Interval square, Interval pull,
                                 double sigma) {
  const Interval variance = epsilometer::square(Interval(interval_sigma(sigma)));
  const Interval own = square / (Interval(2) * variance), noise = pull / variance;
  return determinant + own + (direction == Direction::remove ? -noise : noise);
}

Interval RecordAtMinimum::determinant(Direction direction) const {
  const Interval share = slope.second * leverage, grown = direction == Direction::remove ? -share : share;
  return -log_one_plus(Interval(std::max(-1.0, grown.lower()), grown.upper()));
}

Interval realised_objective_loss(Direction direction, const RecordAtMinimum& record, double sigma) {
  const Interval first = record.slope.first;
  return realised_objective_loss(direction, record.determinant(direction), square(first) * record.square,
                                 first * record.pull, sigma);
}

Interval log_determinant(std::span<const double> matrix, std::size_t dimension, double error) {
  const auto factor = Cholesky::of(matrix, dimension);
  if (!factor) return {-Interval::infinity, Interval::infinity};
  // The factor is that of a matrix no further away than `far`; each eigenvalue moves by at most that.
  const double far = rounded_up(error + cholesky_error(trace(matrix, dimension), dimension));
  const double floor = smallest_eigenvalue(matrix, dimension).lower - 2 * far;
  if (!(floor > 0)) return {-Interval::infinity, Interval::infinity};
  Interval sum = 0;
  for (std::size_t row = 0; row < dimension; ++row) {
    const double log = std::log(factor->factor()[row * (row + 3) / 2]);
    sum = sum + Interval::around(2 * log, 2 * rounding_margin * std::abs(log));
  }
  // |log det A - log det B| <= sum |eigenvalue differences| / floor <= sqrt(d) |A - B|_F / floor.
  return sum + Interval::around(0, rounded_up(std::sqrt(static_cast<double>(dimension)) * far / floor));
}

Interval realised_gaussian_loss(std::span<const double> moved, std::span<const double> noise, double sigma) {
  const Interval variance = square(Interval(interval_sigma(sigma)));
  return (dot(moved, moved) / Interval(2) - dot(moved, noise)) / variance;
}

// Of the table without: (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2.
Interval realised_posterior_loss(Direction direction, Interval leverage, Interval residual, Interval error) {
  const Interval without =
      (square(error) - square(residual) / (Interval(1) + leverage) - log_one_plus(leverage)) / Interval(2);
  return direction == Direction::add ? without : -without;
}

double Audience::share_of(double failure) const {
  return kind == Kind::fixed ? failure / in_range("records", records, 1, 1e18) : failure;
}

PublicBound public_objective_bound(Direction direction, const RecordSlope& slope,
                                   std::span<const double> record, double lambda, double sigma,
                                   double failure, Audience audience) {
  interval_sigma(sigma);
  const Interval norm_square = larger(dot(record, record), 0),
                 ratio = slope.second * norm_square / Interval(in_range("lambda", lambda, 1e-100, 1e100));
  Interval noise = 0;
  if (audience.kind == Audience::Kind::all) {
    noise = sizes(record) * uniform_quantile(record.size(), failure);
  } else {
    noise = square_root(norm_square) * Interval(upper_quantile(audience.share_of(failure) / 2));
  }
  return assembled(direction, log_one_plus(ratio), published_determinant(ratio),
                   square(slope.first) * norm_square, absolute(slope.first) * noise / Interval(sigma), sigma);
}

PublicBound public_objective_bound(Direction direction, std::span<const double> gradient,
                                   std::span<const double> curvatures, double lambda, double sigma,
                                   double failure) {
  interval_sigma(sigma), in_range("lambda", lambda, 1e-100, 1e100);
  Interval grown = 0;
  std::optional<Interval> published = Interval(0);
  for (const double curvature : curvatures) {
    const Interval ratio = Interval(in_range("curvature", curvature, 0, 1e100)) / Interval(lambda);
    const auto one = published_determinant(ratio);
    grown = grown + log_one_plus(ratio);
    published = published && one ? std::optional(*published + *one) : std::nullopt;
  }
  const Interval noise = sizes(gradient) * uniform_quantile(gradient.size(), failure) / Interval(sigma);
  return assembled(direction, grown, published, dot(gradient, gradient), noise, sigma);
}

}  // namespace epsilometer
