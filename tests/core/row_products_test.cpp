// Sums of z z^T, and what is said of many vectors at once, beside one after the other.
#include "core/numerics/row_products.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/numerics/certified_factor.h"
#include "core/numerics/interval.h"

namespace epsilometer::row_products_test {

TEST_CASE("products of rows are summed one after the other in their order, of whatever width and number") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> number;
  for (std::size_t width = 1; width <= 13; ++width)
    for (const std::size_t count : {0, 1, 7, 32}) {
      RowProducts rows(width);
      std::vector<double> before(width * (width + 1) / 2), plain(before.size());
      for (double& one : before) one = number(random);
      // What a fuller block has left behind counts no more.
      for (int round = 0; round < 2; ++round) {
        rows.clear();
        std::fill(plain.begin(), plain.end(), 0.0);
        for (std::size_t k = 0; k < (round == 0 ? RowProducts::most : count); ++k) {
          const auto z = rows.next();
          REQUIRE(z.size() == width);
          for (double& one : z) one = number(random);
          for (std::size_t row = 0, place = 0; row < width; ++row)
            for (std::size_t column = 0; column <= row; ++column) plain[place++] += z[row] * z[column];
        }
        CHECK(rows.waiting() == (round == 0 ? RowProducts::most : count));
        CHECK(rows.is_full() == (rows.waiting() == RowProducts::most));
      }
      std::vector<double> sums = before;
      rows.add_to(sums);
      for (std::size_t i = 0; i < sums.size(); ++i) CHECK(sums[i] == before[i] + plain[i]);
    }
}

TEST_CASE("quadratic forms of several vectors are those of long doubles, however many are asked") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> number;
  for (std::size_t d = 1; d <= 12; ++d) {
    CAPTURE(d);
    std::vector<double> matrix(d * (d + 1) / 2), vectors(CertifiedFactor::strip * d);
    for (double& one : matrix) one = number(random);
    for (double& one : vectors) one = number(random);
    std::vector<Pair> twice;
    for (const double one : matrix) twice.push_back(Pair{one, one});
    for (std::size_t count = 1; count <= CertifiedFactor::strip; ++count) {
      const auto found = quadratic_forms(twice, vectors, count, d);
      for (std::size_t k = 0; k < count; ++k) {
        long double form = 0, sizes = 0;
        for (std::size_t row = 0; row < d; ++row)
          for (std::size_t column = 0; column < d; ++column) {
            const std::size_t most = std::max(row, column), least = std::min(row, column);
            const long double term = static_cast<long double>(matrix[most * (most + 1) / 2 + least]) *
                                     vectors[k * d + row] * vectors[k * d + column];
            form += term, sizes += std::abs(term);
          }
        CHECK(std::abs(found[k] - form) <= static_cast<double>(d + 8) * 0x1p-53 * sizes);
      }
    }
  }
}

// Long doubles solve L y = x, L the very factor: the sum of squares lies in the interval, whose margins are
// far wider than its rounding; and what is said of a vector does not depend on those that it is asked with.
TEST_CASE("forms hold what long doubles make of the factor, of any dimension and however many are asked") {
  std::mt19937_64 random(2);
  std::normal_distribution<double> number;
  for (std::size_t d = 1; d <= 12; ++d) {
    RowProducts rows(d);
    for (std::size_t k = 0; k < RowProducts::most; ++k)
      for (double& one : rows.next()) one = number(random);
    std::vector<double> matrix(d * (d + 1) / 2);
    rows.add_to(matrix);
    const auto factor = CertifiedFactor::of(matrix, d, 0.5, 0);
    REQUIRE(factor);
    const std::vector<double>& lower = factor->factor().factor();
    std::vector<double> vectors(CertifiedFactor::strip * d);
    for (double& one : vectors) one = std::ldexp(number(random), static_cast<int>(random() % 600) - 300);
    const auto together = factor->forms(vectors, CertifiedFactor::strip);
    for (std::size_t k = 0; k < together.size(); ++k) {
      const auto x = std::span(vectors).subspan(k * d, d);
      const auto alone = factor->forms(x);
      CHECK(alone.once.lower() == together[k].once.lower());
      CHECK(alone.once.upper() == together[k].once.upper());
      CHECK(alone.twice.lower() == together[k].twice.lower());
      CHECK(alone.twice.upper() == together[k].twice.upper());
      std::vector<long double> y(x.begin(), x.end());
      const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<long double>(lower[row * (row + 1) / 2 + column]);
      };
      long double once = 0, twice = 0;
      for (std::size_t row = 0; row < d; ++row) {
        for (std::size_t column = 0; column < row; ++column) y[row] -= at(row, column) * y[column];
        y[row] /= at(row, row);
        once += y[row] * y[row];
      }
      for (std::size_t row = d; row-- > 0;) {
        for (std::size_t below = row + 1; below < d; ++below) y[row] -= at(below, row) * y[below];
        y[row] /= at(row, row);
        twice += y[row] * y[row];
      }
      CHECK((together[k].once.lower() <= once && once <= together[k].once.upper()));
      CHECK((together[k].twice.lower() <= twice && twice <= together[k].twice.upper()));
      CHECK(together[k].once.upper() <= together[k].once.lower() * (1 + 1e-8));
      CHECK(together[k].twice.upper() <= together[k].twice.lower() * (1 + 1e-8));
    }
  }
}

}  // namespace epsilometer::row_products_test
