// A search for a personal loss that is below the truth: random tables of one column, regular and extreme, and
// the two normal laws of each release integrated directly.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/linear/posterior_sample.h"
#include "core/report/personal/ridge_objective_loss.h"
#include "tests/core/statistics.h"

namespace epsilometer::report_refute_test {

namespace {

struct NormalLaw {
  double mean, deviation;

  double log_density(double x) const {
    const double z = (x - mean) / deviation;
    return -z * z / 2 - std::log(deviation);
  }
};

struct Truth {
  double delta, error;
};

// The positive part of p - e^epsilon q by the midpoint rule over p's 12 deviations: in its own coordinates
// the integrand is phi (1 - e^{epsilon - loss})+, between 0 and phi, so that every piece on which it is
// monotone costs at most 0.4 times the step; it has no more than six, as the loss is a parabola.
Truth hockey_stick(const NormalLaw& p, const NormalLaw& q, double epsilon) {
  const double step = 1e-3;
  double sum = 0;
  for (double z = -12 + step / 2; z < 12; z += step) {
    const double x = p.mean + p.deviation * z;
    const double gain = -std::expm1(epsilon - p.log_density(x) + q.log_density(x));
    if (gain > 0) sum += gain * std::exp(-z * z / 2) * step / std::sqrt(2 * M_PI);
  }
  return {sum, 6 * 0.4 * step};
}

struct Column {
  std::vector<double> x, y;

  Records records() const { return {x.size(), 1, x, y}; }
  double gram(double lambda) const {
    double sum = lambda;
    for (const double one : x) sum += one * one;
    return sum;
  }
  double fitted(double lambda) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum / gram(lambda);
  }
};

}  // namespace

TEST_CASE("no personal loss is below the truth of its two output laws, nor far above it") {
  std::mt19937 random(20261123);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int runs = static_cast<int>(240 / share);
  double nearest = 1;
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    // Tiny and large regularisation, few rows and many, rows that are all alike, an outlier.
    const double lambda = std::pow(10, 3 * uniform(random) - 1), sigma = std::pow(10, uniform(random));
    const auto count = static_cast<std::size_t>(1 + 12 * std::abs(uniform(random)));
    Column with;
    for (std::size_t i = 0; i < count; ++i) {
      with.x.push_back(run % 5 == 0 ? 0.5 : uniform(random));
      with.y.push_back(run % 7 == 0 ? 1 : uniform(random));
    }
    if (run % 3 == 0) with.x[0] *= 10;
    Column without = with;
    without.x.erase(without.x.begin()), without.y.erase(without.y.begin());
    const double epsilon = std::pow(10, 1.5 * uniform(random) - 1);
    const RidgeInfluence inside(table_sums(with.records()), lambda),
        outside(table_sums(without.records()), lambda);
    const std::span<const double> x(with.x.data(), 1);
    const double mean = with.fitted(lambda), other = without.fitted(lambda);
    const auto check = [&](const NormalLaw& here, const NormalLaw& there, double found) {
      const Truth removing = hockey_stick(here, there, epsilon), adding = hockey_stick(there, here, epsilon);
      const double truth = std::max(removing.delta, adding.delta);
      CHECK(found >= truth - removing.error);
      CHECK(found <= truth + removing.error + 1e-3 * truth);
      nearest = std::min(nearest, std::abs(found - truth));
    };
    for (const bool joins : {false, true}) {
      CAPTURE(joins);
      const RecordInfluence influence =
          joins ? outside.of(x, with.y[0], Direction::add) : inside.of(x, with.y[0], Direction::remove);
      const Description output{"gdp", {{"mu", influence.moved.upper() / sigma}}, {}, {}, {}};
      check({mean, sigma}, {other, sigma}, delta(*privacy_loss(output), epsilon).upper);
      const double h = with.gram(lambda), g = without.gram(lambda);
      RecordFacts facts;
      facts.leverage = influence.without.leverage;
      facts.residual = influence.without.residual.magnitude();
      if (facts.leverage.upper() > 1e3) {
        CHECK_THROWS_AS(personal_sample(facts, sigma), Refusal);
      } else {
        check({mean, sigma / std::sqrt(h)}, {other, sigma / std::sqrt(g)},
              delta(*privacy_loss(personal_sample(facts, sigma)), epsilon).upper);
      }
      check({mean, sigma / h}, {other, sigma / g}, RidgeObjectiveLoss(influence, sigma).delta(epsilon).upper);
    }
  }
  CHECK(nearest < 1e-6);
}

TEST_CASE("a record costs less with more noise, more regularisation and more like it") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int run = 0; run < 50; ++run) {
    Column table;
    for (int i = 0; i < 8; ++i) table.x.push_back(uniform(random)), table.y.push_back(uniform(random));
    const std::span<const double> x(table.x.data(), 1);
    double before = HUGE_VAL;
    Column grown = table;
    for (int copies = 0; copies < 4; ++copies) {
      const RidgeInfluence influence(table_sums(grown.records()), 0.5);
      const double leverage = influence.of(x, table.y[0], Direction::remove).with.leverage.upper();
      CHECK(leverage < before);
      before = leverage;
      grown.x.push_back(table.x[0]), grown.y.push_back(table.y[0]);
    }
    const RidgeInfluence influence(table_sums(table.records()), 0.5);
    const RecordInfluence own = influence.of(x, table.y[0], Direction::remove);
    double most = 1;
    for (const double sigma : {0.1, 0.3, 1.0, 4.0}) {
      const double found = RidgeObjectiveLoss(own, sigma).delta(0.2).upper;
      CHECK(found <= most * (1 + 1e-4) + 1e-12);
      most = found;
    }
  }
}

}  // namespace epsilometer::report_refute_test
