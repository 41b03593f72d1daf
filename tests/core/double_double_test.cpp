// Arithmetic in two doubles, and the functions built on it, against the same in 300 bits.
#include "core/numerics/double_double.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>

#include "core/numerics/exponential.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/precise_exponential.h"
#include "tests/core/statistics.h"

namespace epsilometer::double_double_test {

namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_bin_float<300, mp::digit_base_2>, mp::et_off>;

Wide wide(DoubleDouble a) { return Wide(a.hi) + Wide(a.lo); }

// The error relative to the truth, in powers of two.
double bits_off(DoubleDouble found, const Wide& truth) {
  const Wide off = abs((wide(found) - truth) / truth);
  return off == 0 ? -400 : std::log2(static_cast<double>(off));
}

class Draw {
 public:
  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(stream_); }
  double sign() { return stream_() % 2 == 0 ? 1 : -1; }
  // Of sizes between powers of two, with a low part that is anything up to half a unit of the last place.
  DoubleDouble pair(double from, double to) {
    const double hi = sign() * std::exp2(uniform(from, to));
    return two_sum(hi, uniform(-0.5, 0.5) * (std::nextafter(std::abs(hi), HUGE_VAL) - std::abs(hi)));
  }

 private:
  std::mt19937_64 stream_{20261123};
};

}  // namespace

TEST_CASE("sums and products of two doubles lose nothing") {
  Draw draw;
  for (std::size_t i = 0; i < 20000 / share; ++i) {
    const double a = draw.pair(-200, 200).hi, b = draw.pair(-200, 200).hi;
    CAPTURE(a);
    CAPTURE(b);
    CHECK(wide(two_sum(a, b)) == Wide(a) + Wide(b));
    CHECK(wide(two_product(a, b)) == Wide(a) * Wide(b));
    CHECK(wide(split_product(a, b)) == Wide(a) * Wide(b));
    CHECK(two_sum(a, b).hi == a + b);
    CHECK(two_product(a, b).hi == a * b);
  }
}

TEST_CASE("double-doubles keep 100 bits in every operation, and no operation keeps many more") {
  Draw draw;
  double sum = -400, product = -400, quick = -400, quotient = -400, root = -400, inverse = -400;
  for (std::size_t i = 0; i < 20000 / share; ++i) {
    const DoubleDouble a = draw.pair(-60, 60), b = draw.pair(-60, 60);
    const DoubleDouble size = a.hi < 0 ? -a : a, other = b.hi < 0 ? -b : b;
    sum = std::max(sum, bits_off(size + other, wide(size) + wide(other)));
    product = std::max(product, bits_off(a * b, wide(a) * wide(b)));
    quick = std::max(quick, bits_off(quick_product(a, b), wide(a) * wide(b)));
    quotient = std::max(quotient, bits_off(a / b, wide(a) / wide(b)));
    root = std::max(root, bits_off(square_root(size), sqrt(wide(size))));
    inverse = std::max(inverse, bits_off(precise_inverse(a), 1 / wide(a)));
  }
  CHECK(sum <= -103);
  CHECK(product <= -100);
  CHECK(quick <= -100);
  CHECK(quotient <= -100);
  CHECK(root <= -100);
  CHECK(inverse <= -98);
  CHECK(std::min({sum, product, quick, quotient, root, inverse}) > -108);
  CHECK(square_root(DoubleDouble{0}).hi == 0);
}

TEST_CASE("a sum of opposite signs is right to its operands") {
  Draw draw;
  for (std::size_t i = 0; i < 20000 / share; ++i) {
    const DoubleDouble a = draw.pair(-1, 1), near = a * DoubleDouble{1, draw.uniform(-1, 1) * 0x1p-60};
    const Wide off = abs(wide(a - near) - (wide(a) - wide(near)));
    CHECK(off <= abs(wide(a)) * 0x1p-103);
  }
}

TEST_CASE("what is rounded up is above, by one step at most, and exact where it can be") {
  Draw draw;
  for (std::size_t i = 0; i < 20000 / share; ++i) {
    const DoubleDouble a = draw.pair(-20, 20);
    CHECK(Wide(upward(a)) >= wide(a));
    CHECK(Wide(std::nextafter(upward(a), -HUGE_VAL)) < wide(a));
    const double count = std::floor(draw.uniform(1, 1e6)), x = std::exp2(draw.uniform(-9, 9)),
                 y = std::exp2(draw.uniform(-9, 9));
    const double quotient = quotient_upward(count, x, y);
    CAPTURE(count);
    CAPTURE(x);
    CAPTURE(y);
    CHECK(Wide(quotient) * Wide(y) >= Wide(count) * Wide(x));
    CHECK(Wide(std::nextafter(quotient, 0)) * Wide(y) < Wide(count) * Wide(x));
    // A quotient that is a double.
    const double whole = std::floor(draw.uniform(1, 1 << 20)) / 64;
    CHECK(quotient_upward(count, whole * 8, 8) == count * whole);
  }
}

TEST_CASE("logarithms and exponentials in two doubles keep the bits that they state") {
  CHECK(abs(wide(logarithm_of_two) - log(Wide(2))) < Wide(0x1p-110));
  Draw draw;
  double plain = -400, shifted = -400, minus_one = -400, power = -400;
  for (std::size_t i = 0; i < 4000 / share; ++i) {
    const double x = std::exp2(draw.uniform(-900, 900));
    const Wide truth = log(Wide(x));
    plain = std::max(
        plain, std::log2(static_cast<double>(abs(wide(logarithm(x)) - truth) / (1 + abs(truth))) + 1e-200));
    const DoubleDouble small =
        i % 2 == 0 ? draw.pair(-80, -1) : DoubleDouble{std::exp2(draw.uniform(-1, 60))};
    shifted = std::max(shifted, bits_off(log_one_plus(small), log1p(wide(small))));
    const DoubleDouble argument = i % 2 == 0 ? draw.pair(-80, -1) : draw.pair(-1, 9.4);
    minus_one = std::max(minus_one, bits_off(exponential_minus_one(argument), expm1(wide(argument))));
    const DoubleDouble exponent{draw.uniform(-590, 690), draw.uniform(-1, 1) * 0x1p-46};
    const DoubleDouble joined = two_sum(exponent.hi, exponent.lo);
    power = std::max(power, bits_off(precise_exponential(joined), exp(wide(joined))));
  }
  CHECK(plain <= -95);
  CHECK(shifted <= -95);
  CHECK(minus_one <= -95);
  CHECK(power <= -96);
  CHECK(std::isinf(precise_exponential({709.79}).hi));
  for (const double argument : {700.0, 709.0, 709.7})
    CHECK(bits_off(precise_exponential({argument}), exp(Wide(argument))) <= -96);
}

}  // namespace epsilometer::double_double_test
