// What a release costs one person: against the two output laws themselves, integrated and sampled, and
// against the price that holds for everybody.
#include <doctest/doctest.h>

#include <cmath>
#include <eigen3/Eigen/Dense>
#include <random>

#include "core/accounting/profile.h"
#include "core/report/personal/people_prices.h"
#include "core/report/personal/per_instance.h"
#include "core/report/personal/shared_prices.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"
#include "tests/core/statistics.h"

namespace epsilometer::report_personal_test {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Table : Rows {
  Table without(std::size_t row) const {
    Table others{{{}, {}, dimension}};
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (i != row) others.add(records().row(i), labels[i]);
    return others;
  }
  Matrix x() const {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows>(features.data(), static_cast<Eigen::Index>(labels.size()),
                                  static_cast<Eigen::Index>(dimension));
  }
  Vector y() const {
    return Eigen::Map<const Vector>(labels.data(), static_cast<Eigen::Index>(labels.size()));
  }
};

// Multiples of 1/64 within the unit ball: what truncation to a grid leaves as it is.
Table random_table(std::mt19937& random, std::size_t n, std::size_t d) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Table table{{{}, {}, d}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> x(d);
    for (double& one : x) one = std::trunc(64 * uniform(random) / std::sqrt(static_cast<double>(d))) / 64;
    table.add(x, std::trunc(64 * uniform(random)) / 64);
  }
  return table;
}

// A normal law, and the logarithm of its density up to the constant that all of its dimension share.
struct Normal {
  Vector mean;
  Matrix root;

  Normal(Vector m, const Matrix& covariance) : mean(std::move(m)), root(covariance.llt().matrixL()) {}

  double log_density(const Vector& at) const {
    const Vector scaled = root.triangularView<Eigen::Lower>().solve(at - mean);
    return -scaled.squaredNorm() / 2 - root.diagonal().array().log().sum();
  }
};

struct Pair {
  Normal p, q;

  // The midpoint rule in p's own coordinates: the integrand 1 - e^{epsilon - loss} where it is positive is
  // below 1, and so is what its kink costs a cell of side h, within h^2 of the density's mass in the strip of
  // cells that the kink crosses. There q's coordinates are an affine map of p's.
  double delta(double epsilon) const {
    const double h = 0.02, side = 7;
    const auto solve = [&](const auto& right) -> Matrix {
      return q.root.triangularView<Eigen::Lower>().solve(right);
    };
    const Matrix map = solve(p.root), moved = solve(p.mean - q.mean);
    const double a = map(0, 0), b = map(1, 0), c = map(1, 1), first = moved(0, 0), second = moved(1, 0);
    const double scale = std::log(q.root.diagonal().prod() / p.root.diagonal().prod());
    double sum = 0;
    for (double x = -side; x < side; x += h)
      for (double y = -side; y < side; y += h) {
        const double u = a * x + first, v = b * x + c * y + second, square = x * x + y * y;
        const double gain = -std::expm1(epsilon - scale - (u * u + v * v - square) / 2);
        if (gain > 0) sum += gain * std::exp(-square / 2) * h * h / (2 * M_PI);
      }
    return sum;
  }
};

Pair swapped(const Pair& pair) { return {pair.q, pair.p}; }

Normal posterior(const Table& table, double lambda, double sigma) {
  const Matrix x = table.x();
  const auto d = x.cols();
  const Matrix h = x.transpose() * x + lambda * Matrix::Identity(d, d);
  const Matrix inverse = h.llt().solve(Matrix::Identity(d, d));
  return {inverse * (x.transpose() * table.y()), sigma * sigma * inverse};
}

// An average with five times its standard error.
struct Estimate {
  double value, error;
};

template <class Draw>
Estimate average(std::size_t count, const Draw& draw) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double one = draw();
    sum += one, squares += one * one;
  }
  const auto n = static_cast<double>(count);
  return {sum / n, 5 * std::sqrt((squares / n - sum * sum / n / n) / n) + 5 / n};
}

Release planned(const FitRequest& asked) { return Release(plan(asked)); }

const Description& part(const Description& whole, const std::string& kind) {
  for (const Part& one : whole.parts)
    if (one.mechanism.kind == kind) return one.mechanism;
  throw std::runtime_error("no part of that kind");
}

double price(const Description& description, double delta) {
  return epsilon(*privacy_loss(description), delta).upper;
}

const std::vector<std::string> algorithms{
    "ada-ssp",         "output-perturbation-ridge", "covariance-laplace", "linear-mixing",
    "gaussian-mixing", "logistic-mixing",           "posterior-sampling"};

// An algorithm's release of some records at epsilon = 1, and what each of them pays in it.
struct Paid {
  FitRequest asked;
  Release run;
  PersonalCosts costs;

  Paid(const std::string& algorithm, const Records& records)
      : asked(request(algorithm, {{"epsilon", 1}, {"delta", 1e-6}})),
        run(planned(asked)),
        costs(PlannedRequest(asked), run, Pieces(&records, 1)) {}
};

Description gaussian(double moved) {
  return {"gaussian", {{"sigma", 1}, {"sensitivity", moved}}, {}, {}, {}};
}

Description minimum(double lipschitz, double smoothness) {
  return {"approximate-minima-perturbation",
          {{"sigma", 3},
           {"lambda", 1},
           {"lipschitz", lipschitz},
           {"smoothness", smoothness},
           {"gradientTolerance", 1e-9},
           {"outputSigma", 1e-4}},
          {},
          {},
          {}};
}

}  // namespace

TEST_CASE("a posterior sample costs a record what both of its normal laws in the plane say") {
  std::mt19937 random(1);
  for (const double lambda : {0.5, 8.0}) {
    const Table table = random_table(random, 9, 2);
    const FitRequest asked =
        request("posterior-sampling", {{"dimension", 2}, {"lambda", lambda}, {"sigma", 0.8}});
    const Records records = table.records();
    const PersonalCosts costs(PlannedRequest(asked), planned(asked), Pieces(&records, 1));
    for (const std::size_t row : {0, 4}) {
      const Table others = table.without(row);
      const Pair pair{posterior(table, lambda, 0.8), posterior(others, lambda, 0.8)};
      const Records rest = others.records();
      const PersonalCosts outside(PlannedRequest(asked), planned(asked), Pieces(&rest, 1));
      const auto cost = costs.of(records.row(row), table.labels[row], Direction::remove),
                 joining = outside.of(records.row(row), table.labels[row], Direction::add);
      for (const double at : {0.0, 0.1, 0.5}) {
        const double truth = std::max(pair.delta(at), swapped(pair).delta(at));
        for (const PersonalCost* one : {&cost, &joining}) {
          const Bounds found = delta(*privacy_loss(part(one->description, "posterior-sampling")), at);
          CHECK(found.upper >= truth - 4e-4);
          CHECK(found.upper <= truth + 4e-4);
        }
      }
    }
  }
}

TEST_CASE("posterior samples and sketches of several columns cost a record what sampling their laws says") {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  const std::size_t draws = 20'000 / share;
  for (const std::size_t d : {3, 6, 10}) {
    CAPTURE(d);
    const Table table = random_table(random, 40, d);
    const Records records = table.records();
    const Table others = table.without(7);
    const auto x = records.row(7);
    const double y = table.labels[7];
    const auto dimension = static_cast<double>(d);
    const FitRequest sample =
        request("posterior-sampling", {{"dimension", dimension}, {"lambda", 0.5}, {"sigma", 0.5}});
    const PersonalCosts costs(PlannedRequest(sample), planned(sample), Pieces(&records, 1));
    const Description own = part(costs.of(x, y, Direction::remove).description, "posterior-sampling");
    const Normal with = posterior(table, 0.5, 0.5), without = posterior(others, 0.5, 0.5);
    const auto estimated = [&](const Normal& p, const Normal& q, double epsilon) {
      Vector z(with.mean.size());
      return average(draws, [&] {
        for (double& one : z) one = normal(random);
        const Vector output = p.mean + p.root * z;
        return std::max(0.0, -std::expm1(epsilon - p.log_density(output) + q.log_density(output)));
      });
    };
    for (const double at : {0.0, 0.2}) {
      const Estimate removing = estimated(with, without, at), adding = estimated(without, with, at);
      const Bounds found = delta(*privacy_loss(own), at);
      CHECK(found.upper >= std::max(removing.value - removing.error, adding.value - adding.error));
      CHECK(found.upper <= std::max(removing.value + removing.error, adding.value + adding.error));
    }

    const FitRequest sketch =
        request("linear-mixing", {{"dimension", dimension}, {"sigma", 1.5}, {"sketchSize", 16}});
    const PersonalCosts mixed(PlannedRequest(sketch), planned(sketch), Pieces(&records, 1));
    const PersonalCost cost = mixed.of(x, y, Direction::remove);
    const auto covariance = [&](const Table& of) {
      Matrix z(of.labels.size(), d + 1);
      z << of.x(), of.y();
      // The finish takes its share of the noise.
      const double variance = 1.5 * 1.5 * (1 - 1.0 / 1024);
      return Normal(Vector::Zero(d + 1), z.transpose() * z + variance * Matrix::Identity(d + 1, d + 1));
    };
    const Normal rows = covariance(table), fewer = covariance(others);
    const auto sketched = [&](const Normal& p, const Normal& q, double epsilon) {
      Vector z(static_cast<Eigen::Index>(d + 1));
      return average(draws / 16, [&] {
        double loss = 0;
        for (int k = 0; k < 16; ++k) {
          for (double& one : z) one = normal(random);
          const Vector row = p.root * z;
          loss += p.log_density(row) - q.log_density(row);
        }
        return std::max(0.0, -std::expm1(epsilon - loss));
      });
    };
    for (const double at : {0.0, 0.05}) {
      const Estimate removing = sketched(rows, fewer, at), adding = sketched(fewer, rows, at);
      const Bounds found = delta(*privacy_loss(part(cost.description, "gaussian-mixing")), at);
      // The finish's share is a 1024th, but for its own rounding to a grid.
      CHECK(found.upper >= std::max(removing.value - removing.error, adding.value - adding.error) * 0.998);
      CHECK(found.upper <= std::max(removing.value + removing.error, adding.value + adding.error) * 1.002);
    }
  }
}

TEST_CASE("nobody pays more than the price of the release, and whoever is at the bounds pays nearly that" *
          doctest::test_suite("long")) {
  std::mt19937 random(3);
  const Table table = random_table(random, 30, 3);
  const Records records = table.records();
  for (const std::string& name : algorithms) {
    CAPTURE(name);
    const Paid paid(name, records);
    const double everybody = price(paid.run.description, 1e-6);
    std::size_t seen = 0;
    paid.costs.facts_of_all({}, [&](std::size_t i, const RecordFacts& facts) {
      CHECK(i == seen++);
      if (i % 6 != 0) return;
      const double own = price(paid.costs.description_of(facts), 1e-6);
      CHECK(own <= everybody * (1 + 1e-9));
      CHECK(own < 0.99 * everybody);
      const auto alone = paid.costs.of(records.row(i), table.labels[i], Direction::remove);
      CHECK(price(alone.description, 1e-6) == doctest::Approx(own).epsilon(1e-9));
    });
    CHECK(seen == 30);
    const double nobody =
        price(paid.costs.of(std::vector<double>{0, 0, 0}, 0, Direction::add).description, 1e-6);
    // The count of rows, where one is released, and finishing noise are paid for by everybody.
    CHECK(nobody <= 0.5 * everybody);
    // What is not finite counts as zeros, as it does in the release.
    const double nan = std::nan("");
    const std::vector<double> broken{nan, HUGE_VAL, 0.5};
    CHECK(price(paid.costs.of(broken, nan, Direction::add).description, 1e-6) == nobody);
  }
  for (const std::string name : {"ada-ssp", "covariance-laplace"}) {
    const Paid paid(name, records);
    const double third = name == "ada-ssp" ? 1 : std::sqrt(1.0 / 3);
    const std::vector<double> largest =
        name == "ada-ssp" ? std::vector<double>{third, 0, 0} : std::vector<double>{third, third, third};
    const double own = price(paid.costs.of(largest, 1, Direction::add).description, 1e-6);
    CHECK(own <= price(plan(paid.asked).description, 1e-6) * (1 + 1e-12));
    CHECK(own >= 0.999 * price(plan(paid.asked).description, 1e-6));
  }
}

TEST_CASE("prices of many people are theirs, rounded up to levels, and no more than that of the release") {
  std::mt19937 random(9);
  const Table table = random_table(random, 120, 3);
  const Records records = table.records();
  for (const std::string name : {"ada-ssp", "linear-mixing", "posterior-sampling", "covariance-laplace"}) {
    CAPTURE(name);
    const Paid paid(name, records);
    PeoplePrices prices(1e-6, price(paid.run.description, 1e-6), 8);
    paid.costs.facts_of_all({}, [&](std::size_t i, const RecordFacts& facts) {
      const Description description = paid.costs.description_of(facts);
      const double own = prices.epsilon(description);
      CHECK(own <= price(paid.run.description, 1e-6));
      if (i % 20 != 0) return;
      const double exact = price(description, 1e-6);
      CHECK(own >= exact * (1 - 1e-9));
      // Two numbers, each of which may grow by 2^{1/8}, and a residual that grows with the leverage.
      CHECK(own <= std::max(1.5 * exact, 1e-3));
      // Its level is priced no finer than levels are apart.
      const Bounds level = epsilon(*privacy_loss(coarser(description, 8)), 1e-6);
      CHECK(own >= std::min(level.lower, price(paid.run.description, 1e-6)));
      CHECK(own <= level.upper * 1.0011);
    });
    CHECK(prices.priced() < 120);
  }
  CHECK_THROWS_AS(PeoplePrices(1e-301, 1), Refusal);
}

TEST_CASE("whatever Gaussian noise stands beside a minimum, its level is priced by one grid, and rightly" *
          doctest::test_suite("long")) {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Description everybody{"composition", {}, {}, {}, {{minimum(1, 0.25), 1}, {gaussian(0.5), 1}}};
  for (const double delta : {1e-3, 1e-6, 1e-12}) {
    PeoplePrices prices(delta, price(everybody, delta));
    const double most = price(everybody, delta);
    for (int i = 0; i < 12; ++i) {
      // Rows of a logistic model: all of their numbers follow from their lengths.
      const double length = std::pow(uniform(random), 0.5), moved = 0.5 * uniform(random);
      const double minima = i % 4 == 3 ? 2 : 1;
      const Description own{
          "composition", {}, {}, {}, {{gaussian(moved), 1}, {minimum(length, length * length / 4), minima}}};
      CAPTURE(delta);
      CAPTURE(length);
      CAPTURE(moved);
      const double found = prices.epsilon(own);
      CHECK(found <= most);
      CHECK(found >= std::min(most, epsilon(*privacy_loss(own), delta).lower * (1 - 1e-9)));
      const Bounds level = Profile(*privacy_loss(coarser(own, 16)), 1e-4).epsilon(delta);
      CHECK(found >= std::min(most, level.lower));
      CHECK(found <= level.upper * 1.0005);
      CHECK(found <= price(own, delta) * 1.08 + 1e-3);
    }
  }
}

TEST_CASE("people who share a price between two corners of facts pay what they pay alone" *
          doctest::test_suite("long")) {
  std::mt19937 random(19);
  const Table table = random_table(random, 150, 3);
  const Records records = table.records();
  for (const std::string& name : algorithms) {
    CAPTURE(name);
    const Paid paid(name, records);
    const double most = price(paid.run.description, 1e-6);
    PeoplePrices alone(1e-6, most, 2), together(1e-6, most, 2);
    bool described = false;
    std::size_t sharing = 0;
    const SharedPrices::Describe describe = [&](const RecordFacts& facts) {
      described = true;
      return paid.costs.description_of(facts);
    };
    SharedPrices shared(together, describe);
    std::vector<double> found, expected;
    paid.costs.facts_of_all({}, [&](std::size_t, const RecordFacts& facts) {
      described = false;
      found.push_back(shared.epsilon(facts));
      sharing += !described;
      expected.push_back(alone.epsilon(paid.costs.description_of(facts)));
    });
    CHECK(found == expected);
    CHECK(sharing > 0);
  }
}

TEST_CASE("no pair of levels tells less than the person's own") {
  std::mt19937 random(10);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 60; ++i) {
    const double leverage = std::pow(10, -4 + 5 * uniform(random)), residual = 3 * uniform(random);
    const Description own{"posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}};
    const auto here = privacy_loss(own), there = privacy_loss(coarser(own, 1 + i % 8));
    for (const double at : {0.0, 0.3, 2.0})
      CHECK(delta(*there, at).upper >= delta(*here, at).lower * (1 - 1e-9));
  }
}

TEST_CASE("released eigenvalues are part of what a person pays, at the person's own size") {
  std::mt19937 random(4);
  const Table table = random_table(random, 400, 2);
  const Records records = table.records();
  TestRng rng(11);
  for (const std::string name : {"adaptive-posterior-sampling", "johnson-lindenstrauss", "linear-mixing"}) {
    CAPTURE(name);
    FitRequest asked = request(name, {{"dimension", 2}, {"epsilon", 2}, {"delta", 1e-6}});
    if (name == "linear-mixing") asked.texts["eigenvalue"] = "released";
    CHECK_THROWS_AS(PersonalCosts(PlannedRequest(asked), planned(asked), Pieces(&records, 1)), Refusal);
    const Release run = fit(asked, records, rng, {});
    const PersonalCosts costs(PlannedRequest(asked), run, Pieces(&records, 1));
    for (const std::size_t row : {0, 100, 399}) {
      const auto cost = costs.of(records.row(row), table.labels[row], Direction::remove);
      CHECK(price(cost.description, 1e-6) <= price(run.description, 1e-6));
      CHECK(price(cost.description, 1e-6) > 0);
    }
  }
}

TEST_CASE("several records of one person cost what their sum moves, or are refused by name") {
  std::mt19937 random(5);
  const Table table = random_table(random, 25, 3);
  const Records records = table.records();
  const Records two{2, 3, std::span(table.features).first(6), std::span(table.labels).first(2)};
  for (const std::string name : {"ada-ssp", "covariance-laplace", "output-perturbation-ridge"}) {
    CAPTURE(name);
    const FitRequest asked = request(name, {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 2}});
    const PersonalCosts costs(PlannedRequest(asked), planned(asked), Pieces(&records, 1));
    const double both = price(costs.of(two, Direction::remove).description, 1e-6);
    const double first = price(costs.of(two.row(0), two.labels[0], Direction::remove).description, 1e-6),
                 second = price(costs.of(two.row(1), two.labels[1], Direction::remove).description, 1e-6);
    CHECK(both > std::max(first, second) * 0.5);
    CHECK(both < 4 * (first + second));
  }
  const FitRequest ridge =
      request("output-perturbation-ridge", {{"epsilon", 1}, {"delta", 1e-6}, {"lambda", 2}, {"rows", 30}});
  const PersonalCosts costs(PlannedRequest(ridge), planned(ridge), Pieces(&records, 1));
  const auto solved = [](const Table& of) {
    const Matrix x = of.x();
    return Vector((x.transpose() * x + 2 * Matrix::Identity(3, 3)).llt().solve(x.transpose() * of.y()));
  };
  const double moved = (solved(table) - solved(table.without(0).without(0))).norm();
  CHECK(costs.of(two, Direction::remove).facts.moved == doctest::Approx(moved).epsilon(1e-10));
  for (const std::string name : {"posterior-sampling", "linear-mixing"}) {
    const FitRequest asked = request(name, {{"epsilon", 1}, {"delta", 1e-6}});
    const PersonalCosts alone(PlannedRequest(asked), planned(asked), Pieces(&records, 1));
    CHECK_THROWS_AS(alone.of(two, Direction::remove), Refusal);
  }
}

TEST_CASE("a ledger of one person's costs composes as any releases do") {
  std::mt19937 random(6);
  const Table table = random_table(random, 30, 3);
  const Records records = table.records();
  std::vector<Description> ledger, everybody;
  for (const std::string name : {"ada-ssp", "posterior-sampling", "linear-mixing"}) {
    const FitRequest asked = request(name, {{"epsilon", 1}, {"delta", 1e-6}});
    const PersonalCosts costs(PlannedRequest(asked), planned(asked), Pieces(&records, 1));
    ledger.push_back(costs.of(records.row(3), table.labels[3], Direction::remove).description);
    everybody.push_back(plan(asked).description);
  }
  const auto together = [](const std::vector<Description>& parts) {
    Description whole{"composition", {}, {}, {}, {}};
    for (const Description& one : parts) whole.parts.push_back({one, 1});
    return price(whole, 1e-6);
  };
  double largest = 0, sum = 0;
  for (const Description& one : ledger) {
    largest = std::max(largest, price(one, 1e-6));
    sum += price(one, 1e-6 / 3);
  }
  CHECK(together(ledger) >= largest);
  CHECK(together(ledger) <= sum);
  CHECK(together(ledger) < together(everybody));
}

}  // namespace epsilometer::report_personal_test
