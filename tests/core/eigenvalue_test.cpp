// The smallest eigenvalue as a release: how far rounding and computation can move it, and its margin.
#include "core/noise/eigenvalue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/normal.h"

namespace epsilometer::eigenvalue_test {

TEST_CASE("rounded eigenvalues of neighbours are no further apart than is priced, and come that far") {
  std::mt19937_64 stream(20261131);
  std::uniform_real_distribution<double> even(0, 1);
  for (const double unit : {0.5, 10.5, 1000.25}) {
    double largest = 0;
    const double priced = eigenvalue_sensitivity(unit, 0);
    for (int i = 0; i < 2000; ++i) {
      const double fewer = 50 * even(stream);
      const auto steps = [&](double value) {
        return static_cast<double>(smallest_eigenvalue_sum(std::vector{value}, 1, unit, 0).value(0));
      };
      largest = std::max(largest, steps(fewer + unit) - steps(fewer));
    }
    CHECK(largest <= priced);
    CHECK(largest == std::ceil(unit));
  }
}

TEST_CASE("as far as the computed eigenvalue may be off, under both tables, is priced") {
  // The larger the table the less certain its eigenvalue, up to where it is refused.
  for (const std::size_t d : {2, 5}) {
    const auto matrix = [d](double size) {
      std::vector<double> all;
      for (std::size_t row = 0; row < d; ++row)
        for (std::size_t column = 0; column <= row; ++column) all.push_back(row == column ? size : 0);
      return all;
    };
    const auto accepted = [&](double size) {
      try {
        smallest_eigenvalue_sum(matrix(size), d, 1, -30);
        return true;
      } catch (const Refusal&) {
        return false;
      }
    };
    double size = 1;
    while (accepted(2 * size) && size < 1e18) size *= 2;
    REQUIRE(size < 1e18);
    for (double step = size / 2; step > size / 1e4; step /= 2)
      if (accepted(size + step)) size += step;
    const Bounds least = smallest_eigenvalue(matrix(size), d);
    const double half = (least.upper - least.lower) / 2;
    CHECK(half >= 0x1p-22);
    CHECK(eigenvalue_sensitivity(1, -30) >= std::ldexp(1 + 2 * half, 30) + 1);
    CHECK(eigenvalue_sensitivity(1, -30) <= std::ldexp(1 + 2 * 0x1p-20, 30) * (1 + 1e-12) + 1);
  }
}

TEST_CASE("the margin of a noisy eigenvalue fails as rarely as said") {
  for (const double failure : {0.2, 1e-3, 1e-9, 1e-30}) {
    const GaussianNoise gaussian = GaussianNoise::of(3);
    const LaplaceNoise laplace = LaplaceNoise::of(3);
    // In steps: the noise is above the margin with that probability or less, by at most the rounding of the
    // margin itself; 2^-20 units and 4 steps more are room for what is computed.
    const double normal = eigenvalue_margin(gaussian, 1, failure),
                 width = squared_width(gaussian.steps, gaussian.exponent);
    CHECK(normal_upper_tail(DoubleDouble{normal / std::sqrt(width)}) <= failure);
    CHECK(normal <= normal_upper_quantile(failure) * std::sqrt(width) + 0x1p-20 + 4 * 0x1p-29);
    const double scale = std::ldexp(static_cast<double>(laplace.steps), laplace.exponent);
    const double exponential = eigenvalue_margin(laplace, 1, failure);
    CHECK(std::exp(-exponential / scale) / 2 <= failure);
    CHECK(exponential <= -std::log(2 * failure) * scale + 0x1p-20 + 4 * 0x1p-29);
  }
}

}  // namespace epsilometer::eigenvalue_test
