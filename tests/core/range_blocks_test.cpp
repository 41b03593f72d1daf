// Blocks of releases of bounded range: their laws lie above the game, alone and together.
#include "core/accounting/composition/range_blocks.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/composition/adaptive_range.h"
#include "core/accounting/composition/compose.h"
#include "core/accounting/profile.h"

namespace epsilometer::range_blocks_test {

namespace {

double profile_of(const Law& law, double epsilon) {
  double sum = law.infinite_mass();
  for (const Atom& atom : law.atoms())
    if (atom.loss > epsilon) sum -= atom.mass * std::expm1(epsilon - atom.loss);
  return sum;
}

// What a few thousand additions of positive terms may lose.
constexpr double sum_margin = 1e-11;

}  // namespace

TEST_CASE("the law of a block lies above the game, below zero too, and close to it") {
  int levels = 0;
  for (const RepeatedRange& range :
       std::vector<RepeatedRange>{{0.01, 50}, {0.3, 2}, {0.3, 30}, {1, 20}, {3, 4}}) {
    CAPTURE(range.range);
    CAPTURE(range.count);
    const auto laws = range_blocks(range, 1e-30, plan_blocks(range, 1e-30, 1e7));
    REQUIRE(laws.size() == 1);
    CHECK(laws[0].count == 1);
    const Law& law = *laws[0].law;
    const auto game = AdaptiveRange::of({range});
    REQUIRE(game);
    double whole = law.infinite_mass();
    for (const Atom& atom : law.atoms()) whole += atom.mass;
    CHECK(std::abs(whole - 1) <= sum_margin);
    const double spread = range.range * std::sqrt(range.count);
    for (double epsilon = 0; epsilon < std::min(4 * spread, 0.9 * range.range * range.count);
         epsilon += 0.0917 * spread) {
      const double found = profile_of(law, epsilon) * (1 + sum_margin);
      const Bounds truth = game->delta(epsilon, 1e-2, 1e-3 * found);
      CHECK(found >= truth.lower);
      CHECK(found <= truth.upper * 1.05);
      const double below = -std::expm1(-epsilon) + std::exp(-epsilon) * truth.lower;
      CHECK(profile_of(law, -epsilon) * (1 + sum_margin) >= below);
      ++levels;
    }
  }
  CHECK(levels >= 150);
}

TEST_CASE("the law of a block lies above all that rounding may hide of its game") {
  int levels = 0;
  for (const RepeatedRange& range : std::vector<RepeatedRange>{{0.01, 50}, {0.3, 30}, {1, 20}}) {
    const auto laws = range_blocks(range, 1e-30, plan_blocks(range, 1e-30, 1e6));
    REQUIRE(laws.size() == 1);
    const Law& law = *laws[0].law;
    const double step = law.lattice()->spacing;
    const RangeValue value =
        range_game({range}, RangeGrid({range}, std::round(range.range / step), true), 1e-30, true);
    const long double margin = (64 + 4 * range.range) * unit_roundoff * (range.count + 1);
    for (double i = 0; i < static_cast<double>(value.values.size()); ++i, ++levels) {
      long double profile = law.infinite_mass();
      for (const Atom& atom : law.atoms())
        if (atom.loss > i * step)
          profile -= atom.mass * std::expm1(static_cast<long double>(i * step) - atom.loss);
      CHECK(profile >= value.at(i) * (1 + margin) * (1 - 1e-14L));
    }
  }
  CHECK(levels > 3000);
}

TEST_CASE("blocks together lie above the game of all of them, and not far above") {
  for (const RepeatedRange& range : std::vector<RepeatedRange>{{0.1, 100}, {0.5, 64}, {0.02, 401}}) {
    CAPTURE(range.range);
    // A small budget makes several blocks of them, and a shorter one that is left.
    const auto laws = range_blocks(range, 1e-20, plan_blocks(range, 1e-20, 3e4));
    double count = 0;
    for (const RepeatedLaw& law : laws) count += law.count;
    REQUIRE(count >= 3);
    const Composer together(laws);
    const auto game = AdaptiveRange::of({range});
    REQUIRE(game);
    for (const double delta : {0.1, 1e-3, 1e-9}) {
      const Bounds found = together.epsilon(delta, 1e-6), truth = game->epsilon(delta, 1e-2);
      CHECK(found.upper >= truth.lower);
      CHECK(found.upper <= 1.1 * truth.upper);
    }
  }
}

TEST_CASE("more of bounded range than a game can follow is known to three thousandths" *
          doctest::test_suite("long")) {
  for (const RepeatedRange& range : std::vector<RepeatedRange>{{0.001, 1e7}, {0.2, 5000}}) {
    CAPTURE(range.range);
    const auto loss =
        privacy_loss({"composition",
                      {},
                      {},
                      {},
                      {{{"exponential", {{"epsilon", range.range}}, {}, {}, {}}, range.count}}});
    // Of much less delta the blocks are made anew.
    const Profile profile(*loss);
    for (const double delta : {1e-2, 1e-60}) {
      const Bounds again = profile.epsilon(delta);
      CHECK(again.lower <= again.upper);
      CHECK(again.lower >= again.upper * (1 - 3e-3));
      // The largest epsilon that is known not to be enough, and the smallest that is.
      CHECK(profile.delta(again.upper).lower <= delta);
      CHECK(profile.delta(again.lower).upper >= delta * (1 - 1e-9));
    }
  }
}

TEST_CASE("what a game leaves out below its floor costs no less than everything") {
  int levels = 0;
  for (const std::vector<RepeatedRange>& ranges :
       std::vector<std::vector<RepeatedRange>>{{{0.5, 40}}, {{0.1, 3}}, {{1, 4}, {0.5, 4}}}) {
    const RangeGrid grid(ranges, 16, true);
    const RangeValue all = range_game(ranges, grid, 0, true);
    for (const double floor : {1e-2, 1e-6, 1e-12}) {
      const RangeValue cut = range_game(ranges, grid, floor, true);
      CHECK(cut.beyond >= floor);
      CHECK(cut.beyond <= floor * (1 + 1e-12));
      for (double i = 0; i < static_cast<double>(all.values.size()) + 100; ++i, ++levels) {
        CHECK(cut.at(i) >= all.at(i) * (1 - 1e-13));
        CHECK(cut.at(i) <= all.at(i) + 41 * floor);
      }
    }
  }
  CHECK(levels > 1000);
}

}  // namespace epsilometer::range_blocks_test
