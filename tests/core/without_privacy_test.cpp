// The models that private ones are held against: stationary for losses that are written out here once more.
#include "core/release/without_privacy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/fit_session.h"

namespace epsilometer::without_privacy_test {

namespace {

constexpr std::size_t dimension = 3;

struct Table {
  std::vector<double> features, labels;
};

// Two features and the intercept; labels lean on the first feature.
Table table(const std::string& loss, std::size_t count) {
  Table made;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = std::sin(static_cast<double>(i) * 12.9898) / 2,
                 b = std::cos(static_cast<double>(i) * 78.233) / 2,
                 y = a - b / 3 + std::sin(static_cast<double>(i) * 3.1) / 2;
    made.features.insert(made.features.end(), {a, b, 1});
    made.labels.push_back(loss == "logistic"  ? (y > 0 ? 1 : -1)
                          : loss == "poisson" ? std::floor(4 + 3 * y)
                                              : y);
  }
  return made;
}

FitRequest request(const std::string& loss) {
  FitRequest asked{"",
                   {{"dimension", dimension}, {"featureBound", 1}, {"intercept", 1}, {"labelBound", 9}},
                   {{"loss", loss}}};
  if (loss == "huber") asked.numbers["threshold"] = 0.25;
  return asked;
}

std::vector<double> fitted(const FitRequest& request, const Table& table) {
  FitSession session = FitSession::without_privacy(request);
  const std::size_t half = table.labels.size() / 2;
  session.add(std::span(table.features).first(half * dimension), std::span(table.labels).first(half));
  session.add(std::span(table.features).subspan(half * dimension), std::span(table.labels).subspan(half));
  TestRng unused(1);
  return session.run(unused, {}).coefficients();
}

double slope(const std::string& loss, double u, double y) {
  if (loss == "logistic") return -y / (1 + std::exp(y * u));
  if (loss == "poisson") return std::exp(u) - y;
  return loss == "huber" ? std::clamp(u - y, -0.25, 0.25) : u - y;
}

// The largest entry of the mean gradient, the regularisation of lambda = 1e-4 included.
double steepest(const std::string& loss, const Table& table, const std::vector<double>& theta) {
  double largest = 0;
  const std::size_t count = table.labels.size();
  for (std::size_t j = 0; j < dimension; ++j) {
    double sum = 1e-4 * theta[j];
    for (std::size_t i = 0; i < count; ++i) {
      const double* const x = &table.features[i * dimension];
      sum += x[j] * slope(loss, x[0] * theta[0] + x[1] * theta[1] + x[2] * theta[2], table.labels[i]);
    }
    largest = std::max(largest, std::abs(sum) / static_cast<double>(count));
  }
  return largest;
}

std::vector<double> several(const Table& table) {
  FitSession session = FitSession::without_privacy(
      {"",
       {{"dimension", dimension}, {"featureBound", 1}, {"intercept", 1}, {"classes", 3}},
       {{"loss", "softmax"}}});
  session.add(table.features, table.labels);
  TestRng unused(1);
  return session.run(unused, {}).values("coefficients");
}

std::vector<double> probabilities(const double* x, const std::vector<double>& theta) {
  std::vector<double> p(3);
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < dimension; ++j) p[k] += x[j] * theta[3 * j + k];
    sum += p[k] = std::exp(p[k]);
  }
  for (double& one : p) one /= sum;
  return p;
}

// The largest entry of the mean gradient of the multinomial loss, the regularisation included. Of a record
// that counts with 26 bits it is off by some 2^-26 (1 + |theta|).
double steepest_of_classes(const Table& table, const std::vector<double>& theta) {
  std::vector<double> sum;
  for (const double one : theta) sum.push_back(1e-4 * one);
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    if (!(table.labels[i] >= 0 && table.labels[i] <= 2)) continue;
    const double* const x = &table.features[i * dimension];
    std::vector<double> p = probabilities(x, theta);
    p[static_cast<std::size_t>(table.labels[i])] -= 1;
    for (std::size_t j = 0; j < dimension; ++j)
      for (std::size_t k = 0; k < 3; ++k) sum[3 * j + k] += x[j] * p[k];
  }
  double largest = 0;
  for (const double one : sum) largest = std::max(largest, std::abs(one));
  return largest / static_cast<double>(table.labels.size());
}

}  // namespace

TEST_CASE("without privacy a model is stationary for its loss") {
  for (const std::string loss : {"squared", "logistic", "huber", "poisson"}) {
    CAPTURE(loss);
    const Table some = table(loss, 900);
    std::vector<double> theta = fitted(request(loss), some);
    CHECK(steepest(loss, some, theta) < 1e-7);
    theta[0] += 0.01;
    CHECK(steepest(loss, some, theta) > 1e-6);
  }
}

TEST_CASE(
    "without privacy a model of several classes is stationary for its loss, whatever labels are no class") {
  Table some = table("squared", 900);
  for (std::size_t i = 0; i < some.labels.size(); ++i)
    some.labels[i] = i % 90 == 0             ? 7
                     : i % 91 == 0           ? NAN
                     : some.labels[i] < -0.2 ? 0
                     : some.labels[i] > 0.3  ? 1
                                             : 2;
  const std::vector<double> theta = several(some);
  CHECK(steepest_of_classes(some, theta) < 1e-7);
  for (std::size_t j = 0; j < theta.size(); ++j) {
    std::vector<double> moved = theta;
    moved[j] += 1e-3;
    CHECK(steepest_of_classes(some, moved) > 2e-7);
  }
  for (std::size_t j = 0; j < dimension; ++j)
    CHECK(std::abs(theta[3 * j] + theta[3 * j + 1] + theta[3 * j + 2]) < 1e-6);
}

TEST_CASE("without privacy several classes that can be told apart, or are one, have a model") {
  CHECK(several({{}, {}}) == std::vector<double>(3 * dimension, 0.0));
  for (const bool apart : {true, false}) {
    Table some = table("squared", 200);
    for (std::size_t i = 0; i < some.labels.size(); ++i) {
      const double a = some.features[i * dimension];
      some.labels[i] = !apart ? 2 : a < -0.2 ? 0 : a > 0.2 ? 1 : 2;
    }
    const std::vector<double> theta = several(some);
    CHECK(steepest_of_classes(some, theta) < 1e-7);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < some.labels.size(); ++i) {
      const std::vector<double> p = probabilities(&some.features[i * dimension], theta);
      wrong += std::max_element(p.begin(), p.end()) - p.begin() != static_cast<int>(some.labels[i]);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("without privacy a large intercept regularises nothing else") {
  Table line;
  for (int i = -500; i <= 500; ++i) {
    line.features.insert(line.features.end(), {i / 500.0, 0, 1000});
    line.labels.push_back(i / 250.0);
  }
  FitRequest asked = request("squared");
  asked.numbers["intercept"] = 1000;
  CHECK(fitted(asked, line)[0] == doctest::Approx(2).epsilon(1e-6));
}

TEST_CASE("without privacy every table has a model") {
  for (const std::string loss : {"squared", "logistic", "huber", "poisson"}) {
    CAPTURE(loss);
    const Table none{{}, {}};
    CHECK(fitted(request(loss), none) == std::vector<double>(dimension, 0.0));
    Table constant = table(loss, 50);
    for (std::size_t i = 0; i < 50; ++i)
      constant.features[i * dimension] = constant.features[i * dimension + 1] = 0.5;
    const std::vector<double> theta = fitted(request(loss), constant);
    CHECK(theta[0] == doctest::Approx(theta[1]).epsilon(1e-3));
    Table separated = table(loss, 50);
    for (double& label : separated.labels) label = loss == "poisson" ? 0 : 1;
    for (const double one : fitted(request(loss), separated)) CHECK(std::abs(one) < 100);
  }
}

TEST_CASE("without privacy a request is read with the same care") {
  FitRequest asked = request("logistic");
  asked.texts["loss"] = "hinge";
  CHECK_THROWS_AS(without_privacy(asked), Refusal);
  asked = request("squared");
  asked.numbers["featureBound"] = std::nan("");
  CHECK_THROWS_AS(without_privacy(asked), Refusal);
  asked = request("squared");
  asked.numbers["epsilon"] = 1;
  CHECK_NOTHROW(without_privacy(asked));
  asked.numbers["sigma"] = 1;
  CHECK_THROWS_AS(without_privacy(asked), Refusal);
  asked = request("softmax");
  CHECK_THROWS_AS(without_privacy(asked), Refusal);
  for (const double classes : {2.0, 101.0, 3.5}) {
    asked.numbers["classes"] = classes;
    CHECK_THROWS_AS(without_privacy(asked), Refusal);
  }
  asked.numbers["classes"] = 3;
  CHECK_NOTHROW(without_privacy(asked));
}

}  // namespace epsilometer::without_privacy_test
