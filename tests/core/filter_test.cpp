// Ledgers of releases that are chosen one after the other: what they are charged, and what fits a budget.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/filter.h"
#include "core/accounting/profile.h"
#include "core/numerics/normal.h"

namespace epsilometer::filter_test {

namespace {

constexpr FilterRule all_rules[] = {FilterRule::gdp, FilterRule::zcdp, FilterRule::renyi};

Description one(const char* kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

Charge charged(const Description& mechanism, FilterRule rule, double count = 1) {
  return charge_of(*privacy_loss(mechanism), count, rule, 4);
}

__extension__ using Long = unsigned __int128;

// What everything of a charge is only known to be.
Description budget(FilterRule rule, double amount) {
  if (rule == FilterRule::gdp) return one("gdp", {{"mu", root_upward(amount)}});
  if (rule == FilterRule::zcdp) return one("zcdp", {{"rho", amount}});
  return {"rdp", {}, {{"orders", {4}}, {"epsilons", {amount}}}, {}, {}};
}

}  // namespace

TEST_CASE("what is charged is exact where it is a double") {
  const Description half = one("gaussian", {{"sigma", 2}, {"sensitivity", 1}});
  CHECK(charged(half, FilterRule::gdp).amount == 0.25);
  CHECK(charged(half, FilterRule::gdp, 4).amount == 1);
  CHECK(charged(half, FilterRule::zcdp, 4).amount == 0.5);
  CHECK(charged(one("pure", {{"epsilon", 0.5}}), FilterRule::zcdp).amount == 0.125);
  CHECK(charged(one("zcdp", {{"rho", 0.1}}), FilterRule::zcdp).amount == 0.1);
  CHECK(charged(one("exponential", {{"epsilon", 1}}), FilterRule::zcdp).amount <=
        0.125 * (1 + rounding_margin));
  const Charge open = charged(one("approximate", {{"epsilon", 1}, {"delta", 1e-7}}), FilterRule::zcdp, 3);
  CHECK(open.amount == 1.5);
  // A little above 3 times the double 1e-7.
  CHECK(open.delta == 3e-7);
  for (const FilterRule rule : {FilterRule::gdp, FilterRule::zcdp, FilterRule::renyi}) {
    const Description failing = one("approximate", {{"epsilon", 1}, {"delta", 1e-7}});
    CHECK(charged(failing, rule).delta == 1e-7);
    CHECK(charged(failing, rule, 4).delta == 4e-7);
    const Description half_of_it{
        "subsampled", {{"rate", 0.5}}, {}, {{"sampling", "poisson"}}, {{failing, 1}}};
    CHECK(charged(half_of_it, rule).delta == 0.5e-7);
    Filter filter({100, 1e-7});
    CHECK(filter.take(charged(failing, rule)));
    CHECK(filter.left().delta == 0);
    CHECK_FALSE(filter.take(charged(failing, rule)));
  }
  CHECK(charged(one("approximate", {{"epsilon", 0.25}, {"delta", 1e-7}}), FilterRule::renyi).amount == 0.125);
  CHECK(charged(one("approximate", {{"epsilon", 8}, {"delta", 1e-7}}), FilterRule::renyi).amount == 8);
  CHECK(charged(one("pure", {{"epsilon", 0.25}}), FilterRule::renyi).amount < 0.125);
  CHECK(charged(half, FilterRule::renyi, 4).amount == 2);
  CHECK(charged(one("gdp", {{"mu", 0.5}}), FilterRule::renyi).amount == 0.5);
  CHECK(charged(one("zcdp", {{"rho", 0.125}}), FilterRule::renyi, 3).amount == 1.5);
  const Description stated{"rdp", {}, {{"orders", {2, 4, 9}}, {"epsilons", {0.25, 0.5, 2}}}, {}, {}};
  CHECK(charged(stated, FilterRule::renyi, 2).amount == 1);
}

TEST_CASE("what has no cost by a rule is charged infinitely") {
  const Description zcdp = one("zcdp", {{"rho", 0.1}});
  CHECK(std::isinf(charged(zcdp, FilterRule::gdp).amount));
  CHECK(std::isinf(charged(zcdp, FilterRule::approximate).amount));
  CHECK(std::isfinite(charged(zcdp, FilterRule::renyi).amount));
  const Description stated{"rdp", {}, {{"orders", {4}}, {"epsilons", {0.5}}}, {}, {}};
  CHECK(std::isinf(charged(stated, FilterRule::zcdp).amount));
  CHECK(charged(stated, FilterRule::renyi).amount == doctest::Approx(0.5));
}

TEST_CASE("all that is epsilon-private is as private as the mu that it is charged") {
  for (const double epsilon : {1e-6, 0.01, 0.3, 1.0, 4.0, 30.0, 500.0, 599.0, 601.0, 1e4}) {
    CAPTURE(epsilon);
    const double mu = root_upward(charged(one("pure", {{"epsilon", epsilon}}), FilterRule::gdp).amount);
    // The curve of mu passes below the corner: log(1 - Phi(mu/2)) <= -log(1 + e^epsilon).
    const double corner = -epsilon - std::log1p(std::exp(-epsilon));
    const double tail = log_normal_upper_tail(mu / 2);
    CHECK(tail <= corner + 1e-14 * std::abs(corner));
    // And touches it, where tails of the normal law are computed.
    if (epsilon < 600) CHECK(tail >= corner - 1e-12 * std::abs(corner) - 1e-15);
  }
  CHECK(charged(one("pure", {{"epsilon", 0}}), FilterRule::gdp).amount == 0);
}

TEST_CASE("a charge alone costs at least what the release costs, at every level") {
  const Description releases[] = {
      one("gaussian", {{"sigma", 1.7}, {"sensitivity", 1}}),
      one("laplace", {{"scale", 2}, {"sensitivity", 1}}),
      one("pure", {{"epsilon", 0.7}}),
      one("gdp", {{"mu", 0.3}}),
      one("randomized-response", {{"epsilon", 2}, {"categories", 5}}),
  };
  for (const Description& release : releases)
    for (const FilterRule rule : all_rules)
      for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 3.0}) {
        CAPTURE(release.kind);
        CAPTURE(static_cast<int>(rule));
        CAPTURE(epsilon);
        const Charge cost = charged(release, rule);
        const auto whole = privacy_loss(budget(rule, cost.amount));
        CHECK(delta(*whole, epsilon).upper + cost.delta >= delta(*privacy_loss(release), epsilon).lower);
      }
}

TEST_CASE("a composition is charged what its parts are") {
  const Description normal = one("gaussian", {{"sigma", 3}, {"sensitivity", 1}}),
                    laplace = one("laplace", {{"scale", 5}, {"sensitivity", 1}});
  const Description both{"composition", {}, {}, {}, {{normal, 2}, {laplace, 3}}};
  for (const FilterRule rule : all_rules) {
    const double sum = charged(normal, rule, 2).amount + charged(laplace, rule, 3).amount;
    CHECK(charged(both, rule).amount == doctest::Approx(sum).epsilon(1e-13));
  }
}

TEST_CASE("an entry fits if and only if the sum is certainly within the budget") {
  Filter filter({1, 0});
  for (int i = 0; i < 3; ++i) CHECK(filter.take({0.25, 0}));
  CHECK(!filter.take({std::nextafter(0.25, 1), 0}));
  CHECK(!filter.take({0.1, 1e-300}));
  CHECK(filter.left().amount == 0.25);
  CHECK(filter.take({0.25, 0}));
  CHECK(filter.left().amount == 0);
  CHECK(filter.spent().amount == 1);
  CHECK(!filter.take({5e-324, 0}));
  CHECK(filter.take({0, 0}));
  // Ten times the double 0.1 is above 1.
  Filter tenths({1, 0});
  int taken = 0;
  for (int i = 0; i < 10; ++i) taken += tenths.take({0.1, 0});
  CHECK(taken == 9);
}

TEST_CASE("sums never fall short of the truth") {
  // 64 bits of fraction and more: numbers of few bits add up exactly in a long sum of whole ones.
  std::mt19937_64 random(7);
  for (int run = 0; run < 200; ++run) {
    Filter filter({1e9, 1e9});
    Long truth = 0;
    for (int i = 0; i < 50; ++i) {
      const int scale = static_cast<int>(random() % 60);
      const std::uint64_t whole = random() >> (11 + scale % 40);
      CHECK(filter.take({std::ldexp(static_cast<double>(whole), -60), 0}));
      truth += whole;
    }
    const double spent = std::ldexp(filter.spent().amount, 60);
    CHECK(static_cast<Long>(spent) >= truth);
    CHECK(spent <= static_cast<double>(truth) * (1 + 60 * 2 * unit_roundoff));
  }
}

TEST_CASE("squares and roots lie on their sides") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> logarithm(-200, 200);
  for (int i = 0; i < 10000; ++i) {
    const double x = std::exp(logarithm(random));
    CHECK(square_downward(x) <= square_upward(x));
    CHECK(square_upward(x) <= square_downward(x) * (1 + 4 * unit_roundoff));
    CHECK(root_upward(square_upward(x)) >= x);
    CHECK(root_downward(square_downward(x)) <= x);
    CHECK(root_upward(x) <= root_downward(x) * (1 + 4 * unit_roundoff));
    CHECK(square_upward(root_upward(x)) >= x);
    CHECK(square_downward(root_downward(x)) <= x);
  }
  CHECK(square_upward(0.5) == 0.25);
  CHECK(square_downward(0.5) == 0.25);
  CHECK(root_upward(0.25) == 0.5);
  CHECK(root_downward(0.25) == 0.5);
  CHECK(root_upward(0) == 0);
}

}  // namespace epsilometer::filter_test
