// The normal kernel against its own identities; its values are checked through the Gaussian tables.
#include "core/numerics/normal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/base/bounds.h"

namespace epsilometer::normal_test {

TEST_CASE("the Mills ratio obeys its bounds and falls") {
  double before = mills_ratio(0);
  CHECK(std::abs(before - std::sqrt(std::acos(-1.0) / 2)) < 1e-15);
  for (double x = 0.001; x < 1e6; x *= 1.01) {
    const double m = mills_ratio(x);
    // Birnbaum 1942 below, Sampford 1953 above.
    CHECK(m >= 2 / (std::sqrt(x * x + 4) + x) * (1 - 4 * unit_roundoff));
    CHECK(m <= 4 / (std::sqrt(x * x + 8) + 3 * x) * (1 + 4 * unit_roundoff));
    CHECK(m < before);
    before = m;
  }
}

TEST_CASE("a difference of Mills ratios is additive, however narrow") {
  std::mt19937_64 stream(20261120);
  std::uniform_real_distribution<double> logarithm(-12, 3), start(-1.25, 40);
  for (int i = 0; i < 20000; ++i) {
    const double a = start(stream), first = std::exp2(std::floor(std::log2(std::exp(logarithm(stream)))));
    // Widths that are added to a grid point without rounding.
    const double base = std::floor(a * 64) / 64;
    const double whole = mills_difference(base, 2 * first);
    const double parts = mills_difference(base, first) + mills_difference(base + first, first);
    CAPTURE(base);
    CAPTURE(first);
    CHECK(std::abs(whole - parts) <= 48 * unit_roundoff * whole);
  }
}

TEST_CASE("upper tails of both signs add to one, and the quantile is their inverse") {
  for (double x = 0; x < 38; x += 0.37) {
    CHECK(std::abs(normal_upper_tail({x}) + normal_upper_tail({-x}) - 1) <= 2 * unit_roundoff);
    // The quantile moves by at most 8u of its size, the tail by x times that.
    const double p = normal_upper_tail({x});
    if (x > 0) CHECK(std::abs(normal_upper_quantile(p) / x - 1) < 1e-14 / x / x + 1e-15);
  }
}

}  // namespace epsilometer::normal_test
