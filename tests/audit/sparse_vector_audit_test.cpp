// Attacks on sparse vectors: streams of queries that move by 1 between two tables, and one pattern of answers
// that tells them best. The published variants that are not private (Lyu, Su and Li 2017, Algorithms 3 to 6)
// must be caught at the epsilon that they claim, by streams that the variant at the stated price withstands.
#include <doctest/doctest.h>

#include <optional>

#include "core/noise/exact_sampler.h"
#include "core/noise/finish.h"
#include "core/release/above_threshold.h"
#include "tests/audit/attack.h"

namespace epsilometer::sparse_vector_audit_test {

namespace {

// Discrete Laplace noise on a grid of so many steps to a query's sensitivity costs as much as Laplace noise.
constexpr int steps_per_unit = 64;

std::int64_t laplace(TestRng& rng, double scale) {
  if (scale == 0) return 0;
  return exact::discrete_laplace(rng, static_cast<std::uint64_t>(std::ceil(scale * steps_per_unit)),
                                 std::int64_t{1} << 60);
}

struct Variant {
  double threshold_scale, query_scale;
  // What the last answer tells besides: the query with the noise that was held against the threshold.
  bool tells_value = false;
};

struct Stream {
  std::vector<int> with, without;
  // Whether each is above.
  std::vector<bool> pattern;
};

/// Whether the answers are those of the pattern and the last value, where it is told, is at most 0. How many
/// are above before the variant ends is no part of it: the pattern has no more.
Run answers(const Variant& variant, const Stream& stream, TestRng& rng) {
  return [&variant, &stream, &rng](bool with_record) {
    const std::vector<int>& queries = with_record ? stream.with : stream.without;
    const std::int64_t threshold = laplace(rng, variant.threshold_scale);
    std::int64_t value = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      value = queries[i] * steps_per_unit + laplace(rng, variant.query_scale);
      if ((value >= threshold) != stream.pattern[i]) return 0.0;
    }
    return variant.tells_value && value > 0 ? 0.0 : 1.0;
  };
}

double excess(const Run& run, std::size_t count, const Deltas& stated) {
  // One after the other, so that the draws do not depend on the compiler.
  const std::vector<double> with = many(run, true, count), without = many(run, false, count);
  return certain_excess(
      with, without, [](double) { return 0.5; }, stated);
}

std::vector<int> repeated(std::initializer_list<std::pair<int, std::size_t>> parts) {
  std::vector<int> all;
  for (const auto& [value, times] : parts) all.insert(all.end(), times, value);
  return all;
}

// First below, then above.
std::vector<bool> pattern(std::size_t below, std::size_t above) {
  std::vector<bool> all(below + above);
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(below), all.end(), true);
  return all;
}

}  // namespace

TEST_CASE("published variants of sparse vectors are caught at what they claim, and what is stated is kept") {
  struct Case {
    const char* fault;
    double epsilon, answers;
    Variant broken, right;
    Stream stream;
    // Patterns are rare, and most runs leave theirs after an answer or two.
    std::size_t runs = 200'000;
  };
  // All queries move the same way, or those below one way and those above the other.
  const Stream last_above = {repeated({{0, 10}, {1, 1}}), repeated({{1, 10}, {0, 1}}), pattern(10, 1)},
               four_above = {repeated({{0, 8}}), repeated({{1, 4}, {-1, 4}}), pattern(4, 4)};
  const Case cases[] = {
      // Algorithm 3 (Roth 2011), whose scale lacks the factor 2 as well: here it has it.
      {"the value above is told with the same noise",
       2,
       1,
       {2, 4 / 3.0, true},
       {2, 4 / 3.0},
       {repeated({{0, 4}}), repeated({{1, 4}}), pattern(3, 1)},
       1'000'000},
      // Algorithm 4 (Lee and Clifton 2014): a quarter of epsilon for the threshold.
      {"noise of queries that does not grow with the answers", 1, 4, {4, 4 / 3.0}, {4, 32 / 3.0}, four_above},
      // Algorithm 5 (Stoddard, Chen and Machanavajjhala 2014).
      {"no noise of queries", 1, 1, {2, 0}, {2, 4}, {{0, 1}, {1, 0}, pattern(1, 1)}},
      // Algorithm 6 (Chen, Xiao, Zhang and Xu 2015): noise for one answer, and no end.
      {"any number of answers above", 1, 4, {2, 2}, {2, 16}, four_above},
      {"no noise of the threshold",
       1,
       1,
       {0, 4},
       {2, 4},
       {repeated({{0, 10}}), repeated({{1, 10}}), pattern(10, 0)},
       2'000'000},
      {"half the noise of queries", 1, 1, {2, 2}, {2, 4}, last_above},
      {"a fifth less noise", 1, 1, {1.6, 3.2}, {2, 4}, last_above, 1'000'000},
  };
  TestRng rng(20261126);
  for (const Case& one : cases) {
    const std::string fault = one.fault;
    CAPTURE(fault);
    const Description description{"sparse-vector",
                                  {{"thresholdScale", one.right.threshold_scale},
                                   {"queryScale", one.right.query_scale},
                                   {"answers", one.answers},
                                   {"sensitivity", 1}},
                                  {},
                                  {{"queries", "any"}},
                                  {}};
    // What is stated is what the variant claims.
    CHECK(privacy_loss(description)->largest_loss() == doctest::Approx(one.epsilon).epsilon(1e-12));
    const Deltas stated = deltas(description);
    CHECK(excess(answers(one.right, one.stream, rng), one.runs, stated) <= 0);
    CHECK(excess(answers(one.broken, one.stream, rng), one.runs, stated) > 0);
  }
}

// The one that tests of accuracy run. With the record all values are at its threshold; without it the first
// half is nearer to being above, and the second further from it.
TEST_CASE(
    "a test against one threshold keeps its epsilon, and going on or a new threshold each time does not") {
  const AboveThreshold test(1, 0, 24, 4, 0.05, 24);
  const Deltas stated = deltas(Description{"pure", {{"epsilon", test.epsilon()}}, {}, {}, {}});
  TestRng rng(20261127);
  for (const std::size_t below : {0, 1, 3, 10}) {
    const Run first_above = [&](bool with_record) {
      AboveThreshold::Run asked = test.begin(rng);
      for (std::size_t i = 0; i < below; ++i)
        if (asked.reached(with_record ? -12 : -11, 0)) return 0.0;
      return asked.reached(with_record ? -11 : -12, 0) ? 1.0 : 0.0;
    };
    CAPTURE(below);
    CHECK(excess(first_above, 200'000, stated) <= 0);
  }
  for (const bool goes_on : {true, false}) {
    const Run told = [&](bool with_record) {
      constexpr int half = 150;
      std::optional<AboveThreshold::Run> asked(test.begin(rng));
      int as_with = 0;
      for (int i = 0; i < 2 * half; ++i) {
        if (!goes_on) asked.emplace(test.begin(rng));
        const bool first = i < half || !goes_on;
        as_with += asked->reached(with_record ? -12 : first ? -11 : -13, 0) != first;
      }
      return as_with > half ? 1.0 : 0.0;
    };
    CAPTURE(goes_on);
    CHECK(excess(told, 5000, stated) > 0.05);
  }
}

}  // namespace epsilometer::sparse_vector_audit_test
