// Largest losses and infinite masses: every release counts, and at delta 0 the sum is exact.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/calibrate.h"
#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "tests/core/descriptions.h"

namespace epsilometer::pure_composition_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Each kind whose loss may be so large, asked both ways.
void check_large(double epsilon, const std::vector<double>& counts) {
  for (const Description& part :
       {Description{"exponential", {{"epsilon", epsilon}}, {}, {}, {}},
        Description{"pure", {{"epsilon", epsilon}}, {}, {}, {}},
        Description{"laplace", {{"scale", 1 / epsilon}, {"sensitivity", 1}}, {}, {}, {}},
        Description{"randomized-response", {{"categories", 3}, {"epsilon", epsilon}}, {}, {}, {}}})
    for (const double count : counts) {
      CAPTURE(part.kind);
      CAPTURE(epsilon);
      CAPTURE(count);
      const auto loss = privacy_loss({"composition", {}, {}, {}, {{part, count}}});
      for (const double delta : {1e-300, 1e-6, 0.01}) {
        const Bounds found = epsilometer::epsilon(*loss, delta);
        CHECK(found.lower >= 0);
        CHECK(found.lower <= found.upper);
        CHECK(found.upper <= count * epsilon * (1 + 1e-9));
      }
      for (const double level : {1.0, epsilon, count * epsilon / 2}) {
        const Bounds found = epsilometer::delta(*loss, level);
        CHECK(found.lower >= 0);
        CHECK(found.lower <= found.upper);
        CHECK(found.upper <= 1);
      }
    }
}

}  // namespace

TEST_CASE("at delta 0 a sum costs the sum of the largest losses, exactly where that is a double") {
  struct Bounded {
    Description description;
    double largest;
  };
  const std::vector<Bounded> bounded = {
      {one("laplace", {{"scale", 1}, {"sensitivity", 1}}), 1},
      {one("laplace", {{"scale", 8}, {"sensitivity", 3}}), 0.375},
      {one("discrete-laplace", {{"scale", 2}, {"sensitivity", 3}}), 1.5},
      {one("pure", {{"epsilon", 0.25}}), 0.25},
      {one("randomized-response", {{"epsilon", 0.5}, {"categories", 4}}), 0.5},
      {one("exponential", {{"epsilon", 0.75}}), 0.75}};
  for (const Bounded& part : bounded) {
    for (const double count : {1.0, 2.0, 10.0, 1e9}) {
      CAPTURE(part.description.kind);
      CAPTURE(count);
      const auto loss = together({{part.description, count}});
      const Bounds found = epsilon(*loss, 0);
      CHECK(found.upper == count * part.largest);
      CHECK(found.lower >= count * part.largest * (1 - 1e-13));
      CHECK(delta(*loss, count * part.largest).upper == 0);
      CHECK(delta(*loss, 0.999 * count * part.largest).upper > 0);
    }
    for (const Bounded& other : bounded) {
      const double whole = 3 * part.largest + 7 * other.largest;
      CHECK(epsilon(*together({{part.description, 3}, {other.description, 7}}), 0).upper == whole);
    }
  }
  // 10 x 1/10 is 1 although 1/10 is no double; 3 x 0.1 is above 0.3.
  CHECK(epsilon(*together({{one("laplace", {{"scale", 10}, {"sensitivity", 1}}), 10}}), 0).upper == 1);
  CHECK(epsilon(*together({{one("pure", {{"epsilon", 0.1}}), 3}, {one("pure", {{"epsilon", 0.2}}), 1}}), 0)
            .upper > 0.5);
}

TEST_CASE("calibrating at delta 0 divides the promise") {
  struct Case {
    std::vector<Part> parts;
    Parameter parameter;
    double epsilon, value;
  };
  const auto grows = [](const Place& place) {
    return Parameter{place.number, 1e-100, 1e100, false, true, place};
  };
  const auto falls = [](const Place& place) {
    return Parameter{place.number, 0, 1e100, false, false, place};
  };
  const Description laplace = one("laplace", {{"scale", 1}, {"sensitivity", 1}}),
                    pure = one("pure", {{"epsilon", 1}});
  const Description range = one("exponential", {{"epsilon", 1}}),
                    whole = one("discrete-laplace", {{"scale", 1}, {"sensitivity", 2}});
  const std::vector<Case> cases = {
      {{{laplace, 10}}, grows({{0}, "scale"}), 3, 10.0 / 3},
      {{{pure, 1}, {pure, 1}}, falls({{0}, "epsilon"}), 3, 2},
      {{{pure, 2}, {one("pure", {{"epsilon", 0.5}}), 4}}, falls({{0}, "epsilon"}), 3, 0.5},
      {{{range, 4}}, falls({{0}, "epsilon"}), 3, 0.75},
      {{{range, 4}, {laplace, 1}}, falls({{0}, "epsilon"}), 3, 0.5},
      {{{whole, 4}}, grows({{0}, "scale"}), 3, 8.0 / 3},
      {{{whole, 4}, {pure, 1}}, grows({{0}, "scale"}), 3, 4},
      {{{sampled("poisson", 0.5, pure), 2}}, falls({{0, 0}, "epsilon"}), 2, std::log(2 * std::exp(1.0) - 1)},
      {{{pure, 3}}, {"count", 1, 1e15, true, false, Place{{0}, ""}}, 7, 7}};
  for (const Case& one : cases) {
    CAPTURE(one.parameter.name);
    const Description asked{"composition", {}, {}, {}, one.parts};
    const Calibrated found = calibrate(asked, one.parameter, {one.epsilon, 0});
    CHECK(std::abs(found.value - one.value) <= 1e-13 * one.value);
    CHECK(found.epsilon.upper <= one.epsilon);
    REQUIRE(found.insufficient);
    CHECK(epsilon(*loss_with(asked, one.parameter, *found.insufficient), 0).upper > one.epsilon);
    CHECK(found.lasting == found.value);
  }
  // What always leaves a chance keeps no such promise.
  const Description gaussian = one("gaussian", {{"sigma", 1}, {"sensitivity", 1}});
  CHECK_THROWS_AS(
      calibrate({"composition", {}, {}, {}, {{gaussian, 2}, {pure, 1}}}, grows({{0}, "sigma"}), {3, 0}),
      Refusal);
}

TEST_CASE("every release counts for the mass of infinite losses" * doctest::test_suite("long")) {
  const auto failing = [](double epsilon, double delta) {
    return one("approximate", {{"epsilon", epsilon}, {"delta", delta}});
  };
  const auto check = [](const std::vector<Part>& parts, double mass, double largest) {
    const auto loss = together(parts);
    for (const double level : {largest, largest + 1e-9, largest + 6, 1e6}) {
      CAPTURE(level);
      const Bounds found = delta(*loss, level);
      CHECK(found.lower <= mass * (1 + 1e-11));
      CHECK(found.upper >= mass * (1 - 1e-11));
      // The sum of the doubles may lie a step above the level.
      CHECK(found.upper - found.lower <= 1e-11 * mass + 4 * unit_roundoff * largest);
    }
    CHECK(delta(*loss, largest * (1 - 1e-9)).upper <= mass + 1e-8);
    // What the ends of delta leave open: by 1e-11 around the mass, and as much between them.
    const double open = 2e-11 * mass + 4 * unit_roundoff * largest;
    CHECK(epsilon(*loss, mass - open).lower == infinite);
    CHECK(epsilon(*loss, 0.2 * mass).lower == infinite);
    CHECK(epsilon(*loss, mass + open).upper < infinite);
    CHECK(power(*loss, 0).upper >= mass * (1 - 1e-11));
    CHECK(power(*loss, 0).lower <= mass * (1 + 1e-11));
  };
  for (const double count : {2.0, 50.0, 1000.0}) {
    CAPTURE(count);
    check({{failing(0.1, 1e-6), count}}, -std::expm1(count * std::log1p(-1e-6)), 0.1 * count);
    check({{sampled("poisson", 0.5, failing(1, 1e-6)), count}}, -std::expm1(count * std::log1p(-5e-7)),
          count * std::log1p(0.5 * std::expm1(1.0)) * (1 + 1e-13));
  }
  check({{failing(1, 1e-6), 1}, {failing(2, 1e-6), 1}}, 2e-6 - 1e-12, 3);
  check({{failing(1, 0.25), 2},
         {failing(0.5, 0.5), 1},
         {one("laplace", {{"scale", 1}, {"sensitivity", 1}}), 2}},
        1 - 0.5625 * 0.5, 4.5);
  CHECK(delta(*together({{failing(0.1, 1e-6), 50}}), 6).lower >= 4.99e-5);
}

TEST_CASE("what tells everything in one direction does not add up with what does in the other") {
  const auto told = [](const char* direction, double infinite) {
    return Description{"privacy-loss",
                       {{"infinite", infinite}},
                       {{"losses", {std::log((0.45 - infinite) / 0.7) + 1e-14, std::log(0.55 / 0.3) + 1e-14}},
                        {"masses", {0.45 - infinite, 0.55}}},
                       {{"rounded", "exact"}, {"direction", direction}, {"neighbours", "replace"}},
                       {}};
  };
  const auto both = together({{told("remove", 1e-3), 1}, {told("add", 1e-3), 1}});
  // In each direction one of them does, with probability 0.001; the other has finite losses.
  for (const double epsilon : {1.25, 1.3, 5.0, 100.0}) {
    CAPTURE(epsilon);
    CHECK(delta(*both, epsilon).lower <= 1e-3 * (1 + 1e-9));
    CHECK(delta(*both, epsilon).upper >= 1e-3 * (1 - 1e-9));
  }
  const Bounds found = epsilon(*both, 1.5e-3);
  CHECK(found.upper < 1.1);
  CHECK(delta(*both, found.upper).lower <= 1.5e-3);
  CHECK(std::isinf(epsilon(*both, 0.9e-3).lower));
  // As often in each direction; where losses are rounded up by 1e-14, that much is missing in the other one.
  const auto uneven = together({{told("remove", 1e-3), 10}, {told("add", 1e-6), 10}});
  const double mass = -std::expm1(10 * std::log1p(-1e-3));
  CHECK(uneven->infinite_mass() <= mass * (1 + 1e-9));
  CHECK(uneven->infinite_mass() >= mass * (1 - 1e-9));
}

TEST_CASE("at delta 0 samples of huge losses cost what is left of them") {
  for (const double huge : {699.0, 701.0, 1000.0, 1e6})
    for (const double rate : {1e-90, 1e-6, 0.1, 0.9})
      for (const char* sampling : {"poisson", "without-replacement"}) {
        const Description pure{"pure", {{"epsilon", huge}}, {}, {}, {}};
        const Description one{"subsampled", {{"rate", rate}}, {}, {{"sampling", sampling}}, {{pure, 1}}};
        CAPTURE(huge);
        CAPTURE(rate);
        // log(1 - q + q e^l), of which the first part is nothing.
        const double left = huge + std::log(rate);
        const auto alone = privacy_loss(one), twice = privacy_loss({"composition", {}, {}, {}, {{one, 2}}});
        CHECK(std::abs(epsilon(*alone, 0).upper - left) <= 1e-12 * left);
        CHECK(std::abs(epsilon(*twice, 0).upper - 2 * left) <= 2e-12 * left);
      }
}

TEST_CASE("at delta 0 a group costs every step its largest loss") {
  for (const Description& kind :
       {one("laplace", {{"scale", 1}, {"sensitivity", 0.25}}), one("pure", {{"epsilon", 0.25}}),
        one("discrete-laplace", {{"scale", 8}, {"sensitivity", 2}}), one("exponential", {{"epsilon", 0.25}}),
        one("randomized-response", {{"epsilon", 0.25}, {"categories", 3}}),
        Description{"composition", {}, {}, {}, {{one("pure", {{"epsilon", 0.125}}), 2}}}}) {
    for (const double size : {2.0, 3.0, 7.0, 40.0}) {
      CAPTURE(kind.kind);
      CAPTURE(size);
      GroupPrivacy group(privacy_loss(kind), size, 1e-4);
      CHECK(group.epsilon(0).upper >= 0.25 * size);
      CHECK(group.epsilon(0).upper <= 0.25 * size * (1 + 1e-13));
      CHECK(group.epsilon(1e-3).upper <= 0.25 * size * (1 + 1e-13));
    }
  }
  GroupPrivacy three(privacy_loss(one("laplace", {{"scale", 1}, {"sensitivity", 0.3}})), 3, 1e-4);
  CHECK(three.epsilon(0).upper >= 0.9);
}

TEST_CASE("losses as large as doubles are answered, by their sum at most" * doctest::test_suite("long")) {
  for (const double epsilon : {1e15, 1e99}) check_large(epsilon, {8});
}

TEST_CASE("so is every size of them, few and many" * doctest::test_suite("long")) {
  for (const double epsilon : {1e2, 3e9, 1e20}) check_large(epsilon, {2, 8, 1000});
  // Where a grid has most points.
  check_large(1e6, {1000});
}

}  // namespace epsilometer::pure_composition_test
