// Classic propose-test-release of a majority: whether the ones are as many as the zeros at least, with noise
// for a query that hardly moves, behind a test of how many rows it is to a table on which it moves by 1. The
// test that is printed to recover it (Redberg 2023, Section 3.5) has its two answers exchanged, and must be
// caught.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/noise/exact_sampler.h"
#include "core/noise/generator.h"
#include "core/report/questions/question.h"
#include "tests/audit/attack.h"

namespace epsilometer::tested_release_audit_test {

namespace {

constexpr double epsilon = 0.5, failure = 1e-3, proposed = 1 / 64.0;

// Steps of the noise to a row, and to the proposed sensitivity.
constexpr double steps = 64;

double laplace(TestRng& rng, double sensitivity) {
  const auto scale = static_cast<std::uint64_t>(steps / epsilon);
  return sensitivity / steps *
         static_cast<double>(exact::discrete_laplace(rng, scale, std::int64_t{1} << 60));
}

struct Test {
  double threshold;
  // Whether a large distance refuses.
  bool is_exchanged = false;
};

/// The majority with noise, or nothing, of a table with so many more ones than zeros.
std::optional<double> tested_majority(int lead, const Test& test, TestRng& rng) {
  const int distance = std::max(lead, -1 - lead);
  const bool is_far = distance + laplace(rng, 1) > test.threshold;
  if (is_far == test.is_exchanged) return std::nullopt;
  return (lead >= 0 ? 1 : 0) + laplace(rng, proposed);
}

/// By what tells most: a majority of ones that is released, or that one is at all.
Excess excess(int lead, const Test& test, const Deltas& stated, TestRng& rng) {
  // One record, a one, more or less.
  return certain_excess_both_ways(
      [&](bool with_record) {
        const auto released = tested_majority(with_record ? lead : lead - 1, test, rng);
        const bool is_told = released && (lead != 0 || *released > 0.5);
        return is_told ? HUGE_VAL : -HUGE_VAL;
      },
      stated);
}

}  // namespace

TEST_CASE(
    "a release behind a test of its distance keeps its price, and behind the printed test it does not") {
  TestRng rng(20261211);
  const double threshold =
      answer_in_numbers({"classic-test", {{"epsilon", epsilon}, {"delta", failure}}, {}, {}, {}})
          .numbers.at("threshold")
          .upper();
  const Description inside{"laplace", {{"scale", proposed / epsilon}, {"sensitivity", proposed}}, {}, {}, {}};
  const Deltas stated = deltas({"propose-test-release",
                                {{"testEpsilon", epsilon}, {"testDelta", 0}, {"failure", failure}},
                                {},
                                {{"test", "accept-reject"}},
                                {{inside, 1}}});
  for (const int lead : {0, 1, 5, 13, 20}) {
    const Excess found = excess(lead, {threshold}, stated, rng);
    CAPTURE(lead);
    CHECK(std::max(found.removing, found.adding) <= 0);
  }
  // At distance 0 it nearly always releases.
  CHECK(excess(0, {threshold, true}, stated, rng).removing > 0.9);
  // Three times as often as may be.
  CHECK(excess(0, {threshold - std::log(3) / epsilon}, stated, rng).removing > 0);
}

}  // namespace epsilometer::tested_release_audit_test
