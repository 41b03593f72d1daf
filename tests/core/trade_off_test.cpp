// The power of the best test from a profile alone, against closed forms that were derived from densities.
#include "core/accounting/trade_off.h"
#include "core/accounting/envelope.h"
#include "core/accounting/group.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/base/refusal.h"
#include "core/numerics/normal.h"
#include "tests/core/descriptions.h"

namespace epsilometer::trade_off_test {

namespace {

const Description gaussian{"gaussian", {{"sigma", 1.3}, {"sensitivity", 1}}, {}, {}, {}};
const Description laplace{"laplace", {{"scale", 0.8}, {"sensitivity", 1}}, {}, {}, {}};

Description sampled(const char* sampling, const Description& base) {
  return {"subsampled", {{"rate", 0.2}}, {}, {{"sampling", sampling}}, {{base, 1}}};
}

constexpr double rates[] = {1e-200, 1e-30, 1e-8, 1e-3, 0.03, 0.2, 0.35, 0.5, 0.65, 0.8, 0.97, 0.9999};

}  // namespace

TEST_CASE("the envelope of a profile holds the power that densities give, and is narrow") {
  for (const Description& kind :
       {gaussian, laplace, sampled("without-replacement", gaussian), sampled("without-replacement", laplace),
        Description{"randomized-response", {{"epsilon", 1.3}, {"categories", 5}}, {}, {}, {}},
        Description{"approximate", {{"epsilon", 0.4}, {"delta", 0.01}}, {}, {}, {}}}) {
    const auto loss = privacy_loss(kind);
    Envelope envelope([&](double epsilon, double) { return loss->profile()->delta(epsilon); },
                      loss->infinite_mass());
    for (const double x : rates) {
      CAPTURE(kind.kind);
      CAPTURE(x);
      const Bounds known = loss->profile()->power(x), found = envelope.power(x);
      CHECK(found.lower <= known.upper * (1 + 1e-14));
      CHECK(found.upper >= known.lower * (1 - 1e-14));
      CHECK(found.upper - found.lower <= 1.1e-5 * std::min(found.upper, 1 - found.lower) + 1e-12);
    }
  }
}

TEST_CASE("a composition's trade-off curve is certified from both sides") {
  // Two releases that together are known in closed form: pure losses compose to repeated responses.
  const Description pure{"pure", {{"epsilon", 0.1}}, {}, {}, {}};
  const auto closed = privacy_loss(repeated(pure, 30));
  const Description apart{
      "composition", {}, {}, {}, {{pure, 29}, {{"pure", {{"epsilon", 0.1 + 1e-15}}, {}, {}, {}}, 1}}};
  const auto together = privacy_loss(apart);
  const Profile profile(*together);
  TradeOff trade_off(*together, profile);
  for (const double x : rates) {
    CAPTURE(x);
    const Bounds truth = closed->profile()->power(x), found = trade_off.power(x);
    CHECK(found.lower <= truth.upper * (1 + 1e-11));
    CHECK(found.upper >= truth.lower * (1 - 1e-11));
    CHECK(found.lower >= (1 - 1e-4) * found.upper);
  }
}

TEST_CASE("each direction of a sampled composition bounds the other's mirror image") {
  // A test of one direction, read backwards, is a test of the other: whoever hits at y with false positives x
  // hits at 1 - x with false positives 1 - y.
  const auto loss = privacy_loss(repeated(sampled("poisson", gaussian), 50));
  const Profile profile(*loss);
  TradeOff trade_off(*loss, profile);
  for (const double x : {1e-9, 1e-4, 0.01, 0.2, 0.5, 0.9}) {
    CAPTURE(x);
    const Bounds power = trade_off.power(x);
    CHECK(power.lower <= power.upper);
    CHECK(power.lower >= (1 - 1e-4) * power.upper);
    CHECK(trade_off.power(1 - power.lower).upper >= (1 - x) * (1 - 1e-9));
    for (const double epsilon : {-1.0, -0.1, 0.0, 0.3, 2.0, 6.0}) {
      CHECK(power.lower <= profile.delta(epsilon).upper + std::exp(epsilon) * x);
    }
  }
}

// Beyond what rounding leaves of the interval no evaluation narrows it.
TEST_CASE("a curve that is all power is found with a few evaluations") {
  for (const double false_positive : {1e-300, 1e-9, 0.5, 1.0}) {
    int evaluations = 0;
    Envelope everything(
        [&evaluations](double, double) {
          ++evaluations;
          return Bounds{1, 1};
        },
        1);
    const Bounds found = everything.power(false_positive);
    CAPTURE(false_positive);
    CHECK(found.upper == 1);
    CHECK(found.lower >= 1 - 1e-12);
    CHECK(found.lower <= 1);
    CHECK(evaluations < 10);
  }
}

TEST_CASE("far losses of a composition that tells next to nothing are nothing, and its curve is narrow") {
  for (const auto& one : {std::pair(100.0, 3.0), std::pair(1e4, 1000.0)}) {
    const double sigma = one.first, count = one.second;
    const Description step{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
    const Description sample{"subsampled", {{"rate", 1e-4}}, {}, {{"sampling", "poisson"}}, {{step, 1}}};
    const auto loss = privacy_loss({"composition", {}, {}, {}, {{sample, count}, {step, 1}}});
    CAPTURE(sigma);
    CAPTURE(count);
    const Profile profile(*loss, 1e-3);
    double before = 1;
    // From where the whole is decided to far beyond every double.
    for (double epsilon = 0; epsilon < 1000; epsilon = epsilon == 0 ? 1 / sigma : 3 * epsilon) {
      const Bounds found = profile.delta(epsilon);
      CAPTURE(epsilon);
      CHECK(found.lower <= found.upper);
      CHECK(found.lower <= before);
      before = found.upper;
    }
    CHECK(before <= 1e-320);
    // At least as much as the one step that is not sampled, N(1/sigma, 1) against N(0, 1).
    TradeOff curve(*loss, profile);
    for (const double x : {0.001, 0.1, 0.5}) {
      const Bounds power = curve.power(x);
      const double alone = normal_upper_tail({normal_upper_quantile(x) - 1 / sigma});
      // Tails are right to 24u, and their arguments.
      CHECK(power.upper >= alone * (1 - 1e-14));
      CHECK(power.lower <= power.upper);
      CHECK(power.upper - power.lower <= 1e-4 * power.upper);
    }
  }
}

TEST_CASE("no power is stated that a delta of the same loss, or group, excludes") {
  const Description approximate{"approximate", {{"epsilon", 0.5}, {"delta", 1e-6}}, {}, {}, {}};
  const auto selected = [](const Description& base) {
    return Description{"private-selection", {{"runs", 10}}, {}, {{"stopping", "geometric"}}, {{base, 1}}};
  };
  const auto tested = [](const Description& base) {
    return Description{"propose-test-release",
                       {{"testEpsilon", 0.5}, {"testDelta", 1e-6}, {"failure", 1e-6}},
                       {},
                       {{"test", "accept-reject"}},
                       {{base, 1}}};
  };
  const Description gdp{"gdp", {{"mu", 0.2}}, {}, {}, {}}, zcdp{"zcdp", {{"rho", 0.02}}, {}, {}, {}};
  for (const Description& asked :
       {selected(approximate), selected(gdp), selected(zcdp), selected(repeated(approximate, 2)),
        tested(approximate), tested(zcdp), tested(selected(gdp)), selected(tested(gdp))})
    for (const double size : {1.0, 2.0}) {
      // Chains of what takes long alone take longer than a test may.
      if (size == 2 && asked.parts[0].mechanism.kind != "approximate") continue;
      GroupPrivacy group(privacy_loss(asked), size, 1e-4);
      std::map<double, double> deltas;
      for (double epsilon = -2; epsilon < 60; epsilon += 0.25 + epsilon * epsilon / 40)
        deltas[epsilon] = group.delta(epsilon).upper;
      double before = 0;
      for (const double x : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.5}) {
        CAPTURE(asked.kind);
        CAPTURE(asked.parts[0].mechanism.kind);
        CAPTURE(size);
        CAPTURE(x);
        const Bounds found = group.power(x);
        double least = 1;
        for (const auto& [epsilon, delta] : deltas) least = std::min(least, delta + std::exp(epsilon) * x);
        CHECK(found.lower <= least);
        CHECK(found.upper <= least * (1 + 1e-2) + 1e-290);
        CHECK(found.upper >= before * (1 - 1e-2));
        before = found.upper;
      }
    }
}

}  // namespace epsilometer::trade_off_test
