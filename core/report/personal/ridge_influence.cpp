#include "core/report/personal/ridge_influence.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/quick_sum.h"
#include "core/release/linear/ridge.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

CertifiedFactor factor_of(const TableSums& sums, double lambda) {
  in_range("lambda", lambda, 0, 1e100);
  const double error = rounded_up(sums.error * trace(sums.equations.gram, sums.dimension()));
  auto factor = CertifiedFactor::of(sums.equations.gram, sums.dimension(), lambda, error);
  if (factor) return std::move(*factor);
  throw Refusal("range", "lambda", shown(lambda),
                "must be larger: doubles cannot tell that this table determines the coefficients");
}

// What the sums' own errors do to the solution, and what solving them does.
double solution_error(const TableSums& sums, const RidgeSolution& solution, double floor) {
  double squares = 0;
  for (const double one : solution.coefficients) squares += one * one;
  const double whole = trace(sums.equations.gram, sums.dimension());
  const double moved = whole * std::sqrt(squares) + std::sqrt(whole * sums.equations.square);
  return rounded_up(solution.error + 1.01 * sums.error * moved / floor);
}

// 1 - mu', which is 1 / (1 + mu) and mu <= |x|^2 / lambda.
Interval rest_of(Interval leverage, Interval square, double lambda) {
  const Interval rest = Interval(1) - leverage;
  const double least = lambda > 0 ? (Interval(lambda) / (Interval(lambda) + square)).lower() : 0;
  const double lower = std::max({0.0, least, rest.lower()});
  // Of a record that is not in the table it is said to be in, nothing holds; the ends stay in order.
  return {lower, std::max(lower, std::min(1.0, rest.upper()))};
}

// Where the divisor may be 0, from what it is at its largest.
Interval quotient(Interval size, Interval rest) {
  if (rest.lower() > 0) return size / rest;
  return {(size / Interval(rest.upper())).lower(), Interval::infinity};
}

Interval signed_quotient(Interval value, Interval rest) {
  if (rest.lower() > 0) return value / rest;
  return {-Interval::infinity, Interval::infinity};
}

}  // namespace

RidgeInfluence::RidgeInfluence(const TableSums& sums, double lambda)
    : lambda_(lambda), factor_(factor_of(sums, lambda)) {
  RidgeSolution solution = ridge(sums.equations, lambda, factor_.floor());
  error_ = solution_error(sums, solution, factor_.floor());
  coefficients_ = std::move(solution.coefficients);
}

RecordInfluence RidgeInfluence::of(std::span<const double> features, double label,
                                   Direction direction) const {
  must_be_finite(features, label, coefficients_.size());
  return of(features, label, direction, factor_.forms(features), true);
}

RecordInfluence RidgeInfluence::of(std::span<const double> features, double label, Direction direction,
                                   const CertifiedFactor::Forms& forms, bool moved) const {
  const Interval square = quick_square(features);
  const double off = (square_root(square) * Interval(error_)).upper();
  const Interval residual = Interval(label) - (quick_dot(features, coefficients_) + Interval(-off, off));
  RecordInfluence found{{0, 0, residual}, {0, 0, residual}, 0, square};
  if (forms.once.is_zero()) return found;
  if (direction == Direction::add) {
    const Interval more = Interval(1) + forms.once;
    found.without = {forms.once, forms.twice, residual};
    found.with = {forms.once / more, forms.twice / epsilometer::square(more), residual / more};
    found.moved = square_root(forms.twice) * absolute(residual) / more;
    return found;
  }
  const Interval leverage = smaller(forms.once, 1), rest = rest_of(leverage, square, lambda_);
  found.with.leverage = leverage;
  found.without.leverage = quotient(leverage, rest);
  found.without.residual = signed_quotient(residual, rest);
  if (!moved) return found;
  found.with.squared_solution = forms.twice;
  found.without.squared_solution = quotient(forms.twice, epsilometer::square(rest));
  found.moved = quotient(square_root(forms.twice) * absolute(residual), rest);
  return found;
}

void RidgeInfluence::of_all(const Records& table, bool moved, const Progress& progress,
                            const std::function<void(std::size_t, const RecordInfluence&)>& each) const {
  constexpr std::size_t strip = CertifiedFactor::strip;
  in_blocks(table.count, 16 * strip, progress, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i += strip) {
      const Records rows = table.part(i, std::min(strip, end - i));
      const auto forms = factor_.forms(rows.features, rows.count, moved);
      for (std::size_t k = 0; k < rows.count; ++k)
        each(i + k, of(rows.row(k), rows.labels[k], Direction::remove, forms[k], moved));
    }
  });
}

Interval RidgeInfluence::moved_square(std::span<const double> features, double label, Direction direction,
                                      std::span<const double> weights) const {
  const RecordInfluence influence = of(features, label, direction);
  const auto solution = factor_.solve(features);
  const std::vector<double> weighted = product(weights, solution.values);
  double size = 0, length = 0, norm = 0;
  for (const double one : weights) size += one * one;
  for (const double one : weighted) length += one * one;
  for (const double one : solution.values) norm += one * one;
  // |W|_F counts what is off the diagonal twice; W v is rounded by d u |W| |v|.
  const double most = std::sqrt(2 * size),
               rounding = (static_cast<double>(features.size()) + 8) * unit_roundoff * most * norm;
  const double off = rounded_up(solution.error * (2 * std::sqrt(length) + most * solution.error) + rounding,
                                (static_cast<double>(features.size()) + 64) * unit_roundoff);
  const Interval form = larger(dot(weighted, solution.values) + Interval(-off, off), 0);
  // The solution is that of the table's own matrix: with the record in it, or without.
  const Interval residual =
      square(absolute(direction == Direction::add ? influence.with.residual : influence.without.residual));
  return form * residual;
}

}  // namespace epsilometer
