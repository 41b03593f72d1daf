// Releases behind a test, and tests of queries: exact output laws, which must never tell more than is stated.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "tests/core/small_pairs.h"

namespace epsilometer::tested_release_test {

TEST_CASE("one release alone is no sum") {
  const Description tested{"propose-test-release",
                           {{"testEpsilon", 1}, {"testDelta", 0}, {"failure", 1e-6}},
                           {},
                           {{"test", "released"}},
                           {{{"gdp", {{"mu", 1}}, {}, {}, {}}, 1}}};
  const auto once = privacy_loss({"composition", {}, {}, {}, {{tested, 1}}});
  CHECK(epsilon(*once, 1e-5).upper == epsilon(*privacy_loss(tested), 1e-5).upper);
}

TEST_CASE("a test that may fail is told at every false-positive rate, and at 0 too") {
  for (const char* told : {"accept-reject", "released"}) {
    const Description tested{"propose-test-release",
                             {{"testEpsilon", 1}, {"testDelta", 2e-6}, {"failure", 1e-6}},
                             {},
                             {{"test", told}},
                             {{{"gdp", {{"mu", 0.1}}, {}, {}, {}}, 1}}};
    const auto loss = privacy_loss(tested);
    const double failures = 3e-6;
    CHECK(power(*loss, 0).upper >= failures);
    CHECK(power(*loss, 1e-12).upper >= failures);
    // An attacker of the release alone, whom the test makes e times as sure, or a failure for certain.
    const auto inside = privacy_loss({"gdp", {{"mu", 0.1}}, {}, {}, {}});
    const double alone = power(*inside, 0.01).upper;
    CHECK(power(*loss, 0.01).upper <= (std::exp(1) * alone + failures) * (1 + 1e-9));
  }
}

TEST_CASE("where nothing may fail, a test and what it allows add up, and so do several of them") {
  for (const char* told : {"accept-reject", "released"}) {
    const Description tested{"propose-test-release",
                             {{"testEpsilon", 0.5}, {"testDelta", 0}, {"failure", 0}},
                             {},
                             {{"test", told}},
                             {{{"pure", {{"epsilon", 0.75}}, {}, {}, {}}, 1}}};
    const Description twice{"composition", {}, {}, {}, {{tested, 2}}};
    const auto once = privacy_loss(tested), both = privacy_loss(twice);
    CHECK(once->largest_loss() >= 1.25);
    CHECK(once->largest_loss() <= 1.25 * (1 + 1e-13));
    CHECK(epsilon(*once, 0).upper >= 1.25);
    CHECK(epsilon(*both, 0).upper >= 2.5);
    CHECK(epsilon(*both, 0).upper <= 2.5 * (1 + 1e-13));
    // The likelier answers of both have more than a quarter of the probability together.
    CHECK(once->renyi(1000) >= 1.25 - std::log(4) / 999);
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
    const SmallPair run = random_pair(random);
    const double test_epsilon = uniform(random), epsilon0 = uniform(random);
    const SmallPair test{{accept, 1 - accept}, {other, 1 - other}};
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
    SmallPair shown{{1 - accept}, {1 - other}};
    for (std::size_t k = 0; k < run.with.size(); ++k) {
      shown.with.push_back(accept * run.with[k]);
      shown.without.push_back(other * run.without[k]);
    }
    const auto loss = privacy_loss(whole);
    for (const double more : {0.0, 0.3, 1.0}) {
      const double epsilon = test_epsilon + epsilon0 + more;
      const double truth = hockey_stick(shown.with, shown.without, epsilon);
      const double upper = delta(*loss, epsilon).upper;
      CHECK(truth <= upper * (1 + 1e-12) + 1e-15);
      if (truth > 1e-9) nearest = std::max(nearest, truth / upper);
    }
  }
  // Four fifths of what is stated would be too little.
  CHECK(nearest > 0.8);
}

namespace {

// What a statistic shows of two tables, in probability, and the run that it chooses on the one where it
// misses the guarantee.
double moment_of(const SmallPair& statistic, const std::vector<double>& divergences, double order) {
  double sum = 0;
  for (std::size_t i = 0; i < divergences.size(); ++i)
    sum += std::pow(statistic.with[i], order) * std::pow(statistic.without[i], 1 - order) *
           std::exp((order - 1) * divergences[i]);
  return sum;
}

double epsilon_of(const SmallPair& pair) {
  double most = 0;
  for (std::size_t i = 0; i < pair.with.size(); ++i)
    most = std::max(most, std::abs(std::log(pair.with[i] / pair.without[i])));
  return most;
}

}  // namespace

// Runs whose divergence is known on tables with the guarantee, and on those without.
TEST_CASE("a tested release has no larger divergence than is stated where that of every table is known") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  double nearest_of_two = 0, nearest_of_statistic = 0;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    const double order = 1 + std::exp(6 * uniform(random) - 3), bad = 4 * uniform(random),
                 good = bad * uniform(random);
    const bool is_released = i % 2 == 0;
    // Two answers, or a statistic of a few values by which the run is chosen. Answers are often as uneven as
    // their epsilon allows.
    SmallPair test = random_pair(random);
    if (!is_released) {
      const double passing = std::pow(uniform(random), 4), other = std::pow(uniform(random), 4);
      test = {{1 - passing, passing}, {1 - other, other}};
    }
    const std::size_t size = test.with.size();
    std::vector<double> divergences(size, good);
    double failure = 0;
    if (is_released) {
      for (std::size_t k = 0; k < size; k += 2) {
        failure += test.with[k];
        divergences[k] = bad;
      }
    } else {
      divergences[0] = 0;
      if (i % 4 == 1) {
        divergences[1] = bad;
        failure = test.with[1];
      } else {
        failure = uniform(random);
      }
    }
    const Description inside{"rdp", {}, {{"orders", {order}}, {"epsilons", {good}}}, {}, {}};
    const Description whole{"propose-test-release",
                            {{"testEpsilon", epsilon_of(test) * (1 + 1e-14)},
                             {"testDelta", 0},
                             {"failure", std::min(1.0, failure * (1 + 1e-14))},
                             {"otherwiseRho", bad / order}},
                            {},
                            {{"test", is_released ? "released" : "accept-reject"}, {"otherwise", "zcdp"}},
                            {{inside, 1}}};
    const double truth = std::log(moment_of(test, divergences, order)) / (order - 1),
                 stated = privacy_loss(whole)->renyi(order);
    // The sum rounds as often as it has terms.
    CHECK(truth <= stated * (1 + 1e-12) + 1e-14 / (order - 1));
    double& nearest = is_released ? nearest_of_statistic : nearest_of_two;
    if (truth > 1e-3) nearest = std::max(nearest, truth / stated);
  }
  // Less by one part in a hundred would be too little.
  CHECK(nearest_of_two > 0.999);
  CHECK(nearest_of_statistic > 0.99);
}

// Where a sum of parts is a double, it is the answer.
TEST_CASE("at the delta that its parts add up to, a tested release costs what they add up to") {
  for (const double part : {1e-6, 3e-9, 0x1p-30, 0.1}) {
    CAPTURE(part);
    for (const bool is_released : {false, true}) {
      const Description inside{"approximate", {{"epsilon", 0.5}, {"delta", part}}, {}, {}, {}};
      const Description tested{"propose-test-release",
                               {{"testEpsilon", 0.5}, {"testDelta", part}, {"failure", part}},
                               {},
                               {{"test", is_released ? "released" : "accept-reject"}},
                               {{inside, 1}}};
      const auto loss = privacy_loss(tested);
      // Twice a double is one, three times need not be.
      const double together = is_released ? std::nextafter(3 * part, 1.0) : 2 * part;
      CHECK(epsilon(*loss, together).upper == doctest::Approx(1).epsilon(1e-14));
      CHECK(delta(*loss, 1).upper == doctest::Approx(together).epsilon(1e-14));
      CHECK(std::isinf(epsilon(*loss, together * (1 - 1e-14)).upper));
    }
  }
}

TEST_CASE("what a mechanism costs on every table bounds its divergences behind a test, which compose then") {
  const auto tested = [](double test_delta, double failure, const char* otherwise) {
    return Description{
        "propose-test-release",
        {{"testEpsilon", 0.5}, {"testDelta", test_delta}, {"failure", failure}, {"otherwiseRho", 2}},
        {},
        {{"test", "accept-reject"}, {"otherwise", otherwise}},
        {{{"gdp", {{"mu", 0.5}}, {}, {}, {}}, 1}}};
  };
  const auto renyi = [](const Description& description) { return privacy_loss(description)->renyi(3); };
  CHECK(std::isinf(renyi(tested(0, 1e-6, "unknown"))));
  CHECK(std::isinf(renyi(tested(1e-9, 1e-6, "zcdp"))));
  // Without a failure nothing else has to be known.
  CHECK(renyi(tested(0, 0, "unknown")) == renyi(tested(0, 0, "zcdp")));
  double before = renyi(tested(0, 0, "zcdp"));
  for (const double failure : {1e-12, 1e-6, 1e-3, 0.1, 0.38, 0.5, 0.62, 0.63, 0.9, 1.0}) {
    CAPTURE(failure);
    const double found = renyi(tested(0, failure, "zcdp"));
    CHECK(found >= before * (1 - 1e-12));
    before = found;
  }
  // No test can help where every table may pass.
  CHECK(before >= 6);
  const Description tuned = tested(0, 1e-9, "zcdp"), twice{"composition", {}, {}, {}, {{tuned, 2}}};
  CHECK(privacy_loss(twice)->renyi(3) == doctest::Approx(2 * renyi(tuned)).epsilon(1e-13));
  CHECK_THROWS_AS(renyi(tested(0, 0, "pure")), Refusal);
  // What is inside need not be as dear as is stated where every table is known to cost less.
  for (const double rho : {0.1, 0.126, 2.0}) {
    Description cheap = tested(0, 0.25, "zcdp");
    cheap.numbers["otherwiseRho"] = rho;
    const auto loss = privacy_loss(cheap);
    const Profile profile(*loss);
    const Bounds found = profile.epsilon(1e-3);
    CAPTURE(rho);
    CHECK(found.lower <= found.upper);
    CHECK(profile.delta(found.upper).lower <= 1e-3);
    CHECK((found.lower > 0) == (rho > 0.125));
  }
}

TEST_CASE(
    "no outcome of a sparse vector tells more than is stated, and one query no more than the lower end") {
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
  const auto loss = privacy_loss(vector);
  CHECK(epsilon(*loss, 0).upper == doctest::Approx(1).epsilon(1e-13));
  double most = 0, single = 0;
  for (const double epsilon : {0.1, 0.3, 0.6}) {
    const Bounds found = delta(*loss, epsilon);
    for (const double many : {0.0, 1.0, 30.0, 1000.0}) {
      for (double last = -4; last <= 12; last += 2) {
        const double with = shown(many, -2, last), without = shown(many, -1, last - 1);
        CHECK(with - std::exp(epsilon) * without <= found.upper);
        most = std::max(most, std::log(with / without));
        if (many == 0) single = std::max(single, (with - std::exp(epsilon) * without) / found.lower);
      }
    }
  }
  // Four fifths of the theorem's price would be too little. One query tells half of what is told at least:
  // counts of several tell more.
  CHECK(most > 0.8);
  CHECK(single > 0.5);
  CHECK(single < 1 + 1e-6);
}

}  // namespace epsilometer::tested_release_test
