// Releases of bounded range as a game, against values that were searched without a lattice
// (tests/reference/adaptive_range.py).
#include "core/accounting/composition/adaptive_range.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/calibrate.h"
#include "core/accounting/compare.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"

namespace epsilometer::adaptive_range_test {

namespace {

Description range(double width) { return {"exponential", {{"epsilon", width}}, {}, {}, {}}; }

std::shared_ptr<const PrivacyLoss> together(const std::vector<Part>& parts) {
  return privacy_loss({"composition", {}, {}, {}, parts});
}

struct Known {
  std::vector<RepeatedRange> ranges;
  double epsilon, delta;
};

// 15 digits.
const std::vector<Known> known = {
    {{{1, 2}}, 0, 0.303365496483182},
    {{{1, 2}}, 0.5, 0.152451906798666},
    {{{1, 2}}, 1, 0.057005329028488},
    {{{1, 2}}, 1.9, 8.8182417172593e-5},
    {{{0.1, 2}}, 0, 0.0312405630483121},
    {{{0.1, 2}}, 0.05, 0.0128097663219775},
    {{{0.1, 2}}, 0.15, 0.000498622110627296},
    {{{4, 2}}, 0, 0.858632830390174},
    {{{4, 2}}, 3, 0.553756259357543},
    {{{4, 2}}, 6.5, 0.063210459377066},
    {{{1, 1}, {0.5, 1}}, 0, 0.259814130551363},
    {{{1, 1}, {0.5, 1}}, 0.5, 0.0965308460107415},
    {{{1, 1}, {0.5, 1}}, 1, 0.0145468658522897},
    {{{1, 1}, {0.5, 1}}, 1.25, 0.00205511253888989},
    {{{1, 1}, {0.3, 1}}, 0.2, 0.177894238173926},
    {{{1, 1}, {0.3, 1}}, 0.9, 0.0118718359565588},
};

}  // namespace

TEST_CASE("the value of the game lies between both sides, and they are close") {
  for (const Known& one : known) {
    CAPTURE(one.epsilon);
    CAPTURE(one.delta);
    const auto game = AdaptiveRange::of(one.ranges);
    REQUIRE(game);
    const Bounds found = game->delta(one.epsilon, 1e-5, 0.1 * one.delta);
    CHECK(found.lower <= one.delta * (1 + 1e-14));
    CHECK(found.upper >= one.delta * (1 - 1e-14));
    // Next to the largest loss delta falls steeply.
    CHECK(found.lower >= (1 - 1e-3) * found.upper);
    if (one.epsilon == 0) continue;
    const Bounds level = game->epsilon(one.delta, 1e-5);
    CHECK(level.lower <= one.epsilon * (1 + 1e-13));
    CHECK(level.upper >= one.epsilon * (1 - 1e-13));
    CHECK(level.lower >= (1 - 1e-4) * level.upper);
  }
}

TEST_CASE("a coarse game encloses a fine one") {
  for (const auto& ranges : std::vector<std::vector<RepeatedRange>>{
           {{0.3, 30}}, {{1, 3}, {0.5, 4}}, {{1, 2}, {0.317, 3}}, {{5, 2}, {0.01, 2}}}) {
    const auto coarse = AdaptiveRange::of(ranges), fine = AdaptiveRange::of(ranges);
    for (const double epsilon : {0.0, 0.7, 2.49}) {
      CAPTURE(epsilon);
      const Bounds wide = coarse->delta(epsilon, 1, 1e-6), narrow = fine->delta(epsilon, 3e-4, 1e-6);
      CHECK(wide.lower <= narrow.upper);
      CHECK(wide.upper >= narrow.lower);
      CHECK(narrow.lower > 0);
      CHECK(narrow.lower >= (1 - 0.02) * narrow.upper);
    }
  }
}

TEST_CASE("one release of bounded range has its closed form") {
  for (const double width : {0.01, 1.0, 7.0}) {
    const auto closed = privacy_loss(range(width));
    const auto game = AdaptiveRange::of({{width, 1}});
    for (const double share : {0.0, 0.2, 0.77}) {
      const Bounds truth = closed->profile()->delta(share * width);
      const Bounds found = game->delta(share * width, 1e-5, 1e-3 * truth.lower);
      CHECK(found.lower <= truth.upper * (1 + 1e-13));
      CHECK(found.upper >= truth.lower * (1 - 1e-13));
    }
  }
}

TEST_CASE("more releases cost more, wider ranges too, and the order does not matter to the answer") {
  Bounds before{0, 0};
  for (const double count : {2.0, 3.0, 9.0, 30.0}) {
    const Bounds found = delta(*together({{range(0.2), count}}), 0.3);
    CHECK(found.upper >= before.lower);
    CHECK(found.lower > before.upper);
    before = found;
  }
  const auto one = together({{range(1), 1}, {range(0.5), 1}}),
             other = together({{range(0.5), 1}, {range(1), 1}});
  CHECK(delta(*one, 0.5).upper == delta(*other, 0.5).upper);
  // The worst of the two fixed orders is the narrow one first.
  CHECK(delta(*one, 0.5).lower > 0.0915808089);
  CHECK(delta(*one, 0.5).upper >= 0.096530846);
}

TEST_CASE("a thousand choices cost no more than concentrated accounting proves") {
  const auto thousand = together({{range(0.1), 1000}});
  const Profile profile(*thousand, 1e-2);
  CHECK(profile.certainty() == Certainty::certified);
  const Bounds found = profile.epsilon(1e-6);
  CHECK(found.upper <= 8.84589);
  CHECK(found.lower <= 8.3050);
  CHECK(found.upper >= 8.3025);
  CHECK(found.lower >= (1 - 1e-2) * found.upper);
  // More than the game can follow: still no more than that, and no less than one mechanism of the class.
  const auto many = together({{range(0.01), 1e5}});
  CHECK(Profile(*many).certainty() == Certainty::bound);
  const Bounds bound = epsilon(*many, 1e-6);
  CHECK(bound.upper <= 8.84589);
  CHECK(bound.lower >= 8.2);
}

TEST_CASE("a calibrated range keeps the promise of the concentrated one and more") {
  const Parameter width{"epsilon", 0, 1e100, false, false, Place{{0}, "epsilon"}};
  const Description many{"composition", {}, {}, {}, {{range(0.1), 20}}};
  const Calibrated found = calibrate(many, width, {2, 1e-6});
  const auto rho = [](double epsilon) {
    return privacy_loss({"zcdp", {{"rho", 20 * epsilon * epsilon / 8}}, {}, {}, {}});
  };
  // What zero-concentrated accounting would allow is allowed.
  CHECK(delta(*rho(0.9 * found.value), 2).upper <= 1e-6);
  CHECK(delta(*loss_with(many, width, found.value), 2).upper <= 1e-6 * (1 + 1e-9));
  // The search ends within 2^-10 of the most that is kept, by games within a hundredth of delta, which grows
  // by more than that over 2^-10 of the value: twice as far is too far.
  const double most = (1 + 0x1p-9) * found.value;
  CHECK(delta(*loss_with(many, width, most), 2).lower > 1e-6);
  REQUIRE(found.insufficient);
  CHECK(*found.insufficient <= most);
  CHECK(delta(*loss_with(many, width, *found.insufficient), 2).lower > 1e-6 * (1 - 1e-9));
  CHECK(found.lasting == found.value);
}

TEST_CASE("the trade-off curve of a game is that of its profile") {
  const auto two = together({{range(1), 2}});
  for (const double x : {1e-3, 0.2}) {
    const Bounds found = power(*two, x);
    CHECK(found.lower <= found.upper);
    CHECK(found.lower >= (1 - 1e-4) * found.upper);
    for (const double epsilon : {0.0, 0.5, 1.5})
      CHECK(found.lower <= delta(*two, epsilon).upper + std::exp(epsilon) * x);
    // Both releases with the larger loss for certain is more than any can have.
    CHECK(found.upper <= std::exp(2.0) * x * (1 + 1e-12));
  }
}

}  // namespace epsilometer::adaptive_range_test
