// Which Gaussian mechanism is as private, against a Laplace pair's own numbers and against every test.
#include "core/accounting/effective_mu.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "tests/core/descriptions.h"

namespace epsilometer::effective_mu_test {

namespace {

GroupPrivacy alone(const Description& description) { return {privacy_loss(description), 1, 1e-4}; }

Description gdp(double mu) { return one("gdp", {{"mu", mu}}); }

Description laplace(double epsilon) { return one("laplace", {{"scale", 1}, {"sensitivity", epsilon}}); }

const Description descriptions[] = {
    gdp(0.7),
    laplace(1),
    one("approximate", {{"epsilon", 1}, {"delta", 1e-5}}),
    one("zcdp", {{"rho", 0.1}}),
    repeated(sampled("poisson", 0.01, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}})), 500),
};

}  // namespace

TEST_CASE("the effective mu at an epsilon is the root of the definition") {
  // Printed by tests/reference/risk.py.
  const struct {
    double size, epsilon, mu;
  } roots[] = {{2, 0, 1.80090519327558068}, {2, 1, 1.68599087121649596}, {0.25, 0.2, 0.222625686001420209}};
  for (const auto& root : roots) {
    GroupPrivacy group = alone(laplace(root.size));
    const Bounds found = effective_mu(group, root.epsilon);
    CHECK(found.lower <= root.mu);
    CHECK(found.upper >= root.mu);
    CHECK(found.upper - found.lower <= 1e-12);
  }
}

TEST_CASE("of a Gaussian mechanism it is the mechanism, at every epsilon and for every test") {
  for (const double mu : {0.01, 1.0, 6.0}) {
    GroupPrivacy group = alone(gdp(mu));
    for (const double epsilon : {0.0, 0.3, 4.0}) {
      const Bounds found = effective_mu(group, epsilon);
      CHECK(found.lower <= mu);
      CHECK(found.upper >= mu);
      // Below, doubles cannot tell the profile from 0.
      if (group.delta(epsilon).lower > 1e-200) CHECK(found.upper - found.lower <= 1e-9 * mu);
    }
    const GaussianCover cover = gaussian_cover(group, 1e-4);
    CHECK(cover.mu.lower <= mu);
    CHECK(cover.mu.upper >= mu * (1 - 1e-13));
    CHECK(cover.mu.upper <= mu * (1 + 1e-3));
    CHECK(cover.regret.upper <= 1e-3 * mu);
  }
}

TEST_CASE("where nothing or everything is told") {
  GroupPrivacy beyond = alone(laplace(1));
  CHECK(effective_mu(beyond, 2).upper == 0);
  GroupPrivacy all = alone(one("approximate", {{"epsilon", 0}, {"delta", 1}}));
  CHECK(effective_mu(all, 1).lower > 1e6);
  CHECK(std::isinf(effective_mu(all, 1).upper));
}

TEST_CASE("a covering mu and its regret are the largest ones of the definition") {
  // Printed by tests/reference/risk.py, which looks at very many tests.
  const struct {
    double size, rate, mu, regret;
  } rows[] = {{0.25, 1e-6, 0.295609393498888974, 0.0161466395326467556},
              {2, 1e-6, 1.80090519327558068, 0.0301625347606895421},
              {2, 0.01, 1.80090519327558068, 0.0301625347606895421}};
  for (const auto& row : rows) {
    GroupPrivacy group = alone(laplace(row.size));
    const GaussianCover found = gaussian_cover(group, row.rate);
    CHECK(found.mu.lower <= row.mu * (1 + 1e-15));
    CHECK(found.mu.upper >= row.mu);
    CHECK(found.mu.upper <= found.mu.lower * (1 + 1.1e-3));
    // The regret is that of the upper end, which is larger by a thousandth of mu at most: T_mu moves by no
    // more than 0.4 times that.
    CHECK(found.regret.upper >= row.regret);
    CHECK(found.regret.lower <= row.regret + 0.4e-3 * 1.1 * row.mu);
  }
}

TEST_CASE("no test above the rate beats the covering mu, and its regret covers the difference") {
  for (const Description& description : descriptions) {
    CAPTURE(description.kind);
    GroupPrivacy group = alone(description);
    for (const double rate : {1e-8, 0.01}) {
      // What has no closed form takes a while.
      if (&description >= descriptions + 3 && rate < 0.01) continue;
      const GaussianCover found = gaussian_cover(group, rate);
      const GaussianLoss gaussian({found.mu.upper});
      // Lines above every test of either direction, such as the regret is about.
      std::vector<std::pair<double, double>> lines;
      for (double epsilon = -3; epsilon <= 3; epsilon += 0.25)
        lines.emplace_back(group.delta(epsilon).upper, std::exp(epsilon));
      for (double x = rate; x < 1; x *= 2.3) {
        CAPTURE(x);
        CHECK(std::min(group.power(x).lower, 1 - rate) <= gaussian.power(x).upper);
        double shifted = 1;
        for (const auto& [height, slope] : lines)
          shifted = std::min(shifted, height + slope * (x + found.regret.upper));
        CHECK(shifted + found.regret.upper >= gaussian.power(x).lower);
      }
    }
  }
}

TEST_CASE("what cannot be meant is refused by name") {
  GroupPrivacy group = alone(gdp(1));
  CHECK_THROWS_AS(effective_mu(group, -1), Refusal);
  CHECK_THROWS_AS(effective_mu(group, std::nan("")), Refusal);
  CHECK_THROWS_AS(gaussian_cover(group, 0), Refusal);
  CHECK_THROWS_AS(gaussian_cover(group, 0.5), Refusal);
}

}  // namespace epsilometer::effective_mu_test
