// A search for the least noise looks only coarsely at what is far from the answer.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/accounting/calibrate.h"
#include "core/loss/privacy_loss.h"
#include "core/release/request.h"

namespace epsilometer::glance_test {

TEST_CASE("a glance changes neither what is found nor what is proven, and spares far evaluations") {
  const Parameter sigma{"sigma", 1e-12, 1e12, false, true};
  std::set<double> asked;
  const auto cost = [&](double x) { return asked.insert(x), 1 / x; };
  for (const double start : {0.001, 0.7, 1.0, 50.0, 1e9}) {
    asked.clear();
    const Sought plain = least_private(cost, sigma, start, 0.37, {"level", 0.37}, 52);
    asked.clear();
    const Glance glance = [](double x) { return told_by({0.5 / x, 2 / x}, 0.37); };
    const Sought glanced = least_private(cost, sigma, start, 0.37, {"level", 0.37}, 52, glance);
    CHECK(glanced.value == plain.value);
    CHECK(glanced.insufficient == plain.insufficient);
    CHECK(asked.contains(glanced.value));
    // The start itself is asked about as it is.
    for (const double x : asked) CHECK((x == start || (x >= 0.25 / 0.37 && x <= 4 / 0.37)));
  }
}

TEST_CASE("what only a glance proves of an end stays proven") {
  const Parameter sigma{"sigma", 1e-12, 1e12, false, true};
  const Glance glance = [](double x) { return told_by({0.5 / x, 2 / x}, 0.37); };
  // Of the cost 1 / x, a lower end that stays below the level and an upper end that stays above it.
  const auto flat_below = [](double x) { return std::min(1 / x, 0.3); };
  const auto flat_above = [](double x) { return std::max(1 / x, 0.4); };
  for (const double start : {0.001, 0.7, 1.0, 50.0, 1e9}) {
    const auto found = [&](const auto& end) {
      return least_private(end, sigma, start, 0.37, {"level", 0.37}, 52, glance);
    };
    CHECK(1 / found(flat_below).insufficient.value() > 0.37);
    CHECK(1 / found(flat_above).value <= 0.37);
  }
}

TEST_CASE("an interval tells on which side a cost is, or nothing") {
  CHECK(told_by({0.1, 0.5}, 0.5) == true);
  CHECK(told_by({0.5, 0.7}, 0.5) == std::nullopt);
  CHECK(told_by({0.6, 0.7}, 0.5) == false);
}

TEST_CASE("a share of a budget that is found coarsely holds the fine one") {
  const Target budget{0.3, 1e-5};
  for (const double sigma : {0.52, 1.04, 1.47, 2.1}) {
    Description sampled{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {}};
    sampled.parts.push_back({{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}}, 1});
    const auto loss = privacy_loss({"composition", {}, {}, {}, {{sampled, 100}}});
    const double fine = share_of_budget(*loss, budget);
    const Bounds coarse = share_of_budget(*loss, budget, 0.1);
    CHECK(coarse.lower <= fine);
    CHECK(fine <= coarse.upper);
  }
}

}  // namespace epsilometer::glance_test
