// The minimiser: the minimum itself where it is known, certificates against more precise arithmetic, and
// tables on which methods like this one fail.
#include "core/model/minimise.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/refusal.h"

using namespace epsilometer;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Table {
  std::size_t dimension;
  std::vector<double> features, labels;

  Records records() const { return {labels.size(), dimension, features, labels}; }
};

Table random_table(std::size_t count, std::size_t dimension, double size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Table table{dimension, std::vector<double>(count * dimension), std::vector<double>(count)};
  for (double& feature : table.features) feature = size * uniform(random);
  for (double& label : table.labels) label = 2 * uniform(random);
  return table;
}

/// The gradient with 64 or 113 bits, from the records as they are bounded: the truth, next to a certificate.
std::vector<long double> precise_gradient(const BoundedRecords& records, double lambda,
                                          const std::vector<double>& linear, const std::vector<double>& theta,
                                          bool logistic) {
  std::vector<long double> sum(theta.size());
  std::vector<double> x(theta.size());
  for (std::size_t i = 0; i < records.count(); ++i) {
    const auto record = records.read(i, x);
    long double u = 0;
    for (std::size_t j = 0; j < x.size(); ++j) u += static_cast<long double>(x[j]) * theta[j];
    const long double free =
        logistic ? -record.label / (1 + std::exp(record.label * u)) : std::exp(u) - record.label;
    const auto limit = static_cast<long double>(record.limit);
    const long double slope = std::min(std::max(free, -limit), limit);
    for (std::size_t j = 0; j < x.size(); ++j) sum[j] += slope * x[j];
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    sum[j] += static_cast<long double>(lambda) * theta[j] + linear[j];
  return sum;
}

std::vector<double> minimum(const Table& table, const char* name, double lambda, std::vector<double> linear,
                            double tolerance, double gradient = infinite) {
  const auto loss = make_loss(name, {100, 0.5});
  const BoundedRecords records(table.records(), *loss, {1e9, 0, gradient});
  const Minimum found = minimised({records, lambda, linear}, tolerance, {});
  CHECK(found.gradient <= tolerance);
  return found.theta;
}

}  // namespace

TEST_CASE("the minimum is where it is") {
  // 40 digits, by mpmath.
  const Table three{2, {0.5, 0.25, -0.75, 0.5, 0.125, -0.875}, {1, -1, 1}};
  const auto theta = minimum(three, "logistic", 0.5, {0.2, -0.1}, 1e-14);
  CHECK(std::abs(theta[0] - 0.630548763271450773) < 3e-14);
  CHECK(std::abs(theta[1] + 0.536368341677999194) < 3e-14);
  const Table one{1, {1}, {3}};
  CHECK(std::abs(minimum(one, "poisson", 1, {0}, 1e-8, 50)[0] - 0.792059968430677001) < 1e-8);
  // (theta - 3) + theta; then with the derivative stopped at -1/2; then at -1/4.
  CHECK(std::abs(minimum(one, "squared", 1, {0}, 1e-14)[0] - 1.5) < 1e-14);
  CHECK(minimum(one, "huber", 1, {0}, 1e-14)[0] == 0.5);
  CHECK(minimum(one, "squared", 1, {0}, 1e-14, 0.25)[0] == doctest::Approx(0.25).epsilon(1e-8));
  // Nothing but the linear term.
  const auto empty = minimum({2, {}, {}}, "logistic", 4, {1, -3}, 1e-14);
  CHECK(empty == std::vector<double>{-0.25, 0.75});
}

TEST_CASE("separable, collinear, constant and wild tables have a minimum too") {
  for (const char* name : {"logistic", "squared", "huber", "poisson"})
    for (const double lambda : {1e-6, 1e-3, 1.0, 1e3}) {
      CAPTURE(name);
      CAPTURE(lambda);
      Table table = random_table(500, 3, 1, 5);
      for (std::size_t i = 0; i < 500; ++i) {
        table.labels[i] = table.features[3 * i] > 0 ? 1 : -1;
        table.features[3 * i + 1] = 2 * table.features[3 * i];
        table.features[3 * i + 2] = 1;
      }
      minimum(table, name, lambda, {0, 0, 0}, 1e-8, 5);
      // Coefficients of 3e7 have no more digits.
      minimum(table, name, lambda, {30, -20, 10}, lambda < 1e-5 ? 1e-4 : 1e-8, 5);
      for (double& feature : table.features) feature = 0;
      minimum(table, name, lambda, {1, 1, 1}, 1e-8, 5);
    }
  // Steps of a full Newton method overshoot here.
  Table far = random_table(50, 2, 30, 6);
  minimum(far, "logistic", 1e-5, {0.1, 0.1}, 1e-9);
  minimum(far, "poisson", 1e-2, {100, -100}, 1e-9, 50);
}

TEST_CASE("the certificate of a gradient holds, and is not much more than it must be") {
  for (const bool logistic : {true, false})
    for (const std::size_t count : {0, 1, 7, 2000})
      for (const double size : {1e-3, 1.0, 40.0}) {
        const Table table = random_table(count, 5, size, count + 11);
        const auto loss = make_loss(logistic ? "logistic" : "poisson", {2, 0});
        const BoundedRecords records(table.records(), *loss, {3, 0, 6});
        const std::vector<double> linear{0.3, -4, 1e-9, 7, 0};
        const Objective objective(records, 0.37, linear);
        for (const double reach : {0.0, 1.0, 1e4}) {
          std::vector<double> theta{0.9 * reach, -reach / 3, reach / 7, 0.1 * reach, -0.77 * reach};
          const auto found = objective.gradient(Eigen::Map<const Eigen::VectorXd>(theta.data(), 5), {});
          const auto truth = precise_gradient(records, 0.37, linear, theta, logistic);
          long double square = 0;
          for (int j = 0; j < 5; ++j) {
            const long double off = found.value[j] - truth[static_cast<std::size_t>(j)];
            square += off * off;
          }
          CAPTURE(logistic);
          CAPTURE(count);
          CAPTURE(size);
          CAPTURE(reach);
          CHECK(static_cast<double>(std::sqrt(square)) <= found.error);
          // A few roundings of what is summed, and what one of u moves the derivatives by.
          const double curved = logistic ? 0.25 * 9 : 2 * 9 + 6 * 3;
          const double summed = 6 * double(count) + 10 + 0.37 * 3 * reach;
          CHECK(found.error <= 40 * 0x1p-53 * summed + 3 * 0x1p-53 * curved * double(count) * reach);
        }
      }
}

TEST_CASE("the search's own gradient and Hessian are those of the certified one") {
  const Table table = random_table(300, 4, 1, 3);
  const auto loss = make_loss("logistic", {1, 0});
  const BoundedRecords records(table.records(), *loss, {1, 0, infinite});
  const Objective objective(records, 0.1, std::vector<double>{1, 0, -1, 0.5});
  const Eigen::VectorXd theta = Eigen::VectorXd::LinSpaced(4, -1, 1);
  const auto local = objective.local(theta, {});
  CHECK((local.gradient - objective.gradient(theta, {}).value).norm() < 1e-12);
  for (int j = 0; j < 4; ++j) {
    const Eigen::VectorXd step = 1e-5 * Eigen::VectorXd::Unit(4, j);
    const auto ahead = objective.gradient(theta + step, {}), behind = objective.gradient(theta - step, {});
    const Eigen::VectorXd column = (ahead.value - behind.value) / 2e-5;
    for (int i = j; i < 4; ++i) CHECK(std::abs(local.hessian(i, j) - column[i]) < 1e-7);
  }
}

TEST_CASE("what cannot be certified is no model") {
  const Table table = random_table(1000, 3, 1, 9);
  const auto loss = make_loss("logistic", {1, 0});
  const BoundedRecords records(table.records(), *loss, {1, 0, infinite});
  const auto refused = [&](double lambda, double linear, double tolerance) {
    try {
      minimised({records, lambda, std::vector<double>{linear, 0, 0}}, tolerance, {});
    } catch (const Refusal& refusal) {
      return refusal.field == "solver";
    }
    return false;
  };
  CHECK(refused(1, 0, 1e-16));
  CHECK(refused(1, std::nan(""), 1e-9));
  CHECK(refused(1, HUGE_VAL, 1e-9));
  CHECK_FALSE(refused(1, 0, 1e-11));
  const Table wide{5000, std::vector<double>(5000), {1}};
  const BoundedRecords too_wide(wide.records(), *loss, {1, 0, infinite});
  const std::vector<double> linear(5000);
  CHECK_THROWS_AS(minimised({too_wide, 1, linear}, 1e-9, {}), Refusal);
}

TEST_CASE("a search can be stopped, and says how far it is") {
  const Table table = random_table(5000, 3, 1, 9);
  const auto loss = make_loss("logistic", {1, 0});
  const BoundedRecords records(table.records(), *loss, {1, 0, infinite});
  const Objective objective(records, 1, std::vector<double>(3));
  double before = 0;
  bool rising = true;
  int calls = 0;
  minimised(objective, 1e-10, [&](double share) {
    rising &= share >= before && share <= 1;
    before = share;
    ++calls;
    return true;
  });
  CHECK(rising);
  CHECK(before > 0.4);
  CHECK(calls > 100);
  calls = 0;
  CHECK_THROWS_AS(minimised(objective, 1e-10, [&](double) { return ++calls < 60; }), Refusal);
  CHECK(calls == 60);
}
