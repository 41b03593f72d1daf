// What Gaussian noise told of each row, exactly and with its sign: against densities of both tables that are
// computed here by other means, and by what must hold of every likelihood ratio, whatever it is.
#include "core/report/personal/realised_noise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/base/refusal.h"
#include "core/noise/generator.h"
#include "core/report/holder/known_person.h"
#include "core/report/holder/people_losses.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::realised_noise_test {

namespace {

using Vector = std::vector<long double>;
constexpr std::size_t d = 3;

// Multiples of 1/64 within the unit ball, so that sums of products are exact.
Rows random_rows(std::size_t count, bool classes, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Rows rows{{}, {}, d};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> x(d);
    for (double& one : x) one = std::trunc(64 * uniform(random) / std::sqrt(3.0)) / 64;
    const double label = std::trunc(64 * uniform(random)) / 64;
    rows.add(x, classes ? (label < 0 ? -1 : 1) : label);
  }
  return rows;
}

Rows with_row(Rows rows, std::span<const double> x, double label) {
  rows.add(std::vector<double>(x.begin(), x.end()), label);
  return rows;
}

Rows without_row(const Rows& rows, std::size_t left_out) {
  Rows others{{}, {}, d};
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    if (i != left_out) {
      const double* const x = &rows.features[i * d];
      others.add(std::vector<double>(x, x + d), rows.labels[i]);
    }
  return others;
}

// By Gaussian elimination; A is positive definite.
Vector solved(std::vector<Vector> a, Vector b) {
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t row = i + 1; row < d; ++row) {
      const long double factor = a[row][i] / a[i][i];
      for (std::size_t k = i; k < d; ++k) a[row][k] -= factor * a[i][k];
      b[row] -= factor * b[i];
    }
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t k = i + 1; k < d; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Where the sum of losses + lambda |theta|^2 / 2 is least: squares, or logistic by Newton steps.
Vector minimum(const Rows& rows, long double lambda, bool logistic) {
  Vector theta(d);
  for (int step = 0; step < (logistic ? 60 : 1); ++step) {
    std::vector<Vector> hessian(d, Vector(d));
    Vector gradient(d);
    for (std::size_t j = 0; j < d; ++j) hessian[j][j] = lambda, gradient[j] = lambda * theta[j];
    for (std::size_t i = 0; i < rows.labels.size(); ++i) {
      const double* const x = &rows.features[i * d];
      long double u = 0, first = 0, second = 1;
      for (std::size_t j = 0; j < d; ++j) u += x[j] * theta[j];
      const long double y = rows.labels[i];
      if (logistic) {
        const long double other = 1 / (1 + std::exp(y * u));
        first = -y * other, second = other * (1 - other);
      } else {
        first = u - y;
      }
      for (std::size_t j = 0; j < d; ++j) {
        gradient[j] += first * x[j];
        for (std::size_t k = 0; k < d; ++k) hessian[j][k] += second * x[j] * x[k];
      }
    }
    const Vector move = solved(hessian, gradient);
    for (std::size_t j = 0; j < d; ++j) theta[j] -= move[j];
  }
  return theta;
}

// X^T X as a lower triangle, then X^T y.
Vector sums(const Rows& rows) {
  Vector found(d * (d + 1) / 2 + d);
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const double* const x = &rows.features[i * d];
    std::size_t place = 0;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k <= j; ++k) found[place++] += x[j] * x[k];
    for (std::size_t j = 0; j < d; ++j) found[place++] += x[j] * rows.labels[i];
  }
  return found;
}

// log of the density of noise of these deviations on q, but for a constant.
long double log_density(std::span<const double> output, const Vector& q, const Vector& deviations) {
  long double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum -= std::pow((output[i] - q[i]) / deviations[i], 2) / 2;
  return sum;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Case {
  FitRequest asked;
  bool classes;
};

FitRequest logistic_request(Numbers numbers) {
  FitRequest asked = request("output-perturbation", numbers);
  asked.numbers.erase("labelBound");
  asked.texts["loss"] = "logistic";
  return asked;
}

FitRequest covariance_request(double sigma) {
  FitRequest asked = request("noisy-covariance", {{"sigma", sigma}});
  asked.numbers.erase("labelBound");
  return asked;
}

std::vector<Case> cases() {
  return {{request("ada-ssp", {{"sigma", 2}}), false},
          {covariance_request(0.5), false},
          {request("output-perturbation-ridge", {{"sigma", 0.6}, {"lambda", 2}, {"rows", 1000}}), false},
          {logistic_request({{"sigma", 0.2}, {"lambda", 2}}), true}};
}

// The logarithm of the density of a release of that table, but for what all tables have in common.
long double log_density(const Case& one, const Release& run, const Rows& rows) {
  const long double sigma = run.parameters.at("sigma");
  if (run.holds("gram")) {
    std::vector<double> output = run.values("gram");
    Vector q = sums(rows), deviations;
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k <= j; ++k) deviations.push_back(j == k ? sigma : sigma / std::sqrt(2.0L));
    if (run.holds("cross")) {
      output = joined(output, run.values("cross"));
      deviations.insert(deviations.end(), d, sigma);
    } else {
      q.resize(output.size());
    }
    return log_density(output, q, deviations);
  }
  const bool counts = run.holds("rows");
  const long double lambda = counts ? run.number("lambda") : run.parameters.at("lambda");
  Vector q = minimum(rows, lambda, one.classes), deviations(d, sigma);
  std::vector<double> output = run.values("coefficients");
  if (counts) {
    q.push_back(static_cast<long double>(rows.labels.size()));
    output.push_back(run.number("rows"));
    const auto& part = run.description.parts.at(1).mechanism.numbers;
    deviations.push_back(part.at("sigma") / part.at("sensitivity"));
  }
  return log_density(output, q, deviations);
}

}  // namespace

TEST_CASE("what Gaussian noise told of a row is the ratio of both densities, whoever leaves or joins") {
  for (const Case& one : cases()) {
    CAPTURE(one.asked.algorithm);
    const PlannedRequest planned(one.asked);
    for (const unsigned seed : {1U, 2U}) {
      const Rows rows = random_rows(30, one.classes, seed), joining = random_rows(3, one.classes, seed + 10);
      const Records table = rows.records(), others = joining.records();
      TestRng generator(seed);
      const Release run = fit(one.asked, table, generator, {});
      const long double here = log_density(one, run, rows);
      const PeopleLosses people = people_losses(planned, run, Pieces(&table, 1), {1e-6, {}, 1e-4}, 1, {});
      REQUIRE(people.told_lower.size() == table.count);
      // Deviations are rounded up by a part in 2^30 at most, and one step of a grid is 2^-30 of them; the
      // square of 30 deviations is below 2^10.
      constexpr double most_off = 0x1p-18;
      double largest = 0;
      for (std::size_t i = 0; i < table.count; ++i) {
        CAPTURE(i);
        const auto truth = static_cast<double>(here - log_density(one, run, without_row(rows, i)));
        largest = std::max(largest, std::abs(truth));
        CHECK(people.told_lower[i] <= truth + most_off);
        CHECK(people.told_upper[i] >= truth - most_off);
        // Of a minimum that is found by one factorisation the move is known to a 64th.
        const double width = people.told_upper[i] - people.told_lower[i];
        CHECK(width <= (one.classes ? 0.2 : most_off));
        const KnownPerson known =
            known_person(planned, run, Pieces(&table, 1), table.part(i, 1), Direction::remove, 1e-4, 1, {});
        REQUIRE(known.realised);
        CHECK(known.realised->failure == 0);
        for (const double bad : {0.0, 0.6, -1.0, std::nan("")})
          CHECK_THROWS_AS(
              known_person(planned, run, Pieces(&table, 1), table.part(i, 1), Direction::remove, bad, 1, {}),
              Refusal);
        const Interval& alone = known.realised->model.loss;
        CHECK(alone.lower() <= truth + most_off);
        CHECK(alone.upper() >= truth - most_off);
        CHECK(alone.upper() - alone.lower() <= most_off);
      }
      CHECK(largest > 0.1);
      for (std::size_t i = 0; i < others.count; ++i) {
        const Rows more = with_row(rows, others.row(i), others.labels[i]);
        const auto truth = static_cast<double>(here - log_density(one, run, more));
        const Interval told =
            known_person(planned, run, Pieces(&table, 1), others.part(i, 1), Direction::add, 1e-4, 1, {})
                .realised->model.loss;
        CHECK(told.lower() <= truth + most_off);
        CHECK(told.upper() >= truth - most_off);
        CHECK(told.upper() - told.lower() <= most_off);
      }
    }
  }
}

// Of p of the table that was used the mean of p' / p is 1, and log p / p' is at least 0 in the mean.
TEST_CASE("ratios of densities average to 1 over the noise") {
  for (const Case& one : cases()) {
    CAPTURE(one.asked.algorithm);
    const PlannedRequest planned(one.asked);
    const Rows rows = random_rows(20, one.classes, 3);
    const Records table = rows.records();
    constexpr int runs = 800;
    double sum = 0, squares = 0, losses = 0;
    for (int run = 0; run < runs; ++run) {
      TestRng generator(static_cast<std::uint32_t>(run) + 1);
      const Release released = fit(one.asked, table, generator, {});
      const PersonalCosts costs(planned, released, Pieces(&table, 1), {}, true);
      const Interval told = *costs.of(table.row(4), table.labels[4], Direction::remove).facts.told;
      const double ratio = std::exp(-(told.lower() + told.upper()) / 2);
      sum += ratio, squares += ratio * ratio, losses += told.upper();
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    CHECK(error < 0.05);
    CHECK(std::abs(mean - 1) < 4 * error);
    CHECK(losses > 0);
  }
}

TEST_CASE("a table of more rows than the released bound is told nothing of its rows") {
  const FitRequest asked =
      request("output-perturbation-ridge", {{"sigma", 0.3}, {"lambda", 2}, {"rows", 1000}});
  const Rows rows = random_rows(30, false, 1);
  const Records table = rows.records();
  TestRng generator(1);
  Release run = fit(asked, table, generator, {});
  for (Output& output : run.outputs)
    if (output.name == "rows") output.values[0] = -1e9;
  const PeopleLosses people =
      people_losses(PlannedRequest(asked), run, Pieces(&table, 1), {1e-6, {}, 1e-4}, 1, {});
  CHECK(people.told_lower.empty());
}

TEST_CASE("outputs that cannot be those of the request are refused by name") {
  const Rows rows = random_rows(10, false, 1);
  const Records table = rows.records();
  const auto refused = [&](const Case& one, const std::string& name, auto change) {
    TestRng generator(1);
    Release run = fit(one.asked, table, generator, {});
    for (Output& output : run.outputs)
      if (output.name == name) change(output.values);
    CHECK_THROWS_AS(people_losses(PlannedRequest(one.asked), run, Pieces(&table, 1), {1e-6, {}, 1e-4}, 1, {}),
                    Refusal);
  };
  for (const Case& one : cases()) {
    if (one.classes) continue;
    CAPTURE(one.asked.algorithm);
    const std::string name = one.asked.algorithm == "output-perturbation-ridge" ? "coefficients" : "gram";
    refused(one, name, [](std::vector<double>& values) { values.pop_back(); });
    for (const double bad : {std::nan(""), HUGE_VAL, -1e101})
      refused(one, name, [bad](std::vector<double>& values) { values[1] = bad; });
  }
}

}  // namespace epsilometer::realised_noise_test
