// The best of a random number of runs: the law by which it stops, and that what is said of its privacy holds
// for every outcome of small mechanisms, by listing them.
#include "core/release/random_stopping.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/accounting/profile.h"
#include "core/noise/generator.h"
#include "tests/core/small_pairs.h"

namespace epsilometer::random_stopping_test {

namespace {

struct Outcome {
  double score;
  std::size_t name;
};

// Five standard errors of a share of so many draws: one case in 1.7 million is further off.
double doubt(double share, double draws) { return 5 * std::sqrt(share * (1 - share) / draws); }

// Outcomes 1 .. 4 with scores of which two are equal; 0 is a run that came to nothing.
constexpr std::array<double, 5> scores = {HUGE_VAL, 3, 1, 3, 2};
using Shares = std::array<double, 5>;

// E x^K for a geometric number of runs.
double all_within(double x, double expected_runs) { return x / (expected_runs - (expected_runs - 1) * x); }

// The law of the best run, from the law of one: some run is at its score, and none below it; equal scores
// share that as often as they occur.
Shares law_of_best(const Shares& run, double expected_runs) {
  Shares best{};
  for (std::size_t i = 0; i < run.size(); ++i) {
    double better = 0, alike = 0;
    for (std::size_t j = 0; j < run.size(); ++j) {
      if (scores[j] < scores[i]) better += run[j];
      if (scores[j] == scores[i]) alike += run[j];
    }
    if (run[i] > 0)
      best[i] = run[i] / alike *
                (all_within(1 - better, expected_runs) - all_within(1 - better - alike, expected_runs));
  }
  return best;
}

double largest_loss(const Shares& with, const Shares& without) {
  double largest = 0;
  for (std::size_t i = 0; i < with.size(); ++i)
    if (with[i] > 0) largest = std::max(largest, std::abs(std::log(with[i] / without[i])));
  return largest;
}

// None of them 0, but perhaps the first.
Shares random_shares(Generator& generator, bool may_fail) {
  std::array<double, 5> weights{};
  double total = 0;
  for (std::size_t i = may_fail ? 0 : 1; i < weights.size(); ++i)
    total += weights[i] = 1 + static_cast<double>(exact::uniform_below(generator, 12));
  for (double& weight : weights) weight /= total;
  return weights;
}

}  // namespace

TEST_CASE("the number of runs is geometric") {
  TestRng rng(41);
  constexpr double draws = 100'000;
  for (const std::uint64_t expected : {1u, 2u, 7u}) {
    CAPTURE(expected);
    const auto mean = static_cast<double>(expected);
    double sum = 0;
    std::array<double, 12> counts{};
    for (double draw = 0; draw < draws; ++draw) {
      std::size_t runs = 0;
      best_run(rng, expected, [&] {
        ++runs;
        return std::optional<Outcome>();
      });
      sum += static_cast<double>(runs);
      if (runs < counts.size()) ++counts[runs];
    }
    CHECK(std::abs(sum / draws - mean) <= 5 * std::sqrt(mean * (mean - 1) / draws));
    CHECK(counts[0] == 0);
    for (std::size_t k = 1; k < counts.size(); ++k) {
      const double share = std::pow(1 - 1 / mean, static_cast<double>(k) - 1) / mean;
      CAPTURE(k);
      CHECK(std::abs(counts[k] / draws - share) <= doubt(share, draws));
    }
  }
}

TEST_CASE("the best run has the law that its price is about, equal scores and runs of nothing included") {
  TestRng rng(42);
  constexpr double draws = 100'000;
  constexpr std::array<std::uint64_t, 5> weights = {5, 4, 1, 2, 3};
  Shares run{}, counts{};
  for (std::size_t i = 0; i < run.size(); ++i) run[i] = static_cast<double>(weights[i]) / 15;
  for (double draw = 0; draw < draws; ++draw) {
    const auto best = best_run(rng, 3, [&]() -> std::optional<Outcome> {
      std::uint64_t rest = exact::uniform_below(rng, 15);
      std::size_t name = 0;
      for (; rest >= weights[name]; ++name) rest -= weights[name];
      if (name == 0) return {};
      return Outcome{scores[name], name};
    });
    ++counts[best ? best->name : 0];
  }
  const Shares law = law_of_best(run, 3);
  for (std::size_t i = 0; i < law.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(counts[i] / draws - law[i]) <= doubt(law[i], draws));
  }
}

TEST_CASE("no small mechanism tells more than its price, and without the price it would") {
  TestRng rng(43);
  double closest = 0, dearest = 0;
  for (int i = 0; i < 300; ++i) {
    const bool may_fail = i % 2 == 0;
    const Shares with = random_shares(rng, may_fail), without = random_shares(rng, may_fail);
    const double pure = largest_loss(with, without), runs = 2 + i % 9;
    const Description one{"pure", {{"epsilon", pure * (1 + 1e-12)}}, {}, {}, {}};
    const Description best{
        "private-selection", {{"runs", runs}}, {}, {{"stopping", "geometric"}}, {{one, 1}}};
    const auto loss = privacy_loss(best), paid_for_one = privacy_loss(one);
    const Profile stated(*loss), single(*paid_for_one);
    const Shares first = law_of_best(with, runs), second = law_of_best(without, runs);
    for (const double share : {0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0}) {
      const double epsilon = share * pure;
      const double told =
          std::max(hockey_stick(first, second, epsilon), hockey_stick(second, first, epsilon));
      CHECK(told <= stated.delta(epsilon).upper + 1e-14);
      closest = std::max(closest, told / stated.delta(epsilon).upper);
      dearest = std::max(dearest, told - single.delta(epsilon).upper);
    }
  }
  // Half of the price would be too little, and that of one run by a probability of a hundredth.
  CHECK(closest > 0.5);
  CHECK(dearest > 0.01);
}

}  // namespace epsilometer::random_stopping_test
