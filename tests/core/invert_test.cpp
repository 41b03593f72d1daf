// Inverses of monotone functions, of which both sides are evaluated: where the level is passed is never
// inferred.
#include "core/numerics/invert.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "core/numerics/search.h"

namespace epsilometer::invert_test {

namespace {

using Function = std::function<double(double)>;

double ulps(double below, double above) {
  return (above - below) / (std::nextafter(above, HUGE_VAL) - above);
}

}  // namespace

TEST_CASE("smooth functions of any size are inverted to a few units in the last place") {
  struct Known {
    Function f;
    // Of a level.
    std::function<double(double)> inverse;
  };
  const std::vector<Known> all = {
      {[](double x) { return std::exp(-x); }, [](double y) { return -std::log(y); }},
      {[](double x) { return 1e30 / (1 + x * x); }, [](double y) { return std::sqrt(1e30 / y - 1); }},
      {[](double x) { return 1 / (1 + 1e80 * x); }, [](double y) { return (1 / y - 1) / 1e80; }},
      {[](double x) { return 1 - x; }, [](double y) { return 1 - y; }}};
  int compared = 0;
  for (const Known& one : all)
    for (const double level : {1e-250, 1e-80, 1e-20, 1e-3, 0.2, 0.9, 0.999}) {
      const double truth = one.inverse(level);
      if (!(one.f(0) > level) || !(truth < 1e299)) continue;
      const Crossing found = crossing(one.f, level, 1e300);
      CAPTURE(level);
      CAPTURE(truth);
      CHECK(one.f(found.above) <= level);
      CHECK(one.f(found.below) > level);
      CHECK(ulps(found.below, found.above) <= 8);
      // What a few roundings of the function's own value move its inverse by.
      const double steepness = std::abs(one.f(truth * (1 + 1e-7)) - level) / (1e-7 * truth);
      const double doubt = 16 * 0x1p-53 * (truth + level / steepness + (truth < 2 ? 1 / steepness : 0));
      CHECK(std::abs(found.above - truth) <= doubt);
      ++compared;
    }
  CHECK(compared >= 24);
}

TEST_CASE("at jumps and on flat stretches both ends are still values that were evaluated") {
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  int on_level = 0;
  for (int i = 0; i < 2000; ++i) {
    // Stairs: heights and places of any size, and a level that may be a height itself.
    std::vector<double> places{0}, heights{1};
    const double scale = std::pow(10, 160 * uniform(stream) - 80);
    for (int j = 0; j < 6; ++j) {
      places.push_back(places.back() + scale * uniform(stream));
      heights.push_back(heights.back() * std::pow(uniform(stream), 8));
    }
    const auto f = [&](double x) {
      std::size_t j = 0;
      while (j + 1 < places.size() && places[j + 1] <= x) ++j;
      return heights[j];
    };
    const std::size_t step = 1 + stream() % 6;
    const bool equal = i % 2 == 0;
    const double level = equal ? heights[step] : std::sqrt(heights[step] * heights[step - 1]);
    if (!(level < heights[step - 1]) || level < 1e-290) continue;
    on_level += equal;
    const Crossing found = crossing(f, level, 1e300);
    CAPTURE(i);
    CHECK(f(found.above) <= level);
    CHECK(f(found.below) > level);
    CHECK(found.above >= places[step]);
    CHECK(found.below < places[step]);
    CHECK(ulps(found.below, found.above) <= 8);
  }
  CHECK(on_level > 500);
}

TEST_CASE("what is never kept has no upper end, and what is kept at once is 0") {
  const auto falling = [](double x) { return 1 / (1 + x); };
  const Crossing never = crossing(falling, 1e-3, 100);
  CHECK(never.below == 100);
  CHECK(std::isinf(never.above));
  CHECK(crossing(falling, 1, 100).above == 0);
  CHECK(crossing(falling, 1, 100).below == 0);
  // A level that is passed next to 0, and one at the ceiling.
  const Crossing soon = crossing([](double x) { return x > 0 ? 0.1 : 1.0; }, 0.5, 1);
  CHECK(soon.below == 0);
  CHECK(soon.above > 0);
  CHECK(soon.above < 1e-300);
  const Crossing last = crossing(falling, 1 / 101.0, 100);
  CHECK(falling(last.above) <= 1 / 101.0);
}

TEST_CASE("a function that is monotone but for rounding is inverted as well") {
  // 1 - x (1 - x) ... near its flat maximum, in steps of its own rounding.
  const auto f = [](double x) { return 1 - 1e-9 * x * x + (1e-9 * x) * (1e-9 * x); };
  for (const double level : {0.999999, 0.9999999999, 0.99999999999999}) {
    const Crossing found = refine(f, level, 0, 1e4);
    CHECK(f(found.above) <= level);
    CHECK(f(found.below) > level);
  }
}

TEST_CASE("a minimum is found to the root of the precision, and the value there is the function's") {
  for (const double at : {-3.0, 0.25, 7.5}) {
    const auto f = [at](double x) { return std::cosh(x - at) + 2; };
    const auto [place, value] = minimum(f, at - 5, at + 8, 40);
    CHECK(std::abs(place - at) < 1e-6);
    CHECK(value == f(place));
  }
}

}  // namespace epsilometer::invert_test
