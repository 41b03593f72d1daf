// What the least dispersed largest number tells, against its law by quadrature, and against the largest of
// numbers around random places.
#include "core/loss/laplace_crowd_bound.h"

#include <doctest/doctest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "tests/core/table_lines.h"

namespace epsilometer::laplace_crowd_bound_test {

namespace {

using Moved = LaplaceCrowdBound::Moved;

double below(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }

// The distribution function of the law that is meant: v' = (n - 1) v + 2^-n for 2^-(n + 1) <= v <= 2^-n, and
// n v below 2^-n for n numbers.
class Law {
 public:
  explicit Law(int others) : others_(others) {
    double place = 0;
    for (int n = 1; n <= others; ++n) {
      places_.push_back(place);
      const double high = std::exp2(-n), low = high / 2;
      place -= n == 1 ? (high - low) / 0.5 : std::log(n * high / ((n - 1) * low + high)) / (n - 1);
    }
  }
  double mass_below(double x) const {
    if (x >= 0) return 1 - std::exp(-x) / 2;
    int n = 1;
    while (n < others_ && places_[std::size_t(n)] > x) ++n;
    const double way = x - places_[std::size_t(n) - 1], high = std::exp2(-n);
    if (n == others_) return high * std::exp(n * way);
    return n == 1 ? high + way / 2 : (n * high * std::exp((n - 1) * way) - high) / (n - 1);
  }
  // P(M - Z < x) = E v(x + Z).
  double gap_below(double x) const {
    std::vector<double> kinks{0};
    for (double z = -44; z <= 44; ++z) kinks.push_back(z);
    for (const double place : places_) kinks.push_back(place - x);
    std::sort(kinks.begin(), kinks.end());
    double sum = 0;
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i)
      if (kinks[i] < kinks[i + 1] && std::abs(kinks[i] + kinks[i + 1]) < 88)
        sum += boost::math::quadrature::gauss<double, 15>::integrate(
            [&](double z) { return std::exp(-std::abs(z)) / 2 * mass_below(x + z); }, kinks[i], kinks[i + 1]);
    return sum;
  }

 private:
  int others_;
  std::vector<double> places_;
};

}  // namespace

TEST_CASE("what is told of the least dispersed law is what quadrature and a grid of places find") {
  for (const int others : {2, 3, 7, 20})
    for (const double shift : {0.05, 0.5, 3.0}) {
      const Law law(others);
      const LaplaceCrowdBound bound(others, shift);
      for (const double share : {-0.5, 0.0, 0.4, 0.9}) {
        const double epsilon = share * shift, grown = std::exp(epsilon), step = 0.125;
        double up = 0, down = 0;
        for (double x = -8; x <= 12; x += step) {
          const double low = law.gap_below(x), high = law.gap_below(x + shift);
          up = std::max(up, high - grown * low);
          down = std::max(down, 1 - low - grown * (1 - high));
        }
        CAPTURE(others);
        CAPTURE(shift);
        CAPTURE(share);
        // Half a step from the best place, where the slope is 0: no slope of the gap's density is above 1/4,
        // because no density of the law and of the noise is above 1/2.
        const double lost = (1 + grown) / 4 * step * step / 8, tail = (1 + grown) * std::exp(-44) + 1e-13;
        for (const auto& [moved, least] : {std::pair{Moved::up, up}, {Moved::down, down}}) {
          const double told = bound.told(epsilon, moved);
          CHECK(told >= least - tail);
          CHECK(told <= least + lost + tail);
        }
      }
    }
}

TEST_CASE("what is told of the least dispersed law is what 40 digits say, and rounded up") {
  int asked = 0;
  for (const auto& line : table_lines("release/crowd-bound.ndjson")) {
    const LaplaceCrowdBound bound(line["others"], line["shift"]);
    const double told = bound.told(line["epsilon"], line["moved"] == "up" ? Moved::up : Moved::down);
    CAPTURE(line.dump());
    CHECK(told >= truth(line));
    // It is a difference of two probabilities, which near the largest loss are 1e5 times as large, and is
    // charged 2e-12 of them at most.
    CHECK(told <= truth(line) * (1 + 2e-7));
    ++asked;
  }
  CHECK(asked == 26);
}

TEST_CASE(
    "the largest of Laplace numbers is nowhere denser than the least dispersed law at the same quantile") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-3, 3);
  double nearest = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    const int others = 2 + turn % 9;
    std::vector<double> places(std::size_t(others), place(random));
    if (turn % 3 != 0)
      for (double& one : places) one = place(random);
    for (double x = -8; x < 8; x += 0.37) {
      double mass = 1, rate = 0;
      for (const double one : places) {
        mass *= below(x - one);
        rate += std::exp(-std::abs(x - one)) / 2 / below(x - one);
      }
      const double n = std::min<double>(others, std::floor(-std::log2(mass)));
      const double densest = n == others ? n * mass : (n - 1) * mass + std::exp2(-n);
      CHECK(mass * rate <= densest * (1 + 1e-12));
      nearest = std::max(nearest, mass * rate / densest);
    }
  }
  CHECK(nearest > 0.99);
}

TEST_CASE("more numbers, a longer move and a smaller epsilon tell more of the least dispersed law") {
  for (const double shift : {1e-6, 0.02, 0.7, 8.0, 250.0})
    for (double share = 0; share <= 1; share += 0.05) {
      const double epsilon = share * shift;
      double before = 0;
      for (const double others : {2.0, 3.0, 5.0, 30.0, 899.0, 901.0, 1e15}) {
        const LaplaceCrowdBound bound(others, shift), longer(others, shift * 1.01);
        const double told = bound.told(epsilon, Moved::up), other = bound.told(epsilon, Moved::down);
        const double doubt = 1e-11;
        CHECK(told <= 1);
        CHECK(told >= before - doubt);
        CHECK(longer.told(epsilon, Moved::up) >= told - doubt);
        CHECK(longer.told(epsilon, Moved::down) >= other - doubt);
        CHECK(bound.told(epsilon + 0.01 * shift, Moved::up) <= told + doubt);
        // Two numbers that move tell no less than one, and no more than two moves by all of it.
        const double two = bound.told_of_two(epsilon);
        CHECK(two >= std::max(told, other) - doubt);
        if (shift <= 100) CHECK(two <= LaplaceCrowdBound(others, 2 * shift).told(epsilon, Moved::up) + doubt);
        before = told;
      }
      CHECK(LaplaceCrowdBound(5, shift).told(shift * (1 + 1e-14), Moved::up) == 0);
    }
}

}  // namespace epsilometer::laplace_crowd_bound_test
