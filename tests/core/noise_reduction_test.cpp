// Noise that is taken back level by level: its coins, the law of each level and of two together, and what all
// levels up to one cost. Seeds are fixed; a true sampler fails one of these tests with probability 1e-4 for a
// seed chosen beforehand.
#include "core/noise/noise_reduction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/noise/exact_sampler.h"
#include "tests/core/statistics.h"
#include "tests/core/table_lines.h"

namespace epsilometer::noise_reduction_test {

namespace {

using Steps = std::vector<std::uint64_t>;

std::int64_t at(const NoisePath& path, std::size_t level) {
  return static_cast<std::int64_t>(path.at(level));
}

const auto laplace_weight = [](double t) {
  return [t](std::int64_t z) { return std::exp(-std::abs(static_cast<double>(z)) / t); };
};

// The exact law of the increment from noise of `less` steps to noise of `more`: kept, or Laplace noise of
// `more`.
struct Kernel {
  double keep, more;

  double operator()(int z) const {
    const double q = std::exp(-1 / more), noise = (1 - q) / (1 + q) * std::pow(q, std::abs(z));
    return (z == 0 ? keep : 0) + (1 - keep) * noise;
  }
};

double law(double steps, int z) {
  const double q = std::exp(-1 / steps);
  return (1 - q) / (1 + q) * std::pow(q, std::abs(z));
}

}  // namespace

TEST_CASE("coins of noise reduction have their probability" * doctest::test_suite("long")) {
  constexpr double count = 1e6 / share;
  for (const auto& line : table_lines("release/accuracy_first.ndjson", "keep")) {
    TestRng rng(20261123, line["more"].get<std::uint64_t>());
    const double chance = truth(line);
    double kept = 0;
    for (double i = 0; i < count; ++i)
      kept += exact::ratio_of_squared_sinh(rng, line["less"].get<std::uint64_t>(),
                                           line["more"].get<std::uint64_t>());
    CAPTURE(line.dump());
    CHECK(std::abs(kept / count - chance) <= 4 * std::sqrt(chance * (1 - chance) / count));
  }
}

TEST_CASE(
    "every level of noise reduction has the law of discrete Laplace noise, and two agree as often as the "
    "coin says" *
    doctest::test_suite("long")) {
  const Steps steps = {40, 12, 5, 5, 2};
  constexpr std::size_t count = 400'000 / share;
  TestRng rng(20261124);
  std::vector<std::vector<std::int64_t>> levels(steps.size());
  std::vector<double> equal(steps.size());
  for (std::size_t i = 0; i < count; ++i) {
    const NoisePath path(rng, steps);
    for (std::size_t t = 0; t < steps.size(); ++t) {
      levels[t].push_back(at(path, t));
      if (t > 0) equal[t] += at(path, t) == at(path, t - 1);
    }
  }
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const auto s = static_cast<double>(steps[t]);
    CAPTURE(t);
    CHECK(chi_square(levels[t], static_cast<std::int64_t>(30 * s), laplace_weight(s)) > 1e-4);
    if (t == 0) continue;
    // Kept, or drawn again as the very same.
    const double more = static_cast<double>(steps[t - 1]),
                 keep = std::pow(std::sinh(1 / (2 * more)) / std::sinh(1 / (2 * s)), 2);
    const double agree = Kernel{keep, more}(0);
    CHECK(std::abs(equal[t] / count - agree) <= 4 * std::sqrt(agree * (1 - agree) / count) + 1e-12);
  }
}

TEST_CASE("the widest noise of a grid has the law of Laplace noise at each level") {
  const Steps steps = {std::uint64_t{1} << 47, std::uint64_t{1} << 40, std::uint64_t{1} << 24};
  constexpr std::size_t count = 100'000 / share;
  TestRng rng(20261125);
  std::vector<std::vector<double>> levels(steps.size());
  double kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const NoisePath path(rng, steps);
    for (std::size_t t = 0; t < steps.size(); ++t)
      levels[t].push_back(static_cast<double>(at(path, t)) / static_cast<double>(steps[t]));
    kept += at(path, 0) == at(path, 1);
  }
  for (const auto& level : levels)
    CHECK(kolmogorov(level, [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }) > 1e-4);
  CHECK(kept <= 10);  // 2^-14 of 100 000 are 6.1: 21 or more have probability 1e-6
}

TEST_CASE("three levels have the joint law by which all up to one cost what the last of them costs") {
  // P(v_3) kernel(v_2 - v_3) kernel(v_1 - v_2): in v_3 alone the value that the noise hides shows.
  const Steps steps = {6, 3, 2};
  const auto keep = [&](std::size_t level) {
    const auto more = static_cast<double>(steps[level]), less = static_cast<double>(steps[level + 1]);
    return std::pow(std::sinh(1 / (2 * more)) / std::sinh(1 / (2 * less)), 2);
  };
  const Kernel first{keep(0), 6}, second{keep(1), 3};
  // Each level from -near to near, what is further off with its last cell; three of them as one number.
  constexpr int near = 3, width = 2 * near + 1, reach = (width * width * width - 1) / 2, far = 60;
  const auto cell = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto part = [&](std::int64_t z) { return std::clamp<std::int64_t>(z, -near, near) + near; };
    return (part(a) * width + part(b)) * width + part(c) - reach;
  };
  std::vector<double> weights(2 * reach + 1);
  for (int c = -far; c <= far; ++c)
    for (int b = -far; b <= far; ++b)
      for (int a = -far; a <= far; ++a)
        weights[static_cast<std::size_t>(cell(a, b, c) + reach)] += law(2, c) * second(b - c) * first(a - b);
  TestRng rng(20261126);
  std::vector<std::int64_t> draws;
  for (std::size_t i = 0; i < 200'000 / share; ++i) {
    const NoisePath path(rng, steps);
    draws.push_back(cell(at(path, 0), at(path, 1), at(path, 2)));
  }
  CHECK(chi_square(draws, reach,
                   [&](std::int64_t z) { return weights[static_cast<std::size_t>(z + reach)]; }) > 1e-4);
}

TEST_CASE("two coordinates keep their noise by coins of their own") {
  // By one coin they would agree together as often as one of them does, and the price would not hold.
  const Steps steps = {3, 2};
  const double keep = std::pow(std::sinh(1.0 / 6) / std::sinh(1.0 / 4), 2), agree = Kernel{keep, 3}(0);
  TestRng rng(20261127);
  constexpr double count = 1e5 / share;
  double both = 0;
  for (double i = 0; i < count; ++i) {
    ReducedNoise noisy(0);
    noisy.add(0, rng, steps);
    noisy.add(0, rng, steps);
    both += noisy.at(0)[0] == noisy.at(1)[0] && noisy.at(0)[1] == noisy.at(1)[1];
  }
  const double chance = agree * agree;
  CHECK(std::abs(both / count - chance) <= 4 * std::sqrt(chance * (1 - chance) / count));
}

TEST_CASE("levels of the same width share their noise, and sums come back in their units") {
  TestRng rng(5);
  ReducedNoise noisy(-3);
  noisy.add(1000, rng, Steps{1, 1, 1});
  noisy.add(largest_sum, rng, Steps{7, 2, 1});
  CHECK(noisy.at(0)[0] == noisy.at(2)[0]);
  CHECK(noisy.at(0)[0] == std::round(noisy.at(0)[0] * 8) / 8);
  CHECK(std::abs(noisy.at(1)[0] - 125) < 5);
  const NoisePath single(rng, Steps{3});
  CHECK(std::abs(at(single, 0)) < 300);
}

}  // namespace epsilometer::noise_reduction_test
