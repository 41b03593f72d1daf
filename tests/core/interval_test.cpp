// Outward-rounded arithmetic holds what long doubles compute, and has its conventions where numbers end.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/numerics/interval.h"

namespace epsilometer::interval_test {

namespace {

void holds(const Interval& found, long double truth) {
  CHECK(static_cast<long double>(found.lower()) <= truth);
  CHECK(static_cast<long double>(found.upper()) >= truth);
}

}  // namespace

TEST_CASE("an interval holds the result of every operation on numbers that it holds") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 5000; ++i) {
    const double scale = std::pow(10, 12 * uniform(random));
    const double a = scale * uniform(random), b = uniform(random), width = i % 3 ? 0 : 1e-3;
    const Interval x = Interval::around(a, width), y = Interval::around(b, width);
    // Any member will do: the lower end of one, the middle of the other.
    const long double p = x.lower(), q = b;
    holds(x + y, p + q);
    holds(x - y, p - q);
    holds(x * y, p * q);
    holds(x / y, p / q);
    holds(-x, -p);
    holds(square(x), p * p);
    holds(absolute(x), std::fabs(p));
    holds(larger(x, y), std::max(p, q));
    holds(smaller(x, y), std::min(p, q));
    if (p > 0) holds(square_root(x), std::sqrt(p));
    if (b > -0.99) holds(log_one_plus(y), std::log1p(static_cast<long double>(y.lower())));
    CHECK(square(x).lower() >= 0);
    if (width == 0) CHECK((x * y).upper() - (x * y).lower() <= 4 * unit_roundoff * std::abs(a * b));
  }
}

TEST_CASE("intervals end where numbers do") {
  constexpr double infinite = Interval::infinity;
  CHECK((Interval(0) * Interval(-infinite, infinite)).is_zero());
  CHECK((Interval(0) + Interval(0)).is_zero());
  CHECK((Interval(1) / Interval(-1, 1)).upper() == infinite);
  CHECK((Interval(1) / Interval(0)).lower() == -infinite);
  CHECK((Interval(infinite) - Interval(infinite)).lower() == -infinite);
  CHECK((Interval(infinite) - Interval(infinite)).upper() == infinite);
  // What underflows is not nothing.
  CHECK((Interval(1e-200) * Interval(1e-200)).upper() > 0);
  CHECK((Interval(1e-200) * Interval(1e-200)).lower() <= 0);
  CHECK(log_one_plus(Interval(-1, 0)).lower() == -infinite);
  CHECK(square_root(Interval(-1, 4)).lower() == 0);
  CHECK(square_root(Interval(-1, 4)).upper() >= 2);
  CHECK(square_root(Interval(0)).is_zero());
}

TEST_CASE("the next double is that of the standard library, wherever a number lies") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 random(2);
  std::vector<double> numbers{0.0, -0.0, 1.0, -1.0, infinity, -infinity};
  for (const double edge : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                            std::numeric_limits<double>::max()})
    numbers.insert(numbers.end(), {edge, -edge, edge / 2, -edge / 2, std::nextafter(edge, 0.0)});
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    double any = 0;
    std::memcpy(&any, &bits, sizeof any);
    if (!std::isnan(any)) numbers.push_back(any);
  }
  for (const double number : numbers) {
    CAPTURE(number);
    CHECK(next_above(number) == std::nextafter(number, infinity));
    CHECK(next_below(number) == std::nextafter(number, -infinity));
  }
}

TEST_CASE("what overflows is known from below, and what underflows is above 0") {
  constexpr double infinite = Interval::infinity;
  for (const double x : {709.0, 709.78, 709.79, 710.0, 1e4, 1e308, infinite}) {
    const Interval found = exponential(x);
    CHECK(found.lower() < infinite);
    CHECK(found.lower() >= 8e307);
    CHECK(found.upper() >= found.lower());
    if (x < 11000) holds(found, std::exp(static_cast<long double>(x)));
    CHECK(exponential(-x).lower() == doctest::Approx(0));
    if (x < infinite) CHECK(exponential(-x).upper() > 0);
  }
  CHECK(rounded(infinite).lower() < infinite);
  CHECK(rounded(infinite).upper() == infinite);
  for (const Interval far : {Interval(infinite), Interval(1, infinite), Interval(1e308, infinite)}) {
    CHECK(log_one_plus(far).lower() > 0.69);
    CHECK(log_one_plus(far).lower() < 710);
    CHECK(log_one_plus(far).upper() == infinite);
  }
  // log(1 + x) is below x, by less than doubles show.
  for (double x = 1; x > 0; x /= 8)
    for (const double end : {x, -x / 2}) {
      holds(log_one_plus(end), std::log1p(static_cast<long double>(end)));
      if (end == 0) continue;
      CHECK(log_one_plus(end).lower() < end);
      CHECK(log_one_plus(end).upper() >= end - end * end);
    }
  CHECK(log_one_plus(0).is_zero());
  CHECK(log_one_plus(-2).upper() == -infinite);
}

}  // namespace epsilometer::interval_test
