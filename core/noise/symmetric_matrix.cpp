#include "core/noise/symmetric_matrix.h"

#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

double squared(double x) { return x * x; }

// Calls use(row, column, place) for each entry of a lower triangle.
template <class Use>
void each_entry(std::size_t dimension, Use use) {
  for (std::size_t row = 0, place = 0; row < dimension; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) use(row, column, place);
}

std::size_t dimension_of(std::size_t places) {
  return static_cast<std::size_t>(std::sqrt(2 * static_cast<double>(places)));
}

}  // namespace

double Contributions::sensitivity(Change change) const {
  if (change == Change::add_or_remove) return radius;
  return positive ? rounded_up(std::sqrt(2.0) * radius) : 2 * radius;
}

int outer_product_exponent(double sigma) {
  const int exponent = default_exponent(sigma);
  return (exponent - (exponent & 1)) / 2;  // rounded down, also below 0
}

OuterProducts::OuterProducts(double bound, int exponent, std::size_t dimension)
    : truncation_(bound, Norm::l2, exponent),
      exponent_(exponent),
      x_(dimension),
      product_(triangle(dimension)) {
  if (truncation_.radius() > (std::int64_t{1} << 30))
    throw Refusal("range", "bound", shown(bound), "must be at most 2^30 steps of the grid of x");
}

Contributions OuterProducts::contributions() const {
  // |x x^T|_F = |x|^2.
  const auto radius = static_cast<double>(truncation_.radius());
  return {upward(two_product(radius, radius)), true};
}

std::span<const std::int64_t> OuterProducts::of(std::span<const double> x) {
  truncation_.apply(x, x_);
  each_entry(x_.size(), [this](std::size_t row, std::size_t column, std::size_t place) {
    product_[place] = x_[row] * x_[column];
  });
  return product_;
}

SymmetricContributions::SymmetricContributions(double bound, int exponent, std::size_t dimension)
    : truncation_(bound, Norm::l2, exponent),
      whole_(dimension * dimension),
      steps_(dimension * dimension),
      lower_(triangle(dimension)) {}

Contributions SymmetricContributions::contributions() const {
  // Truncated entries of a positive matrix need not be those of one.
  return {static_cast<double>(truncation_.radius()), false};
}

std::span<const std::int64_t> SymmetricContributions::of(std::span<const double> lower_triangle) {
  const std::size_t dimension = dimension_of(lower_.size());
  each_entry(dimension, [&](std::size_t row, std::size_t column, std::size_t place) {
    whole_[row * dimension + column] = whole_[column * dimension + row] = lower_triangle[place];
  });
  truncation_.apply(whole_, steps_);
  each_entry(dimension, [&](std::size_t row, std::size_t column, std::size_t place) {
    lower_[place] = steps_[row * dimension + column];
  });
  return lower_;
}

double frobenius_norm(std::span<const std::int64_t> lower_triangle) {
  double sum = 0;
  each_entry(dimension_of(lower_triangle.size()),
             [&](std::size_t row, std::size_t column, std::size_t place) {
               const auto step = static_cast<double>(lower_triangle[place]);
               sum += (row == column ? 1 : 2) * step * step;
             });
  // Each addition rounds, and each entry may have more than 53 bits.
  return std::sqrt(sum) * (1 + (static_cast<double>(lower_triangle.size()) + 8) * unit_roundoff);
}

OrthogonalNoise OrthogonalNoise::of(double sigma, std::optional<int> exponent) {
  const int chosen = exponent.value_or(default_exponent(sigma));
  OrthogonalNoise noise{chosen, width_in_steps(std::sqrt(2.0) * sigma, chosen), 0};
  const auto enough = static_cast<unsigned __int128>(noise.diagonal) * noise.diagonal;
  // One below the root, then the least that is enough.
  noise.other = static_cast<std::uint64_t>(static_cast<double>(noise.diagonal) / std::sqrt(2.0)) - 1;
  while (2 * static_cast<unsigned __int128>(noise.other) * noise.other < enough) ++noise.other;
  return noise;
}

Description OrthogonalNoise::guarantee(double frobenius, std::size_t dimension) const {
  // As for any discrete noise, the variances that count are diagonal^2 - 4 and other^2 - 4. With
  // 2 (other^2 - 4) >= diagonal^2 - 8, mu^2 <= |D|_F^2 / (diagonal^2 - 8).
  const auto s = static_cast<double>(diagonal);
  const double variance = ((s - 2) * (s + 2) - 4) / 2;
  return gaussian_guarantee(frobenius / std::sqrt(2.0) * (1 + 4 * unit_roundoff), variance,
                            static_cast<double>(triangle(dimension)), exponent);
}

double OrthogonalNoise::eigenvalue_bound(double tau, std::size_t dimension) const {
  // Up to e^{+-kappa} per entry, the noise in steps is Y + R: Y normal with variances other^2 - 4 and
  // diagonal^2 - 4, |R_ij| < 40 except with probability 2^-289. With the normal deviates of an ensemble G at
  // sigma = 1, Y = sqrt(other^2 - 4) G but for a diagonal that is off by at most 2 |G_ii| / sqrt(2) steps,
  // below 40 except with probability 2^-292. So the eigenvalues are those of other * G, shifted by less than
  // 40 + |R|_F <= 40 + 40 d.
  const auto d = static_cast<double>(dimension);
  const double steps = in_range("tau", tau, 0, 1e100) * static_cast<double>(other) + 40 * (d + 1);
  return std::ldexp(rounded_up(steps), exponent);
}

std::vector<double> released(Generator& generator, const IntegerSum& sum, const OrthogonalNoise& noise) {
  generator.begin_release();
  std::vector<double> values(sum.size());
  each_entry(dimension_of(sum.size()), [&](std::size_t row, std::size_t column, std::size_t place) {
    const std::uint64_t steps = row == column ? noise.diagonal : noise.other;
    const __int128 value = sum.wide_value(place) + exact::discrete_gaussian(generator, steps);
    values[place] = std::ldexp(static_cast<double>(value), noise.exponent);
  });
  return values;
}

UpperTriangleComparison compared_with_upper_triangle(std::span<const double> change, double sigma) {
  double whole = 0, upper = 0;
  each_entry(dimension_of(change.size()), [&](std::size_t row, std::size_t column, std::size_t place) {
    upper += squared(change[place]);
    whole += (row == column ? 1 : 2) * squared(change[place]);
  });
  const double sensitivity = std::sqrt(whole / 2), classic = std::sqrt(upper);
  return {sensitivity, classic, sensitivity / sigma,
          classic / (UpperTriangleComparison::sigma_ratio * sigma)};
}

}  // namespace epsilometer
