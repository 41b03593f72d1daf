#include "core/release/linear/ridge.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/cholesky.h"

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

// With noise E on G and e on v, (G + r I)^{-1} v is off by exactly H^{-1} (e - E theta), H the noisy matrix
// and theta the coefficients without noise, for which those with it stand in. Its covariance: (E theta)_i has
// the variance diagonal theta_i^2 + other (|theta|^2 - theta_i^2), and other theta_i theta_j with (E
// theta)_j.
std::vector<double> ridge_noise(const Cholesky& factor, std::span<const double> theta,
                                const EntryVariances& noise) {
  const std::size_t d = theta.size();
  const std::vector<double> inverse = scaled_inverse(factor, d, 1), along = product(inverse, theta);
  std::vector<double> covariance(inverse.size());
  const double common = noise.vector + noise.other * length(theta) * length(theta);
  const auto entry = [&inverse](std::size_t i, std::size_t j) {
    return inverse[std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j)];
  };
  for (std::size_t i = 0, place = 0; !inverse.empty() && i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++place) {
      double sum = noise.other * along[i] * along[j];
      for (std::size_t k = 0; k < d; ++k) {
        const double variance = common + (noise.diagonal - 2 * noise.other) * theta[k] * theta[k];
        sum += entry(i, k) * variance * entry(k, j);
      }
      covariance[place] = sum;
    }
  return covariance;
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

double lambda_for(double most, double rows, double lambda) {
  return most <= rows ? lambda : rounded_up(lambda * (most / rows));
}

double largest_ridge_norm(const LinearBounds& bounds, double rows, double lambda) {
  return rounded_up(std::sqrt(rows / lambda) / 2 * bounds.label);
}

// The factor's product and its two substitutions are off by E, three times its own error: so the first
// solution by eta |x|, eta = |E| / lambda <= 2^-8, its residual by |E| |x|, about three times the rounding of
// one residual, and what one refinement leaves by eta times that.
bool is_solvable(std::size_t dimension, const LinearBounds& bounds, double rows, double lambda) {
  const double trace = rows * bounds.features * bounds.features;
  return cholesky_error(trace + static_cast<double>(dimension) * lambda, dimension) <= 0x1p-10 * lambda;
}

void must_be_solvable(std::size_t dimension, const LinearBounds& bounds, double rows, double lambda) {
  if (is_solvable(dimension, bounds, rows, lambda)) return;
  throw Refusal("range", "lambda", shown(lambda), "is too small for so many rows to be computed in doubles");
}

double largest_ridge_error(std::size_t dimension, double trace, double floor, double coefficients,
                           double cross) {
  // What refinement leaves is of the size of the residual's own error; seven times that is ample.
  return rounded_up(8 * residual_error(dimension, (trace + floor) * coefficients + cross) / floor);
}

std::vector<double> scaled_inverse(const Cholesky& factor, std::size_t dimension, double scale) {
  std::vector<double> inverse;
  if (dimension > most_covariances) return inverse;
  for (std::size_t row = 0; row < dimension; ++row) {
    std::vector<double> unit(dimension);
    unit[row] = scale;
    const std::vector<double> solution = factor.solve(unit);
    inverse.insert(inverse.end(), solution.begin(), solution.begin() + static_cast<std::ptrdiff_t>(row) + 1);
  }
  return inverse;
}

void noisy_ridge(Release& release, const RidgeRule& rule, const EntryVariances& noise) {
  const std::vector<double> gram = release.values("gram"), cross = release.values("cross");
  const double least = smallest_eigenvalue(gram, cross.size()).lower,
               shift = std::max(rule.least, rule.floor - least);
  // Released values alone decide whether doubles need a little more.
  std::vector<double> shifted = gram;
  for (std::size_t row = 0; row < cross.size(); ++row) shifted[row * (row + 3) / 2] += shift;
  const auto factor = Cholesky::shifted(shifted, cross.size());
  std::vector<double> theta = factor->solve(cross);
  release.add(number_output("ridge", shift));
  if (cross.size() > most_covariances) {
    release.spread = UnknownSpread::too_many;
  } else if (least + shift >= 2 * rule.edge) {
    release.spread = Spread{Spread::Law::first_order, ridge_noise(*factor, theta, noise)};
  } else {
    release.spread = UnknownSpread::hidden;
  }
  release.add(coefficients_output(std::move(theta)));
}

}  // namespace epsilometer
