// What noise told of each row, exactly and with its sign: against densities of both tables that are
// computed here by other means, and by what must hold of every likelihood ratio, whatever it is.
#include "core/report/personal/realised_eigenvalue.h"

#include <doctest/doctest.h>

#include <algorithm>
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

// Of X^T X - shift I.
std::vector<Vector> shifted_gram(const Rows& rows, long double shift) {
  std::vector<Vector> gram(d, Vector(d));
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const double* const x = &rows.features[i * d];
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d; ++k) gram[j][k] += static_cast<long double>(x[j]) * x[k];
  }
  for (std::size_t j = 0; j < d; ++j) gram[j][j] -= shift;
  return gram;
}

Vector pivots(std::vector<Vector> a) {
  Vector found;
  for (std::size_t i = 0; i < d; ++i) {
    found.push_back(a[i][i]);
    for (std::size_t row = i + 1; row < d; ++row)
      for (std::size_t k = d; k-- > i;) a[row][k] -= a[row][i] / a[i][i] * a[i][k];
  }
  return found;
}

// Where pivots stop being positive.
long double least_eigenvalue(const Rows& rows) {
  long double low = -1, high = static_cast<long double>(rows.labels.size()) + 1;
  for (int step = 0; step < 80; ++step) {
    const long double middle = (low + high) / 2;
    const Vector found = pivots(shifted_gram(rows, middle));
    (std::all_of(found.begin(), found.end(), [](long double one) { return one > 0; }) ? low : high) = middle;
  }
  return low;
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

// log of the density of noise of these deviations, or scales, on q, but for a constant.
long double log_density(std::span<const double> output, const Vector& q, const Vector& widths, bool laplace) {
  long double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const long double z = std::abs((output[i] - q[i]) / widths[i]);
    sum -= laplace ? z : z * z / 2;
  }
  return sum;
}

// Of one sample of N(theta, sigma^2 H^{-1}), but for a constant.
long double log_density_of_sample(std::span<const double> sample, const Rows& rows, long double lambda,
                                  long double sigma) {
  const std::vector<Vector> hessian = shifted_gram(rows, -lambda);
  const Vector theta = minimum(rows, lambda, false);
  long double log = 0, square = 0;
  for (const long double one : pivots(hessian)) log += std::log(one) / 2;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < d; ++k)
      square += (sample[j] - theta[j]) * hessian[j][k] * (sample[k] - theta[k]);
  return log - square / (2 * sigma * sigma);
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Case {
  FitRequest asked;
  bool classes;
  // What the finish of a sample leaves open.
  double width = 0;
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

FitRequest adaptive_request(double sigma) {
  return request(
      "adaptive-posterior-sampling",
      {{"sigma", sigma}, {"lambda", 2}, {"sampleEpsilon", 2}, {"sampleDelta", 1e-6}, {"failure", 1e-7}});
}

std::vector<Case> cases() {
  FitRequest of_l1 = request("covariance-laplace", {{"scale", 0.12}, {"featureBound", 2}});
  of_l1.texts["norm"] = "l1";
  const FitRequest printed = request("covariance-laplace", {{"epsilon", 5}, {"delta", 0}}, "paper");
  return {{request("ada-ssp", {{"sigma", 2}}), false},
          {request("covariance-laplace", {{"scale", 0.4}}), false},
          {of_l1, false},
          {printed, false},
          {request("ada-ssp", {{"sigma", 2}, {"releases", 3}}), false},
          {request("posterior-sampling", {{"sigma", 2}, {"lambda", 2}, {"rows", 1000}}), false, 2e-4},
          {adaptive_request(1), false, 1e-3},
          {covariance_request(0.5), false},
          {request("output-perturbation-ridge", {{"sigma", 0.6}, {"lambda", 2}, {"rows", 1000}}), false},
          {logistic_request({{"sigma", 0.2}, {"lambda", 2}}), true}};
}

// The count of the rows, with 64 times as much noise, and the smallest eigenvalue.
void add_released_facts(const Release& run, const Rows& rows, long double sigma, std::vector<double>& output,
                        Vector& q, Vector& deviations) {
  output.insert(output.end(), {run.number("rows"), run.number("eigenvalue")});
  q.insert(q.end(), {static_cast<long double>(rows.labels.size()), least_eigenvalue(rows)});
  deviations.insert(deviations.end(), {64 * sigma, sigma});
}

// The logarithm of the density of a release of that table, but for what all tables have in common.
long double log_density(const Case& one, const Release& run, const Rows& rows) {
  const bool laplace = run.parameters.contains("scale");
  const long double sigma = run.parameters.at(laplace ? "scale" : "sigma");
  if (run.holds("gram")) {
    std::vector<double> output = run.values("gram");
    Vector q = sums(rows), deviations;
    // Rows within 1 in the l2 norm have entries of sizes d in sum in x x^T, and sqrt(d) in x y; within 2 in
    // the l1 norm, 4 and 2.
    const bool is_l1 = one.asked.texts.contains("norm"), is_printed = one.asked.texts.contains("accounting");
    const long double scale = sigma * (is_l1     ? 4
                                       : laplace ? d
                                                 : 1),
                      of_cross = sigma * (is_l1     ? 2
                                          : laplace ? std::sqrt(static_cast<long double>(d))
                                                    : 1);
    const long double other = is_printed ? 1 : laplace ? 0.5L : 1 / std::sqrt(2.0L);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k <= j; ++k) deviations.push_back(j == k ? scale : scale * other);
    if (run.holds("cross")) {
      output = joined(output, run.values("cross"));
      deviations.insert(deviations.end(), d, of_cross);
    } else {
      q.resize(output.size());
    }
    if (run.holds("eigenvalue")) add_released_facts(run, rows, sigma, output, q, deviations);
    return log_density(output, q, deviations, laplace);
  }
  if (one.width > 0) {
    const bool adaptive = run.holds("eigenvalue");
    const auto sample = log_density_of_sample(run.values("coefficients"), rows, run.number("lambda"),
                                              adaptive ? run.number("sampleSigma") : sigma);
    std::vector<double> output;
    Vector q, deviations;
    if (adaptive) {
      add_released_facts(run, rows, sigma, output, q, deviations);
      // No eigenvalue is known to be above 1, so that nobody's leverage is above 1 / lambda.
      REQUIRE(run.number("eigenvalue") < 1 + 5 * sigma);
      long double square = 0;
      for (const long double one : minimum(rows, run.number("lambda"), false)) square += one * one;
      q.push_back(std::log1p(std::sqrt(square)));
      output.push_back(run.number("logNorm"));
      deviations.push_back(sigma * std::log1p(1 / static_cast<long double>(run.number("lambda"))));
    } else {
      q.push_back(static_cast<long double>(rows.labels.size()));
      output.push_back(run.number("rows"));
      const auto& part = run.description.parts.at(2).mechanism.numbers;
      deviations.push_back(part.at("sigma") / part.at("sensitivity"));
    }
    return sample + log_density(output, q, deviations, false);
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
  return log_density(output, q, deviations, false);
}

}  // namespace

TEST_CASE("what noise told of a row is the ratio of both densities, whoever leaves or joins") {
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
        CHECK(width <= (one.classes ? 0.2 : most_off + one.width));
        const KnownPerson known =
            known_person(planned, run, Pieces(&table, 1), table.part(i, 1), Direction::remove, 1e-4, 1, {});
        REQUIRE(known.realised);
        CHECK(known.realised->failure == (one.width > 0 ? 0x1p-138 : 0));
        CHECK(people.told_failure == known.realised->failure);
        for (const double bad : {0.0, 0.6, -1.0, std::nan("")})
          CHECK_THROWS_AS(
              known_person(planned, run, Pieces(&table, 1), table.part(i, 1), Direction::remove, bad, 1, {}),
              Refusal);
        const Interval& alone = known.realised->model.loss;
        CHECK(alone.lower() <= truth + most_off);
        CHECK(alone.upper() >= truth - most_off);
        CHECK(alone.upper() - alone.lower() <= most_off + one.width);
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
        CHECK(told.upper() - told.lower() <= most_off + one.width);
      }
    }
  }
}

// Of p of the table that was used the mean of p' / p is 1, and log p / p' is at least 0 in the mean.
TEST_CASE("ratios of densities average to 1 over the noise" * doctest::test_suite("long")) {
  for (const Case& one : cases()) {
    CAPTURE(one.asked.algorithm);
    const PlannedRequest planned(one.asked);
    const Rows rows = random_rows(20, one.classes, 3);
    const Records table = rows.records();
    const auto algorithm = epsilometer::algorithm(one.asked);
    constexpr int runs = 800;
    double sum = 0, squares = 0, losses = 0;
    for (int run = 0; run < runs; ++run) {
      TestRng generator(static_cast<std::uint32_t>(run) + 1);
      const Release released = algorithm->fit(table, generator, {});
      const PersonalCosts costs(planned, released, Pieces(&table, 1), {}, true);
      const Interval told = *costs.of(table.row(4), table.labels[4], Direction::remove).facts.told;
      const double ratio = std::exp(-(told.lower() + told.upper()) / 2);
      sum += ratio, squares += ratio * ratio, losses += told.upper();
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    CHECK(error < 0.05);
    CHECK(std::abs(mean - 1) < 4 * error + one.width);
    CHECK(losses > 0);
  }
}

TEST_CASE("several rows of one person are told of sums exactly, and are not told together of anything else") {
  const Rows rows = random_rows(20, false, 5);
  const Records table = rows.records(), person = table.part(3, 2);
  for (const Case& one : cases()) {
    if (one.classes || one.width > 0) continue;
    CAPTURE(one.asked.algorithm);
    const PlannedRequest planned(one.asked);
    TestRng generator(7);
    const Release run = fit(one.asked, table, generator, {});
    const KnownPerson known =
        known_person(planned, run, Pieces(&table, 1), person, Direction::remove, 1e-4, 2, {});
    const bool only_sums = !run.holds("rows");
    CHECK((known.realised && known.realised->failure == 0) == only_sums);
    if (!only_sums) continue;
    const auto truth = static_cast<double>(log_density(one, run, rows) -
                                           log_density(one, run, without_row(without_row(rows, 3), 3)));
    const Interval& told = known.realised->model.loss;
    CHECK(told.lower() <= truth + 0x1p-18);
    CHECK(told.upper() >= truth - 0x1p-18);
    CHECK(told.upper() - told.lower() <= 0x1p-17);
  }
}

// Against where pivots stop being positive, in long doubles, of tables in which eigenvalues coincide, or
// nearly, and of rows that are none of the smallest one's, all of it, or nothing.
TEST_CASE("how far a row moves the smallest eigenvalue is within its interval, in both directions") {
  std::vector<Rows> tables{random_rows(12, false, 1), random_rows(2, false, 2), random_rows(400, false, 3)};
  tables.push_back({{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, d});
  tables.push_back({{1, 0, 0, 0, 1, 0, 0, 0, 0.5}, {0, 0, 0}, d});
  tables.push_back({{0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0x1p-18}, {0, 0, 0, 0}, d});
  tables.push_back({{0.5, 0.5, 0, 0.5, 0.5, 0}, {0, 0}, d});
  const std::vector<std::vector<double>> directions{{0, 0, 0},         {1, 0, 0},      {0, 0, 1},
                                                    {0, 0.5, 0.5},     {0.5, -0.5, 0}, {0x1p-19, 0, 0x1p-18},
                                                    {0.25, 0.5, -0.75}};
  const NoisyOutput output = noisy_output(NoisyOutput::Of::eigenvalue, "eigenvalue", GaussianNoise::of(1));
  Release run(plan(request("ada-ssp", {{"sigma", 1}, {"releases", 3}})));
  run.add(number_output("eigenvalue", 0));
  double largest = 0;
  for (const Rows& rows : tables) {
    LinearStatistics table(d, {1, 1, Norm::l2});
    table.add(rows.records(), {});
    const RealisedEigenvalue realised(table, output, run, {});
    const long double here = least_eigenvalue(rows);
    const auto check = [&](std::span<const double> x, Direction direction, const Rows& other) {
      const auto truth = static_cast<double>(least_eigenvalue(other) - here);
      const Interval moved = realised.moved(x, direction);
      CAPTURE(truth);
      CHECK(moved.lower() <= truth + 1e-17);
      CHECK(moved.upper() >= truth - 1e-17);
      CHECK(moved.upper() - moved.lower() <= 1e-12 * static_cast<double>(rows.labels.size()) + 0x1p-33);
      largest = std::max(largest, std::abs(truth));
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.labels.size(), 30); ++i)
      check(rows.records().row(i), Direction::remove, without_row(rows, i));
    for (const auto& x : directions) check(x, Direction::add, with_row(rows, x, 0));
  }
  CHECK(largest > 0.2);
}

TEST_CASE("a row of zeros is told nothing but that it was counted") {
  Rows rows = random_rows(12, false, 4);
  rows.add(std::vector<double>(d), 0.5);
  const Records table = rows.records();
  for (const Case& one : cases()) {
    if (one.classes) continue;
    CAPTURE(one.asked.algorithm);
    TestRng generator(9);
    const Release run = fit(one.asked, table, generator, {});
    const Interval told = *PersonalCosts(PlannedRequest(one.asked), run, Pieces(&table, 1), {}, true)
                               .of(table.row(12), table.labels[12], Direction::remove)
                               .facts.told;
    const auto counted =
        static_cast<double>(log_density(one, run, rows) - log_density(one, run, without_row(rows, 12)));
    CHECK(told.lower() <= counted + 0x1p-18);
    CHECK(told.upper() >= counted - 0x1p-18);
    CHECK(told.upper() - told.lower() <= 0x1p-17);
    CHECK((counted == 0) == !run.holds("rows"));
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
    TestRng generator(1);
    const Release run = fit(one.asked, table, generator, {});
    for (const Output& output : run.outputs) {
      // What only processes other outputs is not read. And of fewer rows than there are nothing is told.
      const bool is_noisy_ridge = output.name == "coefficients" && run.holds("gram");
      if (is_noisy_ridge || output.name == "ridge" || output.name.starts_with("eigenvalues")) continue;
      CAPTURE(output.name);
      refused(one, output.name, [](std::vector<double>& values) { values.pop_back(); });
      for (const double bad : {std::nan(""), HUGE_VAL, output.name == "rows" ? 1e101 : -1e101})
        refused(one, output.name, [bad](std::vector<double>& values) { values.back() = bad; });
    }
  }
}

}  // namespace epsilometer::realised_noise_test
