// What a release cost one person, to whoever may see the table: against the exact loss of the minimum of a
// random objective, against the bound that needs no table, and for several rows of one person.
#include "core/report/holder/known_person.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/noise/generator.h"
#include "core/report/personal/records_at_minimum.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::known_person_test {

namespace {

Rows logistic_table(std::mt19937& random, std::size_t n) {
  std::uniform_real_distribution<double> uniform(-0.7, 0.7);
  Rows table{{}, {}, 3};
  for (std::size_t i = 0; i < n; ++i) {
    const double x = uniform(random), z = uniform(random);
    table.add(std::vector{x, z, 1.0}, x + uniform(random) > 0 ? 1 : -1);
  }
  return table;
}

FitRequest logistic(double lambda, double sigma, std::map<std::string, double> more = {}) {
  more.merge(std::map<std::string, double>{
      {"featureBound", 1}, {"intercept", 1}, {"dimension", 3}, {"lambda", lambda}, {"sigma", sigma}});
  return {"approximate-minima-perturbation", more, {{"loss", "logistic"}}};
}

std::string refused(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

double price(const Description& description) { return epsilon(*privacy_loss(description), 1e-6).upper; }

// A fit of a table, what is told of a row of it or of other rows, and the exact loss at what was released.
struct Fitted {
  Fitted(const FitRequest& asked, const Rows& table, const Rows& others, std::uint32_t seed)
      : planned(asked),
        records(table.records()),
        joining(others.records()),
        run(made(asked, records, seed)),
        model(public_model(asked)),
        bounded(records, *model.loss, model.bounds),
        bounded_joining(joining, *model.loss, model.bounds),
        exact(bounded, *model.loss, run.parameters.at("lambda"), run.values("coefficients")) {}

  static Release made(const FitRequest& asked, const Records& records, std::uint32_t seed) {
    TestRng generator(seed);
    return fit(asked, records, generator, {});
  }

  Records person(std::size_t i, Direction direction) const {
    return (direction == Direction::remove ? records : joining).part(i, 1);
  }
  KnownPerson known(std::size_t i, Direction direction, double failure) const {
    return known_person(planned, run, Pieces(&records, 1), person(i, direction), direction, failure, 1, {});
  }
  // Without the table a report must take the worst.
  Told published(std::size_t i, Direction direction, double failure) const {
    const Records one = person(i, direction);
    const PublishedReport report{std::make_shared<const PlannedRequest>(planned),
                                 1,
                                 run.values("coefficients"),
                                 {},
                                 {},
                                 {},
                                 {},
                                 {failure}};
    return told(report, one.row(0), one.labels[0], direction);
  }
  Interval loss(std::size_t i, Direction direction) const {
    const BoundedRecords& all = direction == Direction::remove ? bounded : bounded_joining;
    return realised_objective_loss(direction, exact.of(all.read(i, 1)).front(), run.parameters.at("sigma"));
  }

  PlannedRequest planned;
  Records records, joining;
  Release run;
  PublicModel model;
  BoundedRecords bounded, bounded_joining;
  RecordsAtMinimum exact;
};

}  // namespace

TEST_CASE("what came out told about a row, or about one that is not there, is next to the exact loss") {
  std::mt19937 random(1);
  const Rows table = logistic_table(random, 60), others = logistic_table(random, 6);
  for (const auto& [lambda, sigma] : {std::pair{2.0, 1.0}, {0.6, 4.0}, {30.0, 0.7}}) {
    const Fitted fitted(logistic(lambda, sigma), table, others, 5);
    for (std::size_t i = 0; i < 6; ++i)
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const KnownPerson known = fitted.known(i, direction, 1e-6);
        REQUIRE(known.realised);
        const Interval& told = known.realised->model.loss;
        // What hides the minimum adds a thousandth to both sides.
        const Interval loss = fitted.loss(i, direction);
        CHECK(told.lower() <= loss.lower());
        CHECK(told.upper() >= loss.upper());
        CHECK(told.upper() - told.lower() < 0.006);
        CHECK(known.realised->failure == 1e-6);
        const Told published = fitted.published(i, direction, 1e-6);
        CHECK(told.magnitude() < published.realised->model.loss.magnitude());
        CHECK(price(known.cost.description) <= price(published.own_price) * (1 + 1e-9));
      }
  }
}

TEST_CASE("however much came out, the table says no more of it than a report without the table") {
  std::mt19937 random(4);
  const Rows table = logistic_table(random, 12), others = logistic_table(random, 6);
  double most = 0;
  for (const auto& [lambda, sigma] : {std::pair{0.6, 0.5}, {0.3, 0.1}, {0.05, 0.02}, {1e-3, 1e-3}}) {
    const Fitted fitted(logistic(lambda, sigma), table, others, 6);
    for (std::size_t i = 0; i < 6; ++i)
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const Interval known = fitted.known(i, direction, 1e-2).realised->model.loss,
                       published = fitted.published(i, direction, 1e-2).realised->model.loss,
                       loss = fitted.loss(i, direction);
        CHECK(known.lower() >= published.lower());
        CHECK(known.upper() <= published.upper());
        CHECK(known.lower() <= loss.lower());
        CHECK(known.upper() >= loss.upper());
        most = std::max(most, known.upper());
      }
  }
  CHECK(most > 20);
}

TEST_CASE("where derivatives are clipped, what came out is bounded without the table's Hessian") {
  std::mt19937 random(2);
  const Rows table = logistic_table(random, 30);
  const Fitted fitted(logistic(2, 1, {{"gradientBound", 0.4}}), table, table, 5);
  const Interval known = fitted.known(3, Direction::remove, 1e-6).realised->model.loss,
                 published = fitted.published(3, Direction::remove, 1e-6).realised->model.loss;
  CHECK(known.lower() == published.lower());
  CHECK(known.upper() == published.upper());
}

TEST_CASE("normal noise tells what the row's own move allows, and nothing is told that nobody asked for") {
  std::mt19937 random(3);
  const Rows table = logistic_table(random, 30);
  const Records records = table.records();
  const FitRequest asked = request("ada-ssp", {{"epsilon", 1}, {"delta", 1e-6}});
  const PlannedRequest planned(asked);
  const Release run(planned.plan);
  const auto ask = [&](std::optional<double> failure, Direction direction = Direction::add) {
    const std::vector<double> x{0.2, 0.1, 0.3};
    const double label = 0.5;
    return known_person(planned, run, Pieces(&records, 1), {1, 3, x, {&label, 1}}, direction, failure, 1, {});
  };
  const KnownPerson known = ask(1e-4);
  const double mu = *privacy_loss(known.cost.description)->gaussian();
  CHECK(known.realised->size() == doctest::Approx(mu * (mu / 2 + upper_quantile(5e-5))).epsilon(1e-3));
  CHECK_FALSE(ask({}).realised);
  // Of several rows it is what their sum moves.
  const std::vector<double> twice{0.2, 0.1, 0.3, 0.2, 0.1, 0.3}, labels{0.5, 0.5};
  const KnownPerson both =
      known_person(planned, run, Pieces(&records, 1), {2, 3, twice, labels}, Direction::add, 1e-4, 2, {});
  const double moved = *privacy_loss(both.cost.description)->gaussian();
  CHECK(moved > 1.9 * mu);
  CHECK(both.realised->size() == doctest::Approx(moved * (moved / 2 + upper_quantile(5e-5))).epsilon(1e-3));
  CHECK(refused([&] { ask({}, Direction::remove); }) == "row");
  for (const double bad : {0.0, 0.6, -1.0, std::nan("")}) CHECK_THROWS_AS(ask(bad), Refusal);
}

TEST_CASE("several rows of a person are asked about together where they add up, a count of rows too") {
  std::mt19937 random(4);
  const Rows table = logistic_table(random, 25);
  const Records records = table.records();
  const Records two = records.part(0, 2);
  const FitRequest asked =
      request("output-perturbation-ridge",
              {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 2}, {"lambda", 2}, {"rows", 30}});
  const PlannedRequest planned(asked);
  const Release run(planned.plan);
  const auto ask = [&](const Records& person, double unit_rows) {
    return known_person(planned, run, Pieces(&records, 1), person, Direction::remove, {}, unit_rows, {})
        .cost.description;
  };
  // The count's own part, of which two rows move the sum by two.
  const auto count = [](const Description& whole) { return whole.parts[1].mechanism.numbers; };
  const Description both = ask(two, 2), first = ask(records.part(0, 1), 2);
  CHECK(count(both).at("sensitivity") > 1.999 * count(first).at("sensitivity"));
  CHECK(count(both).at("sigma") == count(first).at("sigma"));
  CHECK(refused([&] { ask(two, 1); }) == "row");
  // The same row twice is in the table once.
  const std::vector<double> twice{table.features[0], table.features[1], table.features[2],
                                  table.features[0], table.features[1], table.features[2]};
  const std::vector<double> labels{table.labels[0], table.labels[0]};
  CHECK(refused([&] { ask({2, 3, twice, labels}, 2); }) == "row");
  const FitRequest sample = request("posterior-sampling", {{"epsilon", 1}, {"delta", 1e-6}});
  CHECK_THROWS_AS(known_person(PlannedRequest(sample), Release(plan(sample)), Pieces(&records, 1), two,
                               Direction::remove, {}, 2, {}),
                  Refusal);
}

}  // namespace epsilometer::known_person_test
