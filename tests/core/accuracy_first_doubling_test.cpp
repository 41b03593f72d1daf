// What accuracy first is worth: on made-up rows, beside doubling epsilon with fresh noise until a noisy test
// passes, the other way to pay no more than an excess risk takes. Both with constants that are tight, as
// Ligett, Neel, Roth, Waggoner and Wu 2017, Section 4, compares them with looser ones: 100 000 rows of l1
// norm 1, lambda 0.005 a row, 1000 models, neighbours replace a row. docs/studies.md has the same at more
// excess risks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "core/numerics/trust_region.h"
#include "core/release/algorithm.h"
#include "tests/core/statistics.h"

namespace epsilometer::accuracy_first_doubling_test {

namespace {

constexpr std::size_t rows = 100'000;
constexpr double count = rows, penalty = 0.005, failure = 0.1;

class Draws {
 public:
  explicit Draws(unsigned seed) : random_(seed) {}
  double uniform() { return std::ldexp(static_cast<double>(random_() >> 11) + 0.5, -53); }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  double laplace(double scale) {
    const double u = uniform() - 0.5;
    return std::copysign(scale, u) * -std::log1p(-2 * std::abs(u));
  }

 private:
  std::mt19937_64 random_;
};

struct Table {
  std::size_t dimension;
  std::vector<double> features, labels;

  // Signed weights on three columns at random; labels near half of a plane, or classes by one.
  Table(std::size_t dimension, bool classes)
      : dimension(dimension), features(rows * dimension), labels(rows) {
    Draws draws(7);
    std::vector<double> truth(dimension);
    for (double& one : truth) one = draws.normal();
    for (std::size_t i = 0; i < rows; ++i) {
      double* x = &features[i * dimension];
      double sum = 0, along = 0;
      for (int chosen = 0; chosen < 3;) {
        double& at = x[static_cast<std::size_t>(draws.uniform() * static_cast<double>(dimension))];
        if (at != 0) continue;
        at = std::copysign(std::log(draws.uniform()), draws.uniform() - 0.5);
        sum += std::abs(at);
        ++chosen;
      }
      for (std::size_t j = 0; j < dimension; ++j) along += (x[j] /= sum) * truth[j];
      const double noise = draws.uniform();
      labels[i] = classes ? (noise < 1 / (1 + std::exp(-4 * along)) ? 1 : -1)
                          : std::clamp(0.5 * along + 0.1 * (2 * noise - 1), -1.0, 1.0);
    }
  }

  Records records() const { return {rows, dimension, features, labels}; }
  double product(std::size_t i, const std::vector<double>& theta) const {
    double sum = 0;
    for (std::size_t j = 0; j < dimension; ++j) sum += features[i * dimension + j] * theta[j];
    return sum;
  }
};

// What doubling needs: the mean loss with lambda's part, how much of it one row can move, and what noise at
// epsilon makes of the best model.
struct Problem {
  std::function<double(const std::vector<double>&)> loss;
  std::function<std::vector<double>(double epsilon, Draws&)> noisy;
  double least, moved;
};

// What all rounds cost together: each its own epsilon, and its test.
double doubled(const Problem& problem, double risk, Draws& draws) {
  constexpr double rounds = 20;
  const double scale = risk / (2 * std::log(rounds / (2 * failure)));
  for (double round = 1, epsilon = 1 / count;; ++round, epsilon *= 2) {
    const double excess = problem.loss(problem.noisy(epsilon, draws)) - problem.least;
    if (-excess + draws.laplace(scale) < -risk / 2) continue;
    return round * problem.moved / scale + (2 * epsilon - 1 / count);
  }
}

Problem ridge(const Table& table) {
  const std::size_t d = table.dimension;
  std::vector<double> gram(d * (d + 1) / 2), cross(d);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t row = 0, place = 0; row < d; ++row) {
      const double x = table.features[i * d + row];
      cross[row] += x * table.labels[i];
      for (std::size_t column = 0; column <= row; ++column, ++place)
        gram[place] += x * table.features[i * d + column];
    }
  for (std::size_t row = 0; row < d; ++row) gram[row * (row + 3) / 2] += penalty * count;
  const double radius = 1 / (2 * std::sqrt(penalty));
  const auto loss = [=](const std::vector<double>& theta) {
    double sum = 0;
    for (std::size_t row = 0, place = 0; row < d; ++row) {
      sum -= cross[row] * theta[row];
      for (std::size_t column = 0; column <= row; ++column, ++place)
        sum += (row == column ? 0.5 : 1) * gram[place] * theta[row] * theta[column];
    }
    return sum / count;
  };
  // A row that is replaced moves each sum by 2 in the l1 norm; an entry beside the diagonal counts twice.
  const auto noisy = [=](double epsilon, Draws& draws) {
    std::vector<double> matrix = gram, vector = cross;
    for (std::size_t row = 0, place = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        matrix[place] += draws.laplace((row == column ? 4 : 2) / epsilon);
    for (double& one : vector) one += draws.laplace(4 / epsilon);
    return least_on_ball(matrix, vector, radius);
  };
  return {loss, noisy, loss(least_on_ball(gram, cross, radius)), (radius + 1) * (radius + 1) / count};
}

Problem logistic(const Table& table) {
  const std::size_t d = table.dimension;
  const auto loss = [&table](const std::vector<double>& theta) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < rows; ++i)
      sum += std::log1p(std::exp(-table.labels[i] * table.product(i, theta)));
    for (const double one : theta) square += one * one;
    return sum / count + penalty / 2 * square;
  };
  // Curvatures are at most a quarter of a row's square, 1, besides lambda: no step overshoots. Most of them
  // are far less, so 400 steps are many more than enough.
  std::vector<double> best(d);
  for (int step = 0; step < 400; ++step) {
    std::vector<double> slope(d);
    for (std::size_t i = 0; i < rows; ++i) {
      const double label = table.labels[i], wrong = -label / (1 + std::exp(label * table.product(i, best)));
      for (std::size_t j = 0; j < d; ++j) slope[j] += wrong * table.features[i * d + j] / count;
    }
    for (std::size_t j = 0; j < d; ++j) best[j] -= (slope[j] + penalty * best[j]) / (0.25 + penalty);
  }
  // Lambert's W at 1/e, over lambda.
  const double radius = std::sqrt(0.278464542761 / penalty);
  const double scale = 2 * std::sqrt(static_cast<double>(d)) / (count * penalty);
  const auto noisy = [=](double epsilon, Draws& draws) {
    std::vector<double> theta = best;
    double square = 0;
    for (double& one : theta) {
      one += draws.laplace(scale / epsilon);
      square += one * one;
    }
    for (double& one : theta) one *= std::min(1.0, radius / std::sqrt(square));
    return theta;
  };
  return {loss, noisy, loss(best), 2 * radius / count};
}

struct Costs {
  double reduced, doubled, excess;
};

Costs costs(const char* algorithm, const Table& table, const Problem& problem, double risk, int runs,
            int more_runs) {
  FitRequest request{algorithm,
                     {{"dimension", static_cast<double>(table.dimension)},
                      {"featureBound", 1},
                      {"rows", count},
                      {"lambda", penalty * count},
                      {"excessRisk", risk},
                      {"failure", failure},
                      {"levels", 1000}},
                     {}};
  if (request.algorithm == "covariance-noise-reduction") {
    request.numbers["labelBound"] = 1;
    request.texts["norm"] = "l1";
  }
  Costs mean{0, 0, 0};
  TestRng rng(19);
  for (int i = 0; i < runs; ++i) {
    const Release release = fit(request, table.records(), rng, {});
    mean.reduced += release.ex_post->total / runs;
    mean.excess = std::max(mean.excess, problem.loss(release.coefficients()) - problem.least);
  }
  Draws draws(11);
  for (int i = 0; i < more_runs; ++i) mean.doubled += doubled(problem, risk, draws) / more_runs;
  return mean;
}

}  // namespace

// `known`: means of runs on tables of the same kind that another program made (docs/studies.md). Tests cost
// the same in each run, and are 7 tenths of the whole at least: a model that costs a fifth more or less than
// usual moves it by 6 hundredths. A fifth more of the whole fails.
TEST_CASE("noise reduction reaches an excess risk of ridge regression for less than half of doubling" *
          doctest::test_suite("long")) {
  const Table table(30, false);
  const Problem problem = ridge(table);
  const struct { double risk, known; } all[] = {{0.02, 1.736}, {0.1, 0.363}};
  for (const auto& one : all) {
    CAPTURE(one.risk);
    const Costs found = costs("covariance-noise-reduction", table, problem, one.risk, 2, 20);
    CAPTURE(found.doubled);
    CHECK(found.doubled > 2 * found.reduced);
    CHECK(found.reduced < 1.1 * one.known);
    CHECK(found.excess <= one.risk);
  }
}

TEST_CASE("noise reduction reaches an excess risk of logistic regression for less than half of doubling" *
          doctest::test_suite("long")) {
  const Table table(20, true);
  const Problem problem = logistic(table);
  const Costs found = costs("output-noise-reduction", table, problem, 0.1, 2, 20);
  CAPTURE(found.doubled);
  CHECK(found.doubled > 2 * found.reduced);
  CHECK(found.reduced < 1.1 * 0.104);
  CHECK(found.excess <= 0.1);
}

}  // namespace epsilometer::accuracy_first_doubling_test
