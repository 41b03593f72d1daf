// Factors, solutions and the smallest eigenvalue of small symmetric matrices.
#include "core/numerics/cholesky.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/numerics/certified_factor.h"

namespace epsilometer::cholesky_test {

TEST_CASE("a factor times itself is the matrix, and its solution solves") {
  const std::vector<double> matrix = {4, 2, 5, -2, 1, 6};
  const auto factor = Cholesky::of(matrix, 3, 0.5);
  REQUIRE(factor);
  const auto& l = factor->factor();
  CHECK(l[0] * l[0] == doctest::Approx(4.5).epsilon(1e-15));
  CHECK(l[3] * l[1] + l[4] * l[2] == doctest::Approx(1).epsilon(1e-14));
  const auto x = factor->solve(std::vector<double>{1, 2, 3});
  const auto back = product(matrix, x);
  for (int i = 0; i < 3; ++i) CHECK(back[i] + 0.5 * x[i] == doctest::Approx(i + 1).epsilon(1e-14));
}

TEST_CASE("what is not positive definite, or not finite, has no factor") {
  CHECK_FALSE(Cholesky::of(std::vector<double>{1, 2, 1}, 2));
  CHECK_FALSE(Cholesky::of(std::vector<double>{0}, 1));
  CHECK_FALSE(Cholesky::of(std::vector<double>{std::nan("")}, 1));
  CHECK_FALSE(Cholesky::of(std::vector<double>{1, std::nan(""), 1}, 2));
  CHECK_FALSE(Cholesky::of(std::vector<double>{std::numeric_limits<double>::infinity()}, 1));
}

TEST_CASE("the smallest eigenvalue is enclosed: of the second difference, of a rank one, of a negative") {
  // 2 - 2 cos(pi / (d + 1)).
  for (const std::size_t d : {1, 2, 7, 40}) {
    std::vector<double> matrix;
    for (std::size_t row = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column)
        matrix.push_back(row == column ? 2 : row == column + 1 ? -1 : 0);
    const double truth = 2 - 2 * std::cos(std::acos(-1.0) / (static_cast<double>(d) + 1));
    const Bounds found = smallest_eigenvalue(matrix, d);
    CHECK(found.lower <= truth + 1e-15);
    CHECK(found.upper >= truth - 1e-15);
    CHECK(found.upper - found.lower < 1e-11);
  }
  const Bounds zero = smallest_eigenvalue(std::vector<double>{1, 1, 1}, 2);
  CHECK(zero.lower <= 0);
  CHECK(zero.upper >= 0);
  CHECK(zero.upper - zero.lower < 1e-14);
  const Bounds negative = smallest_eigenvalue(std::vector<double>{0, 5, 0}, 2);
  CHECK(negative.lower <= -5);
  CHECK(negative.upper >= -5);
  CHECK(negative.upper - negative.lower < 1e-13);
}

TEST_CASE("the smallest eigenvalue is enclosed, and found at all, at every size of numbers") {
  // 1 and 3 times the size.
  for (const double size : {1e-323, 1e-320, 1e-308, 1e-300, 1e-160, 1e-100, 1e100, 1e154, 1e300}) {
    CAPTURE(size);
    const Bounds found = smallest_eigenvalue(std::vector<double>{2 * size, size, 2 * size}, 2);
    CHECK(found.lower <= size);
    CHECK(found.upper >= size);
    CHECK(found.upper - found.lower <= 1e-13 * size + 1e-306);
  }
  const Bounds nothing = smallest_eigenvalue(std::vector<double>{0, 0, 0}, 2);
  CHECK(nothing.lower <= 0);
  CHECK(nothing.upper >= 0);
  CHECK(nothing.upper - nothing.lower < 1e-306);
}

TEST_CASE("a certified solution is that of the factor, bit for bit") {
  for (const std::size_t d : {1, 2, 3, 17, 40}) {
    CAPTURE(d);
    std::vector<double> matrix, right;
    for (std::size_t row = 0; row < d; ++row) {
      right.push_back(std::sin(static_cast<double>(row) + 1));
      for (std::size_t column = 0; column <= row; ++column)
        matrix.push_back(row == column ? static_cast<double>(d)
                                       : std::cos(static_cast<double>(3 * row + column)));
    }
    const auto certified = CertifiedFactor::of(matrix, d, 0.5, 0);
    REQUIRE(certified);
    CHECK(certified->solve(right).values == Cholesky::of(matrix, d, 0.5)->solve(right));
  }
}

}  // namespace epsilometer::cholesky_test
