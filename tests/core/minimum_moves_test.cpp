// How far each row of a table moves the minimum, told of all rows at once, against a refit without the row:
// never below it, and hardly above, whatever the loss, the regularisation and the table.
#include "core/report/personal/minimum_moves.h"

#include <doctest/doctest.h>

#include <eigen3/Eigen/Dense>
#include <optional>
#include <random>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/report/personal/per_instance.h"
#include "tests/core/rows.h"

namespace epsilometer::minimum_moves_test {

namespace {

using Real = long double;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// 26 bits, as records count: the tables below are what the objective is of.
Rows random_rows(std::mt19937& random, std::size_t count, std::size_t dimension, double size = 1) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Rows rows{{}, {}, dimension};
  std::vector<double> x(dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (double& one : x)
      one = short_number(0.99 * size * uniform(random) / std::sqrt(static_cast<double>(dimension)));
    rows.add(x, x[0] + size * uniform(random) / 2 > 0 ? 1 : 0);
  }
  return rows;
}

struct Named {
  std::string name;
  Rows rows;
};

std::vector<Named> corners() {
  std::mt19937 random(3);
  std::vector<Named> tables{{"plain", random_rows(random, 60, 3)},
                            {"fewer rows than features", random_rows(random, 3, 6)},
                            {"one row", random_rows(random, 1, 2)},
                            {"short rows", random_rows(random, 40, 3, 1e-4)}};
  Rows one_class = random_rows(random, 30, 3);
  for (double& label : one_class.labels) label = 1;
  tables.push_back({"one class", one_class});
  Rows apart = random_rows(random, 40, 2);
  for (std::size_t i = 0; i < 40; ++i) apart.labels[i] = apart.features[2 * i] > 0 ? 1 : 0;
  tables.push_back({"classes that a line parts", apart});
  Rows odd = random_rows(random, 40, 3);
  for (std::size_t i = 0; i < 40; ++i) odd.features[3 * i + 2] = 0;
  odd.add(std::vector<double>{0, 0, 0}, 1);
  odd.add(std::vector<double>{0, 0, 0.5}, 0);
  odd.add(std::vector<double>{0.5, 0.5, 0}, 0);
  odd.add(std::vector<double>{0.5, 0.5, 0}, 0);
  tables.push_back({"zeros, a feature that one row has, and twins", odd});
  return tables;
}

FitRequest asked(const std::string& loss, double lambda, std::size_t dimension, double gradient_bound = 0) {
  FitRequest request{
      "output-perturbation",
      {{"lambda", lambda}, {"sigma", 1}, {"featureBound", 1}, {"dimension", static_cast<double>(dimension)}},
      {{"loss", loss}}};
  if (loss != "logistic") request.numbers["labelBound"] = 1;
  if (loss == "huber") request.numbers["threshold"] = 0.3;
  if (gradient_bound > 0) request.numbers["gradientBound"] = gradient_bound;
  return request;
}

std::vector<double> moves_of(const PersonalCosts& costs) {
  std::vector<double> moves;
  costs.facts_of_all({}, [&](std::size_t, const RecordFacts& facts) { moves.push_back(facts.moved); });
  return moves;
}

// Newton's method, with half steps while the gradient does not fall.
Vector fitted(const Rows& rows, Real lambda, std::size_t left_out) {
  const auto d = static_cast<Eigen::Index>(rows.dimension);
  const auto local = [&](const Vector& theta, Matrix* hessian) {
    Vector gradient = lambda * theta;
    if (hessian) *hessian = lambda * Matrix::Identity(d, d);
    for (std::size_t i = 0; i < rows.labels.size(); ++i) {
      if (i == left_out) continue;
      const Vector x = Eigen::Map<const Eigen::VectorXd>(&rows.features[i * rows.dimension], d).cast<Real>();
      const Real y = rows.labels[i] > 0 ? 1 : -1, wrong = 1 / (1 + std::exp(y * x.dot(theta)));
      gradient -= y * wrong * x;
      if (hessian) *hessian += wrong * (1 - wrong) * x * x.transpose();
    }
    return gradient;
  };
  Vector theta = Vector::Zero(d);
  for (int step = 0; step < 200; ++step) {
    Matrix hessian;
    const Vector gradient = local(theta, &hessian), whole = hessian.ldlt().solve(gradient);
    Real part = 1;
    while (part > 1e-9L && local(theta - part * whole, nullptr).norm() > gradient.norm()) part /= 2;
    if (!(part > 1e-9L)) break;
    theta -= part * whole;
  }
  return theta;
}

}  // namespace

TEST_CASE("all rows of a table are told what a refit without each says, never less and at most a 64th more" *
          doctest::test_suite("long")) {
  struct Kind {
    std::string loss;
    double gradient_bound;
  };
  for (const Kind& kind : {Kind{"logistic", 0},
                           {"logistic", 0.3},
                           {"squared", 0},
                           {"squared", 0.2},
                           {"huber", 0},
                           {"poisson", 0}})
    for (const Named& corner : corners())
      for (const double lambda : {1e-6, 1e-3, 0.1, 2.0, 50.0, 1e4}) {
        CAPTURE(kind.loss);
        CAPTURE(kind.gradient_bound);
        CAPTURE(corner.name);
        CAPTURE(lambda);
        const Rows& rows = corner.rows;
        const Records records = rows.records();
        const FitRequest request = asked(kind.loss, lambda, rows.dimension, kind.gradient_bound);
        const Release run(plan(request));
        const PersonalCosts costs(PlannedRequest(request), run, Pieces(&records, 1));
        const std::vector<double> moves = moves_of(costs);
        REQUIRE(moves.size() == rows.labels.size());
        // What neither minimum is known by: a gradient of 2^-50 of the longest, over lambda.
        const double unknown = 4 * 0x1p-50 * 4 / run.parameters.at("lambda");
        for (std::size_t i = 0; i < moves.size(); ++i) {
          CAPTURE(i);
          const double exact = costs.of(records.row(i), rows.labels[i], Direction::remove).facts.moved;
          CHECK(moves[i] >= exact * (1 - 1e-12) - unknown);
          CHECK(moves[i] <= exact * (1 + 0x1p-6) + unknown);
        }
      }
}

TEST_CASE("rows whose refits would take too long are told no less, and no more than their gradients say") {
  std::mt19937 random(8);
  for (const std::string loss : {"poisson", "squared"}) {
    CAPTURE(loss);
    const Rows rows = random_rows(random, 200, 3);
    const Records records = rows.records();
    const PublicModel model = public_model(asked(loss, 0.1, 3, 0.2));
    constexpr double lambda = 0.1;
    const BoundedRecords bounded(Pieces(&records, 1), *model.loss, model.bounds);
    const std::vector<double> none(3);
    const Minimum minimum =
        minimised({bounded, lambda, none}, model.smoothness, model.gradient_tolerance(3, 0), {});
    const RecordsAtMinimum there(bounded, *model.loss, lambda, minimum.theta);
    const auto moves = [&](double most_refitted) {
      std::vector<double> found;
      minimum_moves(
          model, lambda, Pieces(&records, 1), there,
          {minimum.theta, minimum.gradient / lambda + tail_of(minimum)}, {}, {},
          [&](const BoundedRecords::Several&, std::span<const MinimumMove> some) {
            for (const MinimumMove& move : some) found.push_back(move.length.upper());
          },
          most_refitted);
      return found;
    };
    const std::vector<double> near = moves(0x1p29), far = moves(0);
    int further = 0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      CAPTURE(i);
      CHECK(far[i] >= near[i] * (1 - 0x1p-6));
      CHECK(far[i] <= 0.2 / lambda * (1 + 1e-9));
      further += far[i] > near[i] * (1 + 0x1p-6);
    }
    CHECK(further > 0);
  }
}

TEST_CASE(
    "no row is said to move a minimum by more than its longest gradient, and a row of zeros moves none") {
  Rows rows = corners().back().rows;
  const std::size_t zeros = rows.labels.size();
  rows.add(std::vector<double>{0, 0, 0}, 0);
  rows.add(std::vector<double>{0x1p-40, 0, 0}, 1);
  const Records records = rows.records();
  for (const std::string loss : {"logistic", "squared", "huber", "poisson"})
    for (const double lambda : {1e-6, 1.0, 1e4}) {
      CAPTURE(loss);
      CAPTURE(lambda);
      const FitRequest request = asked(loss, lambda, rows.dimension);
      const Release run(plan(request));
      const PersonalCosts costs(PlannedRequest(request), run, Pieces(&records, 1));
      for (const Direction direction : {Direction::remove, Direction::add})
        for (const std::size_t i : {zeros, zeros + 1, std::size_t{0}}) {
          CAPTURE(i);
          const RecordFacts facts = costs.of(records.row(i), rows.labels[i], direction).facts;
          CHECK(facts.moved <= rounded_up(facts.gradient / run.parameters.at("lambda")));
          CHECK((facts.moved == 0) == (i == zeros));
        }
    }
}

// Long doubles are slow in WebAssembly.
TEST_CASE("all rows of a logistic table are told what minima in long doubles say" *
          doctest::test_suite("long")) {
  for (const Named& corner : corners())
    for (const double lambda : {1e-3, 0.1, 2.0, 50.0, 5000.0}) {
      CAPTURE(corner.name);
      CAPTURE(lambda);
      const Rows& rows = corner.rows;
      const Records records = rows.records();
      const FitRequest request = asked("logistic", lambda, rows.dimension);
      const Release run(plan(request));
      const PersonalCosts costs(PlannedRequest(request), run, Pieces(&records, 1));
      const std::vector<double> moves = moves_of(costs);
      const Vector whole = fitted(rows, lambda, SIZE_MAX);
      for (std::size_t i = 0; i < moves.size(); ++i) {
        CAPTURE(i);
        const auto exact = static_cast<double>((whole - fitted(rows, lambda, i)).norm());
        // Coefficients up to 100 in numbers of 64 bits.
        CHECK(moves[i] >= exact * (1 - 1e-13) - 1e-15);
        CHECK(moves[i] <= exact * (1 + 0x1p-6) + 1e-12);
      }
    }
}

TEST_CASE("a step towards the minimum ends as near to it as is said, which is much nearer") {
  std::mt19937 random(4);
  const Rows rows = random_rows(random, 300, 3);
  const Records records = rows.records();
  const PublicModel model = public_model(asked("logistic", 1, 3));
  const BoundedRecords bounded(Pieces(&records, 1), *model.loss, model.bounds);
  const std::vector<double> none(3);
  for (const double lambda : {1e-2, 1.0, 100.0}) {
    CAPTURE(lambda);
    const Minimum minimum =
        minimised({bounded, lambda, none}, model.smoothness, model.gradient_tolerance(3, 0), {});
    const double known = minimum.gradient / lambda + tail_of(minimum);
    for (const double away : {1e-2, 1e-4, 1e-6, 1e-9}) {
      CAPTURE(away);
      std::vector<double> coefficients = minimum.theta;
      coefficients[0] += away, coefficients[2] -= away;
      const RecordsAtMinimum there(bounded, *model.loss, lambda, coefficients);
      REQUIRE(there.knows_leverages());
      CHECK(!there.may_jump());
      const RecordsAtMinimum::Place place = there.nearer();
      double squares = 0;
      for (std::size_t j = 0; j < 3; ++j) squares += std::pow(place.coefficients[j] - minimum.theta[j], 2);
      CHECK(std::sqrt(squares) <= place.distance + known);
      // Half of the longest record times the largest eigenvalue, and 68 roundings of 300 gradients with those
      // of their slopes, over lambda.
      CHECK(place.distance <= (1.25 * (lambda + 75) * away * away + 1e-11) / lambda);
    }
  }
  const PublicModel clipped = public_model(asked("logistic", 1, 3, 0.3));
  const BoundedRecords short_ones(Pieces(&records, 1), *clipped.loss, clipped.bounds);
  CHECK(RecordsAtMinimum(short_ones, *clipped.loss, 1, none).may_jump());
}

TEST_CASE("what rows move a minimum by does not depend on how far from it the coefficients came out") {
  std::mt19937 random(6);
  const Rows rows = random_rows(random, 500, 3);
  const Records records = rows.records();
  for (const double lambda : {1e-3, 2.0, 50.0}) {
    CAPTURE(lambda);
    const FitRequest request = asked("logistic", lambda, 3);
    const auto moves = [&](std::optional<double> away) {
      Release run(plan(request));
      if (away) run.add({{"coefficients", OutputKind::vector, {3}}, {*away, -2 * *away, 0.5}});
      return moves_of(PersonalCosts(PlannedRequest(request), run, Pieces(&records, 1)));
    };
    const std::vector<double> planned = moves({});
    for (const double away : {0.0, 1.0, 300.0, 1e50}) {
      CAPTURE(away);
      const std::vector<double> found = moves(away);
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == doctest::Approx(planned[i]).epsilon(1e-9));
    }
  }
}

// Of so many rows hardly any needs a refit, so that what is told is the bound.
TEST_CASE("where a table has many rows the bound itself is as close" * doctest::test_suite("long")) {
  std::mt19937 random(5);
  for (const std::string loss : {"logistic", "huber", "squared", "poisson"}) {
    CAPTURE(loss);
    const Rows rows = random_rows(random, 4000, 4);
    const Records records = rows.records();
    for (const double lambda : {1.0, 200.0, 5000.0}) {
      CAPTURE(lambda);
      const FitRequest request = asked(loss, lambda, 4);
      const Release run(plan(request));
      const PersonalCosts costs(PlannedRequest(request), run, Pieces(&records, 1));
      const std::vector<double> moves = moves_of(costs);
      for (std::size_t i = 0; i < moves.size(); i += 199) {
        CAPTURE(i);
        const double exact = costs.of(records.row(i), rows.labels[i], Direction::remove).facts.moved;
        CHECK(moves[i] >= exact * (1 - 1e-11));
        CHECK(moves[i] <= exact * (1 + 0x1p-6));
      }
    }
  }
}

}  // namespace epsilometer::minimum_moves_test
