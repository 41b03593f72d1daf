// Where a tilted sum's tails end: the search begins where a normal law's border is best, and must find what
// trying all exponents finds.
#include "core/accounting/composition/steering/tilt_choice.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/loss/privacy_loss.h"

namespace epsilometer::tilt_choice_test {

namespace {

// The best of all exponents from 0.05 to 200 standard deviations, with the first that rises.
double tried(const TiltChoice& choice, const Tilt& tilted, double side, double depth) {
  double best = std::numeric_limits<double>::infinity();
  for (double size = 0.05 / tilted.spread; size < 200 / tilted.spread; size *= 1.3)
    best =
        std::min(best, (choice.at(tilted.theta + side * size).log_scale - tilted.log_scale + depth) / size);
  return side * best;
}

}  // namespace

TEST_CASE("the border of a tilted sum is the best that any exponent gives") {
  const Description gaussian{"gaussian", {{"sigma", 0.7}, {"sensitivity", 1}}, {}, {}, {}};
  const std::vector<Description> all{
      gaussian,
      {"laplace", {{"scale", 2}, {"sensitivity", 1}}, {}, {}, {}},
      {"subsampled", {{"rate", 0.001}}, {}, {{"sampling", "poisson"}}, {{gaussian, 1}}},
      {"posterior-sampling", {{"leverage", 0.3}, {"residual", 4}}, {}, {}, {}}};
  for (const Description& description : all) {
    auto loss = privacy_loss(description);
    if (!loss->laws()) loss = loss->parts()[0].loss;
    for (const Direction direction : {Direction::add, Direction::remove})
      for (const double count : {1.0, 7.0, 3000.0}) {
        const TiltChoice choice({{loss->laws()->law(direction), count}});
        for (const double theta : {0.01, 1.0, 20.0})
          for (const double side : {1.0, -1.0})
            for (const double depth : {17.0, 80.0, 700.0}) {
              CAPTURE(description.kind);
              CAPTURE(count);
              CAPTURE(theta);
              CAPTURE(depth);
              const Tilt tilted = choice.at(theta);
              if (!(tilted.spread > 0)) continue;
              const TailBorder found = choice.border(tilted, side, depth);
              CHECK(found.loss == tried(choice, tilted, side, depth));
              // By Chernoff's inequality with that exponent.
              const double there = choice.at(theta + found.exponent).log_scale - tilted.log_scale;
              CHECK(found.loss == doctest::Approx((there + depth) / found.exponent).epsilon(1e-12));
            }
      }
  }
}

}  // namespace epsilometer::tilt_choice_test
