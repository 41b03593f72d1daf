// The laws of what the samplers among the linear models release, against closed forms and explicit sketches.
#include <doctest/doctest.h>

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/noise/finish.h"
#include "core/numerics/cholesky.h"
#include "core/release/algorithm.h"
#include "tests/core/linear_request.h"
#include "tests/core/statistics.h"

namespace epsilometer::linear_law_test {

namespace {

// Through the law to a standard normal deviate.
double normal_score(double probability) {
  return boost::math::quantile(boost::math::normal(), std::clamp(probability, 1e-300, 1 - 1e-16));
}

}  // namespace

TEST_CASE("mixing's coefficients follow their t law, as those of an explicit sketch do") {
  const std::vector<double> x = {0.6, 0.1, -0.3, 0.8, 0.5, -0.5, 0.2, 0.9, -0.7, 0.4, 0.1, 0.3},
                            y = {0.5, -0.2, 0.7, -0.6, -0.4, 0.1};
  // In exact arithmetic at sigma^2 = 1, 8 rows: mean and covariance.
  const double mean[2] = {0.3196978245878001, -0.3277537458466554};
  const double covariance[3] = {0.15386434635464252, 0.025990599046392313, 0.11643788372783757};
  const double scale = 1.6583041815560156;
  const std::size_t n = 50'000 / share;
  const auto algorithm = epsilometer::algorithm(
      request("linear-mixing",
              {{"dimension", 2}, {"sigma", 1}, {"sketchSize", 8}, {"featureBound", 2}, {"labelBound", 1}}));
  TestRng rng(20261210);
  const auto explicit_sketch = [&]() {
    double gram[3] = {}, cross[2] = {};
    for (int row = 0; row < 8; ++row) {
      double z[3] = {normal_deviate(rng), normal_deviate(rng), normal_deviate(rng)};
      for (int i = 0; i < 6; ++i) {
        const double weight = normal_deviate(rng);
        z[0] += weight * x[2 * i], z[1] += weight * x[2 * i + 1], z[2] += weight * y[i];
      }
      gram[0] += z[0] * z[0], gram[1] += z[0] * z[1], gram[2] += z[1] * z[1];
      cross[0] += z[0] * z[2], cross[1] += z[1] * z[2];
    }
    return Cholesky::of(gram, 2)->solve(cross);
  };
  for (const bool sketched : {false, true}) {
    CAPTURE(sketched);
    std::vector<double> along, distance;
    double sum[2] = {}, products[3] = {}, fourth[3] = {}, residual = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> theta;
      if (sketched) {
        theta = explicit_sketch();
      } else {
        const Release release = algorithm->fit(Records{6, 2, x, y}, rng, {});
        theta = release.coefficients();
        residual += release.number("residualVariance");
      }
      const double a = theta[0] - mean[0], b = theta[1] - mean[1];
      sum[0] += a, sum[1] += b;
      const double each[3] = {a * a, a * b, b * b};
      for (int j = 0; j < 3; ++j) products[j] += each[j], fourth[j] += each[j] * each[j];
      // Covariance = scale / (7 - 2) Psi^-1: the t law with 7 degrees of freedom.
      const boost::math::students_t one(7);
      along.push_back(normal_score(boost::math::cdf(one, a / std::sqrt(covariance[0] * 5 / 7))));
      const double det = covariance[0] * covariance[2] - covariance[1] * covariance[1];
      const double square =
          (covariance[2] * a * a - 2 * covariance[1] * a * b + covariance[0] * b * b) / det * 7 / 5;
      distance.push_back(normal_score(boost::math::cdf(boost::math::fisher_f(2, 7), square / 2)));
    }
    const auto count = static_cast<double>(n);
    for (int j = 0; j < 2; ++j) CHECK(std::abs(sum[j] / count) < 5 * std::sqrt(covariance[2 * j] / count));
    for (int j = 0; j < 3; ++j) {
      const double average = products[j] / count,
                   error = std::sqrt((fourth[j] / count - average * average) / count);
      CHECK(std::abs(average - covariance[j]) < 5 * error);
    }
    CHECK(kolmogorov(along) > 1e-4);
    CHECK(kolmogorov(distance) > 1e-4);
    // s^2 chi^2_6 / 6.
    if (!sketched) CHECK(std::abs(residual / count - scale) < 5 * scale * std::sqrt(2 / 6.0 / count));
  }
}

TEST_CASE("a posterior sample is normal, with the posterior's mean and covariance") {
  const std::vector<double> x = {-0.595, -0.804, -0.22, 0.83, 0.58, 0.64, -0.733, -0.681},
                            y = {0.71, 0.4, -0.56, -0.63};
  // lambda = 1/2 and sigma = 1/2, in exact arithmetic.
  const double mean[2] = {-0.23628583672718698, 0.0396265178007268};
  const double covariance[3] = {0.19622370603276099, -0.08447919905593111, 0.12866638267193586};
  const auto algorithm = epsilometer::algorithm(
      request("posterior-sampling",
              {{"dimension", 2}, {"sigma", 0.5}, {"lambda", 0.5}, {"rows", 1e4}, {"featureBound", 2}}));
  TestRng rng(20261215);
  const std::size_t n = 100'000 / share;
  std::vector<double> first, rest;
  double products[3] = {}, sum[2] = {};
  for (std::size_t i = 0; i < n; ++i) {
    const auto theta = algorithm->fit(Records{4, 2, x, y}, rng, {}).coefficients();
    const double a = theta[0] - mean[0], b = theta[1] - mean[1];
    sum[0] += a, sum[1] += b;
    products[0] += a * a, products[1] += a * b, products[2] += b * b;
    // Two independent deviates.
    first.push_back(a / std::sqrt(covariance[0]));
    const double slope = covariance[1] / covariance[0];
    rest.push_back((b - slope * a) / std::sqrt(covariance[2] - slope * covariance[1]));
  }
  const auto count = static_cast<double>(n);
  for (int j = 0; j < 2; ++j) CHECK(std::abs(sum[j] / count) < 5 * std::sqrt(covariance[2 * j] / count));
  for (int j = 0; j < 3; ++j) {
    // The variance of a product of two normal deviates.
    const double variance = j == 1 ? covariance[0] * covariance[2] + covariance[1] * covariance[1]
                                   : 2 * covariance[j] * covariance[j];
    CHECK(std::abs(products[j] / count - covariance[j]) < 5 * std::sqrt(variance / count));
  }
  CHECK(kolmogorov(first) > 1e-4);
  CHECK(kolmogorov(rest) > 1e-4);
}

}  // namespace epsilometer::linear_law_test
