// The best of several runs: exact output laws of small mechanisms, which must never tell more than is stated.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/small_pairs.h"

using epsilometer::Bounds;
using epsilometer::Description;

namespace {

// The mean of x^K, from the laws of K themselves.
std::function<double(double)> generating(const std::string& stopping, double runs) {
  if (stopping == "poisson") return [=](double x) { return std::exp(runs * (x - 1)); };
  if (stopping == "geometric") return [=](double x) { return x / (runs - (runs - 1) * x); };
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double gamma = (low + high) / 2;
    ((1 / gamma - 1) / -std::log(gamma) > runs ? low : high) = gamma;
  }
  return [gamma = high](double x) { return std::log1p(-(1 - gamma) * x) / std::log(gamma); };
}

// The law of the best run, when outcomes are listed from the worst to the best.
Masses best_of(const Masses& run, const std::function<double(double)>& f) {
  Masses best{f(0)};
  double before = 0;
  for (const double mass : run) {
    const double after = std::min(1.0, before + mass);
    best.push_back(f(after) - f(before));
    before = after;
  }
  return best;
}

Pair best_of(const Pair& run, const std::function<double(double)>& f) {
  return {best_of(run.with, f), best_of(run.without, f)};
}

Description selection(const Description& run, const std::string& stopping, double runs) {
  return {"private-selection", {{"runs", runs}}, {}, {{"stopping", stopping}}, {{run, 1}}};
}

Description gdp(double mu) { return {"gdp", {{"mu", mu}}, {}, {}, {}}; }

// Of N(0, 1) and N(mu, 1), in cells of equal width.
Pair cells(double mu, int count) {
  const auto mass = [&](double mean, double from, double to) {
    return (std::erfc((from - mean) / std::sqrt(2.0)) - std::erfc((to - mean) / std::sqrt(2.0))) / 2;
  };
  Pair pair;
  for (int i = 0; i < count; ++i) {
    const double from = i == 0 ? -40 : -6 + 12.0 * i / count,
                 to = i + 1 == count ? 40 : -6 + 12.0 * (i + 1) / count;
    pair.with.push_back(mass(mu / 2, from, to));
    pair.without.push_back(mass(-mu / 2, from, to));
  }
  return pair;
}

Pair in_order(const Pair& pair, const std::vector<std::size_t>& order) {
  Pair result;
  for (const std::size_t i : order) {
    result.with.push_back(pair.with[i]);
    result.without.push_back(pair.without[i]);
  }
  return result;
}

// What can be said of a run: its largest loss, one point of its profile, a few Renyi divergences.
Description stated(const Pair& pair, std::mt19937_64& random) {
  constexpr double up = 1 + 1e-12;
  double largest = 0;
  for (std::size_t i = 0; i < pair.with.size(); ++i)
    largest = std::max(largest, std::abs(std::log(pair.with[i] / pair.without[i])));
  switch (random() % 3) {
    case 0:
      return {"pure", {{"epsilon", largest * up}}, {}, {}, {}};
    case 1: {
      const double epsilon = largest * std::uniform_real_distribution<double>()(random);
      return {"approximate", {{"epsilon", epsilon}, {"delta", delta_of(pair, epsilon) * up}}, {}, {}, {}};
    }
    default:
      const std::vector<double> orders{1.5, 3, 10};
      std::vector<double> epsilons;
      for (const double order : orders) epsilons.push_back(renyi_of(pair, order) * up + 1e-12);
      return {"rdp", {}, {{"orders", orders}, {"epsilons", epsilons}}, {}, {}};
  }
}

constexpr const char* laws[] = {"geometric", "logarithmic", "poisson"};

}  // namespace

TEST_CASE("the best of several runs of a small mechanism never tells more than is stated") {
  std::mt19937_64 random(11);
  double nearest = 0;
  for (int i = 0; i < 600; ++i) {
    const Pair run = random_pair(random);
    const std::string stopping = laws[random() % 3];
    const double runs = 1.05 + std::pow(10, 3 * std::uniform_real_distribution<double>()(random));
    const auto loss = epsilometer::privacy_loss(selection(stated(run, random), stopping, runs));
    const epsilometer::Profile profile(*loss);
    const Pair best = best_of(run, generating(stopping, runs));
    CAPTURE(i);
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0, 5.0}) {
      const double truth = delta_of(best, epsilon), upper = profile.delta(epsilon).upper;
      CHECK(truth <= upper * (1 + 1e-9) + 1e-12);
      if (truth > 1e-6) nearest = std::max(nearest, truth / upper);
    }
    if (std::isfinite(loss->renyi(2))) CHECK(renyi_of(best, 2) <= loss->renyi(2) * (1 + 1e-9) + 1e-9);
  }
  // Nine tenths of what is stated would be too little.
  CHECK(nearest > 0.9);
}

TEST_CASE(
    "the best of several normal runs, in orders of all kinds, stays below the upper end and reaches the "
    "lower one") {
  constexpr int count = 240;
  std::mt19937_64 random(5);
  for (const char* stopping : laws) {
    const double mu = 0.3, runs = 10, epsilon = 1.4;
    const Pair run = cells(mu, count);
    const auto f = generating(stopping, runs);
    const Bounds bounds =
        epsilometer::delta(*epsilometer::privacy_loss(selection(gdp(mu), stopping, runs)), epsilon);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      worst = std::max(worst, delta_of(best_of(in_order(run, order), f), epsilon));
    }
    // The likelier the record makes an outcome, the later it stands in the list of cells.
    for (int highest = 0; highest < count / 2; highest += 4) {
      for (int second = 4; highest + second < count; second += 4) {
        const int rest = count - highest - second;
        for (int i = 0; i < count; ++i)
          order[i] = (i < rest ? highest + i : i < rest + second ? i + highest : count - 1 - i);
        worst = std::max(worst, delta_of(best_of(in_order(run, order), f), epsilon));
      }
    }
    CAPTURE(stopping);
    CHECK(worst <= bounds.upper);
    CHECK(bounds.lower <= bounds.upper);
    // Some order is about as bad as the lower end says; cells are coarser than the normal law.
    CHECK(worst >= 0.97 * bounds.lower);
    CHECK(bounds.lower >= 0.7 * worst);
  }
}

TEST_CASE(
    "the best of several runs costs what the truth is where it is known, and no more than any theorem") {
  const auto price = [](const Description& run, const std::string& stopping, double runs, double delta) {
    return epsilometer::epsilon(*epsilometer::privacy_loss(selection(run, stopping, runs)), delta);
  };
  // One run.
  CHECK(price(gdp(0.3), "geometric", 1, 1e-6).upper ==
        epsilometer::epsilon(*epsilometer::privacy_loss(gdp(0.3)), 1e-6).upper);
  for (const double mu : {0.1, 0.3, 1.0}) {
    const Bounds found = price(gdp(mu), "geometric", 600, 1e-6);
    // Liu and Talwar 2019, Theorem 3.4, with half of delta for each of its parts.
    const double length = 600 * std::log(2 / 5e-7), point = std::pow(5e-7 / length, 2) / 2;
    const double claimed =
        3 * epsilometer::epsilon(*epsilometer::privacy_loss(gdp(mu)), point).upper + 3 * std::sqrt(2 * point);
    CHECK(claimed > 2 * found.upper);
    CHECK(found.lower > 0.9 * found.upper);
  }
}

TEST_CASE("the ends of the best of very many runs do not contradict each other") {
  for (const char* stopping : {"poisson", "geometric", "logarithmic"}) {
    for (const double runs : {30.0, 3e3, 3e4, 1e6}) {
      for (const Description& run : {gdp(0.5), gdp(5)}) {
        CAPTURE(stopping);
        CAPTURE(runs);
        CAPTURE(run.numbers.at("mu"));
        const auto loss = epsilometer::privacy_loss(selection(run, stopping, runs));
        for (const double delta : {1e-2, 1e-4, 1e-10}) {
          const Bounds found = epsilometer::epsilon(*loss, delta);
          CHECK(found.lower <= found.upper);
          if (found.lower > 0)
            CHECK(epsilometer::delta(*loss, found.lower * (1 - 1e-9)).upper >= delta * (1 - 1e-9));
          for (const double level : {0.5 * found.upper, found.upper}) {
            const Bounds there = epsilometer::delta(*loss, level);
            CHECK(there.lower <= there.upper);
            CHECK(there.upper <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("what is around a mechanism can be around anything that has a price") {
  const Description steps{
      "composition",
      {},
      {},
      {},
      {{{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {{gdp(1), 1}}}, 1000}}};
  const Description zcdp{"zcdp", {{"rho", 0.05}}, {}, {}, {}};
  for (const Description& run : {steps, zcdp, selection(gdp(0.1), "logarithmic", 3)}) {
    const double alone = epsilometer::epsilon(*epsilometer::privacy_loss(run), 1e-6).upper;
    const auto loss = epsilometer::privacy_loss(selection(run, "geometric", 20));
    const Bounds found = epsilometer::epsilon(*loss, 1e-6);
    CAPTURE(run.kind);
    CHECK(found.upper > alone);
    CHECK(found.upper < 3 * alone);
    const Bounds power = epsilometer::power(*loss, 0.01);
    CHECK(power.lower >= 0.01);
    CHECK(power.upper < 1);
    CHECK(power.upper <= (0.01 * std::exp(found.upper) + 1e-6) * (1 + 1e-12));
    // Twice: the sum of the divergences.
    const Description twice{"composition", {}, {}, {}, {{selection(run, "geometric", 20), 2}}};
    CHECK(epsilometer::epsilon(*epsilometer::privacy_loss(twice), 1e-6).upper > found.upper);
  }
}
