// What every accountant claims, and what a calibrated value costs: where an answer is an interval, the end
// that can be stood for.
#include "core/accounting/compare.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "tests/core/descriptions.h"

using namespace epsilometer;

namespace {

// More of them take seconds to calibrate, and are asked no other question.
const Description ranges = repeated(one("exponential", {{"epsilon", 0.1}}), 30);
const Description without_replacement =
    repeated(sampled("without-replacement", 0.01, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}})), 100);
const Description objective =
    one("objective-perturbation", {{"sigma", 4}, {"lambda", 10}, {"lipschitz", 1}, {"smoothness", 1}});

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
  const Bounds published = epsilon(*loss->published(), delta), member = epsilon(*witness_of(*loss), delta);
  REQUIRE(published.lower < published.upper);
  REQUIRE(member.lower < member.upper);
  REQUIRE(row(stated, "published"));
  REQUIRE(row(stated, "lower-bound"));
  CHECK(row(stated, "published")->claimed == published.upper);
  CHECK(row(stated, "lower-bound")->claimed == member.lower);
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

TEST_CASE("what a chain of records says of a group is a bound, and of few samples it is certified") {
  const Description sample = sampled("poisson", 0.1, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}}));
  const auto samples = privacy_loss(repeated(sample, 10));
  CHECK(GroupPrivacy(samples, 1, 1e-4).certainty() == Certainty::certified);
  CHECK(GroupPrivacy(samples, 3, 1e-4).certainty() == Certainty::certified);
  CHECK(GroupPrivacy(samples, 17, 1e-4).certainty() == Certainty::bound);
  const auto laplace = privacy_loss(one("laplace", {{"scale", 1}, {"sensitivity", 1}}));
  CHECK(GroupPrivacy(laplace, 1, 1e-4).certainty() == Certainty::exact);
  CHECK(GroupPrivacy(laplace, 2, 1e-4).certainty() == Certainty::bound);
  // A supremum over pairs that is known closely, and one that is not.
  CHECK(Profile(*privacy_loss(objective)).certainty() == Certainty::certified);
  Description finished = objective;
  finished.kind = "approximate-minima-perturbation";
  finished.numbers["gradientTolerance"] = 1e-6, finished.numbers["outputSigma"] = 0.05;
  CHECK(Profile(*privacy_loss(finished)).certainty() == Certainty::bound);
}
