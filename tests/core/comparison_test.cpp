// What every accountant claims, and what a calibrated value costs: where an answer is an interval, the end
// that can be stood for.
#include "core/accounting/compare.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "tests/core/descriptions.h"

namespace epsilometer::comparison_test {

namespace {

// More of them take seconds to calibrate, and are asked no other question.
const Description ranges = repeated(one("exponential", {{"epsilon", 0.1}}), 30);
const Description without_replacement =
    repeated(sampled("without-replacement", 0.01, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}})), 100);
const Description objective =
    one("objective-perturbation", {{"sigma", 4}, {"lambda", 10}, {"lipschitz", 1}, {"smoothness", 1}});

Description best_of(double mu, double runs, const char* stopping = "geometric") {
  return {
      "private-selection", {{"runs", runs}}, {}, {{"stopping", stopping}}, {{one("gdp", {{"mu", mu}}), 1}}};
}

const Comparison* row(const std::vector<Comparison>& rows, const char* accountant) {
  for (const Comparison& found : rows)
    if (found.accountant == accountant) return &found;
  return nullptr;
}

}  // namespace

TEST_CASE("an accountant claims the upper end, and a floor the lower one") {
  const double delta = 1e-5;
  const auto certified = compare(ranges, delta);
  const Bounds wide = epsilon(*privacy_loss(ranges), delta);
  // Wide enough to tell its ends apart.
  REQUIRE(wide.lower < wide.upper * (1 - 1e-9));
  REQUIRE(row(certified, "exact"));
  CHECK(row(certified, "exact")->claimed == wide.upper);
  CHECK(!row(compare(without_replacement, delta), "exact"));
  const auto loss = privacy_loss(objective);
  const auto stated = compare(objective, delta);
  const Bounds published = epsilon(*loss->published().loss, delta),
               member = epsilon(*witness_of(*loss), delta);
  REQUIRE(published.lower < published.upper);
  REQUIRE(member.lower < member.upper);
  REQUIRE(row(stated, "published"));
  REQUIRE(row(stated, "lower-bound"));
  CHECK(row(stated, "published")->claimed == published.upper);
  CHECK(row(stated, "lower-bound")->claimed == member.lower);
}

TEST_CASE("of the best of several runs, two theorems claim what they say, and more than is answered") {
  // Printed by tests/reference/selection_claims.py.
  const struct {
    double mu, runs, delta, one_point, orders;
  } all[] = {
      {0.1, 10, 1e-6, 2.3901003800811733, 0.89807764074758594},
      {0.1, 10, 1e-3, 1.7674917949254582, 0.73151045749453086},
      {0.1, 600, 1e-6, 2.6750898124015473, 1.261344451077399},
      {0.1, 600, 1e-3, 2.1320212861785321, 1.1237427199792125},
      {0.3, 10, 1e-6, 7.3780260812628464, 2.7284689119147682},
      {0.3, 10, 1e-3, 5.5465891497179138, 2.2562383192559656},
      {0.3, 600, 1e-6, 8.2213621590242175, 3.810236930739514},
      {0.3, 600, 1e-3, 6.6166672407138852, 3.4134555368552116},
      {1, 10, 1e-6, 26.048641443902093, 8.9627908880474648},
      {1, 10, 1e-3, 20.057790087672186, 7.467800855019458},
      {1, 600, 1e-6, 28.822182255687782, 12.543812463202189},
      {1, 600, 1e-3, 23.551714525915884, 11.270044771818093},
  };
  for (const auto& known : all) {
    CAPTURE(known.mu);
    CAPTURE(known.runs);
    CAPTURE(known.delta);
    const auto rows = compare(best_of(known.mu, known.runs), known.delta);
    const Comparison *point = row(rows, "published"), *orders = row(rows, "renyi");
    REQUIRE(point);
    REQUIRE(orders);
    CHECK(point->source.starts_with("Liu and Talwar 2019"));
    CHECK(orders->source == "Papernot and Steinke 2022, Theorem 2");
    // To the digits that are printed from below, and from above to what an inverted profile loses.
    CHECK(point->claimed >= known.one_point * (1 - 1e-15));
    CHECK(point->claimed <= known.one_point * (1 + 1e-12));
    CHECK(orders->claimed >= known.orders * (1 - 1e-15));
    CHECK(orders->claimed <= known.orders * (1 + 1e-12));
    CHECK(point->actual.upper < orders->claimed);
    CHECK(orders->claimed < point->claimed);
    CHECK(!point->broken);
  }
}

TEST_CASE("a theorem about the best of several runs is told where it holds") {
  const auto claimed = [](const Description& description, const char* accountant, double delta = 1e-6) {
    const auto rows = compare(description, delta);
    const Comparison* found = row(rows, accountant);
    return found ? found->claimed : -1;
  };
  CHECK(claimed(best_of(0.3, 10, "logarithmic"), "published") == -1);
  CHECK(claimed(best_of(0.3, 10, "poisson"), "published") == -1);
  Description shaped = best_of(0.3, 10, "negative-binomial");
  shaped.numbers["shape"] = 1;
  CHECK(claimed(shaped, "published") == claimed(best_of(0.3, 10), "published"));
  shaped.numbers["shape"] = 0.999;
  CHECK(claimed(shaped, "published") == -1);
  const auto poisson = compare(best_of(0.3, 10, "poisson"), 1e-6);
  CHECK(row(poisson, "renyi")->source == "Papernot and Steinke 2022, Theorem 6");
  CHECK(row(compare(one("gdp", {{"mu", 1}}), 1e-6), "renyi")->source.empty());
  // Of pure runs three times their epsilon, whatever delta is.
  Description pure = best_of(0.3, 1000);
  pure.parts[0].mechanism = one("pure", {{"epsilon", 0.25}});
  for (const double delta : {1e-200, 1e-6, 0.5})
    CHECK(claimed(pure, "published", delta) == doctest::Approx(0.75).epsilon(1e-13));
  // What is released many times inside of it has no profile in closed form.
  Description steps = best_of(0.3, 10);
  steps.parts[0].mechanism = repeated(one("laplace", {{"scale", 50}, {"sensitivity", 1}}), 20);
  CHECK(claimed(steps, "published") > epsilon(*privacy_loss(steps), 1e-6).upper);
  // With a parameter to be found, each finds its own.
  const Parameter noise{"mu", 1e-3, 10, false, false, Place{{0}, "mu"}};
  const auto chosen = compare(best_of(0.3, 10), noise, {1, 1e-6});
  REQUIRE(row(chosen, "published"));
  CHECK(*row(chosen, "published")->value < *row(chosen, "renyi")->value);
  CHECK(claimed(best_of(*row(chosen, "published")->value, 10), "published") <= 1);
}

TEST_CASE("a promise is said to be broken exactly where the cost is certainly above it") {
  const auto textbook = [](double sigma) {
    const auto rows = compare(one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}), 1e-5);
    return *row(rows, "textbook");
  };
  // mu^2/2 + mu z outgrows mu z' as mu grows.
  CHECK(textbook(0.1).broken);
  CHECK(textbook(0.1).claimed < textbook(0.1).actual.lower);
  CHECK(!textbook(5).broken);
  CHECK(textbook(5).claimed > textbook(5).actual.upper);
}

TEST_CASE("a value keeps its promise by the upper end, and costs what the upper end says") {
  struct Case {
    Description description;
    Parameter parameter;
  };
  for (const Case& asked :
       {Case{ranges, {"epsilon", 1e-3, 10, false, false, Place{{0}, "epsilon"}}},
        {without_replacement, {"sigma", 0.1, 100, false, true, Place{{0, 0}, "sigma"}}}}) {
    CAPTURE(asked.parameter.name);
    const Target target{0.9, 1e-5};
    const Calibrated found = calibrate(asked.description, asked.parameter, target);
    const auto loss = loss_with(asked.description, asked.parameter, found.value);
    const Profile coarse(*loss, 3e-3);
    CHECK(coarse.delta(target.epsilon).lower < target.delta * (1 - 1e-6));
    CHECK(std::min(Profile(*loss, 1e-4).delta(target.epsilon).upper, coarse.delta(target.epsilon).upper) <=
          target.delta);
    const Bounds cost = epsilon(*loss, target.delta);
    REQUIRE(cost.lower < cost.upper * (1 - 1e-6));
    CHECK(found.epsilon.lower == std::min(cost.lower, target.epsilon));
    CHECK(found.epsilon.upper == std::min(cost.upper, target.epsilon));
    CHECK(found.epsilon.lower < found.epsilon.upper);
  }
}

TEST_CASE(
    "what a chain of records says of a group is a bound, of few samples it is certified, of moved noise "
    "exact") {
  const Description sample = sampled("poisson", 0.1, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}}));
  const auto samples = privacy_loss(repeated(sample, 10));
  CHECK(GroupPrivacy(samples, 1, 1e-4).certainty() == Certainty::certified);
  CHECK(GroupPrivacy(samples, 3, 1e-4).certainty() == Certainty::certified);
  CHECK(GroupPrivacy(samples, 17, 1e-4).certainty() == Certainty::bound);
  const auto laplace = privacy_loss(one("laplace", {{"scale", 1}, {"sensitivity", 1}}));
  CHECK(GroupPrivacy(laplace, 1, 1e-4).certainty() == Certainty::exact);
  CHECK(GroupPrivacy(laplace, 2, 1e-4).certainty() == Certainty::exact);
  const auto pure = privacy_loss(one("pure", {{"epsilon", 1}}));
  CHECK(GroupPrivacy(pure, 1, 1e-4).certainty() == Certainty::exact);
  CHECK(GroupPrivacy(pure, 2, 1e-4).certainty() == Certainty::bound);
  // A supremum over pairs that is known closely, and one that is not.
  CHECK(Profile(*privacy_loss(objective)).certainty() == Certainty::certified);
  Description finished = objective;
  finished.kind = "approximate-minima-perturbation";
  finished.numbers["gradientTolerance"] = 1e-6, finished.numbers["outputSigma"] = 0.05;
  CHECK(Profile(*privacy_loss(finished)).certainty() == Certainty::bound);
}

}  // namespace epsilometer::comparison_test
