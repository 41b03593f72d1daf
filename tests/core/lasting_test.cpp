// From which value of a parameter on every more private one keeps a promise.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/calibrate.h"
#include "core/accounting/profile.h"
#include "tests/core/descriptions.h"

namespace epsilometer::lasting_test {

namespace {}  // namespace

TEST_CASE("from the lasting value on every larger sigma of discrete noise keeps the promise") {
  const Parameter sigma{"sigma", 1e-2, 1e5, false, true};
  struct Case {
    double sensitivity, epsilon, delta;
  };
  int unsteady = 0;
  for (const Case& one : {Case{2, 16, 1e-5},
                          {1, 10, 1e-3},
                          {1, 30, 1e-6},
                          {3, 40, 1e-4},
                          {2, 1, 1e-5},
                          {1, 0.1, 1e-8},
                          {5, 8, 1e-10}}) {
    CAPTURE(one.sensitivity);
    CAPTURE(one.epsilon);
    const Description noise{
        "discrete-gaussian", {{"sensitivity", one.sensitivity}, {"sigma", 1}}, {}, {}, {}};
    const Calibrated found = calibrate(noise, sigma, {one.epsilon, one.delta});
    REQUIRE(found.lasting);
    CHECK(*found.lasting >= found.value);
    bool broken = false;
    for (double larger = found.value; larger < *found.lasting; larger *= 1.001)
      broken = broken || delta(*loss_with(noise, sigma, larger), one.epsilon).lower > one.delta;
    // What lies further on than the found value has a reason, or is next to it.
    CHECK((broken || *found.lasting <= 1.01 * found.value));
    unsteady += broken;
    for (double larger = *found.lasting; larger < 20 * *found.lasting; larger *= 1.003)
      CHECK(delta(*loss_with(noise, sigma, larger), one.epsilon).upper <= one.delta * (1 + 1e-12));
  }
  CHECK(unsteady >= 3);
  const Description noise = one("discrete-gaussian", {{"sensitivity", 2}, {"sigma", 1}});
  CHECK(delta(*loss_with(noise, sigma, 0.6124), 16).upper <= 1e-5);
  CHECK(delta(*loss_with(noise, sigma, 0.65), 16).lower > 1e-5);
  // A composition by the class that shrinks, a sample by nothing.
  const Parameter inner{"sigma", 1e-2, 1e5, false, true, Place{{0}, "sigma"}};
  const Calibrated several = calibrate({"composition", {}, {}, {}, {{noise, 3}}}, inner, {2, 1e-6});
  REQUIRE(several.lasting);
  CHECK(*several.lasting >= several.value);
  CHECK(*several.lasting <= 1.2 * several.value);
  const Parameter base{"sigma", 1e-2, 1e5, false, true, Place{{0}, "sigma"}},
      rate{"rate", 1e-100, 1, false, false};
  CHECK(!calibrate(sampled("poisson", 0.1, noise), base, {1, 1e-6}).lasting);
  const Calibrated rarer = calibrate(sampled("poisson", 0.1, noise), rate, {1, 1e-6});
  CHECK(rarer.lasting == rarer.value);
}

TEST_CASE("where privacy moves one way, the found value lasts") {
  const auto check = [](const Description& kind, const Parameter& parameter) {
    CAPTURE(kind.kind);
    CAPTURE(parameter.name);
    const Calibrated found = calibrate(kind, parameter, {0.5, 1e-4});
    CHECK(found.lasting == found.value);
    // And it does: a sweep of more private values.
    for (const double factor : {1.0001, 1.01, 1.1, 1.7, 4.0, 30.0}) {
      const double value = parameter.more_private ? found.value * factor : found.value / factor;
      if (value < parameter.minimum || value > parameter.maximum) continue;
      CHECK(delta(*loss_with(kind, parameter, value), 0.5).upper <= 1e-4 * (1 + 1e-9));
    }
  };
  const auto up = [](const char* name) { return Parameter{name, 1e-100, 1e100, false, true}; };
  const auto down = [](const char* name) { return Parameter{name, 1e-100, 1e100, false, false}; };
  check(one("gaussian", {{"sigma", 1}, {"sensitivity", 1}}), up("sigma"));
  check(one("gaussian", {{"sigma", 1}, {"sensitivity", 1}}), down("sensitivity"));
  check(one("gdp", {{"mu", 1}}), down("mu"));
  check(one("laplace", {{"scale", 1}, {"sensitivity", 1}}), up("scale"));
  check(one("discrete-laplace", {{"scale", 1}, {"sensitivity", 3}}), up("scale"));
  check(
      {"report-noisy-max", {{"classes", 2}, {"scale", 1}}, {}, {{"noise", "laplace"}, {"vote", "added"}}, {}},
      up("scale"));
  check(one("randomized-response", {{"epsilon", 1}, {"categories", 3}}), down("epsilon"));
  check(one("pure", {{"epsilon", 1}}), down("epsilon"));
  check(one("exponential", {{"epsilon", 1}}), down("epsilon"));
  check(one("zcdp", {{"rho", 1}}), down("rho"));
  check(one("tcdp", {{"rho", 1}, {"omega", 50}}), down("rho"));
  check(one("gaussian-mixing", {{"sketchSize", 4}, {"gamma", 20}}), {"gamma", 1.000001, 1e12, false, true});
  check(one("posterior-sampling", {{"leverage", 0.001}, {"residual", 1}}),
        {"residual", 1e-3, 1e6, false, false});
  check(sampled("without-replacement", 0.1, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}})),
        {"sigma", 1e-100, 1e100, false, true, Place{{0}, "sigma"}});
  const Description posterior = one("posterior-sampling", {{"leverage", 0.01}, {"residual", 1}});
  CHECK(!calibrate(posterior, {"leverage", 1e-9, 1e3, false, false}, {0.5, 1e-4}).lasting);
}

}  // namespace epsilometer::lasting_test
