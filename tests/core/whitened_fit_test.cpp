// Whitened fits of approximate minima: prices of what is released together, tables that must not be told
// apart by whether there is a release, persons, and what whitening is for.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "core/loss/gaussian_loss.h"
#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "core/report/holder/people_losses.h"
#include "core/report/personal/per_instance.h"
#include "core/report/published/privacy_report_price.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::whitened_fit_test {

namespace {

FitRequest whitened(Numbers numbers, const char* loss = "squared") {
  numbers.insert({{"dimension", 3}, {"featureBound", 2}, {"labelBound", 1}, {"whiten", 0.15}});
  return {"approximate-minima-perturbation", numbers, {{"loss", loss}}};
}

FitRequest of_budget(double epsilon, Numbers more = {}, const char* loss = "squared") {
  more.insert({{"epsilon", epsilon}, {"delta", 1e-5}});
  return whitened(std::move(more), loss);
}

double mu_of(const Description& gaussian) { return *privacy_loss(gaussian)->gaussian(); }

}  // namespace

TEST_CASE("the shortest gradients that may be asked for are those of whitened rows as well") {
  const RecordBounds table{1, 1, 1e-9};
  const FitRequest whitened = whitened_request({"approximate-minima-perturbation", {}, {}}, table);
  CHECK(whitened.numbers.at("gradientBound") == 1e-9);
  const RecordBounds usual{1, 1, 1};
  CHECK(whitened_request({"", {}, {}}, usual).numbers.at("gradientBound") == 1 / usual.norm());
}

TEST_CASE("a whitened fit keeps its budget, and the matrix costs the share that it was given") {
  for (const double epsilon : {0.1, 1.0, 8.0}) {
    CAPTURE(epsilon);
    const Plan told = plan(of_budget(epsilon));
    REQUIRE(told.description.parts.size() == 2);
    const double upper = delta(*privacy_loss(told.description), epsilon).upper;
    CHECK(upper <= 1e-5);
    CHECK(upper >= 1e-5 * (1 - 1e-3));
    // What a budget of one Gaussian release allows, as calibrated by its closed form.
    double low = 1e-3, high = 10;
    for (int i = 0; i < 60; ++i) {
      const double mu = (low + high) / 2;
      (GaussianLoss(DoubleDouble{mu}).delta(epsilon).upper > 1e-5 ? high : low) = mu;
    }
    CHECK(mu_of(told.description.parts[0].mechanism) ==
          doctest::Approx(std::sqrt(0.15) * low).epsilon(0x1p-16));
    // The minimum alone has the bounds of rows of length 1.
    const Description& minimum = told.description.parts[1].mechanism;
    CHECK(minimum.kind == "approximate-minima-perturbation");
    CHECK(minimum.number("lipschitz", 0, 1e9) == doctest::Approx(0.5));
    CHECK(minimum.number("smoothness", 0, 1e9) == doctest::Approx(1));
  }
}

TEST_CASE("several rows of one person are priced together with the matrix") {
  // By hand: the profile of a chain of three at 3 e is at most delta(e) (1 + e^e + e^2e).
  const Plan told = plan(of_budget(1, {{"unitRows", 3}}));
  const auto loss = privacy_loss(told.description);
  const double each = delta(*loss, 1.0 / 3).upper;
  CHECK(each * (1 + std::exp(1.0 / 3) + std::exp(2.0 / 3)) <= 1e-5 * (1 + 1e-9));
  GroupPrivacy group(loss, 3, 1e-4);
  CHECK(group.delta(1).upper <= 1e-5);
}

TEST_CASE("no table is refused by a whitened fit, and no coefficient is lost") {
  const std::vector<double> values{0, 1e-300, 1, -2, 1e300, HUGE_VAL, std::nan("")};
  std::mt19937_64 random(7);
  for (const char* loss : {"logistic", "squared", "poisson"})
    for (const double intercept : {0.0, 3.0}) {
      const auto algorithm = epsilometer::algorithm(of_budget(1, {{"intercept", intercept}}, loss));
      for (std::size_t count = 0; count < 6; ++count) {
        const Rows rows = rows_of(values, count, 3, random);
        TestRng rng(count);
        const Release release = algorithm->fit(rows.records(), rng, {});
        CHECK(release.coefficients().size() == 3);
        for (const double one : release.coefficients()) CHECK(std::isfinite(one));
        CHECK(release.number("rows") >= 1);
        CHECK(release.values("gram").size() == 6);
      }
    }
}

TEST_CASE("nobody pays more than everybody may, and each for her own row and what the matrix made of it") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> features, labels;
  for (int i = 0; i < 150; ++i) {
    for (const double scale : {1.0, 0.1, 0.01}) features.push_back(scale * normal(random));
    labels.push_back(std::clamp(normal(random), -1.0, 1.0));
  }
  // Nothing, and what is shortened.
  std::fill_n(features.begin(), 3, 0);
  std::fill_n(features.begin() + 3, 3, 9);
  const Records records{150, 3, features, labels};
  const PlannedRequest run(of_budget(1));
  TestRng rng(3);
  const Release release = run.algorithm->fit(Pieces(&records, 1), rng, {});
  const double everybody = epsilon(*privacy_loss(release.description), 1e-5).upper;
  const auto price = [](const Description& of) { return epsilon(*privacy_loss(of), 1e-5).upper; };

  const RecordBounds bounds{2, 0, HUGE_VAL};
  const NoisyGram gram(3, bounds, Change::add_or_remove);
  const Whitening whitening = gram.whitening(release, release.parameters.at("gramSigma"), {});
  const auto loss = make_loss("squared", {1, 1});
  std::vector<double> lengths;
  gram.whiten(BoundedRecords(records, *loss, bounds), whitening, {}, [&](std::span<const float> row, double) {
    lengths.push_back(std::hypot(double{row[0]}, double{row[1]}, double{row[2]}));
  });
  const PersonalCosts costs(run, release, Pieces(&records, 1), {});
  std::vector<RecordFacts> all;
  costs.facts_of_all({}, [&](std::size_t, const RecordFacts& facts) { all.push_back(facts); });
  REQUIRE(all.size() == 150);
  int shorter = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    // What rounding made longer than 1 is shortened again by the fit.
    const double square = std::min(1.0, lengths[i] * lengths[i]);
    CHECK(all[i].leverage.upper() >= square * (1 - 1e-15));
    CHECK(all[i].leverage.upper() <= square * (1 + 1e-13));
    shorter += square < 0.5;
  }
  CHECK(all[0].leverage.upper() == 0);
  CHECK(all[1].leverage.upper() == doctest::Approx(1).epsilon(1e-6));
  CHECK(shorter > 30);
  const PeopleLosses people = people_losses(run, release, Pieces(&records, 1), {1e-5}, 1, {});
  for (std::size_t i = 0; i < 12; ++i) {
    const double own = price(run.algorithm->personal(all[i], release));
    CHECK(own <= everybody * (1 + 1e-6));
    CHECK(people.losses[i] >= own * (1 - 1e-9));
    CHECK(people.losses[i] <= own * 1.08);
    // Of the person's own question: also if she might join.
    for (const Direction direction : {Direction::remove, Direction::add})
      CHECK(price(costs.of(records.row(i), labels[i], direction).description) ==
            doctest::Approx(own).epsilon(1e-9));
    // Longer rows, and what the matrix makes longer, pay more. Before the release it is not known.
    RecordFacts longer = all[i];
    longer.square *= 2;
    CHECK(price(run.algorithm->personal(longer, release)) >= own * (1 - 1e-9));
    longer = all[i];
    longer.leverage = Interval(0, std::min(1.0, 2 * longer.leverage.upper()));
    CHECK(price(run.algorithm->personal(longer, release)) >= own * (1 - 1e-9));
    CHECK(own_price(run, records.row(i), labels[i]).parts.size() == 2);
    CHECK(price(own_price(run, records.row(i), labels[i])) >= own * (1 - 1e-9));
  }
  CHECK(price(run.algorithm->personal(all[1], release)) >= everybody * (1 - 1e-3));
  CHECK(price(run.algorithm->personal(all[0], release)) < 0.5 * everybody);
}

TEST_CASE("a matrix that cannot have come of the plan is refused by name, before any row is whitened") {
  const PlannedRequest run(of_budget(1));
  std::mt19937_64 random(7);
  const std::vector<double> values{-1, 0.5, 1};
  const Rows rows = rows_of(values, 6, 3, random);
  const Records records = rows.records();
  TestRng rng(3);
  const Release sound = run.algorithm->fit(Pieces(&records, 1), rng, {});
  const auto field = [&](std::vector<double> matrix, double count) {
    Release changed(run.plan);
    changed.add({{"gram", OutputKind::symmetric_matrix, {}}, std::move(matrix)});
    changed.add({{"rows", OutputKind::row_count, {}}, {count}});
    try {
      const PersonalCosts costs(run, changed, Pieces(&records, 1), {});
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return std::string();
  };
  CHECK(field(sound.values("gram"), sound.number("rows")).empty());
  CHECK(field({1, 2}, 6) == "whitening.gram");
  CHECK(field({1, 2, 3, 4, 5, std::nan("")}, 6) == "whitening.gram");
  CHECK(field(sound.values("gram"), 0) == "whitening.rows");
}

TEST_CASE("whitening finds a badly scaled model that the same budget does not find without it") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> features, labels;
  for (int i = 0; i < 4000; ++i) {
    const double x = normal(random), z = normal(random);
    features.insert(features.end(), {0.7 * std::clamp(x, -1.0, 1.0), 0.02 * z, 0.0});
    labels.push_back(std::clamp(0.4 * z, -1.0, 1.0));
  }
  const Records records{4000, 3, features, labels};
  const auto error = [&](double share) {
    Numbers numbers{{"epsilon", 8}, {"delta", 1e-5}, {"whiten", share}, {"featureBound", 1}};
    TestRng rng(9);
    const auto theta = fit(whitened(numbers), records, rng, {}).coefficients();
    double sum = 0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const auto x = records.row(i);
      sum += std::pow(x[0] * theta[0] + x[1] * theta[1] + x[2] * theta[2] - labels[i], 2);
    }
    return sum / 4000;
  };
  // A coefficient of 20 in a table of which the labels follow it alone.
  const double with = error(0.15), without = error(0);
  CAPTURE(with);
  CAPTURE(without);
  CHECK(with < without / 2);
}

TEST_CASE("the bound of gradients is told as it is typed, in the unit of the table's rows") {
  const auto told = plan(of_budget(1)).parameters;
  CHECK(told.at("gradientBound") == doctest::Approx(1));
  CHECK(told.at("lipschitz") == doctest::Approx(0.5));
  CHECK(plan(of_budget(1, {{"gradientBound", told.at("gradientBound")}})).parameters == told);
}

TEST_CASE("what a whitened fit is asked wrongly is refused by its name") {
  CHECK(refused_field(of_budget(1)).empty());
  CHECK(refused_field(of_budget(1, {{"whiten", 0.95}})) == "whiten");
  CHECK(refused_field(of_budget(1, {{"whiten", 1e-6}})) == "whiten");
  CHECK(refused_field(of_budget(1, {{"lambda", 1}})) == "whiten");
  CHECK(refused_field(of_budget(1, {{"noiseRatio", 2}})) == "whiten");
  CHECK(refused_field(whitened({{"sigma", 1}, {"lambda", 1}})) == "whiten");
  CHECK(refused_field(of_budget(1, {{"dimension", 513}})) == "dimension");
  FitRequest paper = of_budget(1);
  paper.texts["accounting"] = "paper";
  CHECK(refused_field(paper) == "whiten");
  // Without a share it is the fit of rows as they are.
  CHECK(plan(of_budget(1, {{"whiten", 0}})).description.kind == "approximate-minima-perturbation");
}

}  // namespace epsilometer::whitened_fit_test
