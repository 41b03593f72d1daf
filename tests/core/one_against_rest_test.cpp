// Approximate minima of several classes, each against the rest: what all of them cost together, that each has
// noise of its own, that it is the fit of two classes, what is refused, and what is learned.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "core/report/published/privacy_report_budget.h"
#include "core/report/published/privacy_report_price.h"
#include "tests/core/four_classes.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::one_against_rest_test {

namespace {

FitRequest of_classes(double classes, Numbers numbers) {
  numbers.insert({{"dimension", 3}, {"featureBound", 1}, {"classes", classes}});
  return {"approximate-minima-perturbation", numbers, {{"loss", "softmax"}}};
}

FitRequest of_budget(double classes, double epsilon, double whiten, Numbers more = {}) {
  more.insert({{"epsilon", epsilon}, {"delta", 1e-5}, {"whiten", whiten}});
  return of_classes(classes, std::move(more));
}

const Part& minima_of(const Plan& plan) { return plan.description.parts.back(); }

// As somebody would ask for it who releases so many minima one after the other.
Description by_hand(const Plan& plan, double minima) {
  Description all{"composition", {}, {}, {}, {}};
  if (plan.parameters.contains("whiten")) all.parts.push_back(plan.description.parts.front());
  for (double k = 0; k < minima; ++k) all.parts.push_back({minima_of(plan).mechanism, 1});
  return all;
}

double delta_of(const Description& description, double epsilon) {
  return delta(*privacy_loss(description), epsilon).upper;
}

double epsilon_of(const Description& description) { return epsilon(*privacy_loss(description), 1e-5).upper; }

// Of rows that have a class, and of some that have none, which are at places from 4 on.
Rows table_of(std::size_t rows, int places) {
  std::mt19937_64 random(20261127);
  std::normal_distribution<double> normal;
  Rows table{{}, {}, 3};
  for (std::size_t i = 0; i < rows; ++i) {
    for (int j = 0; j < 3; ++j) table.features.push_back(std::clamp(0.4 * normal(random), -0.57, 0.57));
    table.labels.push_back(static_cast<double>(random() % static_cast<unsigned>(places)));
  }
  return table;
}

}  // namespace

TEST_CASE("of several classes the plan states one matrix and a minimum for each, which keep the budget") {
  for (const double whiten : {0.0, 0.15})
    for (const double epsilon : {0.1, 8.0}) {
      const Plan of_two = plan(
          {"approximate-minima-perturbation",
           {{"dimension", 3}, {"featureBound", 1}, {"epsilon", epsilon}, {"delta", 1e-5}, {"whiten", whiten}},
           {{"loss", "logistic"}}});
      for (const double classes : {3.0, 8.0, 9.0, 100.0}) {
        CAPTURE(whiten);
        CAPTURE(classes);
        CAPTURE(epsilon);
        const Plan told = plan(of_budget(classes, epsilon, whiten));
        CHECK(told.neighbours == "add-remove");
        CHECK(told.result.kind == OutputKind::class_coefficients);
        CHECK(told.result.shape == std::vector<std::size_t>{3, static_cast<std::size_t>(classes)});
        REQUIRE(told.description.parts.size() == (whiten > 0 ? 2 : 1));
        CHECK(minima_of(told).count == classes);
        const Description& minimum = minima_of(told).mechanism;
        CHECK(minimum.kind == "approximate-minima-perturbation");
        // The derivative of a row's logistic loss has the sign of its side, of one class as of two.
        CHECK(minimum.text("derivative") == "one-signed");
        CHECK(minimum.numbers.at("lipschitz") == doctest::Approx(1));
        CHECK(minimum.numbers.at("smoothness") == doctest::Approx(0.25));
        const double stated = delta_of(told.description, epsilon);
        CHECK(stated <= 1e-5);
        CHECK(stated >= 1e-5 * (1 - 1e-3));
        CHECK(delta_of(by_hand(told, classes), epsilon) == doctest::Approx(stated).epsilon(1e-9));
        // One that is not paid for would be seen.
        CHECK(delta_of(by_hand(told, classes - 1), epsilon) < stated * (1 - 0.2 / classes));
        // The matrix has its share of the budget, whatever the classes.
        if (whiten > 0) CHECK(told.description.parts.front() == of_two.description.parts.front());
      }
    }
}

TEST_CASE("noise for one class less does not keep the budget of all") {
  for (const double whiten : {0.0, 0.15}) {
    const Plan of_three = plan(of_budget(3, 1, whiten));
    CHECK(delta_of(by_hand(of_three, 3), 1) <= 1e-5);
    CHECK(delta_of(by_hand(of_three, 4), 1) > 2e-5);
  }
}

TEST_CASE("named noise is priced for all classes, and a ratio is to as many Gaussian releases") {
  const Plan named = plan(of_classes(5, {{"sigma", 20}, {"lambda", 4}}));
  CHECK(minima_of(named).count == 5);
  CHECK(named.parameters.at("sigma") == 20);
  const double sigma =
      plan(of_classes(3, {{"epsilon", 1}, {"delta", 1e-5}, {"noiseRatio", 1.5}})).parameters.at("sigma");
  // Three of half the squared loss each: of sqrt(3) sigma each a Gaussian mechanism would keep the budget.
  const Description gaussian{
      "gaussian", {{"sigma", sigma / 1.5}, {"sensitivity", std::sqrt(3.0)}}, {}, {}, {}};
  CHECK(delta_of(gaussian, 1) == doctest::Approx(1e-5).epsilon(1e-6));
}

TEST_CASE("several rows of one person are priced together with all classes") {
  const Plan told = plan(of_budget(4, 1, 0.15, {{"unitRows", 3}}));
  GroupPrivacy group(privacy_loss(told.description), 3, 1e-4);
  CHECK(group.delta(1).upper <= 1e-5);
}

TEST_CASE(
    "with hardly any noise each class has the model of it against the rest, and rows of none count nothing") {
  const Rows table = table_of(400, 5);
  constexpr std::size_t classes = 4;
  const Numbers noise{{"sigma", 1e-6}, {"lambda", 2}};
  TestRng rng(1);
  const std::vector<double> found =
      fit(of_classes(classes, noise), table.records(), rng, {}).values("coefficients");
  std::vector<std::vector<double>> each;
  for (std::size_t k = 0; k < classes; ++k) {
    Rows sides{{}, {}, 3};
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      if (table.labels[i] == 4) continue;
      sides.labels.push_back(table.labels[i] == static_cast<double>(k) ? 1 : -1);
      for (std::size_t j = 0; j < 3; ++j) sides.features.push_back(table.features[3 * i + j]);
    }
    FitRequest two{"approximate-minima-perturbation", noise, {{"loss", "logistic"}}};
    two.numbers.insert({{"dimension", 3}, {"featureBound", 1}});
    each.push_back(fit(two, sides.records(), rng, {}).coefficients());
  }
  for (std::size_t j = 0; j < 3; ++j) {
    double mean = 0;
    for (const auto& one : each) mean += one[j] / classes;
    for (std::size_t k = 0; k < classes; ++k) {
      // Noise of 1e-6 against a curvature of 2 and more.
      CHECK(std::abs(found[j * classes + k] - (each[k][j] - mean)) < 1e-5);
      CHECK(std::abs(each[k][j]) > 1e-3);
    }
  }
}

TEST_CASE("of no rows the coefficients are noise, of the stated size and independent for each class") {
  constexpr std::size_t classes = 4;
  constexpr int runs = 4000;
  for (const double whiten : {0.0, 0.15}) {
    CAPTURE(whiten);
    const auto algorithm = epsilometer::algorithm(of_budget(classes, 1, whiten, {{"dimension", 1}}));
    const Plan told = algorithm->plan();
    const double width = told.parameters.at("sigma") / told.parameters.at("lambda");
    const NoisyGram gram(1, {1, 0, HUGE_VAL}, Change::add_or_remove);
    TestRng rng(20261127);
    // Sums of products of the deviates of each two classes.
    double products[classes][classes] = {};
    for (int run = 0; run < runs; ++run) {
      const Release release = algorithm->fit(Records{0, 1, {}, {}}, rng, {});
      double unit = width;
      if (whiten > 0) {
        const Whitening whitening = gram.whitening(release, told.parameters.at("gramSigma"), {});
        unit *= gram.coefficients(whitening, {1}).front() / whitening.bound();
      }
      const std::vector<double>& found = release.values("coefficients");
      for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t l = 0; l < classes; ++l) products[k][l] += found[k] * found[l] / (unit * unit);
    }
    // What all have in common is taken off: 1 - 1 / K and -1 / K. Six standard deviations of a mean of
    // products of two normal deviates whose variances are below 1.
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t l = 0; l < classes; ++l)
        CHECK(std::abs(products[k][l] / runs - ((k == l ? 1.0 : 0.0) - 0.25)) < 6 * std::sqrt(2.0 / runs));
  }
}

TEST_CASE("no table is refused, and no coefficient is lost, whatever its classes") {
  const std::vector<double> values{0, 1, 2, -2, 0.5, 1e-300, 1e300, HUGE_VAL, -HUGE_VAL, std::nan("")};
  std::mt19937_64 random(7);
  for (const double classes : {3.0, 100.0})
    for (const double whiten : {0.0, 0.15})
      for (const double intercept : {0.0, 3.0}) {
        const auto algorithm =
            epsilometer::algorithm(of_budget(classes, 1, whiten, {{"intercept", intercept}}));
        for (std::size_t count = 0; count < 6; ++count) {
          const Rows rows = rows_of(values, count, 3, random);
          TestRng rng(count);
          const Release release = algorithm->fit(rows.records(), rng, {});
          CHECK(release.description == algorithm->plan().description);
          const std::vector<double>& found = release.values("coefficients");
          CHECK(found.size() == 3 * static_cast<std::size_t>(classes));
          CHECK(std::all_of(found.begin(), found.end(), [](double one) { return std::isfinite(one); }));
          CHECK(release.holds("gram") == (whiten > 0));
        }
      }
}

TEST_CASE("nobody pays more than everybody may, for all classes, and shorter rows pay less") {
  const Rows table = table_of(300, 4);
  for (const double whiten : {0.0, 0.15}) {
    const auto algorithm = epsilometer::algorithm(of_budget(4, 1, whiten));
    TestRng rng(3);
    const Release release = algorithm->fit(table.records(), rng, {});
    const double everybody = epsilon_of(release.description);
    double before = 0;
    for (const double length : {0.0, 1e-3, 0.1, 0.5, 1.0}) {
      RecordFacts facts;
      facts.square = length * length;
      facts.gradient = length;
      facts.curvature = length * length / 4;
      facts.leverage = Interval(0, length * length);
      facts.dimension = 3;
      const Description own = algorithm->personal(facts, release);
      CHECK(own.parts.back().count == 4);
      const double cost = epsilon_of(own);
      CHECK(cost >= before);
      CHECK(cost <= everybody * (1 + 1e-6));
      before = cost;
      Description once = own;
      once.parts.back().count = 1;
      CHECK(epsilon_of(once) < cost);
    }
    CHECK(before >= everybody * (1 - 1e-3));
  }
}

TEST_CASE("what is asked wrongly of several classes, and reports on them, are refused by name") {
  for (const double whiten : {0.0, 0.15}) {
    CHECK(refused_field(of_budget(4, 1, whiten)).empty());
    for (const double classes : {1.0, 2.0, 3.5, 101.0, std::nan("")})
      CHECK(refused_field(of_budget(classes, 1, whiten)) == "classes");
    FitRequest paper = of_budget(4, 1, whiten);
    paper.texts["accounting"] = "paper";
    CHECK(refused_field(paper) == (whiten > 0 ? "whiten" : "accounting"));
    for (const char* loss : {"logistic", "squared", "huber", "poisson"}) {
      FitRequest other = of_budget(4, 1, whiten, {{"labelBound", 1}, {"threshold", 1}});
      other.texts["loss"] = loss;
      CHECK(refused_field(other) == "classes");
    }
    FitRequest none = of_budget(4, 1, whiten);
    none.numbers.erase("classes");
    CHECK(refused_field(none) == "classes");
  }
  CHECK(refused_field(of_budget(4, 1, 0.15, {{"lambda", 1}})) == "whiten");
  FitRequest unknown = of_budget(4, 1, 0);
  unknown.texts["loss"] = "hinge";
  CHECK(refused_field(unknown) == "loss");

  const PlannedRequest run(of_budget(4, 1, 0));
  CHECK(!reported_minimum(run));
  const auto field = [](const auto& ask) {
    try {
      ask();
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return std::string();
  };
  CHECK(field([&] { reported_model(run.request, run.plan); }) == "classes");
  CHECK(field([&] { report_split(run.request, 0.1, false, {1000, 0.1}, {1e-5}); }) == "classes");
}

TEST_CASE("of four classes it learns nearly what made them, and less with a small budget") {
  const FourClasses table;
  const auto wrong = [&](double epsilon, double whiten) {
    TestRng rng(20261126);
    return table.wrong(fit(of_budget(FourClasses::classes, epsilon, whiten,
                                     {{"dimension", FourClasses::dimension}, {"intercept", 1}}),
                           table.records(), rng, {}));
  };
  for (const double whiten : {0.0, 0.15}) {
    CAPTURE(whiten);
    const double much = wrong(8, whiten), little = wrong(0.05, whiten);
    CAPTURE(much);
    CAPTURE(little);
    CHECK(much < 0.15);
    CHECK(little > much + 0.1);
  }
}

}  // namespace epsilometer::one_against_rest_test
