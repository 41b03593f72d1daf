// Tests of queries: exact output laws, which must never tell more than is stated.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"

using epsilometer::Bounds;
using epsilometer::Description;

TEST_CASE("no outcome of a sparse vector tells more than is stated, and one query as much as the lower end") {
  // Many queries below, then one above; tables between which the first ones rise and the last one falls.
  const double threshold = 2, query = 4;
  const auto above = [](double z, double scale) {
    return z > 0 ? std::exp(-z / scale) / 2 : 1 - std::exp(z / scale) / 2;
  };
  const auto shown = [&](double many, double low, double last) {
    double sum = 0;
    for (double r = -60; r < 60; r += 1.0 / 64) {
      const double held = std::pow(1 - above(r - low, query), many);
      sum += std::exp(-std::abs(r) / threshold) / (2 * threshold) * held * above(r - last, query) / 64;
    }
    return sum;
  };
  const Description vector{
      "sparse-vector",
      {{"thresholdScale", threshold}, {"queryScale", query}, {"sensitivity", 1}, {"answers", 1}},
      {},
      {{"queries", "any"}},
      {}};
  const auto loss = epsilometer::privacy_loss(vector);
  CHECK(epsilometer::epsilon(*loss, 0).upper == doctest::Approx(1).epsilon(1e-13));
  double most = 0, single = 0;
  for (const double epsilon : {0.1, 0.3, 0.6}) {
    const Bounds found = epsilometer::delta(*loss, epsilon);
    for (const double many : {0.0, 1.0, 30.0, 1000.0}) {
      for (double last = -4; last <= 12; last += 2) {
        const double with = shown(many, -2, last), without = shown(many, -1, last - 1);
        CHECK(with - std::exp(epsilon) * without <= found.upper);
        most = std::max(most, std::log(with / without));
        if (many == 0) single = std::max(single, (with - std::exp(epsilon) * without) / found.lower);
      }
    }
  }
  // Near to the theorem, and near to the member.
  CHECK(most > 0.8);
  CHECK(single > 0.9);
  CHECK(single < 1.001);
}
