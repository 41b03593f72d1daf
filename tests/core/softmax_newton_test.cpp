// Noisy Newton steps of several classes: the derivative and the whole run against another program, how far
// one row moves a sum, the law of the noise, and what is learned.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/accounting/profile.h"
#include "core/model/softmax.h"
#include "core/noise/grid.h"
#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "tests/core/four_classes.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"
#include "tests/core/table_lines.h"

namespace epsilometer::softmax_newton_test {

namespace {

FitRequest softmax(Numbers numbers, const char* neighbours = "add-remove") {
  numbers.insert({{"dimension", 3}, {"featureBound", 1}, {"classes", 4}});
  return {"noisy-newton", numbers, {{"loss", "softmax"}, {"neighbours", neighbours}}};
}

double length(const std::vector<double>& all) {
  return std::sqrt(std::inner_product(all.begin(), all.end(), all.begin(), 0.0));
}

// What a row adds to a step's sum, in units of the stated bound.
std::vector<double> contribution(const std::vector<double>& z, const std::vector<double>& theta,
                                 std::size_t classes, double label) {
  std::vector<double> u(classes), slope(classes), all;
  for (std::size_t j = 0; j < z.size(); ++j)
    for (std::size_t k = 0; k < classes; ++k) u[k] += z[j] * theta[j * classes + k];
  softmax_derivative(u, label, slope);
  for (const double one : z)
    for (const double each : slope) all.push_back(one * each / std::sqrt(2.0));
  return all;
}

std::vector<double> numbers(const nlohmann::json& texts) {
  std::vector<double> all;
  for (const auto& one : texts) all.push_back(std::stod(one.get<std::string>()));
  return all;
}

}  // namespace

TEST_CASE("the derivative of the multinomial loss is that of another program, to the last digits") {
  const auto lines = table_lines("release/softmax.ndjson", "derivative");
  REQUIRE(!lines.empty());
  for (const auto& line : lines) {
    CAPTURE(line.dump());
    const auto u = line["u"].get<std::vector<double>>();
    const std::vector<double> truth = numbers(line["truth"]);
    std::vector<double> found(u.size());
    softmax_derivative(u, line["label"].get<double>(), found);
    // A difference of u rounds by 2^-53 of it; the rest is a few roundings.
    double largest = 0;
    for (const double one : u) largest = std::max(largest, std::abs(one));
    const double share = 0x1p-53 * (2 * largest + 16);
    for (std::size_t k = 0; k < u.size(); ++k)
      CHECK(std::abs(found[k] - truth[k]) <= share * std::abs(truth[k]));
  }
}

TEST_CASE("a row of no class contributes nothing") {
  const std::vector<double> u{1, 2, 3};
  for (const double label : {-1.0, 3.0, 0.5, 1e300, -HUGE_VAL, HUGE_VAL, std::nan("")}) {
    std::vector<double> found{7, 7, 7};
    softmax_derivative(u, label, found);
    CHECK(found == std::vector<double>(3));
  }
}

TEST_CASE("one row moves a step's sum by no more than is stated, and nearly so far where it is worst") {
  std::mt19937_64 random(20261125);
  std::normal_distribution<double> normal;
  double worst = 0, worst_replaced = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const std::size_t classes = 3 + random() % 4, d = 1 + random() % 3;
    // From hardly any coefficients to such that nearly every probability is 0 or 1.
    const double scale = std::pow(10, static_cast<double>(random() % 5) - 1);
    std::vector<double> theta(d * classes), one(d), other(d);
    for (double& each : theta) each = scale * normal(random);
    for (std::vector<double>* row : {&one, &other}) {
      for (double& each : *row) each = normal(random);
      const double size = length(*row) * (random() % 4 == 0 ? 1 + normal(random) * normal(random) : 1);
      for (double& each : *row) each /= size;
    }
    // Half of the pairs are opposite rows, the worst there can be.
    if (random() % 2 == 0) std::transform(one.begin(), one.end(), other.begin(), std::negate<>());
    const Truncation truncation(1, Norm::l2, -40);
    std::vector<std::int64_t> added(theta.size()), instead(theta.size());
    truncation.apply(contribution(one, theta, classes, static_cast<double>(random() % classes)), added);
    truncation.apply(contribution(other, theta, classes, static_cast<double>(random() % classes)), instead);
    double moved = 0, replaced = 0;
    for (std::size_t i = 0; i < added.size(); ++i) {
      moved += std::pow(std::ldexp(static_cast<double>(added[i]), -40), 2);
      replaced += std::pow(std::ldexp(static_cast<double>(added[i] - instead[i]), -40), 2);
    }
    worst = std::max(worst, std::sqrt(moved));
    worst_replaced = std::max(worst_replaced, std::sqrt(replaced));
  }
  // The squares of doubles round by 2^-53 each.
  CHECK(worst <= 1 + 1e-15);
  CHECK(worst > 0.999);
  CHECK(worst_replaced <= 2 + 2e-15);
  // Without a feature that both share, opposite rows are sure of different classes: sqrt(3) at most.
  CHECK(worst_replaced > 1.7);
}

TEST_CASE("two rows that are replaced by each other reach what is stated for it") {
  // Nearly opposite, and the same wrong class is certain for both, by their second feature.
  const std::vector<double> theta{0, 0, 0, 0, 1000, 0};
  const double rest = std::sqrt(1 - 0.999 * 0.999);
  const std::vector<double> one = contribution({0.999, rest}, theta, 3, 0),
                            other = contribution({-0.999, rest}, theta, 3, 0);
  std::vector<double> between(6);
  std::transform(one.begin(), one.end(), other.begin(), between.begin(), std::minus<>());
  CHECK(length(between) <= 2);
  CHECK(length(between) > 1.99);
}

TEST_CASE(
    "all of it is one Gaussian release, whatever the classes, the steps, the share and the neighbours") {
  for (const char* neighbours : {"add-remove", "replace"})
    for (const double classes : {3.0, 100.0})
      for (const double sigma : {0.3, 40.0})
        for (const double steps : {1.0, 20.0})
          for (const double share : {0.01, 0.5}) {
            CAPTURE(neighbours);
            CAPTURE(classes);
            CAPTURE(sigma);
            const Plan told =
                plan(softmax({{"classes", classes}, {"sigma", sigma}, {"steps", steps}, {"gramShare", share}},
                             neighbours));
            CHECK(told.neighbours == neighbours);
            CHECK(told.result.shape == std::vector<std::size_t>{3, static_cast<std::size_t>(classes)});
            const Description gaussian{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
            const double stated = epsilon(*privacy_loss(told.description), 1e-6).upper;
            const double exact = epsilon(*privacy_loss(gaussian), 1e-6).lower;
            // Widths are rounded up to whole steps, of which there are 2^20 and more.
            CHECK(stated == doctest::Approx(exact).epsilon(0x1p-16));
          }
}

TEST_CASE("what hardly has noise is what another program finds without any") {
  const auto lines = table_lines("release/softmax.ndjson", "steps");
  REQUIRE(!lines.empty());
  for (const auto& line : lines) {
    const auto rows = line["rows"].get<std::vector<std::vector<double>>>();
    const auto labels = line["labels"].get<std::vector<double>>();
    std::vector<double> features;
    for (const auto& row : rows) features.insert(features.end(), row.begin(), row.end());
    TestRng rng(20261125);
    const Release release = fit(softmax({{"classes", line["classes"].get<double>()},
                                         {"sigma", line["sigma"].get<double>()},
                                         {"steps", line["steps"].get<double>()},
                                         {"gramShare", line["share"].get<double>()},
                                         {"intercept", 1}}),
                                Records{labels.size(), 3, features, labels}, rng, {});
    const std::vector<double>& found = release.values("coefficients");
    const std::vector<double> truth = numbers(line["truth"]);
    REQUIRE(found.size() == truth.size());
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      largest = std::max(largest, std::abs(truth[i]));
      apart = std::max(apart, std::abs(found[i] - truth[i]));
    }
    // Noise of some 1e-4 in sums of some units, and in a matrix whose least eigenvalue is about 0.05.
    CHECK(apart <= 0.01 * largest);
    CAPTURE(apart / largest);
    CHECK(largest > 0.1);
    CHECK(release.coefficients().empty());
  }
}

TEST_CASE("of no rows the coefficients are the noise of the steps, as wide as is stated") {
  constexpr double classes = 4, sigma = 2;
  const FitRequest asked =
      softmax({{"dimension", 1}, {"classes", classes}, {"sigma", sigma}, {"steps", 1}, {"gramShare", 0.5}});
  const auto algorithm = epsilometer::algorithm(asked);
  const Plan told = algorithm->plan();
  const double width = told.parameters.at("stepSigma");
  CHECK(width == doctest::Approx(sigma / std::sqrt(0.5)));
  const NoisyGram gram(1, {1, 0, HUGE_VAL}, Change::add_or_remove);
  TestRng rng(20261125);
  constexpr int runs = 4000;
  double squares = 0, sums = 0;
  for (int run = 0; run < runs; ++run) {
    const Release release = algorithm->fit(Records{0, 1, {}, {}}, rng, {});
    const Whitening whitening = gram.whitening(release, gram.width(std::sqrt(0.5) / sigma), {});
    const double one =
        2 * whitening.bound() * std::sqrt(2.0) * width * gram.coefficients(whitening, {1}).front();
    double sum = 0;
    for (const double each : release.values("coefficients")) {
      sum += each / one;
      squares += each / one * each / one;
    }
    sums = std::max(sums, std::abs(sum));
  }
  // chi^2 of classes - 1 in each run: six standard deviations of its mean.
  CHECK(squares / runs == doctest::Approx(classes - 1).epsilon(6 * std::sqrt(2 / ((classes - 1) * runs))));
  CHECK(sums < 1e-12);
}

TEST_CASE("no table is refused, and no coefficient is lost") {
  const std::vector<double> values{0, 1e-300, 1, -2, 1e300, HUGE_VAL, std::nan("")};
  std::mt19937_64 random(7);
  for (const double intercept : {0.0, 3.0})
    for (const double sigma : {1e-4, 1.0, 1e7})
      for (std::size_t count = 0; count < 6; ++count) {
        const Rows rows = rows_of(values, count, 3, random);
        TestRng rng(count);
        const Release release =
            fit(softmax({{"sigma", sigma}, {"intercept", intercept}}), rows.records(), rng, {});
        CHECK(release.values("coefficients").size() == 12);
        for (const double one : release.values("coefficients")) CHECK(std::isfinite(one));
      }
}

TEST_CASE("what is asked wrongly of several classes is refused by its name") {
  CHECK(refused_field(softmax({{"sigma", 1}})).empty());
  for (const double classes : {2.0, 3.5, 101.0, std::nan("")})
    CHECK(refused_field(softmax({{"sigma", 1}, {"classes", classes}})) == "classes");
  FitRequest none = softmax({{"sigma", 1}});
  none.numbers.erase("classes");
  CHECK(refused_field(none) == "classes");
  none.texts["loss"] = "logistic";
  CHECK(refused_field(none).empty());
  none.numbers["classes"] = 3;
  CHECK(refused_field(none) == "classes");
}

TEST_CASE("of four classes it learns nearly what made them, and less with a small budget") {
  const FourClasses table;
  const auto wrong = [&](Numbers numbers) {
    numbers.insert({{"dimension", FourClasses::dimension}, {"intercept", 1}, {"delta", 1e-5}});
    TestRng rng(20261126);
    return table.wrong(fit(softmax(numbers), table.records(), rng, {}));
  };
  // The classes follow from the features; clamping and few steps leave a few rows wrong.
  const double much = wrong({{"epsilon", 8}}), little = wrong({{"epsilon", 0.05}});
  CHECK(much < 0.1);
  CHECK(little > much + 0.1);
  CHECK(little < 0.75);
}

}  // namespace epsilometer::softmax_newton_test
