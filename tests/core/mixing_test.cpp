// Mixing that knows the smallest eigenvalue, and its other forms: what they cost, what they release, the law
// of it, and what is refused.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "core/accounting/calibrate.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/release/algorithm.h"
#include "core/release/linear_statistics.h"
#include "tests/core/linear_request.h"
#include "tests/core/statistics.h"

namespace epsilometer::mixing_test {

namespace {

// Gaussian mixing with the eigenvalue released, and the test of it.
std::vector<FitRequest> adaptive(const Numbers& numbers, const std::string& accounting = "tight") {
  std::vector<FitRequest> both{request("gaussian-mixing", numbers, accounting),
                               request("johnson-lindenstrauss", numbers, accounting)};
  both[0].texts["eigenvalue"] = "released";
  return both;
}

double mixing_gamma(double sigma) { return 1 + sigma * sigma / 2; }

// `many` times (1, 1) and (1, -1) each: Z^T Z is 2 many I.
struct Table {
  std::vector<double> features, labels;
  explicit Table(std::size_t many) : features(2 * many, 1.0), labels(2 * many, 1.0) {
    for (std::size_t i = 0; i < many; ++i) labels[i] = -1;
  }
  Records records() const { return {labels.size(), 1, features, labels}; }
};

const Numbers one_feature = {{"dimension", 1}, {"sketchSize", 3}};

}  // namespace

TEST_CASE("a budget that pays for the eigenvalue too is kept, and used up to a millionth") {
  for (const double epsilon : {0.5, 4.0})
    for (const FitRequest& asked : adaptive({{"epsilon", epsilon}, {"delta", 1e-6}})) {
      CAPTURE(asked.algorithm);
      const Plan planned = plan(asked);
      const auto loss = privacy_loss(planned.description);
      const double cost = Profile(*loss, 1e-7).epsilon(1e-6).upper;
      CHECK(cost <= epsilon);
      CHECK(cost >= epsilon * (1 - 1e-6));
      CHECK(planned.parameters.at("failure") == 1e-7);
    }
}

TEST_CASE("tight eigenvalues and tests need less noise than printed ones" * doctest::test_suite("long")) {
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    const Numbers budget = {{"epsilon", epsilon}, {"delta", 1e-6}, {"sketchSize", 150}};
    const auto tight = adaptive(budget), paper = adaptive(budget, "paper");
    for (std::size_t i = 0; i < 2; ++i) {
      const double less = mixing_gamma(plan(paper[i]).parameters.at("sigma")) /
                          mixing_gamma(plan(tight[i]).parameters.at("sigma"));
      MESSAGE(tight[i].algorithm << " epsilon " << epsilon << ": gamma paper / tight = " << less);
      CHECK(less > (i == 0 ? 1.4 : 3));
    }
  }
}

TEST_CASE("noise levels of the literature, where the eigenvalue is used") {
  // At gamma = 80.463, eta = 6.57 and 150 rows delta(1) is 8.996607297453996e-9, of 1e-8 - 1e-9; the finish
  // takes a thousandth.
  const Numbers budget = {{"epsilon", 1}, {"delta", 1e-8}, {"sketchSize", 150}, {"failure", 1e-9}};
  const double found = mixing_gamma(plan(adaptive(budget)[0]).parameters.at("sigma"));
  CHECK(found > 80.45);
  CHECK(found < 80.463 * 1.0015);
  // Lev et al. 2025, Theorem 1, at delta = 1e-6: sigma^2 = 114.12 C^2.
  const Numbers other = {{"epsilon", 1}, {"delta", 1e-6}, {"sketchSize", 150}};
  const double printed = plan(adaptive(other, "paper")[0]).parameters.at("sigma");
  CHECK(printed * printed / 2 == doctest::Approx(114.12).epsilon(1e-4));
  // Sheffet 2017: 15 digits in 40-digit arithmetic.
  const Numbers third = {{"epsilon", 0.5}, {"delta", 1e-8}, {"sketchSize", 150}};
  const Plan sheffet = plan(adaptive(third, "paper")[1]);
  CHECK(sheffet.parameters.at("sigma") == doctest::Approx(43.71222514164577).epsilon(1e-14));
  CHECK(sheffet.parameters.at("eigenvalueNoise") == 8);
}

TEST_CASE("the released eigenvalue bounds the true one as often as said, and the sketch has the noise left") {
  // The eigenvalue 60 of 30 such pairs; a failure that can be counted.
  const double sigma = 5, width = 2;
  FitRequest asked = request("gaussian-mixing", one_feature);
  asked.numbers.insert({{"sigma", sigma}, {"eigenvalueNoise", width}, {"failure", 0.25}});
  asked.texts["eigenvalue"] = "released";
  const auto algorithm = epsilometer::algorithm(asked);
  Description certain = algorithm->plan().description;
  certain.parts.pop_back();
  const auto loss = privacy_loss(certain);
  const double chance = 0.25 * (1 - Profile(*loss).delta(0).upper);
  const Table table(10);
  TestRng rng(20261217);
  const std::size_t n = 60'000 / share;
  std::vector<double> scores, eigenvalues;
  double failures = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Release release = algorithm->fit(table.records(), rng, {});
    const double noise = release.number("sketchSigma"), seen = release.number("eigenvalue");
    eigenvalues.push_back((seen - 20) / (2 * width));
    // gamma C^2 = 27 is what the true eigenvalue and the noise must reach, but for the finish.
    failures += 20 + noise * noise < 27 * (1 - 1e-3) - 1e-3 * noise * noise;
    CHECK(noise <= sigma * 1.0001);
    for (const double entry : release.values("sketch"))
      scores.push_back(entry / std::sqrt(20 + noise * noise));
  }
  const auto count = static_cast<double>(n);
  CHECK(std::abs(failures / count - chance) < 0.01 + 5 * std::sqrt(chance / count));
  CHECK(kolmogorov(scores) > 1e-4);
  CHECK(kolmogorov(eigenvalues) > 1e-4);
}

TEST_CASE("rows of a sketch have the covariance of an oblique table, and not each other's") {
  // Columns that nearly are each other.
  const std::vector<double> x = {0.75, 0.5, -0.5, -0.625, 0.25, 0.375, -0.25, 0}, y = {-1, 0.75, 0, 0.5};
  std::vector<double> features, labels;
  for (int i = 0; i < 5; ++i) {
    features.insert(features.end(), x.begin(), x.end());
    labels.insert(labels.end(), y.begin(), y.end());
  }
  FitRequest asked =
      request("gaussian-mixing", {{"dimension", 2}, {"sigma", 1}, {"sketchSize", 4e5 / share}});
  TestRng rng(20261221);
  const Release release = fit(asked, Records{20, 2, features, labels}, rng, {});
  // Five times the sums of the products, and sigma^2; of two rows at a time.
  std::vector<double> covariance(21);
  const double sums[6] = {0.9375, 0.78125, 0.78125, -1.25, -0.96875, 1.8125};
  const auto set = [&](double factor) {
    for (std::size_t first : {0, 3})
      for (std::size_t row = 0, place = 0; row < 3; ++row)
        for (std::size_t column = 0; column <= row; ++column, ++place)
          covariance[(first + row) * (first + row + 1) / 2 + first + column] =
              5 * sums[place] * (row == column ? 1 : factor) + (row == column ? 1 : 0);
  };
  set(1);
  CHECK(covariance_errors(release.values("sketch"), covariance) < 5);
  set(0.9);
  CHECK(covariance_errors(release.values("sketch"), covariance) > 5);
}

TEST_CASE("the test tells one bit, and hardly any noise is left where it passes") {
  const double sigma = 5;
  FitRequest asked = request("johnson-lindenstrauss", one_feature);
  asked.numbers.insert({{"sigma", sigma}, {"eigenvalueNoise", 1}, {"failure", 1e-6}});
  TestRng rng(20261218);
  // Of the eigenvalue 40 of 20 pairs, less the margin 26 of its noise, something is left, but not the 27 that
  // are wanted.
  for (const std::size_t many : {0, 5, 20, 500}) {
    const Table table(many);
    const Release release = fit(asked, table.records(), rng, {});
    const bool passes = many == 500;
    CHECK(release.number("passed") == passes);
    CHECK(!release.holds("eigenvalue"));
    CHECK(!release.holds("sketch"));
    CHECK(release.number("sketchSigma") == doctest::Approx(passes ? sigma / 32 : sigma).epsilon(1e-3));
  }
}

TEST_CASE("logistic mixing is linear mixing in other units") {
  const Table table(100);
  const Numbers numbers = {{"dimension", 1}, {"sketchSize", 60}, {"sigma", 5}};
  const auto coefficient = [&](const char* algorithm, Numbers more) {
    more.insert(numbers.begin(), numbers.end());
    TestRng rng(3);
    return fit(request(algorithm, more), table.records(), rng, {}).coefficients()[0];
  };
  const double linear = coefficient("linear-mixing", {});
  // 1 / (4 b), b = log(cosh(Q / 2)) / Q^2 in 40-digit arithmetic.
  CHECK(coefficient("logistic-mixing", {}) == doctest::Approx(3.897236786433497 * linear).epsilon(1e-14));
  CHECK(coefficient("logistic-mixing", {{"range", 1}}) ==
        doctest::Approx(2.0813472604673717 * linear).epsilon(1e-13));
}

TEST_CASE("without a word, the size of a sketch is the best by public guesses") {
  for (const std::array<double, 3>& one :
       {std::array{1.0, 100.0, 0.1}, {3.0, 1e4, 100.0}, {20.0, 1e7, 8.0}}) {
    const auto [d, rows, epsilon] = one;
    CAPTURE(one[0]);
    const Numbers numbers{{"dimension", d}, {"rows", rows},         {"epsilon", epsilon},
                          {"delta", 1e-5},  {"featureBound", 1.25}, {"labelBound", 2}};
    const Plan found = plan(request("linear-mixing", numbers));
    const double size = found.parameters.at("sketchSize");
    const Description unit{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}};
    const double noise = calibrate(unit, {"sigma", 1e-3, 1e3, false, true}, {epsilon, 1e-5}).value;
    // What is unexplained, 0.7 of squares of 0.3 * 2, and the noise of records of squared norm 1.25^2 + 2^2.
    double best = HUGE_VAL;
    const auto loss = [dimension = d, count = rows, noise](double k) {
      return (count * 0.7 * 0.36 + 2 * 5.5625 * std::sqrt(k / 2) * noise) *
             (1 + dimension / (k - dimension - 1));
    };
    for (double k = d + 2; k <= 64 * d + 3; ++k) best = std::min(best, loss(k));
    CHECK(size >= d + 2);
    CHECK(size <= 64 * d + 3);
    // Steps of 15 % miss the best by half of that, where the loss grows with the square of the miss: by less
    // than 0.08^2, but for the smallest sizes, which are whole numbers far apart.
    CHECK(loss(size) <= best * (size < 10 ? 1.06 : 1.0064));
    CHECK(loss(size) >= best);
    // What is told is what is priced.
    CHECK(found.description.parts.at(0).mechanism.numbers.at("sketchSize") == size);
  }
}

TEST_CASE("the size of a sketch is public, one for both noises, and the source's where there is no budget") {
  const Numbers budget{{"dimension", 1}, {"epsilon", 1}, {"delta", 1e-5}};
  Numbers guessed = budget;
  guessed["rows"] = 10'000;
  const Plan planned = plan(request("linear-mixing", budget));
  CHECK(plan(request("linear-mixing", guessed)).parameters == planned.parameters);
  TestRng rng(1);
  CHECK(fit(request("linear-mixing", budget), Table(500).records(), rng, {}).parameters ==
        planned.parameters);
  CHECK(plan(request("linear-mixing", budget, "paper")).parameters.at("sketchSize") ==
        planned.parameters.at("sketchSize"));
  CHECK(plan(request("linear-mixing", {{"dimension", 3}, {"sigma", 5}})).parameters.at("sketchSize") == 58);
  CHECK(plan(request("linear-mixing", {{"dimension", 40}, {"sigma", 5}})).parameters.at("sketchSize") == 100);
}

TEST_CASE("what mixing cannot do is refused by name") {
  const auto field = [](Numbers numbers) { return refused_field(adaptive(numbers)[1]); };
  CHECK(field({{"sigma", 1}}) == "failure");
  CHECK(field({{"sigma", 1}, {"failure", 0.3}}) == "failure");
  CHECK(field({{"sigma", 1}, {"failure", 0.1}, {"eigenvalueNoise", 0}}) == "eigenvalueNoise");
  CHECK(field({{"sigma", 1e-6}, {"failure", 0.1}}) != "");
  CHECK(field({{"epsilon", 1}, {"delta", 0}}) != "");
  CHECK(field({{"epsilon", 1}, {"delta", 1e-6}, {"failure", 1e-5}}) != "");
  CHECK(refused_field(request("linear-mixing", {{"sigma", 1}, {"failure", 0.1}})) == "failure");
  FitRequest asked = request("linear-mixing", {{"sigma", 1}});
  asked.texts["eigenvalue"] = "guessed";
  CHECK(refused_field(asked) == "eigenvalue");
  CHECK(refused_field(request("logistic-mixing", {{"sigma", 1}, {"range", 0}})) == "range");
  asked.texts["eigenvalue"] = "released";
  asked.numbers["failure"] = 0.01;
  LinearStatistics large(3, {1, 1}, IntegerSum(std::vector<__int128>(10, __int128{1} << 90)), 1);
  TestRng rng(1);
  CHECK_THROWS_AS(fit(asked, large, rng), Refusal);
}

TEST_CASE("ordinary tables are held where their eigenvalue leaves little noise") {
  // Thirty features of 20 000 rows on the sphere: the eigenvalue is far beyond what hides a record.
  std::mt19937_64 random(20261219);
  std::normal_distribution<double> normal;
  constexpr std::size_t count = 20'000, d = 30;
  std::vector<double> features(count * d), labels(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = std::span(features).subspan(i * d, d);
    double square = 0;
    for (double& x : row) x = normal(random), square += x * x;
    for (double& x : row) x /= std::sqrt(square);
    labels[i] = i % 2 ? 1 : -1;
  }
  const Records table{count, d, features, labels};
  TestRng rng(20261220);
  FitRequest request{
      "linear-mixing",
      {{"dimension", d}, {"featureBound", 1}, {"labelBound", 1}, {"epsilon", 1}, {"delta", 1e-5}},
      {{"eigenvalue", "released"}}};
  const Release release = fit(request, table, rng, {});
  // A 32nd is the least there is.
  CHECK(release.number("sketchSigma") <= 0.04 * release.parameters.at("sigma"));
  CHECK(std::abs(release.number("rows") - count) < 5000);
}

TEST_CASE("records of a table that is too large for doubles count less, and nothing else changes") {
  // (1, 1/2) so often: the coefficient, the products in units of the table, and their noise.
  for (const char* eigenvalue : {"unused", "released"})
    for (const int power : {10, 20, 30, 40, 47}) {
      const double count = std::ldexp(1, power);
      FitRequest request{"gaussian-mixing",
                         {{"dimension", 1}, {"featureBound", 1}, {"labelBound", 1}, {"sigma", 0.5}},
                         {{"eigenvalue", eigenvalue}}};
      if (std::string("released") == eigenvalue) request.numbers["failure"] = 1e-9;
      const auto steps = [&](int bits) { return static_cast<__int128>(count) << bits; };
      const LinearStatistics many(1, {1, 1}, IntegerSum({steps(40), steps(39), steps(38)}), count);
      TestRng rng(20261125);
      const Release release = fit(request, many, rng);
      CAPTURE(eigenvalue);
      CAPTURE(power);
      CHECK(release.coefficients()[0] == doctest::Approx(0.5).epsilon(0.05));
      // Of 58 rows: the mean of so many squares.
      CHECK(std::abs(release.number("gram") / count - 1) < 6 * std::sqrt(2.0 / 58));
      const auto& rows = release.values("sketch");
      double square = 0;
      for (std::size_t i = 0; i < rows.size(); i += 2) square += rows[i] * rows[i];
      CHECK(square / 58 == doctest::Approx(release.number("gram")).epsilon(1e-12));
      CHECK(release.number("rows") == doctest::Approx(count).epsilon(0.2));
    }
}

}  // namespace epsilometer::mixing_test
