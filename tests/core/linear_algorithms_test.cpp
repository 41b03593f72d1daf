// The private linear models: what they compute, from what, and what they refuse.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/noise/finish.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear/ridge.h"
#include "core/release/linear_statistics.h"
#include "tests/core/linear_request.h"

namespace epsilometer::linear_algorithms_test {

namespace {

struct Table {
  std::vector<double> features, labels;
  Records records() const { return {labels.size(), features.size() / labels.size(), features, labels}; }
};

// Labels follow the features but for a little noise; rows within the unit ball.
Table linear_table(std::size_t count, const std::vector<double>& truth) {
  TestRng rng(77);
  Table table;
  for (std::size_t i = 0; i < count; ++i) {
    double y = 0.05 * normal_deviate(rng);
    for (const double slope : truth) {
      const double x = std::clamp(0.3 * normal_deviate(rng), -0.57, 0.57);
      table.features.push_back(x);
      y += slope * x;
    }
    table.labels.push_back(std::clamp(y, -1.0, 1.0));
  }
  return table;
}

}  // namespace

TEST_CASE(
    "with little noise every algorithm finds the coefficients, and says nothing that was not released") {
  const std::vector<double> truth = {0.5, -0.4, 0.2};
  const Table table = linear_table(2000, truth);
  for (const auto& algorithm : linear_algorithms) {
    const bool mixes = algorithm.ends_with("-mixing");
    FitRequest asked = request(algorithm, {{noise_name(algorithm), mixes ? 0.1 : 1e-3}});
    if (needs_rows(algorithm)) asked.numbers["lambda"] = 0.1, asked.numbers["rows"] = 4000;
    TestRng rng(5), same(5), other(6);
    const Release release = fit(asked, table.records(), rng, {});
    CAPTURE(algorithm);
    REQUIRE(release.coefficients().size() == 3);
    // The parabola of logistic mixing asks for so many times those of least squares.
    const double times = algorithm == "logistic-mixing" ? 3.897236786433497 : 1;
    for (int i = 0; i < 3; ++i) CHECK(std::abs(release.coefficients()[i] / times - truth[i]) < 0.1);
    // Public parameters only: those of the plan, which has not seen a table.
    CHECK(release.parameters == plan(asked).parameters);
    CHECK(fit(asked, table.records(), same, {}).coefficients() == release.coefficients());
    CHECK(fit(asked, table.records(), other, {}).coefficients() != release.coefficients());
    // From sums alone: the same bits.
    LinearStatistics statistics(3, {1, 1});
    statistics.add(table.records(), {});
    TestRng again(5);
    CHECK(fit(asked, statistics, again).coefficients() == release.coefficients());
  }
}

TEST_CASE("no table is too small or too odd to be answered") {
  const std::vector<double> none, one = {1, 0, 0}, label = {1};
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> odd = {infinite, 1e308, std::nan("")}, bad = {-infinite};
  for (const auto& algorithm : linear_algorithms)
    for (const Records& records :
         {Records{0, 3, none, none}, Records{1, 3, one, label}, Records{1, 3, odd, bad}}) {
      TestRng rng(9);
      const Release release = fit(request(algorithm, {{"epsilon", 1}, {"delta", 1e-6}}), records, rng, {});
      for (const double coefficient : release.coefficients()) CHECK(std::isfinite(coefficient));
    }
}

TEST_CASE("requests are refused by name") {
  for (const auto& algorithm : linear_algorithms) {
    CAPTURE(algorithm);
    const Numbers budget = {{"epsilon", 1}, {"delta", 1e-6}};
    const auto with = [&](const char* name, double value) {
      FitRequest asked = request(algorithm, budget);
      asked.numbers[name] = value;
      return refused_field(asked);
    };
    CHECK(with("epsilon", -1) == "epsilon");
    CHECK(with("epsilon", std::nan("")) == "epsilon");
    CHECK(with("delta", 2) == "delta");
    CHECK(with("delta", 1e-310) == "delta");
    CHECK(with("dimension", 0) == "dimension");
    CHECK(with("dimension", 2.5) == "dimension");
    CHECK(with("featureBound", 0) == "featureBound");
    CHECK(with("labelBound", std::numeric_limits<double>::infinity()) == "labelBound");
    CHECK(with("colour", 1) == "colour");
    CHECK(with(noise_name(algorithm), 1) == noise_name(algorithm));
    // What only the search tried is not told.
    const std::string out_of_reach = with("delta", 1e-300);
    CHECK((out_of_reach.empty() || out_of_reach == "epsilon" || out_of_reach == "delta"));
    FitRequest missing = request(algorithm, {{"epsilon", 1}});
    CHECK(refused_field(missing) == "delta");
    missing.numbers.erase("epsilon");
    CHECK(refused_field(missing) == "epsilon");
    FitRequest words = request(algorithm, budget);
    words.texts["accounting"] = "loose";
    CHECK(refused_field(words) == "accounting");
    words.texts = {{"flavour", "sweet"}};
    CHECK(refused_field(words) == "flavour");
  }
  CHECK(refused_field(request("guesswork", {})) == "algorithm");
  CHECK(refused_field(request("output-perturbation-ridge", {{"sigma", 1}, {"lambda", 0}})) == "lambda");
  // Of leverages that the pair of a posterior sample is not known for.
  for (const double lambda : {9e-4, 1.1e9})
    CHECK(refused_field(request("posterior-sampling", {{"sigma", 1}, {"lambda", lambda}})) == "lambda");
  for (const double lambda : {1.001e-3, 0.999e9})
    CHECK(refused_field(request("posterior-sampling", {{"sigma", 1}, {"lambda", lambda}})) == "");
  CHECK(refused_field(request("linear-mixing", {{"sigma", 1}, {"sketchSize", 4}})) == "sketchSize");
  CHECK(refused_field(request("linear-mixing", {{"sigma", 1e-12}, {"sketchSize", 50}})) == "sigma");
}

TEST_CASE("tables outside the request are refused before anything is released") {
  const Table table = linear_table(11, {1, 2, 3});
  TestRng rng(1);
  const auto field = [&](const FitRequest& asked, const Progress& progress) -> std::string {
    try {
      fit(asked, table.records(), rng, progress);
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return "";
  };
  CHECK(field(request("ada-ssp", {{"sigma", 1}, {"dimension", 2}}), {}) == "dimension");
  CHECK(field(request("ada-ssp", {{"sigma", 1}}), [](double) { return false; }) == "fit");
  LinearStatistics other(3, {1, 2});
  CHECK_THROWS_AS(fit(request("ada-ssp", {{"sigma", 1}}), other, rng), Refusal);
  // Sums that so few records cannot have.
  LinearStatistics large(3, {1, 1}, IntegerSum(std::vector<__int128>(10, __int128{1} << 90)), 1);
  CHECK_THROWS_AS(fit(request("linear-mixing", {{"sigma", 1}}), large, rng), Refusal);
}

TEST_CASE("a ridge solution is as close as it says") {
  TestRng rng(12);
  for (const double lambda : {1e-3, 1.0, 1e3}) {
    const Table table = linear_table(300, {0.1, 0.2, 0.3});
    LinearStatistics statistics(3, {1, 1});
    statistics.add(table.records(), {});
    const NormalEquations equations = statistics.values();
    const RidgeSolution solution = ridge(equations, lambda, lambda);
    CHECK(solution.error <=
          largest_ridge_error(3, 300, lambda, largest_ridge_norm({1, 1}, 300, lambda), 300));
    // Elimination in 64-bit mantissas.
    long double a[3][4];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) a[i][j] = equations.gram[triangle(std::max(i, j)) + std::min(i, j)];
      a[i][i] += lambda;
      a[i][3] = equations.cross[i];
    }
    for (int p = 0; p < 3; ++p)
      for (int i = 0; i < 3; ++i) {
        if (i == p) continue;
        const long double factor = a[i][p] / a[p][p];
        for (int j = p; j < 4; ++j) a[i][j] -= factor * a[p][j];
      }
    double squares = 0;
    for (int i = 0; i < 3; ++i)
      squares += std::pow(static_cast<double>(a[i][3] / a[i][i] - solution.coefficients[i]), 2);
    CHECK(std::sqrt(squares) <= solution.error);
    CHECK(solution.error < 1e-9);
  }
}

TEST_CASE("adding a record moves ridge coefficients by no more than is priced, and nearly that much") {
  // d = 1, rows x = y = 1, then (1, -1): the influence in closed form; many random tables; the record alone.
  const auto bound = [](double lambda, double rows) {
    return plan(request("output-perturbation-ridge",
                        {{"sigma", 1}, {"lambda", lambda}, {"rows", rows}, {"dimension", 2}}))
        .parameters.at("sensitivity");
  };
  TestRng rng(13);
  double most = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double lambda = std::exp(2 * normal_deviate(rng));
    const int rows = trial % 7;
    NormalEquations without{{0, 0, 0}, {0, 0}, 0};
    const auto add = [&](NormalEquations& sums) {
      const double angle = 3 * normal_deviate(rng), size = trial % 2 ? 1 : std::abs(std::sin(angle * 7));
      const double x[2] = {size * std::cos(angle), size * std::sin(angle)},
                   y = normal_deviate(rng) < 0 ? -1 : 1;
      sums.gram[0] += x[0] * x[0], sums.gram[1] += x[0] * x[1], sums.gram[2] += x[1] * x[1];
      sums.cross[0] += x[0] * y, sums.cross[1] += x[1] * y;
    };
    for (int i = 0; i < rows; ++i) add(without);
    NormalEquations with = without;
    add(with);
    const auto before = ridge(without, lambda, lambda).coefficients,
               after = ridge(with, lambda, lambda).coefficients;
    const double moved = std::hypot(after[0] - before[0], after[1] - before[1]),
                 allowed = bound(lambda, rows + 1);
    CHECK(moved <= allowed);
    most = std::max(most, moved / allowed);
  }
  CHECK(most > 0.5);
}

}  // namespace epsilometer::linear_algorithms_test
