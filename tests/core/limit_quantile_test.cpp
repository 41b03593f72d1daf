// The quantile of the limit law, against its published values.
#include "core/goe/limit_quantile.h"

#include <doctest/doctest.h>

#include <cmath>

namespace epsilometer::limit_quantile_test {

TEST_CASE("the limit law's quantiles are those that were published") {
  // Bejan 2005, beta = 1: to four decimals.
  const struct { double tail, published; } known[] = {{0.10, 0.4501}, {0.05, 0.9793}, {0.01, 2.0234}};
  for (const auto& one : known) {
    const double s = limit_quantile(1, OffDiagonalVariance::one, one.tail) - 2;
    CAPTURE(one.tail);
    CHECK(std::abs(s - one.published) < 1e-4);
  }
}

TEST_CASE("the variance off the diagonal scales it, and the truth comes near it from below as d grows") {
  const double one = limit_quantile(50, OffDiagonalVariance::one, 1e-3);
  CHECK(limit_quantile(50, OffDiagonalVariance::half, 1e-3) ==
        doctest::Approx(one / std::sqrt(2.0)).epsilon(1e-15));
  double last = 1;
  for (const double d : {10, 100, 1000}) {
    const double truth = LargestEigenvalue(d, OffDiagonalVariance::one).upper_quantile(1e-3).value;
    const double off = std::abs(limit_quantile(d, OffDiagonalVariance::one, 1e-3) / truth - 1);
    CHECK(off < last / 4);
    last = off;
  }
}

}  // namespace epsilometer::limit_quantile_test
