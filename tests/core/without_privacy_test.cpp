// The models that private ones are held against: stationary for losses that are written out here once more.
#include "core/release/without_privacy.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"
#include "core/release/fit_session.h"

using namespace epsilometer;

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
}
