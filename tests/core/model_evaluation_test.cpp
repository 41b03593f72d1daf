// Evaluations of models: where a row is counted, what that costs, and how it is bounded.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/algorithm.h"
#include "core/release/price.h"

namespace epsilometer::model_evaluation_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

FitRequest asked(std::map<std::string, double> numbers, std::map<std::string, std::string> texts = {}) {
  numbers.insert({"dimension", numbers.contains("classes") && numbers.contains("bins") ? 2 : 1});
  return {"model-evaluation", std::move(numbers), std::move(texts)};
}

std::vector<double> told(const FitRequest& request, const std::vector<double>& scores,
                         const std::vector<double>& labels) {
  TestRng rng(20261201);
  const Release release = fit(request, Records{labels.size(), 1, scores, labels}, rng, {});
  return release.outputs.at(0).values;
}

double mu(const FitRequest& request) { return *privacy_loss(plan(request).description)->gaussian(); }

}  // namespace

TEST_CASE("a row is counted once, in the bin of its score and the row of its class") {
  const FitRequest request = asked({{"bins", 4}, {"sigma", 1e-3}});
  const double below = std::nextafter(0.25, 0);
  const std::vector<double> scores{0, 0.25, below, 1, 0.75, -3, 7, NAN, infinite, -infinite, 1e300};
  const std::vector<double> labels{-1, 1, 1, -1, 1, 1, -1, -1, 1, -1, 1};
  const std::vector<double> counts = told(request, scores, labels);
  const std::vector<double> truth{3, 0, 0, 2, 2, 1, 0, 3};
  REQUIRE(counts.size() == truth.size());
  for (std::size_t cell = 0; cell < truth.size(); ++cell) CHECK(std::abs(counts[cell] - truth[cell]) < 0.01);
}

TEST_CASE("a row of several classes is counted once, by its class and the one that the model says") {
  const FitRequest request = asked({{"classes", 3}, {"sigma", 1e-3}}, {{"measured", "confusion"}});
  const std::vector<double> counts =
      told(request, {0, 1, 2, 2, 1, NAN, 9, -1}, {0, 0, 1, 2, 2, 2, NAN, infinite});
  const std::vector<double> truth{1, 1, 1, 0, 0, 1, 2, 1, 1};
  REQUIRE(counts.size() == truth.size());
  for (std::size_t cell = 0; cell < truth.size(); ++cell) CHECK(std::abs(counts[cell] - truth[cell]) < 0.01);
  for (const double sigma : {1e-3, 5.0, 1e8})
    for (const double classes : {2.0, 3.0, 100.0}) {
      const std::map<std::string, double> numbers{{"classes", classes}, {"sigma", sigma}};
      CHECK(std::abs(mu(asked(numbers, {{"measured", "confusion"}})) * sigma - 1) < 0x1p-18);
      const double moved = mu(asked(numbers, {{"measured", "confusion"}, {"neighbours", "replace"}})) * sigma;
      CHECK(std::abs(moved / std::sqrt(2.0) - 1) < 0x1p-18);
    }
  CHECK_THROWS_AS(plan(asked({{"classes", 3}, {"sigma", 1}})), Refusal);
  CHECK_THROWS_AS(plan(asked({{"sigma", 1}}, {{"measured", "confusion"}})), Refusal);
}

TEST_CASE(
    "a row of several classes is counted a second time in the bin of its probability, told right or wrong") {
  const FitRequest request =
      asked({{"classes", 3}, {"bins", 4}, {"sigma", 1e-3}}, {{"measured", "confusion"}});
  // What is said, and how likely, one row after the other.
  const std::vector<double> told{0, 0, 1, 0.25, 2, std::nextafter(0.25, 0), 2, 1, 1, NAN, 0, infinite};
  const std::vector<double> labels{0, 1, 2, 1, 0, 0};
  TestRng rng(20261127);
  const Release release = fit(request, Records{labels.size(), 2, told, labels}, rng, {});
  const std::vector<double> confusion{2, 1, 0, 0, 1, 1, 0, 0, 1}, reliability{1, 0, 0, 1, 2, 1, 0, 1};
  for (const auto& [name, truth] :
       {std::pair("histogram", confusion), std::pair("reliability", reliability)}) {
    const std::vector<double>& counts = release.values(name);
    REQUIRE(counts.size() == truth.size());
    for (std::size_t cell = 0; cell < truth.size(); ++cell)
      CHECK(std::abs(counts[cell] - truth[cell]) < 0.01);
  }
}

// The noise is rounded up to 2^20 steps at least, of which the guarantee takes off a few.
TEST_CASE("what two histograms cost is what a row moves both of them together") {
  for (const double sigma : {1e-3, 5.0, 1e8})
    for (const double bins : {2.0, 10.0, 1000.0})
      for (const auto& [neighbours, moved] :
           {std::pair("add-remove", std::sqrt(2.0)), std::pair("replace", 2.0)}) {
        CAPTURE(sigma);
        const FitRequest both = asked({{"classes", 3}, {"bins", bins}, {"sigma", sigma}},
                                      {{"measured", "confusion"}, {"neighbours", neighbours}});
        CHECK(mu(both) * sigma >= moved * (1 - 0x1p-18));
        CHECK(mu(both) * sigma <= moved * (1 + 0x1p-18));
      }
}

TEST_CASE("errors of numbers are clipped at their bound, whatever they are") {
  const FitRequest request = asked({{"sigma", 1e-3}}, {{"measured", "numbers"}});
  const std::vector<double> sums = told(request, {0.5, -0.5, 2, -infinite, NAN, 0}, std::vector<double>(6));
  CHECK(std::abs(sums.at(0) - 6) < 0.01);
  CHECK(std::abs(sums.at(1) - 2.5) < 0.01);
  CHECK(std::abs(sums.at(2) - 3) < 0.01);
}

// The noise is rounded up to 2^20 steps at least, of which the guarantee takes off a few.
TEST_CASE("the price is that of one Gaussian release of as much as a record moves") {
  for (const double sigma : {1e-3, 0.7, 5.0, 300.0, 1e8})
    for (const double bins : {2.0, 20.0, 1000.0}) {
      CAPTURE(sigma);
      CHECK(std::abs(mu(asked({{"bins", bins}, {"sigma", sigma}})) * sigma - 1) < 0x1p-18);
      const FitRequest replaced = asked({{"bins", bins}, {"sigma", sigma}}, {{"neighbours", "replace"}});
      CHECK(std::abs(mu(replaced) * sigma / std::sqrt(2.0) - 1) < 0x1p-18);
      CHECK(plan(replaced).neighbours == "replace");
      for (const char* neighbours : {"add-remove", "replace"}) {
        const FitRequest numbers =
            asked({{"sigma", sigma}}, {{"measured", "numbers"}, {"neighbours", neighbours}});
        CHECK(std::abs(mu(numbers) * sigma / std::sqrt(3.0) - 1) < 0x1p-18);
        CHECK(mu(numbers) * sigma >= std::sqrt(3.0) * (1 - 0x1p-18));
      }
    }
}

TEST_CASE("a budget is kept for all rows of a person, at m times the noise of one row") {
  const auto sigma = [](double rows) {
    return plan(asked({{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", rows}})).parameters.at("sigma");
  };
  CHECK(std::abs(sigma(5) / sigma(1) / 5 - 1) < 1e-6);
  const Plan planned = plan(asked({{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", 5}}));
  CHECK(price(planned.description, {1, 1e-6, 5}).epsilon.upper <= 1);
}

TEST_CASE("what an evaluation cannot be asked is refused by name") {
  const auto field = [](const FitRequest& request) {
    try {
      plan(request);
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return std::string("nothing");
  };
  CHECK(field(asked({{"bins", 1}, {"sigma", 1}})) == "bins");
  CHECK(field(asked({{"bins", 1001}, {"sigma", 1}})) == "bins");
  CHECK(field(asked({{"bins", 2.5}, {"sigma", 1}})) == "bins");
  CHECK(field(asked({{"bins", 20}, {"sigma", 1}}, {{"measured", "numbers"}})) == "bins");
  CHECK(field(asked({{"sigma", 1}, {"epsilon", 1}, {"delta", 1e-6}})) == "sigma");
  CHECK(field(asked({{"epsilon", 1}, {"delta", 0}})) == "delta");
  CHECK(field(asked({{"sigma", 1}}, {{"neighbours", "zero-out"}})) == "neighbours");
  CHECK(field(asked({{"epsilon", 1}, {"delta", 1e-6}}, {{"accounting", "paper"}})) == "accounting");
  CHECK(field({"model-evaluation", {{"dimension", 2}, {"sigma", 1}}, {}}) == "dimension");
  CHECK(field({"model-evaluation",
               {{"dimension", 1}, {"classes", 3}, {"bins", 3}, {"sigma", 1}},
               {{"measured", "confusion"}}}) == "dimension");
  CHECK(field(asked({{"classes", 3}, {"bins", 1}, {"sigma", 1}}, {{"measured", "confusion"}})) == "bins");
}

}  // namespace epsilometer::model_evaluation_test
