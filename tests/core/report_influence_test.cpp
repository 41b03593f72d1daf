// What a record does to a ridge regression: against both tables fitted by another program, by refitting, and
// at the ends of what may be given.
#include <doctest/doctest.h>

#include <cmath>
#include <eigen3/Eigen/Dense>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/linear/posterior_sample.h"
#include "core/report/personal/ridge_influence.h"
#include "core/report/personal/ridge_objective_loss.h"
#include "tests/core/rows.h"
#include "tests/core/table_lines.h"

namespace epsilometer::report_influence_test {

using nlohmann::json;

namespace {

Rows table_of(const json& line) {
  Rows table{{}, {}, line["record"].size()};
  for (std::size_t i = 0; i < line["rows"].size(); ++i)
    table.add(line["rows"][i].get<std::vector<double>>(), line["labels"][i]);
  return table;
}

std::vector<json> lines() {
  const std::vector<json> found = table_lines("report/influence.ndjson");
  REQUIRE(found.size() > 20);
  return found;
}

// Holds the truth and is as narrow as the condition of the matrix allows.
void check(const Interval& found, double truth, double width) {
  CHECK(found.lower() <= truth);
  CHECK(found.upper() >= truth);
  CHECK(found.upper() - found.lower() <= width * (1 + std::abs(truth)));
}

void check_line(const json& line, const RecordInfluence& found, double width) {
  check(found.without.leverage, truth(line, "leverageWithout"), width);
  check(found.with.leverage, truth(line, "leverageWith"), width);
  check(found.without.squared_solution, truth(line, "squareWithout"), width);
  check(found.without.residual, truth(line, "residualWithout"), width);
  check(found.with.residual, truth(line, "residualWith"), width);
  check(found.moved, truth(line, "moved"), width);
}

Rows random_table(std::mt19937& random, std::size_t n, std::size_t d) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Rows table{{}, {}, d};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    for (double& one : x) one = uniform(random);
    table.add(x, uniform(random));
  }
  return table;
}

}  // namespace

TEST_CASE("what a record does to a ridge regression is what both fits say, seen from either table") {
  for (const json& line : lines()) {
    CAPTURE(line["name"].get<std::string>());
    CAPTURE(line["lambda"].get<double>());
    const double lambda = line["lambda"], label = line["label"];
    const auto record = line["record"].get<std::vector<double>>();
    Rows table = table_of(line);
    // Without the record the matrix's condition decides; with it, how little leverage it leaves the others.
    double size = lambda;
    for (const double one : table.features) size += one * one;
    for (const double one : record) size += one * one;
    const RidgeInfluence without(table_sums(table.records()), lambda);
    const double condition = 1e-13 * size / without.factor().floor() * (1 + size);
    check_line(line, without.of(record, label, Direction::add),
               condition * (1 + truth(line, "leverageWithout")));
    table.add(record, label);
    const RidgeInfluence with(table_sums(table.records()), lambda);
    const double left = 1 + truth(line, "leverageWithout");
    check_line(line, with.of(record, label, Direction::remove), condition * left * left * left);
    const double theta = truth({{"t", line["theta"][0]}}, "t");
    check(Interval::around(without.coefficients()[0], without.error()), theta, condition);
    CHECK(with.factor().floor() >= lambda * (1 - rounding_margin));
  }
}

TEST_CASE("objective perturbation of a ridge regression costs a record what its two normal laws say") {
  for (const json& line : lines()) {
    if (line["objectiveDeltas"].is_null()) continue;
    CAPTURE(line.dump());
    const Rows table = table_of(line);
    const RidgeInfluence influence(table_sums(table.records()), line["lambda"]);
    const auto record = line["record"].get<std::vector<double>>();
    const RidgeObjectiveLoss loss(influence.of(record, line["label"], Direction::add), line["sigma"]);
    double worse = 0;
    for (const auto direction : {Direction::add, Direction::remove}) {
      const Bounds found = loss.delta(direction, 0.5);
      const double truth =
          std::stod(line["objectiveDeltas"][direction == Direction::add ? 0 : 1].get<std::string>());
      CHECK(found.lower <= truth);
      CHECK(found.upper >= truth);
      CHECK(found.upper - found.lower <= 1e-4 * truth + 1e-10);
      worse = std::max(worse, found.upper);
    }
    CHECK(loss.delta(0.5).upper == worse);
    CHECK(loss.delta(0.6).upper <= worse);
    CHECK(loss.delta(0).upper >= worse);
  }
}

TEST_CASE("the influence of a record costs what its output laws say, alone and as a posterior sample" *
          doctest::test_suite("long")) {
  for (const json& line : lines()) {
    CAPTURE(line.dump());
    const Rows table = table_of(line);
    const RidgeInfluence influence(table_sums(table.records()), line["lambda"]);
    const auto record = line["record"].get<std::vector<double>>();
    const RecordInfluence found = influence.of(record, line["label"], Direction::add);
    const double delta = line["delta"], sigma = line["sigma"];
    const auto answer = [delta](const Description& description) {
      const auto loss = privacy_loss(description);
      return Profile(*loss).epsilon(delta);
    };
    // Epsilon is s^2 / 2 and a multiple of s: it grows by no more than twice the share by which s does.
    const double doubt = 1e-6 + 2 * (found.moved.upper() / found.moved.lower() - 1);
    const double output = truth(line, "outputEpsilon"), sample = truth(line, "posteriorEpsilon");
    if (found.moved.upper() > 0) {
      const Bounds gaussian = answer({"gdp", {{"mu", rounded_up(found.moved.upper() / sigma)}}, {}, {}, {}});
      CHECK(gaussian.upper >= output);
      CHECK(gaussian.upper <= output * (1 + doubt) + 1e-9);
    }
    RecordFacts facts;
    facts.leverage = found.without.leverage;
    facts.residual = found.without.residual.magnitude();
    if (facts.residual / sigma > 1e6 || facts.leverage.upper() > 1e3) {
      CHECK_THROWS_AS(personal_sample(facts, sigma), Refusal);
      continue;
    }
    const Bounds posterior = answer(personal_sample(facts, sigma));
    CHECK(posterior.upper >= sample);
    CHECK(posterior.lower <= sample * (1 + 1e-9) + 1e-12);
    // A certified interval is a ten thousandth wide.
    CHECK(posterior.upper <= sample * (1 + 2e-4) + 1e-9);
  }
}

TEST_CASE("all rows of a table together are as each by itself, and as refits") {
  std::mt19937 random(7);
  for (const std::size_t d : {1, 3, 10}) {
    const Rows table = random_table(random, 53, d);
    const RidgeInfluence influence(table_sums(table.records()), 0.3);
    std::size_t seen = 0;
    std::vector<RecordInfluence> unmoved;
    influence.of_all(table.records(), false, {},
                     [&](std::size_t, const RecordInfluence& found) { unmoved.push_back(found); });
    influence.of_all(table.records(), true, {}, [&](std::size_t i, const RecordInfluence& found) {
      CHECK(i == seen++);
      const auto x = table.records().row(i);
      const RecordInfluence alone = influence.of(x, table.labels[i], Direction::remove);
      CHECK(found.moved.upper() == alone.moved.upper());
      CHECK(unmoved[i].without.leverage.lower() == alone.without.leverage.lower());
      CHECK(unmoved[i].without.leverage.upper() == alone.without.leverage.upper());
      CHECK(unmoved[i].without.residual.upper() == alone.without.residual.upper());
      CHECK(unmoved[i].moved.upper() == 0);
      Rows others{{}, {}, d};
      for (std::size_t j = 0; j < table.labels.size(); ++j)
        if (j != i) others.add(table.records().row(j), table.labels[j]);
      const RidgeInfluence refit(table_sums(others.records()), 0.3);
      double square = 0;
      for (std::size_t k = 0; k < d; ++k)
        square += std::pow(refit.coefficients()[k] - influence.coefficients()[k], 2);
      const double blur = refit.error() + influence.error();
      CHECK(found.moved.lower() <= std::sqrt(square) + blur);
      CHECK(found.moved.upper() >= std::sqrt(square) - blur);
      const RecordInfluence outside = refit.of(x, table.labels[i], Direction::add);
      CHECK(outside.without.leverage.lower() <= found.without.leverage.upper());
      CHECK(outside.without.leverage.upper() >= found.without.leverage.lower());
    });
    CHECK(seen == 53);
  }
}

TEST_CASE("noise of another covariance weighs the change by its inverse, and rotations change nothing") {
  std::mt19937 random(8);
  for (const std::size_t d : {2, 5}) {
    const auto size = static_cast<Eigen::Index>(d);
    const Rows table = random_table(random, 30, d);
    const RidgeInfluence influence(table_sums(table.records()), 0.1);
    const Eigen::MatrixXd any = Eigen::MatrixXd::Random(size, size);
    const Eigen::MatrixXd weights = any * any.transpose() + Eigen::MatrixXd::Identity(size, size);
    std::vector<double> lower;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) lower.push_back(weights(i, j));
    const auto mirrored = [&](const Eigen::VectorXd& across) -> Eigen::MatrixXd {
      return Eigen::MatrixXd::Identity(size, size) - 2 / across.squaredNorm() * across * across.transpose();
    };
    const Eigen::MatrixXd rotation = mirrored(any.col(0)) * mirrored(any.col(1));
    Rows turned{{}, table.labels, d};
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      const Eigen::VectorXd x =
          rotation * Eigen::Map<const Eigen::VectorXd>(table.records().row(i).data(), size);
      turned.features.insert(turned.features.end(), x.data(), x.data() + d);
    }
    const RidgeInfluence other(table_sums(turned.records()), 0.1);
    for (std::size_t i = 0; i < 30; ++i) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const auto found = influence.of(table.records().row(i), table.labels[i], direction);
        const auto again = other.of(turned.records().row(i), turned.labels[i], direction);
        // The rotated numbers themselves are rounded.
        CHECK(again.moved.upper() == doctest::Approx(found.moved.upper()).epsilon(1e-10));
        CHECK(again.without.leverage.upper() ==
              doctest::Approx(found.without.leverage.upper()).epsilon(1e-10));
        // By the vector itself.
        Eigen::MatrixXd h = 0.1 * Eigen::MatrixXd::Identity(size, size);
        for (std::size_t j = 0; j < 30; ++j) {
          if (direction == Direction::remove && i == j) continue;
          const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(table.records().row(j).data(), size);
          h += x * x.transpose();
        }
        const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(table.records().row(i).data(), size);
        const Eigen::VectorXd moved = (h + x * x.transpose()).llt().solve(x) * found.without.residual.lower();
        const double square = moved.dot(weights * moved);
        const Interval weighted =
            influence.moved_square(table.records().row(i), table.labels[i], direction, lower);
        CHECK(weighted.lower() <= square * (1 + 1e-10));
        CHECK(weighted.upper() >= square * (1 - 1e-10));
        CHECK(weighted.upper() - weighted.lower() <= 1e-9 * square);
      }
    }
  }
}

TEST_CASE("what doubles cannot tell is infinite or refused by name, never too small") {
  const Rows lonely{{1, 0, 0, 1, 0, 1}, {1, 2, 3}, 2};
  // Without regularisation the first row alone determines the first coefficient.
  const RidgeInfluence influence(table_sums(lonely.records()), 0);
  const auto alone = influence.of(lonely.records().row(0), 1, Direction::remove);
  CHECK(alone.moved.upper() == HUGE_VAL);
  CHECK(alone.without.leverage.upper() == HUGE_VAL);
  CHECK(alone.with.leverage.upper() == 1);
  const auto shared = influence.of(lonely.records().row(1), 2, Direction::remove);
  CHECK(shared.moved.upper() == doctest::Approx(0.5));
  const auto nothing = influence.of(std::vector<double>{0, 0}, 5, Direction::add);
  CHECK(nothing.moved.upper() == 0);
  CHECK(nothing.without.leverage.upper() == 0);

  const Rows few{{1, 2, 3, 4}, {1, 1}, 2};
  const Rows fewer{{1, 2}, {1}, 2}, alike{{1, 1, 2, 2, 3, 3}, {1, 2, 3}, 2}, none{{}, {}, 2};
  CHECK_NOTHROW(RidgeInfluence(table_sums(few.records()), 0));
  for (const Rows* table : {&fewer, &alike, &none}) {
    CHECK_THROWS_AS(RidgeInfluence(table_sums(table->records()), 0), Refusal);
    CHECK_NOTHROW(RidgeInfluence(table_sums(table->records()), 1e-3));
  }
  const double nan = std::nan("");
  const Rows broken{{1, nan}, {1}, 2}, unlabelled{{1, 1}, {HUGE_VAL}, 2};
  CHECK_THROWS_AS(table_sums(broken.records()), Refusal);
  CHECK_THROWS_AS(table_sums(unlabelled.records()), Refusal);
  CHECK_THROWS_AS(influence.of(std::vector<double>{nan, 0}, 1, Direction::add), Refusal);
  CHECK_THROWS_AS(influence.of(std::vector<double>{1}, 1, Direction::add), Refusal);
  CHECK_THROWS_AS(table_sums(lonely.records(), [](double) { return false; }), Refusal);
}

}  // namespace epsilometer::report_influence_test
