#include "core/release/ridge.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/release/symmetric_matrix.h"

namespace epsilometer {
namespace {

double length(std::span<const double> x) {
  double sum = 0;
  for (const double one : x) sum += one * one;
  return std::sqrt(sum);
}

[[noreturn]] void refuse_solution() {
  throw Refusal("unreachable", "coefficients", "none",
                "cannot be computed for this table in doubles; the budget is spent");
}

// What a residual of d + 1 products and d + 2 additions per row can be off by, and what the rounded sums add.
double residual_error(std::size_t dimension, double size) {
  return (static_cast<double>(dimension) + 8) * unit_roundoff * size;
}

std::vector<double> residual(const NormalEquations& equations, double lambda, std::span<const double> x) {
  std::vector<double> rest = product(equations.gram, x);
  for (std::size_t i = 0; i < x.size(); ++i) rest[i] = equations.cross[i] - (rest[i] + lambda * x[i]);
  return rest;
}

}  // namespace

RidgeSolution ridge(const NormalEquations& equations, double lambda, double floor) {
  const std::size_t d = equations.cross.size();
  const auto factor = Cholesky::of(equations.gram, d, lambda);
  if (!factor) refuse_solution();
  std::vector<double> x = factor->solve(equations.cross);
  const std::vector<double> correction = factor->solve(residual(equations, lambda, x));
  for (std::size_t i = 0; i < d; ++i) x[i] += correction[i];
  // |H^{-1}| <= 1 / floor. A Gram matrix's Frobenius norm is at most its trace.
  const double size = (trace(equations.gram, d) + lambda) * length(x) + length(equations.cross);
  const double error = rounded_up((length(residual(equations, lambda, x)) + residual_error(d, size)) / floor,
                                  (d + 64) * unit_roundoff);
  if (!std::isfinite(error)) refuse_solution();
  return {std::move(x), error};
}

double largest_ridge_norm(const LinearBounds& bounds, double rows, double lambda) {
  return rounded_up(std::sqrt(rows / lambda) / 2 * bounds.label);
}

double largest_ridge_error(std::size_t dimension, double trace, double floor, double coefficients,
                           double cross) {
  // What refinement leaves is of the size of the residual's own error; seven times that is ample.
  return rounded_up(8 * residual_error(dimension, (trace + floor) * coefficients + cross) / floor);
}

std::vector<double> noisy_ridge(std::span<const double> gram, std::span<const double> cross, double ridge,
                                double floor) {
  const double shift = std::max(ridge, floor - smallest_eigenvalue(gram, cross.size()).lower);
  const auto factor = Cholesky::of(gram, cross.size(), shift);
  if (!factor) refuse_solution();
  std::vector<double> x = factor->solve(cross);
  if (!std::isfinite(length(x))) refuse_solution();
  return x;
}

}  // namespace epsilometer
