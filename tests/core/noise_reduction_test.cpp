// Noise that is taken back level by level: its coins, the law of each level and of two together, and what all
// levels up to one cost. Seeds are fixed; a true sampler fails one of these tests with probability 1e-4 for a
// seed chosen beforehand.
#include "core/noise/noise_reduction.h"

#include <doctest/doctest.h>

#include "core/noise/exact_sampler.h"
#include "tests/core/statistics.h"
#include "tests/core/table_lines.h"

using namespace epsilometer;

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

TEST_CASE("coins of noise reduction have their probability") {
  constexpr double count = 1e6 / share;
  for (const auto& line : table_lines("release/accuracy_first.ndjson", "keep")) {
    TestRng rng(20261123, line["more"].get<std::uint64_t>());
    const double truth = std::stod(line["truth"].get<std::string>());
    double kept = 0;
    for (double i = 0; i < count; ++i)
      kept += exact::ratio_of_squared_sinh(rng, line["less"].get<std::uint64_t>(),
                                           line["more"].get<std::uint64_t>());
    CAPTURE(line.dump());
    CHECK(std::abs(kept / count - truth) <= 4 * std::sqrt(truth * (1 - truth) / count));
  }
}

TEST_CASE(
    "every level of noise reduction has the law of discrete Laplace noise, and two agree as often as the "
    "coin says") {
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

TEST_CASE("all levels up to one together cost what the last of them costs, by the whole joint law") {
  // (v_1, v_2, v_3) of one integer that neighbours have as 0 and as 1: P(v_3) kernel(v_2 - v_3) kernel(v_1 -
  // v_2).
  const double steps[] = {6, 3, 1.5};
  const auto keep = [](double less, double more) {
    return std::pow(std::sinh(1 / (2 * more)) / std::sinh(1 / (2 * less)), 2);
  };
  const Kernel first{keep(steps[1], steps[0]), steps[0]}, second{keep(steps[2], steps[1]), steps[1]};
  constexpr int reach = 40, inner = 160;
  // Two levels: the sum over v_3 is P(v_2) again, which says that marginals are right; then three.
  double worst_pair = 0, worst_all = 0, off = 0;
  for (int b = -reach; b <= reach; ++b) {
    double marginal = 0;
    for (int c = -inner; c <= inner; ++c) marginal += law(steps[2], c) * second(b - c);
    off = std::max(off, std::abs(marginal / law(steps[1], b) - 1));
    for (int a = -reach; a <= reach; ++a) {
      double one = 0, other = 0;
      for (int c = -inner; c <= inner; ++c) {
        one += law(steps[2], c) * second(b - c) * first(a - b);
        other += law(steps[2], c - 1) * second(b - c) * first(a - b);
      }
      worst_pair = std::max(worst_pair, std::abs(std::log(one / other)));
    }
    for (int c = -reach; c <= reach; ++c)
      worst_all = std::max(worst_all, std::abs(std::log(law(steps[2], c) / law(steps[2], c - 1))));
  }
  CHECK(off <= 1e-12);
  CHECK(worst_pair <= 1 / steps[1] + 1e-12);
  CHECK(worst_pair >= 1 / steps[1] - 1e-12);
  CHECK(worst_all == doctest::Approx(1 / steps[2]).epsilon(1e-12));
}

TEST_CASE("one coin for two coordinates together breaks what two coins keep, by the whole joint law") {
  // Kept together or drawn again together: the first level then has P(kept) P(v_2) + P(drawn) P(v_2 + noise).
  const double less = 1.5, more = 3,
               keep = std::pow(std::sinh(1 / (2 * more)) / std::sinh(1 / (2 * less)), 2);
  constexpr int reach = 30, inner = 120;
  const auto drawn = [&](int a) {
    double sum = 0;
    for (int c = -inner; c <= inner; ++c) sum += law(less, c) * law(more, a - c);
    return sum;
  };
  const auto together = [&](int a, int b) {
    return keep * law(less, a) * law(less, b) + (1 - keep) * drawn(a) * drawn(b);
  };
  double worst = 0, worst_apart = 0;
  for (int a = -reach; a <= reach; ++a) {
    worst = std::max(worst, std::abs(std::log(together(a, 0) / together(a - 1, 0))));
    worst_apart = std::max(worst_apart, std::abs(std::log(law(more, a) / law(more, a - 1))));
  }
  CHECK(worst_apart == doctest::Approx(1 / more).epsilon(1e-12));
  CHECK(worst > 1.2 / more);
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
