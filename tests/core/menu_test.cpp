// Releases of a menu, each chosen by the answers before it.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/lattice_masses.h"
#include "core/accounting/menu.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"

namespace epsilometer::menu_test {

namespace {

Description one(const char* kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

Menu menu_of(const std::vector<Description>& menu, double rounds, double gap = 1e-4) {
  std::vector<MenuChoice> choices;
  for (const Description& choice : menu) {
    const Description plan{"composition", {}, {}, {}, {{choice, rounds}}};
    choices.push_back({privacy_loss(choice), privacy_loss(plan)});
  }
  return Menu(choices, rounds, gap);
}

struct Response {
  double categories, epsilon;
};

// The game from its definition, over all answers.
double value(const std::vector<Response>& menu, int rounds, double epsilon) {
  if (rounds == 0) return std::max(0.0, -std::expm1(epsilon));
  double best = value(menu, rounds - 1, epsilon);
  for (const auto& [categories, budget] : menu) {
    const double whole = std::exp(budget) + categories - 1;
    double mean = std::exp(budget) / whole * value(menu, rounds - 1, epsilon - budget) +
                  value(menu, rounds - 1, epsilon + budget) / whole;
    if (categories > 2) mean += (categories - 2) / whole * value(menu, rounds - 1, epsilon);
    best = std::max(best, mean);
  }
  return best;
}

// What these masses make of (1 - e^(epsilon - loss))_+.
double profile_of(const LatticeMasses& found, double step, double epsilon) {
  double sum = found.infinite;
  for (std::size_t i = 0; i < found.masses.size(); ++i) {
    const double loss = (found.first + static_cast<double>(i)) * step;
    sum += found.masses[i] * std::max(0.0, -std::expm1(epsilon - loss));
  }
  return sum;
}

}  // namespace

TEST_CASE("both ends hold the game as it is defined, for random menus") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.05, 1.2);
  for (int turn = 0; turn < 12; ++turn) {
    std::vector<Response> choices;
    std::vector<Description> losses;
    for (int i = 0; i < 1 + turn % 3; ++i) {
      choices.push_back({static_cast<double>(2 + 5 * i), uniform(random) * (1 + i)});
      losses.push_back(one("randomized-response",
                           {{"categories", choices.back().categories}, {"epsilon", choices.back().epsilon}}));
    }
    const int rounds = 1 + turn % 4;
    const Menu menu = menu_of(losses, rounds, 1e-3);
    CHECK(menu.certainty() == Certainty::certified);
    const double level = 0.6 * rounds * uniform(random), truth = value(choices, rounds, level);
    const Bounds found = menu.delta(level);
    CHECK(found.lower <= truth * (1 + 1e-14));
    CHECK(found.upper >= truth * (1 - 1e-14));
    CHECK(found.upper - found.lower < 0.02 * truth + 1e-6);
    if (truth < 1e-9) continue;
    const Bounds back = menu.epsilon(truth);
    CHECK(back.lower <= level * (1 + 1e-12));
    CHECK(back.upper >= level * (1 - 1e-12));
  }
}

TEST_CASE("masses on a lattice have a profile on their side of the given one, between its levels too") {
  const Description all[] = {one("gaussian", {{"sigma", 2}, {"sensitivity", 1}}),
                             one("laplace", {{"scale", 1.5}, {"sensitivity", 1}}),
                             one("approximate", {{"epsilon", 0.4}, {"delta", 1e-3}})};
  for (const Description& description : all) {
    const auto loss = privacy_loss(description);
    const Profile profile(*loss);
    const auto delta = [&](double epsilon) { return profile.delta(epsilon); };
    const double step = 0x1p-6;
    const LatticeMasses above = masses_above(delta, step, 150);
    const LatticeMasses below = masses_below(delta, step, 150, loss->infinite_mass() * (1 - 1e-12));
    for (double epsilon = -3; epsilon < 3; epsilon += 0.0037) {
      const Bounds truth = delta(epsilon);
      CHECK(profile_of(above, step, epsilon) >= truth.lower * (1 - 1e-12));
      CHECK(profile_of(below, step, epsilon) <= truth.upper * (1 + 1e-12));
      // A profile falls by a step at most from one level to the next: so much a kink between them may cost.
      CHECK(profile_of(above, step, epsilon) - profile_of(below, step, epsilon) < step);
    }
  }
}

TEST_CASE("beyond all finite losses the rounds fail as often as one of them does") {
  const Description failing = (one("approximate", {{"epsilon", 0.4}, {"delta", 1e-3}}));
  const Bounds found = menu_of({failing}, 3).delta(2);
  const double truth = 1 - 0.999 * 0.999 * 0.999;
  CHECK(found.lower <= truth * (1 + 1e-12));
  CHECK(found.upper >= truth * (1 - 1e-12));
  CHECK(found.upper - found.lower < 1e-3 * truth);
}

TEST_CASE(
    "a menu of one choice costs no less than that choice every time, where it fails with any probability" *
    doctest::test_suite("long")) {
  const Description all[] = {one("approximate", {{"epsilon", 0.4}, {"delta", 1e-3}}),
                             one("approximate", {{"epsilon", 0}, {"delta", 1e-3}}),
                             one("truncated-laplace", {{"scale", 1}, {"sensitivity", 1}, {"bound", 5}}),
                             one("truncated-laplace", {{"scale", 1}, {"sensitivity", 3}, {"bound", 1}}),
                             one("truncated-gaussian", {{"sigma", 1}, {"sensitivity", 1}, {"bound", 2}}),
                             one("partition-selection", {{"epsilon", 3}, {"delta", 1e-4}}),
                             one("laplace", {{"scale", 2}, {"sensitivity", 1}})};
  for (const Description& choice : all) {
    for (const double rounds : {1.0, 3.0}) {
      const auto plan = privacy_loss({"composition", {}, {}, {}, {{choice, rounds}}});
      const Menu menu = menu_of({choice}, rounds);
      CAPTURE(choice.kind);
      CAPTURE(rounds);
      for (const double delta : {0.0, 1e-9, 1e-6, 1e-3, 2.9e-3, 3.1e-3, 0.1, 0.9, 1.0}) {
        const Bounds planned = epsilon(*plan, delta), found = menu.epsilon(delta);
        CHECK(found.upper >= planned.lower * (1 - 1e-12));
        CHECK(found.lower <= planned.upper * (1 + 1e-12));
      }
      for (const double level : {0.0, 0.1, 2.0, 20.0}) {
        const Bounds planned = delta(*plan, level), found = menu.delta(level);
        CHECK(found.upper >= planned.lower * (1 - 1e-12));
        CHECK(found.lower <= planned.upper * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("no choice without a profile in closed form, and none without losses costs anything") {
  const Description nothing = (one("gdp", {{"mu", 0}}));
  const Bounds found = menu_of({nothing}, 10).epsilon(1e-6);
  CHECK(found.upper == 0);
  const Description concentrated = (one("zcdp", {{"rho", 0.1}}));
  CHECK_THROWS_AS(menu_of({nothing, concentrated}, 10), Refusal);
  CHECK_THROWS_AS(menu_of({nothing}, 1001), Refusal);
  // Losses far apart, and larger than doubles can tell apart by their exponentials.
  const Description large = (one("pure", {{"epsilon", 200}})), small = (one("pure", {{"epsilon", 1e-3}}));
  const Bounds far = menu_of({large, small}, 20).epsilon(1e-9);
  CHECK(far.lower <= 4000);
  CHECK(far.upper >= 3900);
  CHECK(far.upper <= 4000);
}

}  // namespace epsilometer::menu_test
