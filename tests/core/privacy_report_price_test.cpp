// What a release costs one person: never more than everybody's price, never less than what her own record can
// do, for every algorithm.
#include "core/report/published/privacy_report_price.h"

#include <doctest/doctest.h>

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/report/personal/per_instance.h"
#include "core/report/published/privacy_report_budget.h"

namespace epsilometer::privacy_report_price_test {

namespace {

FitRequest request(const std::string& name, std::map<std::string, double> numbers,
                   const std::string& loss = "") {
  numbers.merge(std::map<std::string, double>{{"dimension", 3}, {"featureBound", 2}, {"labelBound", 4}});
  FitRequest asked{name, std::move(numbers), {}};
  if (!loss.empty()) asked.texts["loss"] = loss;
  return asked;
}

std::vector<FitRequest> all_requests() {
  return {
      request("approximate-minima-perturbation", {{"sigma", 5}, {"lambda", 2}}, "logistic"),
      request("approximate-minima-perturbation", {{"sigma", 5}, {"lambda", 2}, {"threshold", 1}}, "huber"),
      request("approximate-minima-perturbation", {{"sigma", 5}, {"lambda", 2}, {"gradientBound", 3}},
              "poisson"),
      request("output-perturbation", {{"sigma", 2}, {"lambda", 2}}, "logistic"),
      request("dp-sgd",
              {{"noiseMultiplier", 4}, {"steps", 20}, {"rate", 0.1}, {"learningRate", 1}, {"rows", 100}},
              "logistic"),
      request("ada-ssp", {{"sigma", 3}}),
      request("ada-ssp", {{"sigma", 3}, {"releases", 3}}),
      request("covariance-laplace", {{"scale", 20}}),
      request("gaussian-mixing", {{"sketchSize", 20}, {"sigma", 30}}),
      request("linear-mixing", {{"sketchSize", 20}, {"sigma", 30}}),
      request("logistic-mixing", {{"sketchSize", 20}, {"sigma", 30}}),
      request("johnson-lindenstrauss", {{"sketchSize", 20}, {"sigma", 60}, {"failure", 1e-6}}),
      request("posterior-sampling", {{"lambda", 50}, {"rows", 100}, {"sigma", 8}}),
      request("output-perturbation-ridge", {{"lambda", 50}, {"rows", 100}, {"sigma", 3}})};
}

double cost(const Description& price) { return delta(*privacy_loss(price), 0.01).upper; }

}  // namespace

TEST_CASE("nobody pays more than everybody's price, and whose record is smaller pays less") {
  for (const FitRequest& asked : all_requests()) {
    CAPTURE(asked.algorithm);
    const PlannedRequest made(asked);
    const double whole = cost(made.plan.description);
    const auto price = [&](double share) {
      // As long as any in both norms.
      const double entry = 2 / std::sqrt(3.0) * share;
      const std::vector<double> x{entry, entry, -entry};
      return own_price(made, x, 4 * share);
    };
    const auto own = [&](double share) { return cost(price(share)); };
    const double most = own(1), half = own(0.5), little = own(0.01), none = own(0);
    CHECK(most <= whole * (1 + 1e-9));
    // Her record is within a billionth of the bounds, on grids of a millionth.
    CHECK(most >= whole * (1 - 1e-4));
    CHECK(half < most);
    CHECK(little <= half);
    // Each is the upper end of an interval that may be as wide as this, of two descriptions that differ.
    CHECK(none <= little * (1 + 1e-4));
    CHECK(delta(*privacy_loss(price(0)), 0.01).lower <= little);
    CHECK(own(1e9) >= most * (1 - 1e-12));
    for (const double odd : {HUGE_VAL, -HUGE_VAL, std::nan("")})
      CHECK(cost(own_price(made, std::vector<double>{odd, 0, 0}, odd)) <= whole * (1 + 1e-9));
  }
}

TEST_CASE("a record of nothing pays for the finish only, or for nothing") {
  const std::vector<double> nothing{0, 0, 0};
  for (const FitRequest& asked : all_requests()) {
    CAPTURE(asked.algorithm);
    const Description price = own_price(PlannedRequest(asked), nothing, 0);
    const double left = delta(*privacy_loss(price), 0).upper;
    CHECK(left <= delta(*privacy_loss(plan(asked).description), 0).upper);
    const bool is_sum = asked.algorithm == "covariance-laplace" ||
                        (asked.algorithm == "ada-ssp" && !asked.numbers.contains("releases"));
    if (is_sum) CHECK(left == 0);
    if (asked.algorithm == "approximate-minima-perturbation") CHECK(left < 1e-5);
  }
}

TEST_CASE(
    "one's own price of perturbed minima and of noisy sums is that of the mechanism with her own bounds") {
  const FitRequest asked =
      request("approximate-minima-perturbation", {{"sigma", 5}, {"lambda", 2}}, "logistic");
  const PlannedRequest made(asked);
  const std::vector<double> x{0.3, 0, -0.4};
  const Description own = own_price(made, x, 1);
  CHECK(own.numbers.at("lipschitz") >= 0.5);
  CHECK(own.numbers.at("lipschitz") <= 0.5 * (1 + 1e-8));
  CHECK(own.numbers.at("smoothness") >= 0.25 / 4);
  CHECK(own.numbers.at("smoothness") <= 0.25 / 4 * (1 + 1e-8));
  CHECK(own.numbers.at("outputSigma") == made.plan.description.numbers.at("outputSigma"));
  // Poisson: where |f'| <= c the mean is at most y + c.
  const FitRequest counts = request("approximate-minima-perturbation",
                                    {{"sigma", 5}, {"lambda", 2}, {"gradientBound", 3}}, "poisson");
  const Description rare = own_price(PlannedRequest(counts), x, 1);
  CHECK(rare.numbers.at("lipschitz") == plan(counts).description.numbers.at("lipschitz"));
  CHECK(std::abs(rare.numbers.at("smoothness") - (1 + 3 / 0.5) * 0.25) <= 1e-7);
  // mu^2 = |x|^4 / (2 s^2) + |x|^2 y^2 / t^2 with s = 3 C_X^2 / sqrt(2), t = 3 C_X C_Y.
  const FitRequest sums = request("ada-ssp", {{"sigma", 3}});
  const double mu = *privacy_loss(own_price(PlannedRequest(sums), x, 2))->gaussian();
  const double expected = std::hypot(0.25 / 12, 0.5 * 2 / 24);
  // Truncation to the grid takes less than a step, 2^-19, of each number.
  CHECK(mu >= expected * (1 - 2e-5));
  CHECK(mu <= expected * (1 + 1e-4));
  const auto told_by = [&](const FitRequest& run, const Description& cost) {
    const auto bound = own_realised_bound(PlannedRequest(run), {1e-6});
    return bound ? std::optional(bound->of(cost)) : std::nullopt;
  };
  const auto bound = told_by(sums, own_price(PlannedRequest(sums), x, 2));
  REQUIRE(bound);
  CHECK(std::abs(bound->size() - mu * (mu / 2 + upper_quantile(5e-7))) <= 1e-3 * bound->size());
  CHECK_FALSE(told_by(asked, own));
  // Sums that she does not move tell nothing.
  const double of_matrix = told_by(sums, own_price(PlannedRequest(sums), x, 0))->size();
  CHECK(of_matrix > 0);
  CHECK(of_matrix < bound->size());
  CHECK(told_by(sums, own_price(PlannedRequest(sums), std::vector<double>{0, 0, 0}, 2))->size() <= 1e-300);
}

TEST_CASE(
    "what is promised to all rows of a table is as large as what is promised to each with their share") {
  const std::vector<double> x{0.3, 0, -0.4};
  int bounded = 0;
  for (const FitRequest& asked : all_requests()) {
    CAPTURE(asked.algorithm);
    const PlannedRequest made(asked);
    const Description own = own_price(made, x, 1);
    const auto size = [&](double failure, const Audience& audience) {
      const auto bound = own_realised_bound(made, {failure, audience});
      return bound ? bound->of(own).size() : -1;
    };
    if (size(1e-6, {Audience::Kind::one}) < 0) continue;
    ++bounded;
    for (const double rows : {1.0, 20.0, 10'000.0}) {
      CHECK(size(0.05, {Audience::Kind::fixed, rows}) == size(0.05 / rows, {Audience::Kind::one}));
      if (rows > 1) CHECK(size(0.05, {Audience::Kind::fixed, rows}) > size(0.05, {Audience::Kind::one}));
    }
    for (const double failure : {0.5, 0.05, 1e-6, 1e-40})
      CHECK(size(failure, {Audience::Kind::all}) > size(failure, {Audience::Kind::one}));
  }
  CHECK(bounded >= 2);
}

TEST_CASE("what holds for whatever row is chosen afterwards covers the one that the noise speaks of most") {
  // |Z|^2 of so many standard normal numbers: Boost's own tail of the chi-square law.
  for (const std::size_t dimension : {1, 2, 3, 10, 66, 1325, 20'000})
    for (const double failure : {0.5, 0.05, 1e-3, 1e-9, 1e-40, 1e-200}) {
      CAPTURE(dimension);
      CAPTURE(failure);
      const double length = length_quantile(dimension, failure);
      CHECK(boost::math::gamma_q(static_cast<double>(dimension) / 2, length * length / 2) <= failure);
    }
  // Of sums the noise is that of a matrix and of a vector; a row that may move either moves both together.
  const std::vector<double> x{0.3, 0, -0.4};
  struct Case {
    FitRequest asked;
    /** How many normal numbers the noise is. */
    int numbers;
  };
  for (const Case& each :
       {Case{request("ada-ssp", {{"sigma", 3}}), 9},
        Case{request("output-perturbation", {{"sigma", 2}, {"lambda", 2}}, "logistic"), 3}}) {
    CAPTURE(each.asked.algorithm);
    const PlannedRequest made(each.asked);
    const Description own = own_price(made, x, 1);
    const double mu = *privacy_loss(own)->gaussian();
    const double size = own_realised_bound(made, {1e-6, {Audience::Kind::all}})->of(own).size();
    // The smallest length that is exceeded as rarely.
    const double least = std::sqrt(2 * boost::math::gamma_q_inv(each.numbers / 2.0, 1e-6));
    CHECK(size >= mu * (mu / 2 + least));
    CHECK(size <= mu * (mu / 2 + least + std::sqrt(static_cast<double>(each.numbers))) * 1.001);
  }
}

TEST_CASE("no row of a table pays more than it is told without the table") {
  const std::vector<double> features{1.2,  0,    -1.6, 0.5, 0.25, 0.125, 0.1, -0.7, 0.3,
                                     -0.4, 1.25, 0.5,  0,   0,    0.01,  0,   0,    0};
  const std::vector<double> labels{4, -3, 0.5, 1, -4, 2};
  const Records table{labels.size(), 3, features, labels};
  for (const FitRequest& asked : all_requests()) {
    CAPTURE(asked.algorithm);
    const PlannedRequest made(asked);
    // Along a path that nobody knows, and where the noise follows from what is released, there is no other
    // price.
    if (asked.algorithm == "dp-sgd" || asked.algorithm == "johnson-lindenstrauss") continue;
    const PersonalCosts costs(made, Release(made.plan), Pieces(&table, 1));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const double own = cost(own_price(made, table.row(i), labels[i]));
      for (const Direction direction : {Direction::remove, Direction::add})
        CHECK(cost(costs.of(table.row(i), labels[i], direction).description) <= own * (1 + 1e-9) + 1e-300);
    }
  }
}

TEST_CASE("a record that may be replaced pays for whatever takes its place") {
  FitRequest asked = request("output-perturbation", {{"sigma", 2}, {"lambda", 2}}, "logistic");
  asked.texts["neighbours"] = "replace";
  const PlannedRequest made(asked);
  const Description own = own_price(made, std::vector<double>{0.6, 0, -0.8}, 1);
  CHECK(own.texts.at("neighbours") == "replace");
  // Half as long a gradient as any, and one of any length: 3 / 4 of two of any length.
  const double share = own.numbers.at("sensitivity") / made.plan.description.numbers.at("sensitivity");
  CHECK(share >= 0.75 * (1 - 1e-12));
  CHECK(share <= 0.75 * (1 + 1e-6));
}

TEST_CASE("algorithms without a report are refused by name") {
  const auto refusal = [](const auto& asking) {
    try {
      asking();
    } catch (const Refusal& found) {
      return found.field + " " + found.value;
    }
    return std::string("accepted");
  };
  const std::vector<double> x{1, 0, 0};
  const FitRequest adaptive =
      request("adaptive-posterior-sampling",
              {{"sigma", 5}, {"sampleEpsilon", 1}, {"sampleDelta", 1e-6}, {"failure", 1e-6}});
  CHECK(refusal([&] { own_price(PlannedRequest(adaptive), x, 1); }) ==
        "algorithm adaptive-posterior-sampling");
  CHECK(refusal([&] { own_price(PlannedRequest(request("none", {})), x, 1); }) == "algorithm none");
  for (const FitRequest& asked : all_requests())
    if (asked.algorithm != "approximate-minima-perturbation")
      CHECK(refusal([&] { reported_model(asked, plan(asked)); }) == "algorithm " + asked.algorithm);
}

TEST_CASE("a budget is shared between the model and its report, and kept") {
  const FitRequest asked{"approximate-minima-perturbation",
                         {{"epsilon", 1}, {"delta", 1e-6}, {"featureBound", 1}, {"dimension", 5}},
                         {}};
  const std::vector<double> shares{0, 0.1, 0.5, 0.9};
  for (const bool eigenvalue : {false, true}) {
    const auto curve = report_curve(asked, shares, eigenvalue, {5000, 0.2}, {1e-6});
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const ReportSplit& split = curve[i];
      CAPTURE(split.share);
      CHECK(split.epsilon.upper <= 1);
      CHECK(split.epsilon.upper > 0.99);
      CHECK(delta(*privacy_loss(split.price), 1).upper <= 1e-6);
      if (i == 0) {
        CHECK(split.with.size() == split.without.size());
        continue;
      }
      // More for the report: a noisier model that tells less, more precise material that costs more.
      const double sigma = split.plan.parameters.at("sigma");
      CHECK(sigma > curve[i - 1].plan.parameters.at("sigma"));
      CHECK(split.without.size() < curve[i - 1].without.size());
      CHECK(split.with.model.size() < split.without.model.size());
      CHECK(split.with.material > curve[i - 1].with.material);
    }
  }
  CHECK_THROWS_AS(report_split(asked, 1, false, {10, 0.2}, {1e-6}), Refusal);
  CHECK_THROWS_AS(report_split(asked, 0.5, false, {10, 1.0}, {1e-6}), Refusal);
  FitRequest more = asked;
  more.numbers["unitRows"] = 3;
  CHECK_THROWS_AS(report_split(more, 0.5, false, {10, 0.2}, {1e-6}), Refusal);
  more = asked;
  more.algorithm = "dp-sgd";
  CHECK_THROWS_AS(report_split(more, 0.5, false, {10, 0.2}, {1e-6}), Refusal);
}

}  // namespace epsilometer::privacy_report_price_test
