#include "core/numerics/certified_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

// Of fewer vectors than there are places the first one also stands for the others.
Strip strip_of(std::span<const double> vectors, std::size_t count, std::size_t dimension) {
  Strip x(dimension);
  const double* rows[width];
  for (std::size_t k = 0; k < width; ++k) rows[k] = &vectors[k < count ? k * dimension : 0];
  for (std::size_t i = 0; i < dimension; ++i)
    for (std::size_t k = 0; k < width / 2; ++k) x[i][k] = Pair{rows[2 * k][i], rows[2 * k + 1][i]};
  return x;
}

// Subtracts from two rows what two rows of a matrix make of the first ones of x. Both read those once; what
// is subtracted from each is so in the same order as by itself. Each entry is there twice, which takes fewer
// steps than doubling it.
void subtract_products(const Pair* here, const Pair* next, const Strip& x, std::size_t columns, Row& first,
                       Row& second) {
  auto [a, b, c, d] = first;
  auto [e, f, g, h] = second;
  for (std::size_t column = 0; column < columns; ++column) {
    const Pair entry = here[column], below = next[column];
    const Row& other = x[column];
    a -= entry * other[0], b -= entry * other[1], c -= entry * other[2], d -= entry * other[3];
    e -= below * other[0], f -= below * other[1], g -= below * other[2], h -= below * other[3];
  }
  first = {a, b, c, d};
  second = {e, f, g, h};
}

// By a lower triangle with_inverses(), which is one rounding more for each row than division.
void substitute(const std::vector<Pair>& factor, Strip& x) {
  const Pair* here = factor.data();
  for (std::size_t row = 0; row < x.size(); row += 2) {
    const bool is_last = row + 1 == x.size();
    const Pair* const next = is_last ? here : here + row + 1;
    Row first = x[row], second = x[is_last ? row : row + 1];
    subtract_products(here, next, x, row, first, second);
    for (Pair& one : first) one *= here[row];
    x[row] = first;
    if (is_last) return;
    for (std::size_t k = 0; k < first.size(); ++k)
      x[row + 1][k] = (second[k] - next[row] * first[k]) * next[row + 1];
    here = next + row + 2;
  }
}

// Of a lower triangle, with the inverses of what is on its diagonal: a division takes longer than all else.
std::vector<Pair> with_inverses(std::span<const double> factor, std::size_t dimension) {
  std::vector<Pair> found;
  for (const double one : factor) found.push_back(Pair{one, one});
  for (std::size_t row = 0; row < dimension; ++row) {
    Pair& one = found[row * (row + 3) / 2];
    one = 1 / one;
  }
  return found;
}

// What a lower triangle's transpose is when rows and columns are counted from the last one on: again a lower
// triangle, of which substitution reads what lies side by side.
std::vector<Pair> turned_round(const std::vector<Pair>& factor, std::size_t dimension) {
  std::vector<Pair> turned;
  for (std::size_t row = dimension; row-- > 0;)
    for (std::size_t column = dimension; column-- > row;)
      turned.push_back(factor[column * (column + 1) / 2 + row]);
  return turned;
}

// A vector whose largest entry is of this size, or one over it, at most is taken as it is.
constexpr double far_from_ends = 0x1p32;

struct Scaled {
  std::array<bool, width> is_something;
  // By powers of two.
  std::array<int, width> exponents;
};

// Brings the largest entry of each vector to [1, 2) where it is far from 1.
Scaled scale(Strip& x) {
  Row largest{};
  for (const Row& row : x)
    for (std::size_t k = 0; k < row.size(); ++k) largest[k] = larger_of(largest[k], size_of(row[k]));
  Scaled found{};
  const auto sizes = numbers(largest);
  bool is_scaled = false;
  for (std::size_t k = 0; k < width; ++k) {
    found.is_something[k] = sizes[k] > 0;
    const bool is_far = sizes[k] > 0 && !(sizes[k] <= far_from_ends && sizes[k] >= 1 / far_from_ends);
    found.exponents[k] = is_far ? std::ilogb(sizes[k]) : 0;
    is_scaled |= is_far;
  }
  if (!is_scaled) return found;
  // In two steps: tiny vectors have scales that no double holds.
  Row first{}, second{};
  for (std::size_t k = 0; k < width; ++k) {
    const int exponent = found.exponents[k], half = exponent / 2;
    first[k / 2][k % 2] = std::ldexp(1.0, -half);
    second[k / 2][k % 2] = std::ldexp(1.0, half - exponent);
  }
  for (Row& row : x)
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = row[k] * first[k] * second[k];
  return found;
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
      lower_(with_inverses(factor_.factor(), dimension)),
      turned_(turned_round(lower_, dimension)),
      dimension_(dimension),
      floor_(floor),
      eta_(eta) {}

CertifiedFactor::Forms CertifiedFactor::certified(double once, double twice, int exponent) const {
  // d squares and sums besides, and what is done here.
  const double terms = static_cast<double>(dimension_) + 16, rounding = terms * unit_roundoff;
  // What their squares may have lost where they are too small for doubles.
  const double lost = terms * std::numeric_limits<double>::denorm_min();
  const auto scaled = [&](double value, double margin) -> Interval {
    if (value == 0) return 0;
    double lower = value * (1 - margin) - lost, upper = value * (1 + margin) + lost;
    if (exponent != 0) {
      lower = next_below(std::ldexp(lower, 2 * exponent));
      upper = next_above(std::ldexp(upper, 2 * exponent));
    }
    return {std::max(0.0, lower), upper};
  };
  return {scaled(once, eta_ + rounding), scaled(twice, 2 * eta_ + eta_ * eta_ + rounding)};
}

std::vector<CertifiedFactor::Forms> CertifiedFactor::forms(std::span<const double> vectors, std::size_t count,
                                                           bool twice) const {
  Strip x = strip_of(vectors, count, dimension_);
  const Scaled scaled = scale(x);
  substitute(lower_, x);
  // What is nothing is said to be 0, and nothing else.
  const auto something = [&](std::array<double, width> sums) {
    for (std::size_t k = 0; k < width; ++k)
      if (scaled.is_something[k]) sums[k] = std::max(sums[k], std::numeric_limits<double>::denorm_min());
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
  for (std::size_t k = 0; k < count; ++k) found.push_back(certified(once[k], solved[k], scaled.exponents[k]));
  return found;
}

CertifiedFactor::Solution CertifiedFactor::solve(std::span<const double> x) const {
  Solution found{factor_.solve(x), 0};
  double squares = 0;
  for (const double one : found.values) squares += one * one;
  // In tiny numbers squares vanish.
  const double length = std::sqrt(squares) + 1e-150;
  found.error = rounded_up(eta_ * length, (static_cast<double>(dimension_) + 64) * unit_roundoff);
  return found;
}

CertifiedFactor::Forms CertifiedFactor::forms(std::span<const double> x) const { return forms(x, 1)[0]; }

std::array<double, width> quadratic_forms(std::span<const Pair> matrix, std::span<const double> vectors,
                                          std::size_t count, std::size_t dimension) {
  const Strip x = strip_of(vectors, count, dimension);
  Row sums{};
  const Pair* here = matrix.data();
  for (std::size_t row = 0; row < x.size(); row += 2) {
    const bool is_last = row + 1 == x.size();
    const Pair* const next = is_last ? here : here + row + 1;
    Row first{}, second{};
    subtract_products(here, next, x, row, first, second);
    for (std::size_t k = 0; k < first.size(); ++k) {
      const Pair one = x[row][k];
      sums[k] += one * (here[row] * one - 2 * first[k]);
      if (is_last) continue;
      const Pair other = x[row + 1][k];
      sums[k] += other * (next[row + 1] * other - 2 * (second[k] - next[row] * one));
    }
    here = next + row + 2;
  }
  return numbers(sums);
}

}  // namespace epsilometer
