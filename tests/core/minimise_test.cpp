// The minimiser: the minimum itself where it is known, certificates against more precise arithmetic, and
// tables on which methods like this one fail.
#include "core/model/minimise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "core/base/refusal.h"
#include "tests/core/statistics.h"

namespace epsilometer::minimise_test {

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

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_bin_float<300, mp::digit_base_2>, mp::et_off>;

/// The gradient with 300 bits, from the records as they are bounded.
std::vector<Wide> precise_gradient(const BoundedRecords& records, double lambda,
                                   const std::vector<double>& linear, const Eigen::VectorXd& theta,
                                   const Eigen::VectorXd& tail, bool logistic) {
  const auto point = [&](std::size_t j) {
    const auto at = static_cast<Eigen::Index>(j);
    return Wide(theta[at]) + tail[at];
  };
  std::vector<Wide> sum(linear.size());
  std::vector<double> x(linear.size());
  for (std::size_t i = 0; i < records.count(); ++i) {
    const auto record = records.read(i, x);
    Wide u = 0;
    for (std::size_t j = 0; j < x.size(); ++j) u += point(j) * x[j];
    const Wide free = logistic ? -record.label / (1 + exp(record.label * u)) : exp(u) - record.label;
    const Wide slope = std::clamp(free, Wide(-record.limit), Wide(record.limit));
    for (std::size_t j = 0; j < x.size(); ++j) sum[j] += slope * x[j];
  }
  for (std::size_t j = 0; j < x.size(); ++j) sum[j] += lambda * point(j) + linear[j];
  return sum;
}

std::vector<double> minimum(const Table& table, const char* name, double lambda, std::vector<double> linear,
                            double tolerance, double gradient = infinite) {
  const auto loss = make_loss(name, {100, 0.5});
  const BoundedRecords records(table.records(), *loss, {1e9, 0, gradient});
  const Minimum found = minimised({records, lambda, linear}, 1e3, tolerance, {});
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

TEST_CASE("the certificate of a gradient holds, and is that of two doubles") {
  double most = 0;
  for (const bool logistic : {true, false})
    for (const std::size_t count : {0, 1, 7, 127, 128, 129, 1000 / static_cast<int>(share)})
      for (const double size : {1e-3, 1.0, 40.0}) {
        const Table table = random_table(count, 5, size, count + 11);
        const auto loss = make_loss(logistic ? "logistic" : "poisson", {2, 0});
        const BoundedRecords records(table.records(), *loss, {3, 0, 6});
        const std::vector<double> linear{0.3, -4, 1e-9, 7, 0};
        const Objective objective(records, 0.37, linear);
        for (const double reach : {0.0, 1.0, 1e4}) {
          const Eigen::VectorXd direction{{0.9, -1.0 / 3, 1.0 / 7, 0.1, -0.77}};
          const Eigen::VectorXd theta = reach * direction, tail = 0x1p-55 * theta.reverse();
          const auto found = objective.gradient(theta, {}, tail);
          const auto truth = precise_gradient(records, 0.37, linear, theta, tail, logistic);
          Wide square = 0;
          for (int j = 0; j < 5; ++j) {
            const Wide off = found.value[j] - truth[static_cast<std::size_t>(j)];
            square += off * off;
          }
          CAPTURE(logistic);
          CAPTURE(count);
          CAPTURE(size);
          CAPTURE(reach);
          const double off = static_cast<double>(sqrt(square));
          CHECK(off <= found.error);
          // What one double of the result rounds, and what two of everything else do.
          const double curved = logistic ? 0.25 * 9 : 2 * 9 + 6 * 3;
          const double summed = 8 * double(count) + 10 + 0.37 * 3 * reach;
          CHECK(found.error <=
                0x1p-52 * found.value.norm() + 0x1p-90 * (summed + curved * double(count) * reach));
          if (found.error > 0) most = std::max(most, off / found.error);
        }
      }
  CHECK(most > 0.1);
}

TEST_CASE("the search's own gradient and Hessian are those of the certified one") {
  const Table table = random_table(300, 4, 1, 3);
  const auto loss = make_loss("logistic", {1, 0});
  const BoundedRecords records(table.records(), *loss, {1, 0, infinite});
  const Objective objective(records, 0.1, std::vector<double>{1, 0, -1, 0.5});
  const Eigen::VectorXd theta = Eigen::VectorXd::LinSpaced(4, -1, 1);
  const auto local = objective.local(theta, {}, Convex::Order::second);
  CHECK((local.gradient - objective.gradient(theta, {}).value).norm() < 1e-12);
  for (int j = 0; j < 4; ++j) {
    const Eigen::VectorXd step = 1e-5 * Eigen::VectorXd::Unit(4, j);
    const auto ahead = objective.gradient(theta + step, {}), behind = objective.gradient(theta - step, {});
    const Eigen::VectorXd column = (ahead.value - behind.value) / 2e-5;
    for (int i = j; i < 4; ++i) CHECK(std::abs(local.hessian(i, j) - column[i]) < 1e-7);
  }
}

TEST_CASE("far below the rounding of a double there is a minimum too") {
  const Table table = random_table(1000, 3, 1, 9);
  for (const char* name : {"logistic", "squared", "huber", "poisson"})
    minimum(table, name, 1, {0.5, -2, 0}, 1e-20, 5);
  // Of a coefficient that one double cannot hold so well.
  minimum(table, "logistic", 1e-5, {30, -20, 10}, 1e-20);
}

TEST_CASE("the slow way comes to the same minimum in no more steps than are promised, from anywhere") {
  for (const char* name : {"logistic", "squared", "huber", "poisson"})
    for (const double lambda : {0.03, 1.0}) {
      const Table table = random_table(40, 3, 1, 21);
      const auto loss = make_loss(name, {2, 0.5});
      const BoundedRecords records(table.records(), *loss, {2, 0, 3});
      const Objective objective(records, lambda, std::vector<double>{1, -2, 0.5});
      // |x| <= 2, and e^u <= 2 + 3 / |x| of a Poisson loss.
      const double smoothness = std::string(name) == "poisson" ? 2 * 4 + 3 * 2 : 4;
      const Minimum truth = minimised(objective, smoothness, 1e-18, {});
      for (const double far : {0.0, 10.0}) {
        CAPTURE(name);
        CAPTURE(far);
        int passes = 0;
        const Eigen::VectorXd start = Eigen::VectorXd::Constant(3, far);
        const double condition = 1 + 40 * smoothness / lambda,
                     size = objective.local(start, {}, Convex::Order::first).gradient.norm();
        const Eigen::VectorXd found = accelerated(objective, start, smoothness, 1e-9, [&](double share) {
          passes += share == 0;
          return true;
        });
        for (int j = 0; j < 3; ++j) CHECK(std::abs(found[j] - truth.theta[j]) <= 1e-9 / lambda * 1.01);
        CHECK(passes <= 1 + std::ceil(2 * std::sqrt(condition) * std::log(1.5 * condition * size / 1e-9)));
      }
    }
}

TEST_CASE(
    "what a program must not ask is refused, and so is a loss without a bound that doubles cannot hold") {
  const auto loss = make_loss("logistic", {1, 0});
  const Table small = random_table(10, 3, 1, 9);
  const BoundedRecords records(small.records(), *loss, {1, 0, infinite});
  for (const double wild : {std::nan(""), HUGE_VAL})
    CHECK_THROWS_AS(minimised({records, 1, std::vector<double>{wild, 0, 0}}, 1, 1e-9, {}), Refusal);
  const Table wide{5000, std::vector<double>(5000), {1}};
  const BoundedRecords too_wide(wide.records(), *loss, {1, 0, infinite});
  const std::vector<double> linear(5000);
  CHECK_THROWS_AS(minimised({too_wide, 1, linear}, 1, 1e-9, {}), Refusal);
  CHECK_THROWS_AS(minimised({records, 1, std::vector<double>(3)}, infinite, 0, {}), Refusal);
}

TEST_CASE("a search can be stopped, and says how far it is") {
  const Table table = random_table(5000, 3, 1, 9);
  const auto loss = make_loss("logistic", {1, 0});
  const BoundedRecords records(table.records(), *loss, {1, 0, infinite});
  const Objective objective(records, 1, std::vector<double>(3));
  double before = 0;
  bool rising = true;
  int calls = 0;
  minimised(objective, 1, 1e-10, [&](double share) {
    rising &= share >= before && share <= 1;
    before = share;
    ++calls;
    return true;
  });
  CHECK(rising);
  CHECK(before > 0.4);
  CHECK(calls > 100);
  calls = 0;
  CHECK_THROWS_AS(minimised(objective, 1, 1e-10, [&](double) { return ++calls < 60; }), Refusal);
  CHECK(calls == 60);
}

}  // namespace epsilometer::minimise_test
