// What a release cost each row of a table: by Renyi divergences, against the closed form of normal noise and
// against the divergence of the release; and what came out told of each, against what is told of it alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/generator.h"
#include "core/noise/noise.h"
#include "core/report/holder/known_person.h"
#include "core/report/holder/people_losses.h"
#include "core/report/personal/failing_parts.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::people_losses_test {

namespace {

// Multiples of 1/64 within the unit ball, and a row of zeros at the end.
Rows random_rows(std::size_t count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Rows rows{{}, {}, 3};
  for (std::size_t i = 0; i + 1 < count; ++i) {
    std::vector<double> x(3);
    for (double& one : x) one = std::trunc(64 * uniform(random) / std::sqrt(3.0)) / 64;
    rows.add(x, std::trunc(64 * uniform(random)) / 64);
  }
  rows.add(std::vector<double>{0, 0, 0}, 0);
  return rows;
}

PeopleLosses losses_of(const FitRequest& asked, const Rows& rows, std::optional<double> order) {
  const Records records = rows.records();
  return people_losses(PlannedRequest(asked), Release(plan(asked)), Pieces(&records, 1), {1e-6, order}, 1,
                       {});
}

}  // namespace

TEST_CASE("the Renyi divergence of a row under normal noise is order s^2 / 2 of its own distance s") {
  const Rows rows = random_rows(40);
  const double sigma = 3;
  const FitRequest asked = request("ada-ssp", {{"sigma", sigma}});
  const double step = std::exp2(default_exponent(sigma)) / sigma;
  for (const double order : {1.000001, 1.5, 2.0, 32.0, 1e4}) {
    CAPTURE(order);
    const PeopleLosses people = losses_of(asked, rows, order);
    REQUIRE(people.divergences.size() == 40);
    for (std::size_t i = 0; i < 39; ++i) {
      const double *x = &rows.features[3 * i], y = rows.labels[i];
      const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      const double truth = order * (square * square + square * y * y) / (sigma * sigma) / 2;
      const double far = square / sigma + step, beside = std::sqrt(square) * std::abs(y) / sigma + step;
      const double most = order * (far * far + beside * beside) / 2;
      // Multiples of 1/64: sums and products are exact. They are rounded to a grid at least 16 times finer
      // than `step`: a matrix of 3 by 3 moves by 3 of its steps, a vector by 2.
      CHECK(people.divergences[i] >= truth * (1 - 4 * unit_roundoff));
      CHECK(people.divergences[i] <= most * (1 + 8 * rounding_margin));
    }
  }
}

TEST_CASE("a row of zeros is a 0 among the others wherever it stands, and a column of zeros is none") {
  const FitRequest asked = request("ada-ssp", {{"sigma", 3}});
  const Rows rows = random_rows(6);
  Rows zeros_first{{0, 0, 0, 0, 0, 0}, {0, 0}, 3};
  for (std::size_t i = 0; i < rows.labels.size(); ++i) zeros_first.add(rows.records().row(i), rows.labels[i]);
  const PeopleLosses people = losses_of(asked, zeros_first, {});
  const std::vector<double> lengths = losses_of(asked, rows, {}).lengths;
  REQUIRE(lengths.size() == 6);
  REQUIRE(people.lengths.size() == 8);
  CHECK(people.lengths[0] == 0);
  CHECK(people.lengths[1] == 0);
  CHECK(std::equal(lengths.begin(), lengths.end(), people.lengths.begin() + 2));
  CHECK(people.losses.size() == 8);
  CHECK(people.moves.empty());
  CHECK(losses_of(asked, {{0, 0, 0}, {0}, 3}, {}).lengths.empty());
}

TEST_CASE("no row's Renyi divergence is above the release's, and none is told without an order") {
  const Rows rows = random_rows(12);
  for (const std::string name : {"ada-ssp", "covariance-laplace"}) {
    CAPTURE(name);
    const FitRequest asked = request(name, {{"epsilon", 1}, {"delta", 1e-6}});
    const double promised = privacy_loss(plan(asked).description)->renyi(3);
    const PeopleLosses people = losses_of(asked, rows, 3), without = losses_of(asked, rows, {});
    CHECK(people.promised_divergence == promised);
    CHECK(people.losses == without.losses);
    CHECK(without.divergences.empty());
    REQUIRE(people.divergences.size() == 12);
    const auto [least, most] = std::minmax_element(people.divergences.begin(), people.divergences.end());
    CHECK(*least >= 0);
    CHECK(*least < promised);
    CHECK(*most <= promised);
    CHECK(*least == people.divergences.back());
  }
}

TEST_CASE("orders that no Renyi divergence has are refused by name") {
  const Rows rows = random_rows(3);
  const FitRequest asked = request("ada-ssp", {{"sigma", 1}});
  for (const double order : {1.0, 0.5, -2.0, 0.0, 1e7, std::nan(""), HUGE_VAL}) {
    CAPTURE(order);
    try {
      losses_of(asked, rows, order);
      FAIL("was not refused");
    } catch (const Refusal& refusal) {
      CHECK(refusal.field == "order");
    }
  }
}

TEST_CASE("what came out told of each row is what is told of it alone") {
  Rows rows = random_rows(14);
  const Records numeric = rows.records();
  std::vector<double> sides;
  for (const double label : rows.labels) sides.push_back(label < 0 ? -1 : 1);
  const Records classes{numeric.count, 3, numeric.features, sides};
  const auto with_loss = [](const std::string& name, Numbers numbers, const std::string& loss) {
    FitRequest asked = request(name, numbers);
    asked.numbers.erase("labelBound");
    asked.texts["loss"] = loss;
    return asked;
  };
  const std::string minima = "approximate-minima-perturbation";
  const double failure = 1e-4;
  const auto check = [&](const FitRequest& asked, const Records& table, bool is_told) {
    CAPTURE(asked.algorithm);
    const PlannedRequest planned(asked);
    TestRng generator(7);
    const Release run = fit(asked, table, generator, {});
    const auto ask = [&](std::optional<double> failure) {
      return people_losses(planned, run, Pieces(&table, 1), {1e-6, {}, failure}, 1, {});
    };
    const PeopleLosses people = ask(failure), without = ask({});
    CHECK(without.told_lower.empty());
    CHECK(without.told_upper.empty());
    CHECK(people.losses == without.losses);
    REQUIRE(people.told_lower.size() == (is_told ? table.count : 0));
    REQUIRE(people.told_upper.size() == people.told_lower.size());
    // In pieces it is the same table.
    std::vector<Records> pieces;
    for (const std::size_t from : {0, 5, 10})
      pieces.push_back(table.part(from, std::min<std::size_t>(5, table.count - from)));
    const PeopleLosses again = people_losses(planned, run, pieces, {1e-6, {}, failure}, 1, {});
    CHECK(again.told_lower == people.told_lower);
    CHECK(again.told_upper == people.told_upper);
    for (std::size_t i = 0; i < table.count; ++i) {
      CAPTURE(i);
      const KnownPerson known =
          known_person(planned, run, Pieces(&table, 1), table.part(i, 1), Direction::remove, failure, 1, {});
      REQUIRE(known.realised.has_value() == is_told);
      if (!is_told) continue;
      const Interval& alone = known.realised->model.loss;
      // How far a row moves a minimum, and where to, is told of all rows within a 64th; the noise is no
      // longer than 6 deviations.
      const double mu = people.moves.empty() ? 0 : people.moves[i] / run.parameters.at("sigma");
      const double loose = (mu * mu / 2 + 6 * mu) / 32;
      // What a row of zeros moves is what a refit leaves in doubt.
      CHECK(people.told_lower[i] <= alone.lower() + 1e-6 * alone.magnitude());
      CHECK(people.told_upper[i] >= alone.upper() - 1e-6 * alone.magnitude());
      CHECK(people.told_upper[i] - people.told_lower[i] <=
            (alone.upper() - alone.lower()) * (1 + 1e-12) + loose);
    }
  };
  check(request("ada-ssp", {{"sigma", 3}}), numeric, true);
  check(with_loss("output-perturbation", {{"sigma", 2}, {"lambda", 2}}, "logistic"), classes, true);
  check(with_loss(minima, {{"sigma", 3}, {"lambda", 2}}, "logistic"), classes, true);
  check(with_loss(minima, {{"sigma", 3}, {"lambda", 2}, {"gradientBound", 0.4}}, "logistic"), classes, true);
  check(with_loss(minima, {{"epsilon", 1}, {"delta", 1e-6}, {"whiten", 0.15}}, "logistic"), classes, true);
  check(request("covariance-laplace", {{"scale", 3}}), numeric, true);
  check(request("output-perturbation-ridge", {{"sigma", 3}}), numeric, true);
  check(request("posterior-sampling", {{"sigma", 9}}), numeric, true);
  check(request("adaptive-posterior-sampling", {{"epsilon", 1}, {"delta", 1e-6}}), numeric, true);
  check(request("ada-ssp", {{"sigma", 3}, {"releases", 3}}), numeric, true);
  check(request("linear-mixing", {{"epsilon", 1}, {"delta", 1e-6}}), numeric, false);
  for (const double bad : {0.0, 0.6, -1.0, std::nan(""), HUGE_VAL}) {
    const FitRequest asked = request("ada-ssp", {{"sigma", 3}});
    CHECK_THROWS_AS(people_losses(PlannedRequest(asked), Release(plan(asked)), Pieces(&numeric, 1),
                                  {1e-6, {}, bad}, 1, {}),
                    Refusal);
  }
}

TEST_CASE("a row's leverage is the same whether it is asked what came out or not") {
  Rows rows{{}, {}, 3};
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  // More than a strip, and no multiple of one.
  for (int i = 0; i < 21; ++i) {
    const double size = i == 4 ? 0 : i == 5 ? 1 : 0.2;
    rows.add(std::vector<double>{size * uniform(random), size * uniform(random), 0}, i % 2 ? 1 : -1);
  }
  const Records table = rows.records();
  for (const std::map<std::string, std::string>& texts :
       std::vector<std::map<std::string, std::string>>{{{"loss", "logistic"}}, {{"loss", "huber"}}}) {
    FitRequest asked = request("approximate-minima-perturbation", {{"epsilon", 3}, {"delta", 1e-3}});
    asked.texts = texts;
    if (texts.at("loss") == "logistic")
      asked.numbers.erase("labelBound");
    else
      asked.numbers["threshold"] = 0.4;
    CAPTURE(texts.at("loss"));
    const PlannedRequest planned(asked);
    TestRng generator(3);
    const Release run = fit(asked, table, generator, {});
    // In one piece and in several.
    std::vector<Records> parts;
    for (std::size_t i = 0; i < table.count; i += 6)
      parts.push_back(table.part(i, std::min<std::size_t>(6, table.count - i)));
    for (const Pieces& pieces : {Pieces(&table, 1), Pieces(parts)}) {
      const RowCauses alone = people_losses(planned, run, pieces, {1e-3}, 1, {}).causes,
                      told = people_losses(planned, run, pieces, {1e-3, {}, 1e-6}, 1, {}).causes;
      REQUIRE(alone.leverages.size() == table.count);
      REQUIRE(told.leverages.size() == table.count);
      for (std::size_t i = 0; i < table.count; ++i) {
        CHECK(told.leverages[i] == alone.leverages[i]);
        CHECK(told.leverages_without[i] == alone.leverages_without[i]);
        CHECK(told.misfits[i] == alone.misfits[i]);
        CHECK(told.gradients[i] == alone.gradients[i]);
      }
    }
  }
}

TEST_CASE("what a released minimum makes of each row is the same where its moves are looked for") {
  const Rows rows = random_rows(90);
  const Records table = rows.records();
  for (const double bound : {0.0, 0.4}) {
    CAPTURE(bound);
    FitRequest asked = request("output-perturbation", {{"sigma", 0.3}, {"lambda", 20}});
    asked.texts["loss"] = "logistic";
    asked.numbers.erase("labelBound");
    if (bound > 0) asked.numbers["gradientBound"] = bound;
    TestRng generator(3);
    const Release run = fit(asked, table, generator, {});
    const RowCauses alone = row_causes(asked, run, Pieces(&table, 1), {}, {}),
                    found =
                        people_losses(PlannedRequest(asked), run, Pieces(&table, 1), {1e-3}, 1, {}).causes;
    REQUIRE(alone.leverages.size() == table.count);
    CHECK(found.leverages == alone.leverages);
    CHECK(found.leverages_without == alone.leverages_without);
    CHECK(found.misfits == alone.misfits);
    CHECK(found.gradients == alone.gradients);
  }
}

TEST_CASE("a row of a table is told no less than it is told alone, whatever the algorithm") {
  Rows rows{{}, {}, 3};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  // One stands out among small ones: what is released on the way of it counts.
  rows.add(std::vector<double>{0.5, 0.1, 0}, 1);
  for (int i = 0; i < 9; ++i)
    rows.add(std::vector<double>{0.05 * uniform(random), 0.05 * uniform(random), 0.01},
             0.1 * uniform(random));
  const Records numeric = rows.records();
  std::vector<double> sides;
  for (const double label : rows.labels) sides.push_back(label < 0 ? -1 : 1);
  const Records classes{numeric.count, 3, numeric.features, sides};
  const Numbers small{{"epsilon", 1}, {"delta", 1e-6}}, large{{"epsilon", 5}, {"delta", 1e-3}};
  std::vector<std::pair<FitRequest, const Records*>> asked;
  for (const Numbers& budget : {small, large}) {
    for (const std::string name :
         {"ada-ssp", "covariance-laplace", "posterior-sampling", "output-perturbation-ridge",
          "adaptive-posterior-sampling", "linear-mixing", "gaussian-mixing", "johnson-lindenstrauss"})
      asked.emplace_back(request(name, budget), &numeric);
    Numbers tested = budget;
    tested["lambda"] = 200;
    asked.emplace_back(request("ops-ptr", tested), &numeric);
    for (const std::string name : {"output-perturbation", "approximate-minima-perturbation"}) {
      asked.emplace_back(request(name, budget), &classes);
      asked.back().first.numbers.erase("labelBound");
      asked.back().first.numbers["lambda"] = 2;
      asked.back().first.texts["loss"] = "logistic";
    }
  }
  int seen = 0;
  for (const auto& pair : asked) {
    const FitRequest& one = pair.first;
    const Records* const table = pair.second;
    CAPTURE(one.algorithm);
    CAPTURE(one.numbers.at("epsilon"));
    const double delta = one.numbers.at("delta");
    const PlannedRequest planned(one);
    TestRng generator(7);
    const Release run = fit(one, *table, generator, {});
    if (one.algorithm == "ops-ptr" && !run.holds("lambda")) continue;
    const PeopleLosses people = people_losses(planned, run, Pieces(table, 1), {delta, 3.0}, 1, {});
    for (std::size_t i = 0; i < table->count; ++i) {
      CAPTURE(i);
      const Description own =
          known_person(planned, run, Pieces(table, 1), table->part(i, 1), Direction::remove, {}, 1, {})
              .cost.description;
      const double alone = Profile(*privacy_loss(own), 1e-4).epsilon(delta).lower;
      CHECK(people.losses[i] >= std::min(alone, people.promised) * (1 - 1e-9));
      const double divergence = privacy_loss(without_failures(own).description)->renyi(3);
      CHECK(people.divergences[i] >= std::min(divergence, people.promised_divergence) * (1 - 1e-9));
      ++seen;
    }
  }
  CHECK(seen >= 200);
}

namespace {

// Of randomized response at epsilon.
double response_divergence(double epsilon, double order) {
  const double top = 1 / (1 + std::exp(-epsilon)), bottom = 1 / (1 + std::exp(epsilon));
  return std::log(top * std::exp((order - 1) * epsilon) + bottom * std::exp((1 - order) * epsilon)) /
         (order - 1);
}

Description failing(double epsilon, double delta) {
  return {"approximate", {{"epsilon", epsilon}, {"delta", delta}}, {}, {}, {}};
}

}  // namespace

TEST_CASE("what may fail leaves randomized response behind, and fails as often as any of its parts") {
  for (const double delta : {1e-300, 1e-20, 1e-6, 0.3, 1.0})
    for (const double count : {1.0, 3.0, 40.0}) {
      CAPTURE(delta);
      CAPTURE(count);
      const Description inner{"composition", {}, {}, {}, {{failing(0.25, delta), count}}};
      const Unfailing found = without_failures({"composition", {}, {}, {}, {{inner, 2}, {failing(1, 0), 1}}});
      double rest = 1;
      for (int i = 0; i < 2 * count; ++i) rest *= 1 - delta;
      const double sum = 2 * count * delta;
      CHECK(found.failure >= (delta < 1e-9 ? sum * (1 - sum) : (1 - rest) * (1 - 1e-9)));
      CHECK(found.failure <= (delta < 1e-9 ? sum : 1 - rest) * (1 + 1e-9));
      for (const double order : {1.5, 3.0, 20.0}) {
        const double truth = 2 * count * response_divergence(0.25, order) + response_divergence(1, order);
        CHECK(privacy_loss(found.description)->renyi(order) == doctest::Approx(truth).epsilon(1e-12));
      }
    }
}

// Of P = (1 - f) P' + f P'' and Q alike, delta is at most f + (1 - f) e^{(order - 1) (divergence - epsilon)}.
TEST_CASE(
    "a divergence where nothing fails, and the probability of a failure, are no less than what it costs" *
    doctest::test_suite("long")) {
  const std::map<std::string, std::map<std::string, double>> asked{
      {"posterior-sampling", {{"lambda", 20}, {"rows", 40}, {"epsilon", 1}, {"delta", 1e-6}}},
      {"output-perturbation-ridge", {{"lambda", 20}, {"rows", 40}, {"epsilon", 1}, {"delta", 1e-6}}}};
  for (const auto& [kind, numbers] : asked) {
    const std::string name = kind;
    CAPTURE(name);
    const Rows rows = random_rows(12);
    const FitRequest request = epsilometer::request(name, numbers);
    const Description everybody = plan(request).description;
    CHECK(std::isinf(privacy_loss(everybody)->renyi(3)));
    for (const double order : {1.5, 3.0, 8.0}) {
      const PeopleLosses people = losses_of(request, rows, order);
      CHECK(people.failure > 0);
      CHECK(people.failure < 1e-15);
      CHECK(std::isfinite(people.promised_divergence));
      CHECK(people.divergences.back() < people.divergences.front());
      for (const double divergence : people.divergences) CHECK(divergence <= people.promised_divergence);
      const auto loss = privacy_loss(everybody);
      for (const double epsilon : {0.1, 0.5, 1.0, 2.0}) {
        const double most = std::exp((order - 1) * (people.promised_divergence - epsilon));
        CHECK(delta(*loss, epsilon).lower <= people.failure + most);
      }
    }
  }
}

TEST_CASE("what may fail inside of something other than a composition stays there") {
  const Description sampled{"subsampled", {{"rate", 0.1}}, {}, {}, {{failing(1, 1e-6), 1}}};
  const Unfailing found = without_failures(sampled);
  CHECK(found.failure == 0);
  CHECK(found.description == sampled);
}

TEST_CASE("progress does not run back where a new piece of the table begins") {
  const Rows rows = random_rows(400);
  const Records table = rows.records();
  const std::vector<Records> pieces{table.part(0, 200), table.part(200, 200)};
  FitRequest minimum = request("approximate-minima-perturbation", {{"sigma", 3}, {"lambda", 20}});
  minimum.texts["loss"] = "logistic";
  FitRequest output = minimum;
  output.algorithm = "output-perturbation";
  for (const FitRequest& asked : {minimum, output, request("ada-ssp", {{"sigma", 3}})}) {
    CAPTURE(asked.algorithm);
    TestRng generator(7);
    double reached = 0;
    const Progress forwards = [&reached](double share) {
      CHECK(share >= reached);
      reached = share;
      return true;
    };
    people_losses(PlannedRequest(asked), fit(asked, table, generator, {}), pieces, {1e-6, {}, 1e-4}, 1,
                  forwards);
    CHECK(reached > 0.9);
  }
}

}  // namespace epsilometer::people_losses_test
