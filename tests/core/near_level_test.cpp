// A value that is found by secants is what was evaluated: it keeps the level, and wastes next to nothing.
#include "core/accounting/near_level.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/release/price.h"
#include "core/release/request.h"

namespace epsilometer::near_level_test {

namespace {

const Parameter falling{"noise", 1e-12, 1e12, false, true}, rising{"rate", 1e-12, 1e12, false, false};

Description sampled_steps(double noise, double rate, double steps) {
  Description sampled{"subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {}};
  sampled.parts.push_back({{"gaussian", {{"sigma", noise}, {"sensitivity", 1}}, {}, {}, {}}, 1});
  return {"composition", {}, {}, {}, {{sampled, steps}}};
}

}  // namespace

TEST_CASE("what is found keeps the level by its own evaluation, from wherever the search starts") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const double power = 0.3 + 4 * uniform(random), bend = 0.3 * uniform(random),
                 scale = std::exp(6 * uniform(random) - 3), level = std::exp(4 * uniform(random) - 2);
    const Parameter& parameter = i % 2 ? falling : rising;
    const double sign = parameter.more_private ? -1 : 1;
    std::map<double, Bounds> asked;
    // Somewhere in its interval, as wide as was asked, or three times as wide now and then.
    const auto cost = [&](double value, double gap) {
      const double log = std::log(value / scale);
      const double truth = std::exp(sign * power * log * (1 + bend * std::tanh(log)));
      const double width = gap * (i % 7 ? 1 : 3), share = 0.5 + 0.5 * std::sin(1e3 * log);
      return asked[value] = {truth * (1 - width * share), truth * (1 + width * (1 - share))};
    };
    const double start = scale * std::exp(4 * uniform(random) - 2), gap = i % 3 ? 1e-7 : 1e-5;
    const auto near = near_level(cost, parameter, start, level, gap);
    if (!near) continue;
    ++found;
    CHECK(asked.at(*near).upper <= level);
    CHECK(asked.at(*near).upper >= level * (1 - 2 * gap));
  }
  CHECK(found > 300);
}

TEST_CASE("where secants lead nowhere nothing is said") {
  const auto jump = [](double value, double) { return value > 1 ? Bounds{0.1, 0.1} : Bounds{9, 9}; };
  CHECK(!near_level(jump, falling, 3, 1, 1e-7));
  const auto flat = [](double, double) { return Bounds{0.5, 0.5}; };
  CHECK(!near_level(flat, falling, 3, 1, 1e-7));
  const auto unknown = [](double, double) { return Bounds{0, std::numeric_limits<double>::infinity()}; };
  CHECK(!near_level(unknown, falling, 3, 1, 1e-7));
  const auto refused = [](double value, double) -> Bounds {
    throw Refusal("range", "noise", shown(value), "must not be asked");
  };
  CHECK(!near_level(refused, falling, 3, 1, 1e-7));
  const auto wide = [](double value, double) { return Bounds{0.5 / value, 2 / value}; };
  const auto near = near_level(wide, falling, 3, 1, 1e-7);
  if (near) CHECK(wide(*near, 1e-7).upper <= 1);
}

TEST_CASE("noise of sampled steps is what the whole search finds, and keeps the budget") {
  struct Case {
    double rate, steps, epsilon, delta, start;
  };
  for (const Case& one : {Case{0.01, 400, 1, 1e-5, 1},
                          {0.02, 100, 0.1, 1e-6, 20},
                          {0.5, 10, 8, 1e-6, 1.4},
                          {0.1, 60, 3, 1e-9, 0.9}}) {
    const Target budget{one.epsilon, one.delta};
    const auto described = [&](double noise) { return sampled_steps(noise, one.rate, one.steps); };
    const FitRequest asked{"dp-sgd", {{"epsilon", one.epsilon}, {"delta", one.delta}}, {}};
    const Request request(asked, {"noise"}, {});
    const double found = request.noise("noise", described, {}, [&one] { return one.start; });
    const auto cost = [&](double noise) { return share_of_budget(*privacy_loss(described(noise)), budget); };
    CHECK(cost(found) <= 1);
    const double slow = least_private(cost, falling, one.start, 1, {"level", 1}, 32).value;
    // Epsilon falls faster here than the noise grows: two gaps of it are less than two of noise.
    CHECK(found >= slow * (1 - 1e-9));
    CHECK(found <= slow * (1 + 3 * fine_gap));
    const Price told = price(described(found), {one.epsilon, one.delta, 1});
    CHECK(told.epsilon.upper <= one.epsilon);
    CHECK(told.epsilon.lower > one.epsilon * (1 - 1e-5));
  }
}

}  // namespace epsilometer::near_level_test
