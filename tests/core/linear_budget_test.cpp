// What the private linear models cost: budgets kept and used up, against the sources' own calibrations.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "tests/core/linear_request.h"

namespace epsilometer::linear_budget_test {

namespace {

double priced(const Description& description, double delta) {
  const auto loss = privacy_loss(description);
  return Profile(*loss, 1e-7).epsilon(delta).upper;
}

double noise_of(const FitRequest& asked) { return plan(asked).parameters.at(noise_name(asked.algorithm)); }

}  // namespace

TEST_CASE("every budget is kept, and used up to a millionth" * doctest::test_suite("long")) {
  for (const auto& algorithm : linear_algorithms)
    for (const double epsilon : {0.1, 1.0, 8.0})
      for (const double delta : {1e-5, 1e-10}) {
        const Plan planned = plan(request(algorithm, {{"epsilon", epsilon}, {"delta", delta}}));
        CAPTURE(algorithm);
        CAPTURE(epsilon);
        CAPTURE(delta);
        const double cost = priced(planned.description, delta);
        CHECK(cost <= epsilon);
        CHECK(cost >= epsilon * (1 - 1e-6));
        // The same noise, asked for by itself, costs the same; a sketch of the same size.
        Numbers chosen = {{noise_name(algorithm), planned.parameters.at(noise_name(algorithm))}};
        if (planned.parameters.count("sketchSize"))
          chosen["sketchSize"] = planned.parameters.at("sketchSize");
        const Plan again = plan(request(algorithm, chosen));
        CHECK(priced(again.description, delta) == cost);
      }
}

TEST_CASE("a budget for several rows of each is kept by all of them together") {
  for (const double rows : {2.0, 5.0})
    for (const std::string algorithm : {"ada-ssp", "covariance-laplace", "output-perturbation-ridge"}) {
      CAPTURE(algorithm);
      const Numbers budget = {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", rows}};
      const Plan planned = plan(request(algorithm, budget));
      const double cost = GroupPrivacy(privacy_loss(planned.description), rows, 1e-7).epsilon(1e-6).upper;
      CHECK(cost <= 1);
      // Gaussian groups are exact, and pure ones but for a millionth of delta; the failure of a count of the
      // rows is neither.
      const double left = algorithm == "ada-ssp" ? 1e-6 : algorithm == "covariance-laplace" ? 1e-4 : 5e-3;
      CHECK(cost >= 1 - left);
      CHECK(planned.parameters.count("unitRows") == 0);
    }
  // Others by equal parts of epsilon: delta(1/3) (1 + e^(1/3) + e^(2/3)).
  for (const std::string algorithm : {"linear-mixing", "posterior-sampling"}) {
    const Numbers budget = {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 3}};
    const auto loss = privacy_loss(plan(request(algorithm, budget)).description);
    const double one = delta(*loss, 1.0 / 3).upper * (1 + std::exp(1.0 / 3) + std::exp(2.0 / 3));
    CHECK(one <= 1e-6 * (1 + 1e-3));
    CHECK(one >= 1e-6 * (1 - 1e-3));
  }
  CHECK(refused_field(request("ada-ssp", {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 1.5}})) ==
        "unitRows");
  CHECK(refused_field(request("ada-ssp", {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 0}})) == "unitRows");
  CHECK(refused_field(request("linear-mixing", {{"epsilon", 1e4}, {"delta", 1e-6}, {"unitRows", 2}})) ==
        "epsilon");
}

TEST_CASE("pure budgets are kept with Laplace noise, and refused where only Gaussian noise is offered") {
  const Plan pure = plan(request("covariance-laplace", {{"epsilon", 0.5}, {"delta", 0}}));
  CHECK(priced(pure.description, 0) <= 0.5);
  CHECK(priced(pure.description, 0) >= 0.5 * (1 - 1e-6));
  CHECK(pure.parameters.at("scale") == doctest::Approx(2 / 0.5).epsilon(1e-6));
  for (const auto& algorithm : linear_algorithms)
    if (algorithm != "covariance-laplace")
      CHECK(refused_field(request(algorithm, {{"epsilon", 0.5}, {"delta", 0}})) == "delta");
}

TEST_CASE("tight never needs more noise than paper" * doctest::test_suite("long")) {
  for (const auto& algorithm : linear_algorithms)
    for (const double epsilon : {0.1, 0.5, 1.0, 4.0, 8.0})
      for (const double delta : {1e-5, 1e-8}) {
        if (algorithm == "output-perturbation-ridge" && epsilon > 1) continue;
        const Numbers budget = {{"epsilon", epsilon}, {"delta", delta}};
        const double tight = noise_of(request(algorithm, budget)),
                     paper = noise_of(request(algorithm, budget, "paper"));
        MESSAGE(algorithm << " epsilon " << epsilon << " delta " << delta
                          << ": paper / tight = " << paper / tight);
        CHECK(tight <= paper);
      }
}

TEST_CASE("paper calibrations that break the promise are refused") {
  // Three releases of (epsilon/3, delta/3) that are not: beyond epsilon 30 or so together neither.
  CHECK_NOTHROW(plan(request("ada-ssp", {{"epsilon", 20}, {"delta", 1e-6}}, "paper")));
  CHECK(refused_field(request("ada-ssp", {{"epsilon", 60}, {"delta", 1e-6}}, "paper")) == "accounting");
  CHECK(refused_field(request("output-perturbation-ridge", {{"epsilon", 2}, {"delta", 1e-6}}, "paper")) ==
        "epsilon");
  CHECK(refused_field(request("ada-ssp", {{"epsilon", 1}, {"delta", 1e-6}, {"releases", 2}}, "paper")) ==
        "releases");
}

TEST_CASE("noise levels of the literature") {
  // Two and three Gaussian releases with mu = 0.236704 in all, and the printed 3 sqrt(log(6/delta)) /
  // epsilon: 15 digits by bisection of the profile in 40-digit arithmetic.
  const Numbers budget = {{"epsilon", 1}, {"delta", 1e-6}};
  CHECK(noise_of(request("ada-ssp", budget)) == doctest::Approx(5.974598181957314).epsilon(1e-6));
  Numbers three = budget;
  three["releases"] = 3;
  // The count of the rows has a 64th of the privacy of one of the three.
  CHECK(noise_of(request("ada-ssp", three)) ==
        doctest::Approx(7.317358481977733 * std::sqrt(1 + 1 / (3 * 4096.0))).epsilon(2e-6));
  CHECK(noise_of(request("ada-ssp", budget, "paper")) == doctest::Approx(11.851811264306017).epsilon(1e-14));
  // Gaussian mixing at 150 rows: gamma = 43.21836535916469, of which the row itself gives 1; C^2 = 2, the
  // finishing noise takes a thousandth, and the count of the rows no more than a 4096th: it is like Gaussian
  // noise of sqrt(2) gamma / sqrt(150) records, and the count has 64 gamma / sqrt(150).
  Numbers mixing = budget;
  mixing["sketchSize"] = 150;
  const double variance = 2 * (43.21836535916469 - 1);
  const double sigma = noise_of(request("linear-mixing", mixing));
  CHECK(sigma * sigma >= variance);
  CHECK(sigma * sigma <= variance * 1.00101 * (1 + 1 / 4096.0));
}

}  // namespace epsilometer::linear_budget_test
