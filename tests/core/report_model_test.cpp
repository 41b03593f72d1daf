// What generalised linear models cost one person: against refits, against the price for everybody, and along
// the path of a descent.
#include <doctest/doctest.h>

#include <cmath>
#include <eigen3/Eigen/Dense>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/report/personal/largest_addition.h"
#include "core/report/personal/per_instance.h"

namespace epsilometer::report_model_test {

namespace {

struct Table {
  std::vector<double> features, labels;
  Records records() const { return {labels.size(), 3, features, labels}; }
};

// Two features and the intercept.
Table random_table(std::mt19937& random, std::size_t n) {
  std::uniform_real_distribution<double> uniform(-0.7, 0.7);
  Table table;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = short_number(uniform(random)), z = short_number(uniform(random));
    table.features.insert(table.features.end(), {x, z, 1.0});
    table.labels.push_back(x + uniform(random) > 0 ? 1 : -1);
  }
  return table;
}

FitRequest logistic(const std::string& algorithm, std::map<std::string, double> numbers) {
  numbers.merge(std::map<std::string, double>{{"featureBound", 1}, {"intercept", 1}, {"dimension", 3}});
  return {algorithm, numbers, {{"loss", "logistic"}}};
}

double price(const Description& description, double delta) {
  return epsilon(*privacy_loss(description), delta).upper;
}

// Newton's method, until nothing moves.
Eigen::Vector3d fitted(const Table& table, double lambda, std::size_t left_out = SIZE_MAX) {
  Eigen::Vector3d theta = Eigen::Vector3d::Zero();
  for (int step = 0; step < 60; ++step) {
    Eigen::Vector3d gradient = lambda * theta;
    Eigen::Matrix3d hessian = lambda * Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      if (i == left_out) continue;
      const Eigen::Vector3d x(&table.features[3 * i]);
      const double y = table.labels[i], wrong = 1 / (1 + std::exp(y * x.dot(theta)));
      gradient -= y * wrong * x;
      hessian += wrong * (1 - wrong) * x * x.transpose();
    }
    theta -= hessian.llt().solve(gradient);
  }
  return theta;
}

}  // namespace

TEST_CASE(
    "output perturbation costs a person what leaving them out moves, and never more when all are asked") {
  std::mt19937 random(1);
  const Table table = random_table(random, 40);
  const Records records = table.records();
  const FitRequest asked = logistic("output-perturbation", {{"lambda", 2}, {"sigma", 0.5}});
  const Release run(plan(asked));
  const PersonalCosts costs(PlannedRequest(asked), run, Pieces(&records, 1));
  const Eigen::Vector3d whole = fitted(table, 2);
  std::vector<double> cheap;
  costs.facts_of_all({}, [&](std::size_t, const RecordFacts& facts) {
    cheap.push_back(facts.moved);
    CHECK(price(costs.description_of(facts), 1e-6) <= price(run.description, 1e-6));
  });
  REQUIRE(cheap.size() == 40);
  for (const std::size_t i : {0, 13, 39}) {
    const double moved = (whole - fitted(table, 2, i)).norm();
    const auto cost = costs.of(records.row(i), table.labels[i], Direction::remove);
    CHECK(cost.facts.moved == doctest::Approx(moved).epsilon(1e-9));
    CHECK(cheap[i] >= moved * (1 - 1e-9));
    const Description exact{"gaussian", {{"sigma", 0.5}, {"sensitivity", moved}}, {}, {}, {}};
    CHECK(price(cost.description, 1e-6) >= price(exact, 1e-6) * (1 - 1e-9));
    CHECK(price(cost.description, 1e-6) <= price(exact, 1e-6) * (1 + 1e-6));
  }
  CHECK_THROWS_AS(costs.of(std::vector<double>{0.1, 0.2, 1}, 1, Direction::remove), Refusal);
  const auto joining = costs.of(std::vector<double>{0.1, 0.2, 1}, 1, Direction::add);
  Table more = table;
  more.features.insert(more.features.end(), {short_number(0.1), short_number(0.2), 1.0});
  more.labels.push_back(1);
  CHECK(joining.facts.moved == doctest::Approx((whole - fitted(more, 2)).norm()).epsilon(1e-9));
  CHECK_THROWS_AS(PersonalCosts(PlannedRequest({"output-perturbation",
                                                asked.numbers,
                                                {{"loss", "logistic"}, {"neighbours", "replace"}}}),
                                run, Pieces(&records, 1)),
                  Refusal);
}

TEST_CASE("approximate minima cost a person what their own norm says, the whole price at the bound") {
  std::mt19937 random(2);
  const Table table = random_table(random, 10);
  const Records records = table.records();
  const FitRequest asked = logistic("approximate-minima-perturbation", {{"lambda", 5}, {"sigma", 4}});
  const Release run(plan(asked));
  const PersonalCosts costs(PlannedRequest(asked), run, Pieces(&records, 1));
  const double everybody = price(run.description, 1e-6);
  const double largest = price(costs.of(std::vector<double>{1, 0, 1}, 1, Direction::add).description, 1e-6),
               smaller = price(costs.of(std::vector<double>{0.5, 0, 1}, 1, Direction::add).description, 1e-6),
               least = price(costs.of(std::vector<double>{0, 0, 1}, -1, Direction::add).description, 1e-6);
  CHECK(largest == doctest::Approx(everybody).epsilon(1e-6));
  CHECK(largest <= everybody * (1 + 1e-9));
  CHECK(smaller < largest);
  CHECK(least < smaller);
  const Records two{2, 3, std::span(table.features).first(6), std::span(table.labels).first(2)};
  CHECK_THROWS_AS(costs.of(two, Direction::remove), Refusal);
}

FitRequest descent(double rate) {
  FitRequest asked = logistic(
      "dp-sgd", {{"noiseMultiplier", 2}, {"steps", 10}, {"rate", rate}, {"rows", 20}, {"gradientBound", 1}});
  asked.texts["path"] = "released";
  return asked;
}

// At the last five points everybody is predicted well, at the first five nobody is known.
std::vector<double> path_of_ten() {
  std::vector<double> path(30);
  for (std::size_t step = 5; step < 10; ++step) path[3 * step] = 40;
  return path;
}

TEST_CASE("a descent costs a person what their gradients along its path say") {
  std::mt19937 random(3);
  const Table table = random_table(random, 20);
  const Records records = table.records();
  for (const double rate : {1.0, 0.5}) {
    const FitRequest asked = descent(rate);
    Release run(plan(asked));
    run.add(path_output(path_of_ten(), 3));
    const PersonalCosts costs(PlannedRequest(asked), run, Pieces(&records, 1));
    const std::vector<double> x{0.5, 0, 1};
    const auto well = costs.of(x, 1, Direction::remove), badly = costs.of(x, -1, Direction::remove);
    REQUIRE(well.facts.gradients.size() == 10);
    const double norm = std::sqrt(1.25);
    CHECK(well.facts.gradients[0] == doctest::Approx(norm / 2).epsilon(1e-8));
    CHECK(well.facts.gradients[9] == doctest::Approx(norm / (1 + std::exp(20.0))).epsilon(1e-6));
    CHECK(badly.facts.gradients[9] == 1);
    CHECK(price(well.description, 1e-6) < price(badly.description, 1e-6));
    CHECK(privacy_loss(badly.description)->renyi(4) <= privacy_loss(run.description)->renyi(4) * (1 + 1e-9));
    Release shorter(plan(asked));
    shorter.add(path_output(std::vector<double>(27), 3));
    const PersonalCosts short_costs(PlannedRequest(asked), shorter, Pieces(&records, 1));
    CHECK_THROWS_AS(short_costs.of(x, 1, Direction::remove), Refusal);
  }
}

TEST_CASE("along a path squares of lengths add up, and of sampled steps Renyi divergences") {
  const Table table{{0.5, 0, 1}, {-1}};
  const Records records = table.records();
  for (const double rate : {1.0, 0.25}) {
    CAPTURE(rate);
    const FitRequest asked = descent(rate);
    Release run(plan(asked));
    run.add(path_output(path_of_ten(), 3));
    const PersonalCosts costs(PlannedRequest(asked), run, Pieces(&records, 1));
    const auto own = costs.of(table.features, -1, Direction::remove);
    const auto sum = privacy_loss(own.description);
    for (const double order : {1.5, 4.0, 32.0}) {
      CAPTURE(order);
      double expected = 0;
      for (const double length : own.facts.gradients) {
        const Description noise{"gaussian", {{"sigma", 2}, {"sensitivity", length}}, {}, {}, {}};
        const Description sampled{
            "subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {{noise, 1}}};
        expected += privacy_loss(sampled)->renyi(order);
      }
      // Noise is a whole number of steps, 2^30 or more, rounded up: each counts twice in squares.
      CHECK(sum->renyi(order) >= expected * (1 - 1e-8));
      // Lengths grow by a 256th of the bound at most, here below an 80th of each, twice over in squares.
      CHECK(sum->renyi(order) <= expected * (rate == 1 ? 1 + 1e-4 : 1.03));
    }
  }
}

TEST_CASE("a released path is where the steps took their gradients, and changes nothing else") {
  std::mt19937 random(5);
  const Table table = random_table(random, 20);
  FitRequest asked = descent(0.5);
  TestRng one(7), other(7);
  const Release with = fit(asked, table.records(), one, {});
  asked.texts["path"] = "hidden";
  const Release without = fit(asked, table.records(), other, {});
  CHECK(with.coefficients() == without.coefficients());
  CHECK(with.description == without.description);
  REQUIRE(with.find("path"));
  CHECK(with.find("path")->shape == std::vector<std::size_t>{10, 3});
  CHECK_FALSE(without.holds("path"));
  const std::vector<double>& path = with.values("path");
  for (std::size_t j = 0; j < 3; ++j) CHECK(path[j] == 0);
  CHECK(path[3] != 0);
  // The last point follows the one before by a step, which a path off by one would not show.
  CHECK(std::vector<double>(path.end() - 3, path.end()) != with.coefficients());
}

// Two steps, the second of which depends on what the first gave: for every event within the outcomes at which
// the squares sum to no more than a bound, P(E) <= e^epsilon P'(E) + delta of normal noise at that bound.
TEST_CASE("outcomes at which a person's account is small tell no more of them than that account") {
  const auto density = [](double y, double mean) { return std::exp(-(y - mean) * (y - mean) / 2); };
  const double step = 0.05, scale = step * step / (2 * std::acos(-1.0));
  const auto second = [](double y) { return y > 0.3 ? 1.5 : y > -0.5 ? 0.6 : 0.1; };
  for (const double bound : {0.5, 0.8, 2.5})
    for (const double epsilon : {0.0, 0.5, 1.5}) {
      CAPTURE(bound);
      CAPTURE(epsilon);
      double removed = 0, added = 0;
      for (double y = -9 + step / 2; y < 9; y += step) {
        const double own = second(y);
        if (0.25 + own * own > bound) continue;
        for (double z = -9 + step / 2; z < 9; z += step) {
          const double with = density(y, 0.5) * density(z, own), less = density(y, 0) * density(z, 0);
          removed += std::max(0.0, with - std::exp(epsilon) * less) * scale;
          added += std::max(0.0, less - std::exp(epsilon) * with) * scale;
        }
      }
      const Description account{"gdp", {{"mu", std::sqrt(bound)}}, {}, {}, {}};
      const double most = delta(*privacy_loss(account), epsilon).upper;
      // What the grid of so smooth a sum misses.
      CHECK(removed <= most + 1e-3);
      CHECK(added <= most + 1e-3);
      CHECK(std::max(removed, added) > 0.01 * most);
    }
}

TEST_CASE("nobody who joins moves ridge coefficients more than the largest addition says") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double lambda : {0.05, 1.0, 40.0}) {
    const Table table = random_table(random, 25);
    const RidgeInfluence influence(table_sums(table.records()), lambda);
    const Interval most = largest_addition(influence, {1.5, 1, Norm::l2});
    double found = 0;
    for (int i = 0; i < 20'000; ++i) {
      std::vector<double> x{normal(random), normal(random), normal(random)};
      const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      const double size = i % 2 ? 1.5 : 1.5 * std::cbrt(uniform(random));
      for (double& one : x) one *= size / length * (1 - 1e-15);
      found = std::max(found, influence.of(x, i % 4 < 2 ? 1 : -1, Direction::add).moved.lower());
    }
    CHECK(found <= most.upper());
    CHECK(most.lower() <= most.upper());
    // What a search of few directions finds is about what 20 000 random records do.
    CHECK(most.lower() >= 0.9 * found);
  }
  CHECK_THROWS_AS(
      largest_addition(RidgeInfluence(table_sums(random_table(random, 9).records()), 1), {1, 1, Norm::l1}),
      Refusal);
}

}  // namespace epsilometer::report_model_test
