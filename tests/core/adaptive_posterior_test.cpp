// Posterior samples with released parameters: what they cost, whether the bounds hold as often as said, the
// law of the sample, and that its noise is enough for every record.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/noise/finish.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/normal.h"
#include "core/release/algorithm.h"
#include "core/release/linear/failing_bound.h"
#include "core/release/linear/ridge.h"
#include "core/release/linear_statistics.h"
#include "tests/core/linear_request.h"
#include "tests/core/statistics.h"

namespace epsilometer::adaptive_posterior_test {

namespace {

FitRequest adaptive(const Numbers& numbers, const std::string& accounting = "tight") {
  return request("adaptive-posterior-sampling", numbers, accounting);
}

// The noise of both statistics is given, and what is left for the sample.
Numbers noisy(double sigma) {
  return {{"sigma", sigma}, {"sampleEpsilon", 1}, {"sampleDelta", 1e-4}, {"failure", 1e-4}};
}

struct Table {
  std::vector<double> features, labels;
  Records records() const { return {labels.size(), features.size() / labels.size(), features, labels}; }
};

Table random_table(std::size_t count, std::size_t dimension, TestRng& rng) {
  Table table;
  for (std::size_t i = 0; i < count; ++i) {
    double squares = 0;
    std::vector<double> x(dimension);
    for (double& one : x) one = normal_deviate(rng), squares += one * one;
    for (const double one : x) table.features.push_back(0.999 * one / std::sqrt(std::max(1.0, squares)));
    table.labels.push_back(std::clamp(table.features.back() + normal_deviate(rng), -1.0, 1.0));
  }
  return table;
}

}  // namespace

TEST_CASE(
    "the chance of a bound to fail is no more than its price allows, and not nothing where delta is nearly "
    "1") {
  const double failure = 1e-7;
  const Request typed({"", {{"failure", failure}, {"sigma", 2}}, {}}, {"failure", "sigma"}, {});
  for (const double mu : {0.01, 1.0, 4.0, 9.0, 14.0, 15.5, 16.5, 18.0}) {
    CAPTURE(mu);
    // 1 - delta(0) of a shift by mu.
    const double most = failure * std::erfc(mu / std::sqrt(8.0));
    const double chance = chance_of_failure({{"gdp", {{"mu", mu}}, {}, {}, {}}}, failure, typed);
    CHECK(chance <= most * (1 + 1e-13));
    // The logarithm counts, for the quantile of the noise.
    CHECK(std::log(chance) >= 3 * std::log(most));
    if (mu < 10) CHECK(chance >= most * (1 - 1e-8));
  }
  for (const double mu : {60.0, 1000.0}) {
    try {
      chance_of_failure({{"gdp", {{"mu", mu}}, {}, {}, {}}}, failure, typed);
      FAIL("was not refused");
    } catch (const Refusal& refusal) {
      // More of delta would not do.
      CHECK(refusal.field == "sigma");
      CHECK(refusal.value == "2");
      CHECK(refusal.rule.starts_with("must be larger"));
    }
  }
}

TEST_CASE(
    "large budgets have a plan where a bound is released, and what has none is refused by what was asked") {
  FitRequest curvature = request("output-perturbation-by-curvature", {{"lambda", 1}});
  curvature.numbers.erase("labelBound");
  FitRequest mixing = request("gaussian-mixing", {});
  mixing.texts["eigenvalue"] = "released";
  FitRequest subspace = request("principal-subspace", {{"components", 1}});
  subspace.numbers.erase("labelBound");
  // Each beyond where 1 - delta(0) is all rounding.
  const std::pair<FitRequest, double> asked[] = {{adaptive({}), 60},
                                                 {request("ops-ptr", {{"lambda", 200}}), 60},
                                                 {curvature, 200},
                                                 {subspace, 200},
                                                 {mixing, 300}};
  for (const auto& pair : asked) {
    FitRequest one = pair.first;
    one.numbers["epsilon"] = pair.second;
    one.numbers["delta"] = 1e-6;
    const std::string field = refused_field(one);
    CAPTURE(one.algorithm);
    CAPTURE(field);
    CHECK(field.empty());
  }
  CHECK(refused_field(adaptive({{"epsilon", 1e4}, {"delta", 1e-6}})) == "epsilon");
  curvature.numbers["epsilon"] = 1;
  curvature.numbers["delta"] = 1e-60;
  CHECK(refused_field(curvature) == "delta");
}

TEST_CASE("an adaptive sample keeps its budget, and uses it up to a millionth") {
  for (const double epsilon : {0.5, 4.0}) {
    const Numbers budget = {{"epsilon", epsilon}, {"delta", 1e-6}};
    const Plan planned = plan(adaptive(budget));
    const auto loss = privacy_loss(planned.description);
    const double cost = Profile(*loss, 1e-7).epsilon(1e-6).upper;
    CHECK(cost <= epsilon);
    CHECK(cost >= epsilon * (1 - 1e-6));
    CHECK(planned.parameters.at("sampleEpsilon") == epsilon / 2);
    const double less =
        plan(adaptive(budget, "paper")).parameters.at("sigma") / planned.parameters.at("sigma");
    MESSAGE("epsilon " << epsilon << ": paper / tight = " << less);
    CHECK(less > 1.1);
  }
}

TEST_CASE("an adaptive sample finds the coefficients, with less noise where paper has more") {
  TestRng rng(4);
  const Table table = random_table(4000, 3, rng);
  const NormalEquations equations = normal_equations(table.records());
  double sigma[2];
  for (const bool paper : {false, true}) {
    const FitRequest asked = adaptive({{"epsilon", 2}, {"delta", 1e-6}}, paper ? "paper" : "tight");
    const Release release = fit(asked, table.records(), rng, {});
    const double lambda = release.number("lambda");
    const auto truth = ridge(equations, lambda, lambda).coefficients;
    // No coefficient has a larger deviation; a normal deviate beyond 5.2 is seen once in 5 million.
    const double deviation =
        release.number("sampleSigma") / std::sqrt(smallest_eigenvalue(equations.gram, 3).lower + lambda);
    for (int i = 0; i < 3; ++i) CHECK(std::abs(release.coefficients()[i] - truth[i]) < 5.2 * deviation);
    CHECK(release.parameters == plan(asked).parameters);
    sigma[paper] = release.number("sampleSigma");
  }
  MESSAGE("noise of the sample, paper / tight = " << sigma[1] / sigma[0]);
  CHECK(sigma[0] * 1.05 < sigma[1]);
}

TEST_CASE("the released statistics and the sample given them are normal") {
  const std::vector<double> x = {-0.595, -0.804, -0.22, 0.83, 0.58, 0.64, -0.733, -0.681},
                            y = {0.71, 0.4, -0.56, -0.63};
  Numbers numbers = noisy(2);
  numbers.insert({{"dimension", 2}, {"featureBound", 2}, {"lambda", 80}});
  const auto algorithm = epsilometer::algorithm(adaptive(numbers));
  const Records records{4, 2, x, y};
  const NormalEquations equations = normal_equations(records);
  const auto truth = ridge(equations, 80, 80).coefficients;
  const auto factor = Cholesky::of(equations.gram, 2, 80)->factor();
  const double least = smallest_eigenvalue(equations.gram, 2).lower;
  const double size = std::log1p(2 * std::hypot(truth[0], truth[1]));
  TestRng rng(20261219);
  std::vector<double> eigenvalues, norms, first, second;
  double sum = 0, product = 0;
  const std::size_t n = 50'000 / share;
  for (std::size_t i = 0; i < n; ++i) {
    const Release release = algorithm->fit(records, rng, {});
    const double sigma = release.number("sampleSigma");
    const double a = release.coefficients()[0] - truth[0], b = release.coefficients()[1] - truth[1];
    eigenvalues.push_back((release.number("eigenvalue") - least) / 8);
    norms.push_back((release.number("logNorm") - size) / (2 * std::log1p(4.0 / 80)));
    // L^T (theta - mean) / sigma.
    first.push_back((factor[0] * a + factor[1] * b) / sigma);
    second.push_back(factor[2] * b / sigma);
    sum += first.back() * second.back(), product += first.back() * norms.back();
  }
  for (const auto& scores : {eigenvalues, norms, first, second}) CHECK(kolmogorov(scores) > 1e-4);
  CHECK(std::abs(sum) < 5 * std::sqrt(static_cast<double>(n)));
  CHECK(std::abs(product) < 5 * std::sqrt(static_cast<double>(n)));
}

TEST_CASE("the noise that a table allows is enough for each of its records, and for others") {
  TestRng rng(20261220);
  for (int trial = 0; trial < 12; ++trial) {
    Table table = random_table(trial % 2 ? 400 : 20, 2, rng);
    Numbers numbers = noisy(1.5);
    numbers["dimension"] = 2;
    const Release release = fit(adaptive(numbers), table.records(), rng, {});
    const double sigma = release.number("sampleSigma"), lambda = release.number("lambda");
    // The last record is removed; the worst one at the smallest eigenvalue is added.
    const NormalEquations all = normal_equations(table.records());
    const double x[2] = {table.features[table.features.size() - 2], table.features.back()};
    NormalEquations fewer = all;
    fewer.gram[0] -= x[0] * x[0], fewer.gram[1] -= x[0] * x[1], fewer.gram[2] -= x[1] * x[1];
    const double y = table.labels.back();
    fewer.cross[0] -= x[0] * y, fewer.cross[1] -= x[1] * y;
    for (const bool removed : {true, false})
      for (int step = 0; step < 8; ++step) {
        const NormalEquations& smaller = removed ? fewer : all;
        const auto factor = Cholesky::of(smaller.gram, 2, lambda);
        const auto theta = factor->solve(smaller.cross);
        const double angle = 0.4 * step;
        const double record[2] = {removed ? x[0] : std::cos(angle), removed ? x[1] : std::sin(angle)};
        const auto solved = factor->solve(record);
        const double mu = record[0] * solved[0] + record[1] * solved[1],
                     predicted = record[0] * theta[0] + record[1] * theta[1];
        const double residual = std::abs(removed ? y - predicted : std::abs(predicted) + 1);
        const auto loss = privacy_loss({"posterior-sampling",
                                        {{"leverage", std::max(mu, 1e-9)}, {"residual", residual / sigma}},
                                        {},
                                        {},
                                        {}});
        CHECK(Profile(*loss).delta(1).upper <= 1e-4);
        if (removed) break;
      }
  }
}

TEST_CASE("the sample's noise follows from what is released, in the smaller table") {
  TestRng rng(20261123);
  for (const double rows : {30.0, 400.0, 3000.0})
    for (const double sigma : {0.5, 2.0, 6.0}) {
      CAPTURE(rows);
      CAPTURE(sigma);
      const Table table = random_table(static_cast<std::size_t>(rows), 2, rng);
      Numbers numbers = noisy(sigma);
      numbers["dimension"] = 2;
      const Release release = fit(adaptive(numbers), table.records(), rng, {});
      const auto released = [&](const char* name) { return release.number(name); };
      // The failure is that of either bound, and of neither in what the rest costs; its description is last.
      Description rest = release.description;
      rest.parts.pop_back();
      const double apart = 1 - Profile(*privacy_loss(rest)).delta(0).upper;
      const double margin = normal_upper_quantile(1e-4 * apart / 2) * sigma;
      // Both bounds of features and labels are 1.
      const double eigenvalue = std::max(0.0, released("eigenvalue") - margin);
      const double leverage = 1 / (released("lambda") + std::max(0.0, eigenvalue - 1));
      const double size = std::exp(released("logNorm") + margin * std::log1p(leverage));
      const double residual = (1 + leverage) * size / released("sampleSigma");
      const auto loss =
          privacy_loss({"posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}});
      const double cost = Profile(*loss).epsilon(1e-4).upper;
      CHECK(cost <= 1 + 1e-9);
      // What bounds the errors of computing takes the rest.
      CHECK(cost >= 1 - 2e-4);
    }
}

TEST_CASE("what an adaptive sample cannot do is refused by name") {
  CHECK(refused_field(adaptive({{"sigma", 1}})) == "sampleEpsilon");
  CHECK(refused_field(adaptive({{"epsilon", 1}, {"delta", 0}})) != "");
  CHECK(refused_field(adaptive({{"epsilon", 1}, {"delta", 1e-6}, {"sampleEpsilon", 2}})) != "");
  CHECK(refused_field(adaptive({{"epsilon", 1}, {"delta", 1e-6}, {"lambda", 0}})) == "lambda");
  CHECK(refused_field(adaptive({{"epsilon", 1}, {"delta", 1e-6}, {"rows", 5}})) == "rows");
  // So little that no sample keeps it, whatever lambda.
  CHECK(refused_field(adaptive({{"epsilon", 1e-5}, {"delta", 1e-6}})) != "");
}

TEST_CASE("a typed lambda that the table's eigenvalues do not help is raised until the sample is private") {
  Numbers numbers = noisy(2);
  const std::vector<double> one = {1, 0, 0}, label = {1};
  for (const double typed : {1e-9, 0.01, 500.0}) {
    TestRng rng(5);
    numbers["lambda"] = typed;
    const double used = fit(adaptive(numbers), Records{1, 3, one, label}, rng, {}).number("lambda");
    CHECK((typed == 500 ? used == 500 : used > typed));
    CHECK(std::exp2(std::round(std::log2(used / typed))) == doctest::Approx(used / typed));
  }
}

}  // namespace epsilometer::adaptive_posterior_test
