// Noisy second moments and principal subspaces: what they cost, the law of their noise, that intervals hold
// as often as they say, that the noise follows from what was released, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/noise/finish.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"
#include "core/release/algorithm.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"
#include "tests/core/statistics.h"

namespace epsilometer::principal_subspace_test {

namespace {

FitRequest asked(const std::string& algorithm, const Numbers& numbers) {
  FitRequest request{algorithm, {{"dimension", 3}, {"featureBound", 1}}, {}};
  for (const auto& [name, value] : numbers) request.numbers[name] = value;
  return request;
}

double epsilon_at(const Plan& plan, double delta) {
  return Profile(*privacy_loss(plan.description), 1e-7).epsilon(delta).upper;
}

// Rows of length 0.9 along the first axis, and shorter ones along the others.
Rows table(std::size_t count, std::size_t dimension = 3) {
  Rows rows{{}, {}, dimension};
  TestRng rng(99);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> x(dimension);
    for (double& one : x) one = 0.05 * std::tanh(normal_deviate(rng));
    x[i % 4 == 3 ? 1 : 0] = i % 2 ? 0.9 : -0.9;
    rows.add(x, 0);
  }
  return rows;
}

}  // namespace

TEST_CASE("both keep their budget, and use it up to a millionth") {
  for (const double epsilon : {0.5, 4.0})
    for (const char* name : {"noisy-covariance", "principal-subspace"}) {
      CAPTURE(name);
      Numbers budget = {{"epsilon", epsilon}, {"delta", 1e-6}};
      if (std::string(name) == "principal-subspace") budget["components"] = 1;
      const double cost = epsilon_at(plan(asked(name, budget)), 1e-6);
      CHECK(cost <= epsilon);
      CHECK(cost >= epsilon * (1 - 1e-6));
      FitRequest paper = asked(name, budget);
      paper.texts["accounting"] = "paper";
      if (epsilon < 1)
        CHECK(plan(paper).parameters.at("sigma") > plan(asked(name, budget)).parameters.at("sigma"));
    }
}

// Where noise is typed, what it is priced as follows from it alone: with one record of the longest rows, by
// the source's bound of a projection and by Weyl's of a gap.
TEST_CASE("both cost what Gaussian noise of the typed size does, and the gap and its failure besides") {
  const auto shift = [](double mu) { return privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}}); };
  const auto priced = [](const std::string& algorithm, const Numbers& numbers, double epsilon) {
    return Profile(*privacy_loss(plan(asked(algorithm, numbers)).description), 1e-7).delta(epsilon).upper;
  };
  for (const double sigma : {0.5, 2.0})
    for (const double bound : {1.0, 0.1, 7.0}) {
      CAPTURE(sigma);
      const Numbers typed = {{"sigma", sigma}, {"featureBound", bound}};
      const double exact = delta(*shift(1 / sigma), 1).upper, stated = priced("noisy-covariance", typed, 1);
      // The longest row is so many steps of its grid, 2^20 at least, rounded down.
      CHECK(stated >= exact * (1 - 0x1p-18));
      CHECK(stated <= exact * (1 + 1e-4));
    }
  for (const double sigma : {1.0, 4.0})
    for (const double gap : {0.5, 2.0, 8.0}) {
      CAPTURE(sigma);
      CAPTURE(gap);
      const double failure = 1e-3;
      const Numbers typed = {{"sigma", sigma}, {"gapNoise", gap}, {"failure", failure}, {"components", 1}};
      // Rows are counted with 64 times the gap's noise.
      const double mu = std::hypot(1 / sigma, 1 / gap, 1 / (64 * gap));
      const double exact = failure + (1 - failure) * delta(*shift(mu), 1).upper,
                   stated = priced("principal-subspace", typed, 1);
      CHECK(stated >= exact * (1 - 1e-9));
      // Eigenvalues are computed to 2^-9 of what a record moves them by, on either side.
      CHECK(stated <= failure + (1 - failure) * delta(*shift(mu * (1 + 0x1p-7)), 1).upper * (1 + 1e-4));
    }
}

TEST_CASE("noisy second moments are those of the table, with isotropic noise of the planned size") {
  const Rows rows = table(20);
  const FitRequest request = asked("noisy-covariance", {{"sigma", 2}});
  const auto algorithm = epsilometer::algorithm(request);
  LinearStatistics statistics = *algorithm->statistics();
  statistics.add(rows.records(), {});
  const std::vector<double> truth = statistics.values().gram;
  TestRng rng(5);
  std::vector<double> diagonal, other;
  for (int i = 0; i < 4000; ++i) {
    const auto gram = algorithm->fit(statistics, rng).values("gram");
    for (std::size_t row = 0, place = 0; row < 3; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        (row == column ? diagonal : other)
            .push_back((gram[place] - truth[place]) / (row == column ? 2 : std::sqrt(2.0)));
  }
  CHECK(kolmogorov(diagonal) > 1e-4);
  CHECK(kolmogorov(other) > 1e-4);
}

TEST_CASE("the intervals of all eigenvalues hold together as often as they say") {
  for (const double intercept : {0.0, 1.0}) {
    Rows rows = table(200);
    if (intercept > 0)
      for (std::size_t i = 2; i < rows.features.size(); i += 3) rows.features[i] = 1;
    const auto algorithm = epsilometer::algorithm(
        asked("noisy-covariance", {{"sigma", 3}, {"featureBound", 1.5}, {"intercept", intercept}}));
    LinearStatistics statistics = *algorithm->statistics();
    statistics.add(rows.records(), {});
    const std::vector<double> gram = statistics.values().gram;
    const Eigensystem truth = eigensystem(gram, 3, {});
    // The covariance of the first two, around their mean.
    const double n = gram[5], a = gram[3] / n, b = gram[4] / n;
    const Eigensystem centred =
        eigensystem(std::vector{gram[0] / n - a * a, gram[1] / n - a * b, gram[2] / n - b * b}, 2, {});
    TestRng rng(6);
    int held = 0, both = 0;
    const int runs = 4000 / static_cast<int>(share);
    const auto inside = [](const Release& release, const std::string& name, const Eigensystem& values) {
      bool all = true;
      for (std::size_t i = 0; i < values.dimension(); ++i)
        all &= release.values(name + "AtLeast")[i] <= values.values[i] &&
               values.values[i] <= release.values(name + "AtMost")[i];
      return all;
    };
    for (int run = 0; run < runs; ++run) {
      const Release release = algorithm->fit(statistics, rng);
      const bool first = inside(release, "eigenvalues", truth);
      held += first;
      CHECK(release.holds("covariance") == (intercept > 0));
      if (intercept > 0) both += first && inside(release, "covarianceEigenvalues", centred);
    }
    // Weyl's bound is not reached by every matrix: at least the level, less 5 standard errors.
    CHECK(held >= 0.95 * runs - 5 * std::sqrt(0.95 * 0.05 * runs));
    // One event for both.
    if (intercept > 0) CHECK(both == held);
  }
}

TEST_CASE("the projection's noise follows from the released gap, and is as large as is priced") {
  const Rows rows = table(4000);
  const FitRequest request =
      asked("principal-subspace", {{"epsilon", 2}, {"delta", 1e-6}, {"components", 1}});
  TestRng rng(8);
  const Release release = fit(request, rows.records(), rng, {});
  REQUIRE(release.outcome == Outcome::released);
  const double gap = release.number("gapAtLeast"), sigma = release.parameters.at("sigma");
  // Of an entry off the diagonal: sigma times what a record moves the projection by, over sqrt(2).
  const double exact = sigma * largest_projection_move(gap) / std::sqrt(2.0);
  CHECK(release.number("projectionSigma") >= exact);
  // Twice what eigenvalues may be computed with, 2^-9, on either side.
  CHECK(release.number("projectionSigma") <= exact * (1 + 0x1p-7 + 1e-3));
  CHECK(release.parameters == plan(request).parameters);
  // The direction v is the best of P + N, P = u u^T the table's and N the noise: v^T (P + N) v is no less
  // than 1 + u^T N u, so that sin^2 of the angle is at most <N, v v^T - u u^T> <= |N| sqrt(2) sin, in
  // Frobenius norms, and sin^2 <= 2 |N|^2. With s = projectionSigma, |N|^2 is 2 s^2 times a chi square of 6
  // degrees of freedom, above 42 with the probability 2e-7.
  LinearStatistics statistics = *epsilometer::algorithm(request)->statistics();
  statistics.add(rows.records(), {});
  const std::vector<double> exact_projection = projection(eigensystem(statistics.values().gram, 3, {}), 1);
  const auto& direction = release.values("directions");
  double squared_cosine = 0;
  for (std::size_t row = 0, place = 0; row < 3; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place)
      squared_cosine +=
          (row == column ? 1 : 2) * direction[row] * direction[column] * exact_projection[place];
  const double noise = release.number("projectionSigma");
  CHECK(1 - squared_cosine <= 168 * noise * noise);
  CHECK(release.find(plan(request).result.name)->shape == plan(request).result.shape);
}

TEST_CASE("the released gap and the projection given it are normal, and the bound of the gap holds") {
  const Rows rows = table(300);
  const auto algorithm = epsilometer::algorithm(
      asked("principal-subspace", {{"sigma", 0.5}, {"gapNoise", 2}, {"failure", 1e-3}, {"components", 1}}));
  LinearStatistics statistics = *algorithm->statistics();
  statistics.add(rows.records(), {});
  const Eigensystem truth = eigensystem(statistics.values().gram, 3, {});
  const std::vector<double> exact = projection(truth, 1);
  TestRng rng(9);
  std::vector<double> gaps, entries, diagonal;
  int failed = 0;
  const int runs = 20'000 / static_cast<int>(share);
  for (int i = 0; i < runs; ++i) {
    const Release release = algorithm->fit(statistics, rng);
    gaps.push_back((release.number("gap") - (truth.values[0] - truth.values[1])) / 2);
    failed += release.number("gapAtLeast") > truth.values[0] - truth.values[1];
    const double sigma = release.number("projectionSigma");
    entries.push_back((release.values("projection")[3] - exact[3]) / sigma);
    diagonal.push_back((release.values("projection")[2] - exact[2]) / (std::sqrt(2.0) * sigma));
  }
  CHECK(kolmogorov(gaps) > 1e-4);
  CHECK(kolmogorov(entries) > 1e-4);
  CHECK(kolmogorov(diagonal) > 1e-4);
  CHECK(failed <= 1e-3 * runs + 5 * std::sqrt(1e-3 * runs));
}

TEST_CASE(
    "a table without a gap is refused by the test, and so are tables of one row, of none and of equal rows") {
  const FitRequest request =
      asked("principal-subspace", {{"epsilon", 1}, {"delta", 1e-6}, {"components", 2}});
  TestRng rng(10);
  Rows equal{{}, {}, 3};
  for (int i = 0; i < 3000; ++i) equal.add(std::vector<double>{0.5, 0, 0}, 0);
  Rows none{{}, {}, 3}, one{{}, {}, 3};
  one.add(std::vector<double>{1, 0, 0}, 0);
  for (const Rows* rows : {&none, &one, &equal}) {
    const Release release = fit(request, rows->records(), rng, {});
    CHECK(release.outcome == Outcome::refused_by_test);
    CHECK(release.holds("gap"));
    CHECK(!release.holds("directions"));
    CHECK(!release.holds("projection"));
  }
}

TEST_CASE("what is no question is refused by the name of its field") {
  const auto subspace = [](Numbers numbers) {
    numbers.insert({{"epsilon", 1}, {"delta", 1e-6}});
    return refused_field(asked("principal-subspace", numbers));
  };
  CHECK(subspace({{"components", 1}}) == "");
  CHECK(subspace({}) == "components");
  CHECK(subspace({{"components", 3}}) == "components");
  CHECK(subspace({{"components", 1}, {"intercept", 1}}) == "intercept");
  CHECK(subspace({{"components", 1}, {"dimension", 1}}) == "dimension");
  CHECK(subspace({{"components", 1}, {"dimension", 513}}) == "dimension");
  CHECK(subspace({{"components", 1}, {"labelBound", 1}}) == "labelBound");
  CHECK(subspace({{"components", 1}, {"delta", 0}}) == "delta");
  const Numbers budget = {{"epsilon", 1}, {"delta", 1e-6}};
  const auto moments = [&](Numbers numbers) {
    numbers.insert(budget.begin(), budget.end());
    return refused_field(asked("noisy-covariance", numbers));
  };
  CHECK(moments({}) == "");
  CHECK(moments({{"components", 3}}) == "");
  CHECK(moments({{"components", 4}}) == "components");
  CHECK(moments({{"components", 3}, {"intercept", 1}}) == "components");
  CHECK(moments({{"dimension", 513}}) == "dimension");
  CHECK(moments({{"labelBound", 1}}) == "labelBound");
}

TEST_CASE("what second moments cost one record is what it adds, and a record of zeros pays nothing") {
  const auto algorithm = epsilometer::algorithm(asked("noisy-covariance", {{"sigma", 2}}));
  RecordFacts facts;
  CHECK(algorithm->personal(facts, Release(algorithm->plan())).kind == "pure");
  facts.square = 0.25;
  const Description own = algorithm->personal(facts, Release(algorithm->plan()));
  const Description whole = algorithm->plan().description;
  CHECK(own.numbers.at("sensitivity") == doctest::Approx(whole.numbers.at("sensitivity") / 4).epsilon(1e-5));
}

}  // namespace epsilometer::principal_subspace_test
