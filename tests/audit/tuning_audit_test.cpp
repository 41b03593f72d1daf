// An attack on tuned releases, through the same door as any fit: the choice among several runs tells of the
// record by their scores. What is said to be paid for all runs is enough, and what one run costs is not.
#include <doctest/doctest.h>

#include <cmath>

#include "core/release/algorithm.h"
#include "core/release/random_stopping.h"
#include "tests/audit/attack.h"

namespace epsilometer::tuning_audit_test {

namespace {

constexpr double expected_runs = 16, share = 0.9;
// Fewer than of other attacks: each has 16 runs, and every fit plans its noise.
constexpr std::size_t attacks = 10'000;

// A record whose features are 0 has a wrong class whatever the coefficients are: all that the score has to
// tell.
FitRequest request(const std::string& name, std::map<std::string, double> numbers) {
  for (const auto& [number, value] :
       {std::pair{"dimension", 1.0}, {"featureBound", 1.0}, {"epsilon", 12.0}, {"delta", 1e-5}})
    numbers[number] = value;
  const char* tuned = name == "dp-sgd" ? "learningRate" : "lambda";
  return {name,
          numbers,
          {{"loss", "logistic"}},
          Tuning{{{{{tuned, 1}}, {}}, {{{tuned, 2}}, {}}}, expected_runs, "misclassified", share}};
}

std::vector<double> scores(const FitRequest& asked, bool with_record) {
  const std::vector<double> feature{0}, label{1};
  const auto algorithm = epsilometer::algorithm(asked);
  TestRng rng(with_record ? 20261214 : 20261215);
  std::vector<double> all(attacks);
  for (double& one : all) {
    const Records table{with_record ? 1u : 0u, 1, std::span(feature).first(with_record ? 1 : 0),
                        std::span(label).first(with_record ? 1 : 0)};
    one = algorithm->fit(table, rng, {}).number("score");
  }
  return all;
}

// The logarithm of the density of the least of a geometric number of scores, each N(mean, sigma^2), but for a
// constant.
double log_density(double score, double mean, double sigma) {
  const double z = (score - mean) / sigma, below = std::erfc(-z / std::sqrt(2)) / 2;
  return -z * z / 2 - 2 * std::log(1 / expected_runs + (1 - 1 / expected_runs) * below);
}

}  // namespace

TEST_CASE("the best of several runs keeps the price of all of them, and not that of one" *
          doctest::test_suite("long")) {
  // As a Gaussian release, and by the one description of all candidates.
  for (const FitRequest& asked :
       {request("output-perturbation", {}), request("dp-sgd", {{"rows", 1}, {"rate", 0.5}, {"steps", 1}})}) {
    CAPTURE(asked.algorithm);
    const Plan planned = plan(asked);
    const double sigma = planned.parameters.at("scoreNoise");
    const auto losses = [sigma](std::vector<double> all) {
      for (double& one : all) one = log_density(one, 1, sigma) - log_density(one, 0, sigma);
      return all;
    };
    const std::vector<double> with = losses(scores(asked, true)), without = losses(scores(asked, false));
    const auto threshold = [](double epsilon) { return epsilon; };
    const Description& one_run = planned.description.parts.at(0).mechanism;
    CHECK(certain_excess(with, without, threshold, deltas(planned.description)) <= 0);
    CHECK(certain_excess(with, without, threshold, deltas(one_run)) > 0.02);
  }
}

// A run is bad or good, as often as randomized response with the record and without it may be; the best one
// is bad where all are. Where a cap lets no run count after so many, nearly always that many count, and the
// record shows in each of them.
TEST_CASE("the best of a random number of runs keeps its price, and a cap on their number does not") {
  constexpr double epsilon = 0.33;
  constexpr std::uint64_t expected = 200, whole = std::uint64_t{1} << 40;
  const Deltas stated = deltas({"private-selection",
                                {{"runs", expected}},
                                {},
                                {{"stopping", "geometric"}},
                                {{{"pure", {{"epsilon", epsilon}}, {}, {}, {}}, 1}}});
  struct Scored {
    double score;
  };
  TestRng rng(20261216);
  const auto often = static_cast<std::uint64_t>(whole / (1 + std::exp(-epsilon)));
  for (const double cap : {HUGE_VAL, 5.0}) {
    const Run best_score = [&](bool with_record) {
      const std::uint64_t bad = with_record ? often : whole - often;
      double done = 0;
      return best_run(rng, expected,
                      [&] {
                        const bool is_bad = exact::coin(rng, bad, whole);
                        return done++ < cap ? std::optional(Scored{is_bad ? 1.0 : 0.0}) : std::nullopt;
                      })
          ->score;
    };
    const auto is_bad = [](double) { return 0.5; };
    const double found =
        certain_excess(many(best_score, true, 60'000), many(best_score, false, 60'000), is_bad, stated);
    CAPTURE(cap);
    CHECK((cap == HUGE_VAL ? found <= 0 : found > 0.01));
  }
}

}  // namespace epsilometer::tuning_audit_test
