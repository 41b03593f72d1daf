#include "core/report/published/privacy_report_bound.h"

#include <cmath>

#include "core/numerics/cholesky.h"

namespace epsilometer {
namespace {

Interval at_least_zero(Interval a) { return {std::max(0.0, a.lower()), std::max(0.0, a.upper())}; }

// log det of the larger table's Hessian less that of the smaller one's, at most. With her, H >= (lambda I +
// f'' x x^T), so that 1 - f'' x^T H^{-1} x = 1 / (1 + f'' |x|^2 / lambda) at least.
double determinant(Direction direction, const RecordSlope& slope, Interval square, const Evidence& evidence) {
  const double second = slope.second.upper();
  const double cap =
      log_one_plus(at_least_zero(Interval(second) * square / Interval(evidence.lambda))).upper();
  if (second == 0 || square.upper() == 0) return 0;
  const Interval share = Interval(second) * Interval(0, evidence.leverage);
  if (direction == Direction::add) return std::min(cap, log_one_plus(share).upper());
  return share.upper() < 1 ? std::min(cap, (-log_one_plus(-Interval(share.upper()))).upper()) : cap;
}

// Both sides of the loss: how far it may speak for the table that was used, and against it.
struct Sides {
  Interval toward, against;
};

// With b = -gradient of J, log p / p' = a + q - f' x.gradient / sigma^2 with her, and -a + q + f' x.gradient
// / sigma^2 without: a of the determinants, q = f'^2 |x|^2 / (2 sigma^2). Under the other table's law x.b
// differs by f' |x|^2, so that -q becomes q in what b alone says of the side against. `before`: half the
// square of what normal noise that was released first counts, whose own side changes in the same way; the
// size of its deviate is in `chance` and in the ends of `pull`.
Sides sides(Direction direction, const Evidence& evidence, double a, Interval q, Interval before,
            Interval chance, std::optional<Interval> pull) {
  const Interval both = q + before;
  const double signed_both = evidence.hidden ? both.upper() : -both.lower(),
               signed_before = evidence.hidden ? before.upper() : -before.lower();
  Interval by_chance = chance.upper(), toward = by_chance, against = Interval(signed_both) + by_chance;
  if (pull) {
    const Interval told = direction == Direction::remove ? -*pull : *pull;
    toward = smaller(toward, told.upper());
    against = smaller(against, Interval(signed_before) + Interval(-q.lower()) + Interval(-told.lower()));
  }
  toward = toward + Interval(both.upper());
  return direction == Direction::remove ? Sides{Interval(a) + toward, against}
                                        : Sides{toward, Interval(a) + against};
}

double factor_form(std::span<const double> matrix, std::span<const double> x, double shift) {
  const auto factor = Cholesky::of(matrix, x.size(), shift);
  if (!factor) return Interval::infinity;
  const std::vector<double> solution = factor->solve(x);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * solution[i];
  return sum;
}

}  // namespace

RealisedBound explained(Direction direction, Interval loss, double determinants) {
  const bool is_toward = loss.upper() >= -loss.lower();
  const double leverage = is_toward == (direction == Direction::remove) ? determinants : 0;
  return {loss, leverage, std::max(0.0, loss.magnitude() - leverage)};
}

RealisedBound realised_bound(Direction direction, const RecordSlope& slope, Interval square,
                             const Evidence& evidence) {
  square = at_least_zero(square);
  const Interval variance = epsilometer::square(Interval(evidence.sigma));
  const Interval size = absolute(slope.first);
  const Interval q = at_least_zero(epsilometer::square(size) * square / (Interval(2) * variance));
  const Interval chance = size * Interval(0, evidence.noise) / Interval(evidence.sigma);
  const double half = evidence.before * evidence.before / 2;
  const Interval before = Interval::around(half, 4 * unit_roundoff * half);
  const Interval together =
      evidence.before > 0 ? rounded_up(std::hypot(chance.upper(), evidence.chance_before)) : chance.upper();
  std::optional<Interval> pull;
  if (evidence.pull)
    pull = slope.first * *evidence.pull / variance + Interval::around(0, evidence.chance_before);
  const double a = determinant(direction, slope, square, evidence);
  const Sides both = sides(direction, evidence, a, q, before, together, pull);
  // The ends can only cross where what was told contradicts itself, in the share of runs that fail.
  const double low = -both.against.upper(), high = both.toward.upper();
  RealisedBound bound = explained(direction, Interval(std::min(low, high), std::max(low, high)), a);
  if (evidence.before > 0) {
    bound.before = std::max(0.0, bound.misfit - (q + chance).upper());
    bound.misfit -= bound.before;
  }
  return bound;
}

ThesisBound thesis_bound(Direction direction, double first, double second, std::span<const double> x,
                         const NoisyTerms& terms, const Evidence& evidence, double floor) {
  double square = 0, pull = 0;
  for (std::size_t i = 0; i < x.size(); ++i) square += x[i] * x[i], pull += x[i] * terms.gradient[i];
  const double size = std::abs(first), noise = terms.spectrum;
  const bool regularised = floor < 2 * noise;
  const double raw = regularised ? (floor + 2 * noise) / floor * factor_form(terms.hessian, x, noise)
                                 : (floor + noise) / floor * factor_form(terms.hessian, x, 0);
  const double least =
      direction == Direction::remove ? std::max(floor, evidence.lambda + second * square) : floor;
  const double leverage = std::min(raw, square / least);
  const double told = std::min(std::abs(first * pull) + size * std::sqrt(square) * terms.gradient_noise,
                               size * evidence.noise * evidence.sigma);
  const double variance = evidence.sigma * evidence.sigma, q = size * size * square / (2 * variance);
  const double loss = direction == Direction::remove
                          ? -std::log1p(-second * leverage) + q + told / variance
                          : told / variance + std::max(q, std::log1p(second * leverage) - q);
  return {regularised, leverage, told, loss};
}

}  // namespace epsilometer
