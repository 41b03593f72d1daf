// Powers and products of spectra: right to the error that they state, whatever the entries are.
#include "core/numerics/transform.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/bounds.h"

using namespace epsilometer;

namespace {

using Wide = std::complex<long double>;

Wide power(std::complex<double> value, int count) {
  Wide result = 1;
  for (int i = 0; i < count; ++i) result *= Wide(value);
  return result;
}

}  // namespace

TEST_CASE(
    "a product of powers states an error that covers the worst of its factors' doubts, and not much more") {
  const double smallest = std::numeric_limits<double>::denorm_min();
  const std::vector<double> sizes = {0,      -0.0,  smallest, -smallest, 1e-310, 1e-200, 1e-154, 1e-150,
                                     1e-100, 1e-20, 1e-16,    1e-13,     1e-3,   0.5,    -1,     1};
  const double doubt = 1e-14;
  int compared = 0;
  for (const double re : sizes)
    for (const double im : sizes)
      for (const int count : {1, 2, 3, 17})
        for (const int other : {0, 1, 2}) {
          // Every entry a spectrum of its own, so that its error is the total.
          const std::complex<double> first{re, im}, second{im, 0.25};
          PowerProduct product(1);
          product.multiply({first}, count, doubt);
          if (other > 0) product.multiply({second}, other, doubt);
          const std::complex<double> value = product.values()[0];
          const double error = product.total_error();
          CAPTURE(re);
          CAPTURE(im);
          CAPTURE(count);
          CAPTURE(other);
          // What the true entries may be: a doubt away, in the direction that matters most.
          const Wide computed = power(first, count) * power(second, other);
          const auto reach = [&](std::complex<double> z, int times) {
            return std::pow(std::abs(Wide(z)) + doubt, static_cast<long double>(times));
          };
          const long double most = reach(first, count) * reach(second, other);
          const long double needed = most - std::abs(computed) + std::abs(Wide(value) - computed);
          CHECK(error >= needed * (1 - 1e-10L));
          // Roundings: 16u of a logarithm down to -745, of a turn and a few operations for every power. Below
          // e^-90 a product may be left out.
          const long double rounding = 16L * (745 + 8) * (count + other) * unit_roundoff + 1e-15L;
          CHECK(error <= (most - std::abs(computed) + most * rounding) * (1 + 1e-11L) + 1e-39L);
          ++compared;
        }
  CHECK(compared == 16 * 16 * 4 * 3);
}
