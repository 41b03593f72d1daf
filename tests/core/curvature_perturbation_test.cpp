// Output perturbation by a released curvature: what it costs, how far a record moves the minimum, the law of
// both noises, that the noise follows from what was released, and that no table is refused.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/model/minimise.h"
#include "core/model/movement.h"
#include "core/model/objective.h"
#include "core/noise/finish.h"
#include "core/numerics/cholesky.h"
#include "core/release/algorithm.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"
#include "tests/core/statistics.h"
#include "tests/core/table_lines.h"

namespace epsilometer::curvature_perturbation_test {

namespace {

FitRequest curved(Numbers numbers) {
  numbers.insert({{"dimension", 2}, {"lambda", 0.5}});
  return request("output-perturbation-by-curvature", numbers);
}

const Numbers noise = {{"sigma", 3}, {"eigenvalueNoise", 2}, {"failure", 1e-3}};

// Rows of length 1 around the circle, with labels that the first column tells badly.
Rows table(std::size_t count) {
  Rows rows{{}, {}, 2};
  TestRng rng(20261123);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = normal_deviate(rng);
    rows.add(std::vector<double>{0.99 * std::cos(angle), 0.99 * std::sin(angle)}, i % 3 == 0 ? -1 : 1);
  }
  return rows;
}

double norm_of(const std::vector<double>& triangle) {
  double sum = 0;
  for (std::size_t row = 0, place = 0; place < triangle.size(); ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place)
      sum += (row == column ? 1 : 2) * triangle[place] * triangle[place];
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("a release by curvature keeps its budget, and uses it up to a millionth") {
  for (const double epsilon : {0.5, 4.0}) {
    const Plan planned = plan(curved({{"epsilon", epsilon}, {"delta", 1e-6}}));
    const double cost = Profile(*privacy_loss(planned.description), 1e-7).epsilon(1e-6).upper;
    CHECK(cost <= epsilon);
    CHECK(cost >= epsilon * (1 - 1e-6));
  }
}

TEST_CASE("the distance of neighbouring minima is that of the table, and never less") {
  const auto lines = table_lines("release/curvature.ndjson", "moved");
  REQUIRE(!lines.empty());
  for (const auto& line : lines) {
    const auto number = [&](const char* name) { return line[name].get<double>(); };
    const double distance = truth(line), found = largest_movement(number("gradient"), number("lambda"),
                                                                  number("curvature"), number("norm"));
    CAPTURE(line.dump());
    CHECK(found >= distance * (1 - 0x1p-53));
    // 64 roundings of g on either side and the search's own few, by how flat the left side is there.
    const double slope = number("lambda") + number("curvature") * std::exp(-number("norm") * distance);
    CHECK(found <= distance + 160 * 0x1p-53 * (number("gradient") / slope + distance));
  }
}

TEST_CASE("the curvature of a table is within its bound, also where predictions are large and cancel") {
  const Rows rows = table(1000);
  const auto logistic = make_loss("logistic", {1, HUGE_VAL});
  const BoundedRecords bounded(rows.records(), *logistic, {1, 0, HUGE_VAL});
  const std::vector<double> none(2);
  const Objective objective(bounded, 0.5, none);
  for (const double size : {0.0, 1.0, 30.0}) {
    const Eigen::Vector2d theta(size, -size / 3);
    // In 64 bits of mantissa: 2^-63 of the records' products, of which there are 1000.
    std::vector<long double> exact(3);
    std::vector<double> x(2);
    for (std::size_t i = 0; i < bounded.count(); ++i) {
      bounded.read(i, x);
      const long double u =
          static_cast<long double>(x[0]) * theta[0] + static_cast<long double>(x[1]) * theta[1];
      const long double small = std::exp(-std::abs(u)), second = small / ((1 + small) * (1 + small));
      exact[0] += second * x[0] * x[0], exact[1] += second * x[1] * x[0], exact[2] += second * x[1] * x[1];
    }
    std::vector<double> found = objective.curvature(theta, {}, {});
    const double whole = trace(found, 2);
    for (std::size_t i = 0; i < 3; ++i) found[i] = static_cast<double>(found[i] - exact[i]);
    CHECK(norm_of(found) <= (curvature_error + 1100 * 0x1p-63) * whole);
  }
}

TEST_CASE("the noise of the coefficients follows from the released curvature alone") {
  TestRng rng(8);
  const Rows rows = table(2000);
  const FitRequest asked = curved({{"epsilon", 2}, {"delta", 1e-6}});
  const Release release = fit(asked, rows.records(), rng, {});
  const double exact =
      release.parameters.at("sigma") * largest_movement(1, 0.5, release.number("curvatureAtLeast"), 1);
  CHECK(release.number("coefficientSigma") >= exact);
  // 2^-24 of slack, a rounded step of 2^-30 and the dilution of discrete noise, of 2^-50.
  CHECK(release.number("coefficientSigma") <= exact * (1 + 0x1p-22));
  CHECK(release.number("curvatureAtLeast") > 0);
  CHECK(release.parameters == plan(asked).parameters);
  // Whoever adds noise by lambda alone needs more.
  CHECK(exact < release.parameters.at("sigma") / 0.5);
}

TEST_CASE("both noises are normal, and the bound of the curvature holds") {
  const Rows rows = table(60);
  const auto algorithm = epsilometer::algorithm(curved(noise));
  TestRng rng(9);
  const auto logistic = make_loss("logistic", {1, HUGE_VAL});
  const BoundedRecords bounded(rows.records(), *logistic, {1, 0, HUGE_VAL});
  const std::vector<double> none(2);
  const Objective objective(bounded, 0.5, none);
  const std::vector<double> centre = minimised(objective, 0.25, 1e-12, {}).theta;
  const Bounds least =
      smallest_eigenvalue(objective.curvature(Eigen::Vector2d(centre[0], centre[1]), {}, {}), 2);
  std::vector<double> eigenvalues, coefficients;
  std::size_t failed = 0;
  const std::size_t runs = 4000 / share;
  for (std::size_t i = 0; i < runs; ++i) {
    const Release release = algorithm->fit(rows.records(), rng, {});
    eigenvalues.push_back((release.number("curvature") - least.lower) / 2);
    failed += release.number("curvatureAtLeast") > least.upper;
    coefficients.push_back((release.coefficients()[1] - centre[1]) / release.number("coefficientSigma"));
  }
  CHECK(kolmogorov(eigenvalues) > 1e-4);
  CHECK(kolmogorov(coefficients) > 1e-4);
  // More than 16 of 4 at 1e-3 have the probability 1.2e-6.
  CHECK(failed <= 16 / share + 1);
}

TEST_CASE("no table is refused: without rows, with one, and with equal ones") {
  TestRng rng(10);
  Rows none{{}, {}, 2}, one{{}, {}, 2}, equal{{}, {}, 2};
  one.add(std::vector<double>{1, 0}, 1);
  for (int i = 0; i < 3000; ++i) equal.add(std::vector<double>{0.5, 0}, 1);
  Numbers sure = noise;
  sure["failure"] = 1e-12;
  for (const Rows* rows : {&none, &one, &equal}) {
    const Release release = fit(curved(sure), rows->records(), rng, {});
    CHECK(release.outcome == Outcome::released);
    CHECK(release.number("curvatureAtLeast") == 0);
    // That of output perturbation.
    CHECK(release.number("coefficientSigma") == doctest::Approx(3 / 0.5).epsilon(0x1p-22));
  }
}

TEST_CASE("what a record moves the curvature by is priced as a whole") {
  // The tolerance of computed eigenvalues is 2^-20 of it, on either side.
  const Description priced = plan(curved(noise)).description.parts.at(1).mechanism;
  const double share = 2 * priced.numbers.at("sensitivity") / priced.numbers.at("sigma");
  CHECK(share >= 1);
  CHECK(share <= 1 + 0x1p-18);
}

TEST_CASE("what is no question about a curvature is refused by the name of its field") {
  const auto refused = [](Numbers numbers) {
    numbers.insert({{"epsilon", 1}, {"delta", 1e-6}});
    return refused_field(curved(numbers));
  };
  CHECK(refused({}) == "");
  CHECK(refused({{"lambda", 0}}) == "lambda");
  CHECK(refused({{"delta", 0}}) == "delta");
  CHECK(refused({{"gradientBound", 0.5}}) == "gradientBound");
  CHECK(refused({{"eigenvalueNoise", 0}}) == "eigenvalueNoise");
  CHECK(refused({{"failure", 0.3}}) == "failure");
  CHECK(refused({{"sigma", 1}}) != "");
  FitRequest other = curved({{"epsilon", 1}, {"delta", 1e-6}});
  other.texts["accounting"] = "paper";
  CHECK(refused_field(other) == "accounting");
  other.texts = {{"loss", "huber"}};
  CHECK(refused_field(other) == "loss");
}

}  // namespace epsilometer::curvature_perturbation_test
