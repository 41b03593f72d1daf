// Posterior samples by propose-test-release: the typed regularisation or nothing, by what was released alone;
// and what the printed formulas of its source would have cost.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/accounting/profile.h"
#include "core/noise/finish.h"
#include "core/numerics/normal.h"
#include "core/release/algorithm.h"
#include "core/release/linear/ridge.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::ops_ptr_test {

namespace {

FitRequest tested(Numbers numbers) {
  numbers.insert({{"dimension", 2}, {"lambda", 40}});
  return request("ops-ptr", numbers);
}

Rows table(std::size_t count) {
  Rows rows{{}, {}, 2};
  TestRng rng(20261124);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = normal_deviate(rng);
    rows.add(std::vector<double>{0.99 * std::cos(angle), 0.99 * std::sin(angle)}, std::cos(angle + 0.2));
  }
  return rows;
}

double delta(double leverage, double residual, double epsilon) {
  const auto loss =
      privacy_loss({"posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}});
  return Profile(*loss).delta(epsilon).lower;
}

}  // namespace

TEST_CASE("a tested sample keeps its budget, and uses it up to a millionth") {
  const Plan planned = plan(tested({{"epsilon", 1}, {"delta", 1e-6}}));
  const double cost = Profile(*privacy_loss(planned.description), 1e-7).epsilon(1e-6).upper;
  CHECK(cost <= 1);
  CHECK(cost >= 1 - 1e-6);
}

TEST_CASE("the typed regularisation is used, or nothing is released but what the test looked at") {
  TestRng rng(3);
  for (const double lambda : {0.5, 3.0, 8.0, 20.0, 60.0, 400.0}) {
    CAPTURE(lambda);
    const Numbers noise = {
        {"sigma", 1}, {"sampleEpsilon", 1}, {"sampleDelta", 1e-4}, {"failure", 1e-4}, {"lambda", lambda}};
    for (const std::size_t count : {0, 5, 60}) {
      const Release release = fit(tested(noise), table(count).records(), rng, {});
      const bool passed = release.outcome == Outcome::released;
      CHECK(release.holds("coefficients") == passed);
      CHECK(release.holds("logNorm") == passed);
      if (passed) CHECK(release.number("lambda") == lambda);
      // Whether any noise would do, by the released eigenvalue: a sample shows at least its leverage.
      Description rest = release.description;
      rest.parts.pop_back();
      const double apart = 1 - Profile(*privacy_loss(rest)).delta(0).upper;
      const double least = release.number("eigenvalue") - normal_upper_quantile(1e-4 * apart / 2);
      const double leverage = 1 / (lambda + std::max(0.0, least - 1));
      const auto loss =
          privacy_loss({"posterior-sampling", {{"leverage", leverage}, {"residual", 1e-6}}, {}, {}, {}});
      CHECK(passed == (Profile(*loss).epsilon(1e-4).upper <= 1));
    }
  }
}

TEST_CASE("the printed bound of a sample's loss is exceeded by a table of equal rows") {
  // 1000 records (1, 1), lambda = 1; the record (1, -1) is added. gamma solves the printed bound of Redberg
  // 2023, Theorem 3.6.1, at epsilon 1: sqrt(g L^2 t / h) + g L^2 / (2 (h + 1)) + (1 + t) / (2 h) with h =
  // 1001, t = log(2 / delta), L = C_Y + C |theta| = 1 + 1000 / 1001.
  for (const auto& [target, times] : {std::pair{1e-6, 3.85}, std::pair{1e-10, 200.0}}) {
    const double h = 1001, tail = std::log(2 / target), size = 1 + 1000.0 / 1001;
    double low = 0, high = 1e6;
    for (int i = 0; i < 200; ++i) {
      const double gamma = (low + high) / 2;
      const double printed = std::sqrt(gamma * size * size * tail / h) + gamma * size * size / (2 * (h + 1)) +
                             (1 + tail) / (2 * h);
      (printed > 1 ? high : low) = gamma;
    }
    // The pair of that record: its residual in the table without it is L, and its leverage 1 / 1001.
    CHECK(delta(1 / h, size * std::sqrt(low), 1) > times * target);
  }
}

TEST_CASE(
    "the size of the coefficients is released in units of what the smaller table says, not the larger") {
  // Records (1, 1) and (1, -1), lambda = 1, and the first one alone: |theta| is 0 and 1/2.
  const NormalEquations larger{{2}, {0}, 2}, smaller{{1}, {1}, 1};
  const double moved = std::log1p(ridge(smaller, 1, 1).coefficients[0]) -
                       std::log1p(std::abs(ridge(larger, 1, 1).coefficients[0]));
  const double ours = std::log1p(1 / (1 + 2.0 - 1)), printed = std::log1p(1 / (1 + 2.0));
  // Both are log(3/2), and printed is log(4/3): 1.4094 times less. The corrected coefficient is off by what
  // its residual and the last sum are rounded by, together a unit in the last place, and its logarithm by
  // 0.83 of that; either logarithm is right to a unit.
  constexpr double rounded = (0.83 + 2) * std::numeric_limits<double>::epsilon();
  CHECK(std::abs(moved - ours) <= rounded * ours);
  CHECK(moved > 1.409 * printed);
  // At the bound 2 of the eigenvalue a record that moves the coefficients by 0.3 pays that share of the unit;
  // what the size may be computed with is 2^-8.
  const auto algorithm = epsilometer::algorithm(tested({{"dimension", 1},
                                                        {"lambda", 1},
                                                        {"sigma", 0.5},
                                                        {"sampleEpsilon", 3},
                                                        {"sampleDelta", 0.01},
                                                        {"failure", 1e-3}}));
  Release run(algorithm->plan());
  Description rest = run.description;
  rest.parts.pop_back();
  const double apart = 1 - Profile(*privacy_loss(rest)).delta(0).upper;
  run.add(number_output("eigenvalue", 2 + normal_upper_quantile(1e-3 * apart / 2) * 0.5));
  run.add(number_output("lambda", 1, OutputKind::parameter));
  run.add(number_output("sampleSigma", 1, OutputKind::parameter));
  RecordFacts facts;
  facts.square = 1, facts.moved = 0.3, facts.leverage = 0.5, facts.residual = 1, facts.dimension = 1;
  const Description size = algorithm->personal(facts, run).parts.at(1).mechanism;
  const double share = 0.5 * size.numbers.at("sensitivity") / size.numbers.at("sigma");
  CHECK(share == doctest::Approx(0.3 / ours).epsilon(0x1p-7));
  CHECK(share < 0.3 / printed * 0.75);
}

TEST_CASE("a tested sample needs a lambda") {
  FitRequest without = tested({{"epsilon", 1}, {"delta", 1e-6}});
  without.numbers.erase("lambda");
  CHECK(refused_field(without) == "lambda");
  CHECK(refused_field(tested({{"epsilon", 1}, {"delta", 0}})) == "delta");
  CHECK(refused_field(tested({{"epsilon", 1}, {"delta", 1e-6}, {"lambda", 0}})) == "lambda");
}

}  // namespace epsilometer::ops_ptr_test
