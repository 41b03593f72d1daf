// Noisy Newton steps: prices, tables that must not be told apart by whether there is a release, and what
// whitening is for.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/release/algorithm.h"
#include "core/release/whitening.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::noisy_newton_test {

namespace {

FitRequest newton(const Numbers& numbers, std::map<std::string, std::string> texts = {}) {
  texts.insert({"loss", "squared"});
  return {"noisy-newton", numbers, std::move(texts)};
}

Numbers of_three(Numbers numbers) {
  numbers.insert({{"dimension", 3}, {"featureBound", 2}, {"labelBound", 1}});
  return numbers;
}

// A linear model of columns whose scales are up to a hundred times apart.
struct Table {
  std::vector<double> features, labels, truth;
  Records records() const { return {labels.size(), truth.size(), features, labels}; }
};

Table badly_scaled(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Table table;
  for (std::size_t j = 0; j < dimension; ++j) table.truth.push_back(0.15 * normal(random));
  for (std::size_t i = 0; i < count; ++i) {
    double u = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      const double scale = std::pow(100, -static_cast<double>(j) / static_cast<double>(dimension - 1));
      const double z = normal(random);
      u += z * table.truth[j];
      table.features.push_back(0.3 * scale * z / std::sqrt(static_cast<double>(dimension)));
    }
    table.labels.push_back(std::clamp(u + 0.1 * normal(random), -1.0, 1.0));
  }
  return table;
}

double squared_error(const Table& table, const std::vector<double>& coefficients) {
  double sum = 0;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    double u = 0;
    for (std::size_t j = 0; j < coefficients.size(); ++j)
      u += coefficients[j] * table.features[i * coefficients.size() + j];
    sum += (u - table.labels[i]) * (u - table.labels[i]);
  }
  return sum / static_cast<double>(table.labels.size());
}

}  // namespace

TEST_CASE("all of it is one Gaussian release, whatever the steps, the share, the bounds and the neighbours") {
  for (const char* neighbours : {"add-remove", "replace"})
    for (const double sigma : {0.3, 1.0, 40.0})
      for (const double steps : {1.0, 16.0, 100.0})
        for (const double share : {0.01, 0.3, 0.9})
          for (const double bound : {1e-9, 2.0, 1e9})
            for (const double intercept : {0.0, 1.0}) {
              CAPTURE(neighbours);
              CAPTURE(sigma);
              CAPTURE(steps);
              CAPTURE(share);
              CAPTURE(bound);
              const Plan told = plan(newton({{"dimension", 3},
                                             {"featureBound", bound},
                                             {"intercept", intercept},
                                             {"labelBound", 1},
                                             {"sigma", sigma},
                                             {"steps", steps},
                                             {"gramShare", share}},
                                            {{"neighbours", neighbours}}));
              CHECK(told.neighbours == neighbours);
              const Description gaussian{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
              const double stated = epsilon(*privacy_loss(told.description), 1e-6).upper;
              const double exact = epsilon(*privacy_loss(gaussian), 1e-6).lower;
              // Widths are rounded up to whole steps, of which there are 2^20 and more.
              CHECK(stated == doctest::Approx(exact).epsilon(0x1p-16));
            }
}

TEST_CASE("the noise keeps the budget, and the group's") {
  for (const double rows : {1.0, 5.0}) {
    const Plan told = plan(newton(of_three({{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", rows}})));
    const double sigma = told.parameters.at("sigma");
    const Description gaussian{"gaussian", {{"sigma", sigma}, {"sensitivity", rows}}, {}, {}, {}};
    CHECK(epsilon(*privacy_loss(told.description), 1e-6).upper <= 1);
    CHECK(epsilon(*privacy_loss(gaussian), 1e-6).upper == doctest::Approx(1).epsilon(0x1p-16));
  }
}

TEST_CASE("no table is refused, and no coefficient is lost") {
  const std::vector<double> values{0, 1e-300, 1, -2, 1e300, HUGE_VAL, std::nan("")};
  std::mt19937_64 random(7);
  for (const char* loss : {"logistic", "squared"})
    for (const double intercept : {0.0, 1e-9, 3.0})
      for (const double sigma : {1e-4, 1.0, 1e7})
        for (std::size_t count = 0; count < 6; ++count) {
          Numbers numbers = of_three({{"sigma", sigma}, {"intercept", intercept}});
          const Rows rows = rows_of(values, count, 3, random);
          TestRng rng(count);
          const Release release = fit(newton(numbers, {{"loss", loss}}), rows.records(), rng, {});
          CHECK(release.coefficients().size() == 3);
          for (const double one : release.coefficients()) CHECK(std::isfinite(one));
          CHECK(release.number("rows") >= 1);
        }
}

TEST_CASE("with hardly any noise it finds what least squares finds, on columns that are badly scaled too") {
  const Table table = badly_scaled(4000, 6, 20261201);
  TestRng rng(20261201);
  const auto error = [&](Numbers numbers) {
    numbers.insert({{"dimension", 6}, {"featureBound", 1}, {"labelBound", 1}});
    return squared_error(table, fit(newton(numbers), table.records(), rng, {}).coefficients());
  };
  // The labels' own noise is 0.01 of it; without whitening the small columns would not have begun to count.
  CHECK(error({{"sigma", 1e-3}}) < 0.02);
  CHECK(squared_error(table, std::vector<double>(6)) > 0.05);
}

TEST_CASE("whitened rows have about the same moments in every direction, and none is longer than its bound") {
  const Table table = badly_scaled(3000, 5, 20261202);
  const Records records = table.records();
  const std::vector<double> gram = normal_equations(records).gram;
  const Whitening whitening(gram, 5, 1e-6, 3000, {});
  std::vector<double> moments(15), scratch(5);
  std::vector<float> z(5);
  for (std::size_t i = 0; i < 3000; ++i) {
    whitening.apply(records.row(i), z, scratch);
    double square = 0;
    for (std::size_t row = 0, place = 0; row < 5; ++row) {
      square += static_cast<double>(z[row]) * z[row];
      for (std::size_t column = 0; column <= row; ++column, ++place)
        moments[place] += whitening.bound() * whitening.bound() * z[row] * z[column];
    }
    CHECK(square <= 1 + 1e-6);
  }
  // Rows beyond the bound are shortened, so a moment is at most 1, and not much less.
  for (std::size_t row = 0, place = 0; row < 5; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) {
      if (row == column) CHECK(moments[place] == doctest::Approx(0.9).epsilon(0.12));
      if (row != column) CHECK(std::abs(moments[place]) < 0.1);
    }
}

TEST_CASE("what is asked wrongly is refused by its name") {
  const auto field = [](Numbers numbers, std::map<std::string, std::string> texts = {}) {
    return refused_field(newton(of_three(std::move(numbers)), std::move(texts)));
  };
  CHECK(field({{"sigma", 1}}).empty());
  CHECK(field({{"sigma", 1e8}}) == "sigma");
  CHECK(field({{"sigma", 1}, {"steps", 101}}) == "steps");
  CHECK(field({{"sigma", 1}, {"gramShare", 1}}) == "gramShare");
  CHECK(field({{"sigma", 1}}, {{"loss", "poisson"}}) == "loss");
  CHECK(field({{"sigma", 1}}, {{"neighbours", "zero-out"}}) == "neighbours");
  CHECK(field({{"sigma", 1}, {"lambda", 1}}) == "lambda");
  CHECK(field({{"epsilon", 1}, {"delta", 0}}) == "delta");
  CHECK(field({{"epsilon", 1}, {"delta", 1e-6}}, {{"accounting", "paper"}}) == "accounting");
}

}  // namespace epsilometer::noisy_newton_test
