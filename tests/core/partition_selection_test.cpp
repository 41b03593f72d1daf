// Which groups may be named: the price against the recursion of the probabilities, for every number of
// persons, alone and of several groups.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/descriptions.h"

namespace epsilometer::partition_selection_test {

namespace {

struct Choice {
  double epsilon, delta;
};

constexpr Choice choices[] = {{1, 1e-5},    {0.1, 1e-8},  {0.5, 0.01}, {3, 1e-12}, {2, 0.7}, {1.7, 0.3},
                              {0.02, 1e-3}, {0.7, 1e-30}, {1e-3, 0.2}, {1, 1},     {4, 0.5}, {8, 1e-4}};

Description selection(const Choice& choice) {
  return one("partition-selection", {{"epsilon", choice.epsilon}, {"delta", choice.delta}});
}

// pi_0, pi_1, ... up to the first 1. At most 2000 steps of two roundings each, which the rules carry on but
// do not amplify beyond e^epsilon a step, as they do the value itself: 1e-12.
std::vector<double> by_recursion(const Choice& choice) {
  std::vector<double> chances{0};
  while (chances.back() < 1) {
    const double last = chances.back();
    chances.push_back(std::min({std::exp(choice.epsilon) * last + choice.delta,
                                1 - std::exp(-choice.epsilon) * (1 - last - choice.delta), 1.0}));
    REQUIRE(chances.size() < 2000);
  }
  return chances;
}

constexpr double rounding = 1e-12;

double coin_delta(double p, double q, double epsilon) {
  const double factor = std::exp(epsilon);
  return std::max(0.0, p - factor * q) + std::max(0.0, (1 - p) - factor * (1 - q));
}

// That a group is named, and that it is not: each with its own digits, also where it is nearly all of 1.
struct Named {
  long double yes, no;
};

std::vector<Named> with_complements(const Choice& choice) {
  const long double grow = std::exp(static_cast<long double>(choice.epsilon)), delta = choice.delta;
  std::vector<Named> chances{{0, 1}};
  while (chances.back().no > 0) {
    const auto [yes, no] = chances.back();
    const long double first = grow * yes + delta, left = std::max(0.0L, (no - delta) / grow);
    chances.push_back(first < 1 - left ? Named{first, 1 - first} : Named{1 - left, left});
    REQUIRE(chances.size() < 2000);
  }
  return chances;
}

long double gaussian_delta(long double epsilon) {
  const auto tail = [](long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; };
  const long double rest = tail(epsilon + 0.5L);
  return tail(epsilon - 0.5L) - (rest > 0 ? std::exp(epsilon + std::log(rest)) : 0);
}

// Of one such group and N(0, 1) against N(1, 1): a sum over what the group tells.
long double beside_noise(const Named& more, const Named& less, long double epsilon) {
  long double sum = 0;
  for (const auto& [p, q] : {std::pair{more.yes, less.yes}, {more.no, less.no}})
    if (p > 0) sum += q > 0 ? p * gaussian_delta(epsilon - std::log(p / q)) : p;
  return sum;
}

}  // namespace

TEST_CASE("beside other releases no lower end is above what the worst number of persons costs") {
  for (const double own : {0.7, 20.0, 45.0, 69.0, 72.0, 74.0, 100.0, 350.0, 700.0}) {
    for (const double failure : {1e-6, 0.01, 0.3}) {
      const Choice choice{own, failure};
      Description gaussian = one("gaussian", {{"sigma", 1}, {"sensitivity", 1}});
      const auto loss =
          privacy_loss({"composition", {}, {}, {}, {{selection(choice), 1}, {std::move(gaussian), 1}}});
      const std::vector<Named> chances = with_complements(choice);
      for (const double beyond : {-2.0, 0.5, 3.0, 5.0}) {
        const double epsilon = std::max(0.0, own + beyond);
        long double most = 0;
        for (std::size_t n = 0; n + 1 < chances.size(); ++n) {
          most = std::max({most, beside_noise(chances[n + 1], chances[n], epsilon),
                           beside_noise(chances[n], chances[n + 1], epsilon)});
        }
        CAPTURE(own);
        CAPTURE(failure);
        CAPTURE(epsilon);
        const Bounds found = delta(*loss, epsilon);
        // Losses of up to 700, each with a rounding of its own.
        CHECK(static_cast<long double>(found.upper) >= most * (1 - 1e-11L));
        CHECK(static_cast<long double>(found.lower) <= most * (1 + 1e-11L));
        // Further out another number of persons may tell more than the one that is asked.
        if (beyond < 1) CHECK(static_cast<long double>(found.lower) >= most * 0.2L);
      }
    }
  }
}

TEST_CASE("choosing groups costs what the worst number of persons costs") {
  for (const Choice& choice : choices) {
    const auto loss = privacy_loss(selection(choice));
    const std::vector<double> chances = by_recursion(choice);
    for (const double share : {-1.5, -0.9, -0.2, 0.0, 0.1, 0.6, 0.97, 1.0, 1.4}) {
      const double epsilon = share * choice.epsilon;
      if (std::abs(epsilon) > 600) continue;
      double most = 0;
      for (std::size_t n = 0; n + 1 < chances.size(); ++n) {
        most = std::max(most, coin_delta(chances[n + 1], chances[n], epsilon));
        most = std::max(most, coin_delta(chances[n], chances[n + 1], epsilon));
      }
      CAPTURE(choice.epsilon);
      CAPTURE(choice.delta);
      CAPTURE(epsilon);
      const Bounds found = delta(*loss, epsilon);

      // Differences of probabilities near 1, one of them e^epsilon times as wrong.
      const double lost = 4e-15 * (1 + std::exp(epsilon));
      CHECK(found.upper >= most * (1 - rounding) - lost);
      CHECK(found.lower <= most * (1 + rounding) + lost);
      CHECK(found.upper - found.lower <= 1e-12 * found.upper + 1e-300);
    }
    // (epsilon, delta) itself is kept, and nothing less.
    CHECK(delta(*loss, choice.epsilon).upper <= choice.delta * (1 + rounding));
    CHECK(std::isinf(epsilon(*loss, choice.delta / 2).lower));
  }
}

TEST_CASE("no test of one group tells more than the trade-off curve") {
  for (const Choice& choice : choices) {
    const auto loss = privacy_loss(selection(choice));
    const std::vector<double> chances = by_recursion(choice);
    for (const double rate : {1e-3, 0.1, 0.3, 0.5, 0.8, 0.999}) {
      double most = rate;
      for (std::size_t n = 0; n + 1 < chances.size(); ++n) {
        for (const auto& [x, y] :
             {std::pair{chances[n], chances[n + 1]}, {1 - chances[n + 1], 1 - chances[n]}})
          most = std::max(most, rate < x ? y * rate / x : x < 1 ? y + (1 - y) * (rate - x) / (1 - x) : 1);
      }
      const Bounds found = power(*loss, rate);
      CHECK(found.lower <= most * (1 + rounding));
      CHECK(found.upper >= most * (1 - rounding));
    }
  }
}

TEST_CASE("several groups of one person cost no less than any numbers of persons in them") {
  for (const Choice& choice : {Choice{1, 1e-3}, {0.5, 0.02}, {3, 1e-4}}) {
    const std::vector<double> chances = by_recursion(choice);
    for (const double count : {2.0, 3.0}) {
      const auto loss = privacy_loss(repeated(selection(choice), count));
      for (const double epsilon : {0.1 * choice.epsilon, choice.epsilon, 1.7 * choice.epsilon}) {
        double most = 0;
        // The last group has any number of persons; all others the same.
        for (std::size_t n = 0; n + 1 < chances.size(); ++n) {
          for (std::size_t m = 0; m + 1 < chances.size(); ++m) {
            for (const bool added : {false, true}) {
              double sum = 0;
              for (int outcome = 0; outcome < 1 << static_cast<int>(count); ++outcome) {
                double with = 1, without = 1;
                for (int i = 0; i < count; ++i) {
                  const std::size_t persons = i + 1 < count ? n : m;
                  const bool named = (outcome >> i) & 1;
                  with *= named ? chances[persons + 1] : 1 - chances[persons + 1];
                  without *= named ? chances[persons] : 1 - chances[persons];
                }
                if (added) std::swap(with, without);
                sum += std::max(0.0, with - std::exp(epsilon) * without);
              }
              most = std::max(most, sum);
            }
          }
        }
        CAPTURE(count);
        CAPTURE(epsilon);
        const Bounds found = delta(*loss, epsilon);
        CHECK(found.upper >= most * (1 - rounding));
        CHECK(found.lower <= most * (1 + rounding));
        CHECK(found.lower >= 0.3 * most);
      }
    }
  }
}

TEST_CASE("the price is known for the smallest and largest numbers, and keeps what it promises") {
  for (const double epsilon : {1e-6, 1e-3, 1.0, 20.0, 50.0, 349.0, 350.0, 351.0, 699.0, 700.0}) {
    for (const double failure : {1e-300, 1e-200, 1e-12, 0.3, 1.0}) {
      CAPTURE(epsilon);
      CAPTURE(failure);
      const auto loss = privacy_loss(selection({epsilon, failure}));
      CHECK(delta(*loss, epsilon).upper <= failure * (1 + rounding));
      const Bounds none = delta(*loss, 0);
      CHECK(none.lower <= none.upper);
      CHECK(none.upper - none.lower <= 1e-12);
      // What all that is (epsilon, delta)-private tells at most: Kairouz, Oh and Viswanath 2015.
      CHECK(none.upper <= failure + (1 - failure) * std::tanh(epsilon / 2) + rounding);
      CHECK(none.lower >= failure * (1 - rounding));
    }
  }
}

TEST_CASE("what is no choice of groups is refused by name") {
  CHECK(refused_field(selection({1e-7, 0.1})) == "epsilon");
  CHECK(refused_field(selection({701, 0.1})) == "epsilon");
  CHECK(refused_field(selection({1, 0})) == "delta");
  CHECK(refused_field(selection({1, 1.5})) == "delta");
  CHECK(refused_field(selection({std::nan(""), 0.1})) == "epsilon");
}

}  // namespace epsilometer::partition_selection_test
