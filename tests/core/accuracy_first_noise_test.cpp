// Accuracy first in two dimensions: how wide the noise is that runs add, and what the tests cost, by the
// numbers that answer without a plan. Widths of a fifth less are noticed.
#include "tests/core/accuracy_first_noise.h"

#include <doctest/doctest.h>

#include "core/release/above_threshold.h"
#include "core/report/questions/question.h"

namespace epsilometer::accuracy_first_noise_test {

namespace {

constexpr double draws = 2000;

using Pair = std::array<double, 2>;

// Of Laplace noise, whose size has its mean as its deviation: less than 0.112 off, but once in 1.7 million
// draws of it.
template <class Draw>
Pair widths(const Draw& draw) {
  Pair sum{0, 0};
  for (double i = 0; i < draws; ++i) {
    const Pair one = draw();
    for (int k = 0; k < 2; ++k) sum[k] += std::abs(one[k]) / draws;
  }
  return sum;
}

void check_width(double found, double demanded) {
  CHECK(found > demanded * (1 - 5 / std::sqrt(draws)));
  CHECK(found < demanded * (1 + 5 / std::sqrt(draws)));
}

double number(const Description& question, const char* name) {
  return answer_in_numbers(question).numbers.at(name).lower();
}

Description numbers_of(double rows, double lambda) {
  return {"accuracy-first",
          {{"rows", rows},
           {"lambda", lambda},
           {"dimension", 2},
           {"excessRisk", 0.05},
           {"levels", 30},
           {"failure", 0.05}},
          {},
          {},
          {}};
}

// Numbers are of replaced records: one that is added or removed moves half as much.
struct Relation {
  std::string neighbours;
  double part;
};
const Relation relations[] = {{"replace", 1}, {"add-remove", 0.5}};

}  // namespace

TEST_CASE("noise on the sums has the width of each entry that the record told demands" *
          doctest::test_suite("long")) {
  TestRng rng(20261233);
  for (const Relation& relation : relations)
    for (const std::string norm : {"l1", "l2"})
      for (const double levels : {1.0, 3.0}) {
        CAPTURE(relation.neighbours);
        CAPTURE(norm);
        CAPTURE(levels);
        constexpr double epsilon = 2;
        const SeenSums seen(epsilon, levels, relation.neighbours, norm);
        // The sum of the sizes of two entries is at most sqrt(2) times their l2 norm; of products, twice.
        const double spread = norm == "l1" ? 1 : std::sqrt(2.0);
        const double width =
            number(numbers_of(SeenSums::rows, SeenSums::lambda), "covarianceScale") * relation.part / epsilon;
        const LinearStatistics table = seen.with({});
        const Pair matrix = widths([&] { return seen.column(table, rng); });
        check_width(matrix[0], spread * spread * width);
        check_width(matrix[1], spread * spread * width / 2);
        for (const double one : widths([&] { return seen.vector(rng); })) check_width(one, spread * width);
      }
}

TEST_CASE("noise on the logistic minimum has the width that its sensitivity demands") {
  TestRng rng(20261234);
  const Records none{0, 2, {}, {}};
  for (const Relation& relation : relations)
    for (const double levels : {1.0, 3.0}) {
      CAPTURE(relation.neighbours);
      CAPTURE(levels);
      constexpr double epsilon = 2, rows = 1e6, lambda = 1000;
      const auto model = algorithm(any_model("output-noise-reduction", {{"rows", rows}, {"lambda", lambda}},
                                             epsilon, levels, relation.neighbours));
      const double width = number(numbers_of(rows, lambda), "logisticOutput") * relation.part / epsilon;
      const auto draw = [&] {
        const auto theta = model->fit(none, rng, {}).coefficients();
        return Pair{theta[0], theta[1]};
      };
      for (const double one : widths(draw)) check_width(one, width);
    }
}

TEST_CASE("a value passes a test as often as the noises on it and on the threshold let it") {
  constexpr double values = 4, failure = 0.05, tolerance = 24, runs = 20'000;
  const AboveThreshold test(1, 0, tolerance, values, failure, tolerance);
  const auto [multiple, share] = threshold_share(values, failure);
  const double epsilon = multiple / tolerance;
  TestRng rng(20261238);
  for (const double gap : {1.0, 6.0, 12.0}) {
    const Bounds chance = false_accept(1 / (share * epsilon), 2 / ((1 - share) * epsilon), gap, 1, 4096);
    double passed = 0;
    for (double i = 0; i < runs; ++i) passed += test.begin(rng).reached(-tolerance / 2 - gap, 0);
    CAPTURE(gap);
    // A deviation of five is as rare as one in a million.
    const double off = 5 * std::sqrt(chance.upper * (1 - chance.upper) / runs) + 1e-4;
    CHECK(passed / runs > chance.lower - off);
    CHECK(passed / runs < chance.upper + off);
  }
}

TEST_CASE("tests cost what the least epsilon is for the most that a record moves the excess") {
  const double share = threshold_share(30, 0.05).epsilon;
  struct Tested {
    std::string name;
    const char* sensitivity;
  };
  const Tested both[] = {{"covariance-noise-reduction", "ridgeSensitivity"},
                         {"output-noise-reduction", "logisticSensitivity"}};
  for (const Tested& tested : both)
    for (const Relation& relation : relations)
      for (const double lambda : {4.0, 400.0}) {
        CAPTURE(tested.name);
        CAPTURE(relation.neighbours);
        CAPTURE(lambda);
        FitRequest request =
            any_model(tested.name, {{"rows", 4000}, {"lambda", lambda}}, 1, 30, relation.neighbours);
        if (tested.name == both[0].name) request.numbers["labelBound"] = 1;
        request.numbers["excessRisk"] = 0.05;
        request.numbers["failure"] = 0.05;
        const double found = plan(request).parameters.at("testingEpsilon"),
                     demanded =
                         share * number(numbers_of(4000, lambda), tested.sensitivity) * relation.part / 0.05;
        CHECK(found >= demanded);
        // Rounding of losses, and of noise to whole steps, takes a few times 2^-16.
        CHECK(found <= demanded * 1.001);
      }
}

}  // namespace epsilometer::accuracy_first_noise_test
