// Releases behind a test, and tests of queries: exact output laws, which must never tell more than is stated.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "tests/core/small_pairs.h"

using epsilometer::Bounds;
using epsilometer::Description;

TEST_CASE("what is known as a profile alone is not summed") {
  const Description tested{"propose-test-release",
                           {{"testEpsilon", 1}, {"testDelta", 0}, {"failure", 1e-6}},
                           {},
                           {{"test", "released"}},
                           {{{"gdp", {{"mu", 1}}, {}, {}, {}}, 1}}};
  const Description twice{"composition", {}, {}, {}, {{tested, 2}}};
  CHECK_THROWS_AS(epsilometer::privacy_loss(twice), epsilometer::Refusal);
}

TEST_CASE("a test that may fail is told at every false-positive rate, and at 0 too") {
  for (const char* told : {"accept-reject", "released"}) {
    const Description tested{"propose-test-release",
                             {{"testEpsilon", 1}, {"testDelta", 2e-6}, {"failure", 1e-6}},
                             {},
                             {{"test", told}},
                             {{{"gdp", {{"mu", 0.1}}, {}, {}, {}}, 1}}};
    const auto loss = epsilometer::privacy_loss(tested);
    const double failures = 3e-6;
    CHECK(epsilometer::power(*loss, 0).upper >= failures);
    CHECK(epsilometer::power(*loss, 1e-12).upper >= failures);
    // An attacker of the release alone, whom the test makes e times as sure, or a failure for certain.
    const auto inside = epsilometer::privacy_loss({"gdp", {{"mu", 0.1}}, {}, {}, {}});
    const double alone = epsilometer::power(*inside, 0.01).upper;
    CHECK(epsilometer::power(*loss, 0.01).upper <= (std::exp(1) * alone + failures) * (1 + 1e-9));
  }
}

// A bit of two tables, and what an accepted table shows besides.
TEST_CASE("a test and a release behind it never tell more than is stated") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  double nearest = 0;
  for (int i = 0; i < 400; ++i) {
    const double accept = std::pow(uniform(random), 6), other = std::pow(uniform(random), 6);
    const bool is_good = random() % 2 == 0;
    const Pair run = random_pair(random);
    const double test_epsilon = uniform(random), epsilon0 = uniform(random);
    const Pair test{{accept, 1 - accept}, {other, 1 - other}};
    // Where this table has no guarantee, the test lets it pass with its failure's probability.
    const double delta0 = is_good ? hockey_stick(run.with, run.without, epsilon0) : 0,
                 failure = is_good ? 0 : accept;
    const Description inside{"approximate", {{"epsilon", epsilon0}, {"delta", delta0}}, {}, {}, {}};
    const Description whole{
        "propose-test-release",
        {{"testEpsilon", test_epsilon}, {"testDelta", delta_of(test, test_epsilon)}, {"failure", failure}},
        {},
        {{"test", "accept-reject"}},
        {{inside, 1}}};
    Pair shown{{1 - accept}, {1 - other}};
    for (std::size_t k = 0; k < run.with.size(); ++k) {
      shown.with.push_back(accept * run.with[k]);
      shown.without.push_back(other * run.without[k]);
    }
    const auto loss = epsilometer::privacy_loss(whole);
    for (const double more : {0.0, 0.3, 1.0}) {
      const double epsilon = test_epsilon + epsilon0 + more;
      const double truth = hockey_stick(shown.with, shown.without, epsilon);
      const double upper = epsilometer::delta(*loss, epsilon).upper;
      CHECK(truth <= upper * (1 + 1e-12) + 1e-15);
      if (truth > 1e-9) nearest = std::max(nearest, truth / upper);
    }
  }
  // Four fifths of what is stated would be too little.
  CHECK(nearest > 0.8);
}

TEST_CASE("no outcome of a sparse vector tells more than is stated, and one query as much as the lower end") {
  // Many queries below, then one above; tables between which the first ones rise and the last one falls.
  const double threshold = 2, query = 4;
  const auto above = [](double z, double scale) {
    return z > 0 ? std::exp(-z / scale) / 2 : 1 - std::exp(z / scale) / 2;
  };
  const auto shown = [&](double many, double low, double last) {
    const auto sum = [&](double step) {
      double found = 0;
      for (double r = -60; r < 60; r += step) {
        const double held = std::pow(1 - above(r - low, query), many);
        found += std::exp(-std::abs(r) / threshold) / (2 * threshold) * held * above(r - last, query) * step;
      }
      return found;
    };
    // All kinks are nodes of both sums, so that the square of the step is all that they err by, but for its
    // fourth power: 1e-7.
    const double fine = sum(1.0 / 64);
    return fine + (fine - sum(1.0 / 32)) / 3;
  };
  const Description vector{
      "sparse-vector",
      {{"thresholdScale", threshold}, {"queryScale", query}, {"sensitivity", 1}, {"answers", 1}},
      {},
      {{"queries", "any"}},
      {}};
  const auto loss = epsilometer::privacy_loss(vector);
  CHECK(epsilometer::epsilon(*loss, 0).upper == doctest::Approx(1).epsilon(1e-13));
  double most = 0, single = 0;
  for (const double epsilon : {0.1, 0.3, 0.6}) {
    const Bounds found = epsilometer::delta(*loss, epsilon);
    for (const double many : {0.0, 1.0, 30.0, 1000.0}) {
      for (double last = -4; last <= 12; last += 2) {
        const double with = shown(many, -2, last), without = shown(many, -1, last - 1);
        CHECK(with - std::exp(epsilon) * without <= found.upper);
        most = std::max(most, std::log(with / without));
        if (many == 0) single = std::max(single, (with - std::exp(epsilon) * without) / found.lower);
      }
    }
  }
  // Four fifths of the theorem's price would be too little, and nine tenths of the member's is told.
  CHECK(most > 0.8);
  CHECK(single > 0.9);
  CHECK(single < 1 + 1e-6);
}
