// Powers and products of spectra: right to the error that they state, whatever the entries are.
#include "core/numerics/transform.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/bounds.h"

namespace epsilometer::transform_test {

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

TEST_CASE("a transform is right to its stated error, in both directions, and not to a thousandth of it") {
  std::mt19937_64 stream(20261125);
  std::uniform_real_distribution<double> even(-1, 1);
  double worst = 0;
  int compared = 0;
  for (const std::size_t length : {2, 8, 30, 96, 250}) {
    const Transform transform(length);
    std::vector<Wide> turns;
    for (std::size_t i = 0; i < length; ++i)
      turns.push_back(std::polar(1.0L, -2 * std::acos(-1.0L) * static_cast<long double>(i) / length));
    for (int i = 0; i < 3; ++i) {
      Frequencies values(length);
      long double total = 0;
      // Masses, values of both signs, and one entry alone.
      for (auto& value : values)
        value = i == 0   ? std::complex<double>(std::abs(even(stream)), 0)
                : i == 1 ? std::complex<double>(even(stream), even(stream))
                         : 0;
      if (i == 2) values[length - 1] = 1;
      for (const auto& value : values) total += std::abs(Wide(value));
      const Frequencies forward = transform.forward(values), backward = transform.backward(values);
      for (std::size_t f = 0; f < length; ++f) {
        Wide sum = 0, other = 0;
        for (std::size_t j = 0; j < length; ++j) {
          const Wide turn = turns[f * j % length];
          sum += Wide(values[j]) * turn;
          other += Wide(values[j]) * std::conj(turn);
        }
        const long double off =
            std::max(std::abs(Wide(forward[f]) - sum), std::abs(Wide(backward[f]) - other));
        CHECK(off <= transform.error() * total);
        worst = std::max(worst, static_cast<double>(off / total / transform.error()));
        ++compared;
      }
    }
  }
  CHECK(compared == 3 * (2 + 8 + 30 + 96 + 250));
  CHECK(worst > 1e-3);
}

}  // namespace epsilometer::transform_test
