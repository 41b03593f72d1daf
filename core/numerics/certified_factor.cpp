#include "core/numerics/certified_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/numerics/pair.h"

namespace epsilometer {
namespace {

constexpr std::size_t width = CertifiedFactor::strip;

// The loops below name all registers of a row, because compilers do not find them.
using Row = std::array<Pair, width / 2>;
static_assert(width == 8);
using Strip = std::vector<Row>;

std::array<double, width> numbers(const Row& row) {
  std::array<double, width> found{};
  for (std::size_t k = 0; k < width; ++k) found[k] = row[k / 2][k % 2];
  return found;
}

std::array<double, width> square_sums(const Strip& x) {
  Row sums{};
  for (const Row& row : x)
    for (std::size_t k = 0; k < row.size(); ++k) sums[k] += row[k] * row[k];
  return numbers(sums);
}

// By a lower triangle. Two rows at once read what is solved once for both; what is subtracted from each is so
// in the same order as by itself.
void substitute(const std::vector<double>& factor, Strip& x) {
  const double* here = factor.data();
  for (std::size_t row = 0; row < x.size(); row += 2) {
    const bool is_last = row + 1 == x.size();
    const double* const next = is_last ? here : here + row + 1;
    auto [a, b, c, d] = x[row];
    auto [e, f, g, h] = x[is_last ? row : row + 1];
    for (std::size_t column = 0; column < row; ++column) {
      const double entry = here[column], below = next[column];
      const Row& solved = x[column];
      a -= entry * solved[0], b -= entry * solved[1], c -= entry * solved[2], d -= entry * solved[3];
      e -= below * solved[0], f -= below * solved[1], g -= below * solved[2], h -= below * solved[3];
    }
    double pivot = here[row];
    x[row] = {a /= pivot, b /= pivot, c /= pivot, d /= pivot};
    if (is_last) return;
    const double entry = next[row];
    pivot = next[row + 1];
    x[row + 1] = {(e - entry * a) / pivot, (f - entry * b) / pivot, (g - entry * c) / pivot,
                  (h - entry * d) / pivot};
    here = next + row + 2;
  }
}

// By a lower triangle's transpose.
void substitute_back(const std::vector<double>& factor, std::vector<double>& x) {
  for (std::size_t row = x.size(); row-- > 0;) {
    const double* const here = &factor[row * (row + 1) / 2];
    const double solved = x[row] /= here[row];
    for (std::size_t k = 0; k < row; ++k) x[k] -= here[k] * solved;
  }
}

// What a lower triangle's transpose is when rows and columns are counted from the last one on: again a lower
// triangle, of which substitution reads what lies side by side.
std::vector<double> turned_round(const std::vector<double>& factor, std::size_t dimension) {
  std::vector<double> turned;
  for (std::size_t row = dimension; row-- > 0;)
    for (std::size_t column = dimension; column-- > row;)
      turned.push_back(factor[column * (column + 1) / 2 + row]);
  return turned;
}

// Brings the largest entry of each vector to [1, 2), by powers of two, and answers which; 0 for zeros.
std::array<int, width> scale(Strip& x) {
  Row largest{};
  for (const Row& row : x)
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Pair size = row[k] < 0 ? -row[k] : row[k];
      largest[k] = size > largest[k] ? size : largest[k];
    }
  std::array<int, width> exponents{};
  // In two steps: tiny vectors have scales that no double holds.
  Row first{}, second{};
  const auto sizes = numbers(largest);
  for (std::size_t k = 0; k < width; ++k) {
    exponents[k] = sizes[k] > 0 ? std::ilogb(sizes[k]) : 0;
    const int half = exponents[k] / 2;
    first[k / 2][k % 2] = std::ldexp(1.0, -half);
    second[k / 2][k % 2] = std::ldexp(1.0, half - exponents[k]);
  }
  for (Row& row : x)
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = row[k] * first[k] * second[k];
  return exponents;
}

}  // namespace

std::optional<CertifiedFactor> CertifiedFactor::of(std::span<const double> matrix, std::size_t dimension,
                                                   double shift, double error) {
  for (const double entry : matrix)
    if (!std::isfinite(entry)) return std::nullopt;
  auto factor = Cholesky::of(matrix, dimension, shift);
  if (!factor) return std::nullopt;
  const double whole = rounded_up(trace(matrix, dimension) + static_cast<double>(dimension) * shift);
  // The shift is rounded into the diagonal; the two substitutions cost as much as the factor, each.
  const double far = rounded_up(error + 3 * cholesky_error(whole, dimension) + unit_roundoff * whole);
  const double least = smallest_eigenvalue(matrix, dimension).lower - error;
  const double floor = rounded_down(std::max(shift, shift + least));
  const double eta = rounded_up(far / floor);
  if (!(floor > 0 && eta <= 0.25)) return std::nullopt;
  return CertifiedFactor(std::move(*factor), dimension, floor, eta);
}

CertifiedFactor::CertifiedFactor(Cholesky factor, std::size_t dimension, double floor, double eta)
    : factor_(std::move(factor)),
      turned_(turned_round(factor_.factor(), dimension)),
      dimension_(dimension),
      floor_(floor),
      eta_(eta) {}

CertifiedFactor::Forms CertifiedFactor::certified(double once, double twice, int exponent) const {
  // d squares and sums besides.
  const double rounding = (static_cast<double>(dimension_) + 8) * unit_roundoff;
  // What their squares may have lost where they are too small for doubles.
  const double lost = (static_cast<double>(dimension_) + 8) * std::numeric_limits<double>::denorm_min();
  const auto scaled = [&](double value, double margin) -> Interval {
    if (value == 0) return 0;
    const double lower = std::ldexp(value * (1 - margin) - lost, 2 * exponent),
                 upper = std::ldexp(value * (1 + margin) + lost, 2 * exponent);
    return {std::max(0.0, std::nextafter(lower, -1.0)), std::nextafter(upper, Interval::infinity)};
  };
  return {scaled(once, eta_ + rounding), scaled(twice, 2 * eta_ + eta_ * eta_ + rounding)};
}

std::vector<CertifiedFactor::Forms> CertifiedFactor::forms(std::span<const double> vectors, std::size_t count,
                                                           bool twice) const {
  Strip x(dimension_);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < dimension_; ++i) x[i][k / 2][k % 2] = vectors[k * dimension_ + i];
  const auto exponents = scale(x);
  std::array<bool, width> is_something{};
  for (const Row& row : x)
    for (std::size_t k = 0; k < width; ++k) is_something[k] |= row[k / 2][k % 2] != 0;
  substitute(factor_.factor(), x);
  // What is nothing is said to be 0, and nothing else.
  const auto something = [&](std::array<double, width> sums) {
    for (std::size_t k = 0; k < width; ++k)
      if (is_something[k]) sums[k] = std::max(sums[k], std::numeric_limits<double>::denorm_min());
    return sums;
  };
  const auto once = something(square_sums(x));
  std::array<double, width> solved{};
  if (twice) {
    std::reverse(x.begin(), x.end());
    substitute(turned_, x);
    solved = something(square_sums(x));
  }
  std::vector<Forms> found;
  for (std::size_t k = 0; k < count; ++k) found.push_back(certified(once[k], solved[k], exponents[k]));
  return found;
}

// The same as Cholesky::solve bit for bit: what is subtracted from an entry is so in the same order, but from
// all of them at once.
CertifiedFactor::Solution CertifiedFactor::solve(std::span<const double> x) const {
  Solution found{{x.rbegin(), x.rend()}, 0};
  substitute_back(turned_, found.values);
  std::reverse(found.values.begin(), found.values.end());
  substitute_back(factor_.factor(), found.values);
  double squares = 0;
  for (const double one : found.values) squares += one * one;
  // In tiny numbers squares vanish.
  const double length = std::sqrt(squares) + 1e-150;
  found.error = rounded_up(eta_ * length, (static_cast<double>(dimension_) + 64) * unit_roundoff);
  return found;
}

CertifiedFactor::Forms CertifiedFactor::forms(std::span<const double> x) const { return forms(x, 1)[0]; }

}  // namespace epsilometer
