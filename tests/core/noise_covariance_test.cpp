// What the algorithms say of their own noise in the coefficients, against many runs on one table.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/noise/finish.h"
#include "core/numerics/cholesky.h"
#include "core/release/algorithm.h"
#include "core/release/linear/ridge.h"
#include "core/release/linear_statistics.h"
#include "tests/core/linear_request.h"

namespace epsilometer::noise_covariance_test {

namespace {

constexpr std::size_t d = 3;

// Features of different lengths that hang together, so that no entry of the covariance is like another.
LinearStatistics table(std::size_t count) {
  TestRng rng(4711);
  LinearStatistics statistics(d, {1, 1});
  for (std::size_t i = 0; i < count; ++i) {
    const double a = 0.5 * std::tanh(normal_deviate(rng)), b = 0.4 * std::tanh(normal_deviate(rng));
    const std::vector<double> x = {a, 0.6 * a + b, 0.5};
    statistics.add(x, std::clamp(0.5 * x[0] - 0.9 * x[1] + 0.4 + 0.1 * normal_deviate(rng), -1.0, 1.0));
  }
  return statistics;
}

struct Found {
  // The mean of (theta - theta without noise)^T C^{-1} (the same) / d; how often a coordinate is within 1.96
  // of its own standard deviations, the one that is so least often and the one most often.
  double mean_square = 0, least = 1, most = 0;
  int told = 0;
};

Found found(const FitRequest& asked, const LinearStatistics& statistics, double lambda, int runs) {
  TestRng rng(99);
  const auto algorithm = epsilometer::algorithm(asked);
  Found found;
  std::vector<int> within(d);
  for (int run = 0; run < runs; ++run) {
    const Release release = algorithm->fit(statistics, rng);
    const auto* const spread = std::get_if<Spread>(&release.spread);
    if (!spread) continue;
    ++found.told;
    const double shift = release.holds("ridge") ? release.number("ridge") : lambda;
    // Without any ridge there is no certificate of the solution, nor need for one here.
    const double least = std::max(shift, 1e-9);
    std::vector<double> off = ridge(statistics.values(), least, least).coefficients;
    for (std::size_t i = 0; i < d; ++i) {
      off[i] = release.coefficients()[i] - off[i];
      if (std::abs(off[i]) <= 1.96 * std::sqrt(spread->covariance[i * (i + 3) / 2])) ++within[i];
    }
    const auto solved = Cholesky::of(spread->covariance, d)->solve(off);
    for (std::size_t i = 0; i < d; ++i) found.mean_square += off[i] * solved[i] / d;
  }
  found.mean_square /= found.told;
  for (const int one : within) {
    found.least = std::min(found.least, one / static_cast<double>(found.told));
    found.most = std::max(found.most, one / static_cast<double>(found.told));
  }
  return found;
}

}  // namespace

TEST_CASE("coefficients vary around those without noise as the covariance says" *
          doctest::test_suite("long")) {
  const LinearStatistics statistics = table(2000);
  constexpr int runs = 2000;
  for (const bool paper : {false, true})
    for (const std::string name :
         {"ada-ssp", "covariance-laplace", "linear-mixing", "output-perturbation-ridge"}) {
      FitRequest asked = request(name, {{"epsilon", 0.99}, {"delta", 1e-5}}, paper ? "paper" : "tight");
      if (needs_rows(name)) asked.numbers["lambda"] = 10, asked.numbers["rows"] = 4000;
      // Its printed noise needs a larger table, or a larger budget.
      if (paper) asked.numbers["epsilon"] = name == "output-perturbation-ridge" ? 0.99 : 4;
      const auto parameters = plan(asked).parameters;
      const bool mixes = name == "linear-mixing";
      const double lambda = mixes ? std::pow(parameters.at("sigma"), 2) : 10;
      const Found seen = found(asked, statistics, lambda, runs);
      CAPTURE(name);
      CAPTURE(paper);
      CHECK(seen.told == runs);
      // Of a Student vector of k - d degrees of freedom: the mean of an F law.
      const double freedom = mixes ? parameters.at("sketchSize") - d : 0;
      const double expected = mixes ? freedom / (freedom - 2) : 1;
      // Five standard errors, and what the first order leaves out: two hundredths of a variance.
      constexpr double left_out = 0.02;
      CHECK(std::abs(seen.mean_square - expected) < 5 * std::sqrt(2.0 / (d * runs)) + left_out);
      // What is within 1.96 deviations where the variance is so many times as large, as a share of the runs.
      const auto within = [](double variance) { return std::erf(1.96 / std::sqrt(2 * variance)); };
      const double error = std::sqrt(0.95 * 0.05 / runs);
      CHECK(seen.least > within(expected + left_out) - 5 * error);
      CHECK(seen.most < within(1 - left_out) + 5 * error);
    }
}

TEST_CASE("where nobody can know how the noise moves the coefficients, nothing is said of it") {
  TestRng rng(1);
  const LinearStatistics statistics = table(30);
  const Numbers budget = {{"epsilon", 0.5}, {"delta", 1e-5}};
  // H is private.
  const Release sampled = fit(request("posterior-sampling", budget), statistics, rng);
  CHECK(std::get<UnknownSpread>(sampled.spread) == UnknownSpread::not_told);
  // Noise so large that the ridge hides the table.
  for (const char* name : {"ada-ssp", "covariance-laplace"})
    for (int run = 0; run < 20; ++run) {
      const Release release = fit(request(name, budget), statistics, rng);
      CHECK(std::get<UnknownSpread>(release.spread) == UnknownSpread::hidden);
      CHECK(release.number("ridge") > 0);
    }
  CHECK(std::get<UnknownSpread>(GaussianNoise::of(1).spread(most_covariances + 1)) ==
        UnknownSpread::too_many);
}

TEST_CASE("independent noise has its own variance in every coordinate") {
  const GaussianNoise noise = GaussianNoise::of(0.3);
  const auto covariance = std::get<Spread>(noise.spread(3)).covariance;
  for (const std::size_t place : {0, 2, 5}) CHECK(covariance[place] == doctest::Approx(0.09).epsilon(1e-8));
  for (const std::size_t place : {1, 3, 4}) CHECK(covariance[place] == 0);
}

}  // namespace epsilometer::noise_covariance_test
