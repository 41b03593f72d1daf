#include "core/numerics/trust_region.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/numerics/cholesky.h"

namespace epsilometer {
namespace {

constexpr double accuracy = 1e-10;
constexpr int most_steps = 200;

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Solution {
  Cholesky factor;
  std::vector<double> x;
  double length;
};

std::optional<Solution> solved(std::span<const double> matrix, std::span<const double> right, double shift) {
  auto factor = Cholesky::of(matrix, right.size(), shift);
  if (!factor) return {};
  std::vector<double> x = factor->solve(right);
  const double length = std::sqrt(inner(x, x));
  return Solution{std::move(*factor), std::move(x), length};
}

// No eigenvalue is below minus that.
double largest_row_sum(std::span<const double> matrix, std::size_t dimension) {
  std::vector<double> rows(dimension);
  for (std::size_t row = 0, place = 0; row < dimension; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) {
      rows[row] += std::abs(matrix[place]);
      if (column < row) rows[column] += std::abs(matrix[place]);
    }
  return *std::max_element(rows.begin(), rows.end());
}

// Where the shift cannot fall further and x is still short, it goes on along the eigenvector of the least
// eigenvalue, which inverse iteration finds: the hard case of More and Sorensen.
void lengthen(Solution& found, double radius) {
  std::vector<double> along(found.x.size());
  for (std::size_t i = 0; i < along.size(); ++i) along[i] = 1 + 0.1 * std::sin(static_cast<double>(i + 1));
  for (int i = 0; i < 3; ++i) {
    const double length = std::sqrt(inner(along, along));
    for (double& one : along) one /= length;
    if (i < 2) along = found.factor.solve(along);
  }
  const double product = inner(found.x, along), missing = radius * radius - found.length * found.length;
  const double step = missing / (std::abs(product) + std::sqrt(product * product + missing));
  for (std::size_t i = 0; i < along.size(); ++i) found.x[i] += std::copysign(step, product) * along[i];
}

// Newton's method on 1 / |x| - 1 / radius, which is almost linear in the shift; halving where that leaves
// what is known to hold the answer.
Solution on_sphere(std::span<const double> matrix, std::span<const double> right, double radius,
                   double above) {
  double below = 0, shift = above;
  Solution best = *solved(matrix, right, above);
  for (int i = 0; i < most_steps && above - below > accuracy * accuracy * above; ++i) {
    auto found = solved(matrix, right, shift);
    if (found && found->length <= radius) {
      above = shift;
      best = std::move(*found);
      if (best.length >= radius * (1 - accuracy)) break;
    } else {
      below = shift;
    }
    const Solution& at = found && below == shift ? *found : best;
    const double from = &at == &best ? above : shift;
    const double slope = inner(at.x, at.factor.solve(at.x));
    shift = from + at.length * at.length / slope * (at.length - radius) / radius;
    if (!(shift > below && shift < above)) shift = below + (above - below) / 2;
  }
  return best;
}

}  // namespace

std::vector<double> least_on_ball(std::span<const double> matrix, std::span<const double> right,
                                  double radius) {
  if (auto inside = solved(matrix, right, 0); inside && inside->length <= radius) return inside->x;
  const double size = largest_row_sum(matrix, right.size());
  double above = size + std::sqrt(inner(right, right)) / radius;
  above += above / 4;
  if (above == 0) return std::vector<double>(right.size());
  Solution found = on_sphere(matrix, right, radius, above);
  if (found.length < radius * (1 - 1e-6)) lengthen(found, radius);
  return found.x;
}

}  // namespace epsilometer
