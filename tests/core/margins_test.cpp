// Margins where roundings all go the same way, or masses are as wrong as they may be, many times over: sums
// of many terms lose more than any one of them.
#include "core/accounting/margins.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/accounting/composition/compose.h"
#include "core/accounting/composition/lattice.h"
#include "core/loss/laws/atomic_law.h"
#include "core/numerics/transform.h"

namespace epsilometer::margins_test {

namespace {

// Losses spread evenly from 0 to `range`, of which nothing is known but how steep they are at most: as many
// nodes as one likes, in one cell.
class EvenLaw final : public Law {
 public:
  EvenLaw(double range, double steepness) : range_(range), steepness_(steepness) {}

  double lowest_x() const override { return 0; }
  double highest_x() const override { return 1; }
  double loss(double x) const override { return range_ * x; }
  double x_at(double loss) const override { return std::clamp(loss / range_, 0.0, 1.0); }
  double slope(double) const override { return range_; }
  double log_density(double) const override { return 0; }
  double log_slope_bound(double, double) const override { return steepness_; }
  double length_scale() const override { return 1; }
  double log_above(double) const override { return 0; }
  double log_below(double) const override { return 0; }

 private:
  double range_, steepness_;
};

}  // namespace

TEST_CASE("masses that are added up from a great many nodes are charged for every addition") {
  for (const double steepness : {50.0, 3e3, 7e4, 4e5})
    for (const double range : {0.25, 0.37, 0.81}) {
      const EvenLaw law(range, steepness);
      const Lattice lattice = discretise(law, {1, 0, 0, 2, 0, 0, 0, 1});
      CAPTURE(steepness);
      CAPTURE(range);
      // Below all losses delta is 1 - e^epsilon E e^-L.
      const long double fading = -std::expm1(-static_cast<long double>(range)) / range;
      for (const double epsilon : {-40.0, -1.0, 0.0}) {
        const long double truth = 1 - std::exp(static_cast<long double>(epsilon)) * fading;
        long double upper = 0, lower = 0;
        for (int i = 0; i < 2; ++i) {
          const long double part = -std::expm1(static_cast<long double>(epsilon) - i);
          upper += lattice.upper[i] * part;
          lower += lattice.lower[i] * part;
        }
        CHECK(upper >= truth);
        CHECK(lower <= truth);
      }
    }
}

TEST_CASE("errors that are equal at very many frequencies add up to no less than all of them") {
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 12; ++i) {
    const std::complex<double> value(uniform(stream), uniform(stream));
    const double count = 1 + 5 * uniform(stream), doubt = 1e-13 * (1 + uniform(stream));
    const auto error = [&](std::size_t length) {
      PowerProduct product(length);
      product.multiply(Frequencies(length, value), count, doubt);
      return product.total_error();
    };
    const std::size_t many = 300000;
    // One alone has no sum to lose anything in, but the same margin.
    CHECK(error(many) >= static_cast<double>(many) * error(1) * (1 - 1e-12));
    CHECK(error(many) <= static_cast<double>(many) * error(1) * (1 + 1e-9));
  }
}

TEST_CASE("the largest loss of many releases is charged for every sum in which it was rounded" *
          doctest::test_suite("long")) {
  // Each addition loses nearly half a unit of the last place.
  for (const int many : {2, 30, 300, 900}) {
    const double first = 1, ulp = 0x1p-52;
    const double small = 0x1p-10 + 0.42 * ulp, likely = 1 - 1e-6;
    const auto law = [&](double loss) {
      return std::make_shared<AtomicLaw>(std::vector<Atom>{{-3, 1 - likely}, {loss, likely}}, 0);
    };
    std::vector<RepeatedLaw> laws{{law(first), 1}};
    for (int i = 0; i < many; ++i) laws.push_back({law(small), 1});
    const long double largest = first + static_cast<long double>(many) * small;
    CAPTURE(many);
    const Composer composer(laws);
    const Bounds found = composer.epsilon(1e-30, 1e-4);
    CHECK(found.upper >= largest * (1 - 1e-29L));
    CHECK(found.lower <= largest);
    // One unit below the largest loss it is not said that nothing leaks.
    CHECK(composer.delta(std::nextafter(static_cast<double>(largest), 0), 1e-4).upper > 0);
  }
}

TEST_CASE("the probability of the largest loss is as wrong as masses may be, in every release") {
  // Only the largest loss of all is above epsilon: delta = p (1 - e^{epsilon - largest}).
  const double loss = 2e-6, rare = 1e-7;
  for (const double count : {1e3, 1e5, 1e6})
    for (const double sign : {-1.0, 1.0}) {
      const double off = sign * 4.9 * rounding_margin;
      const auto law =
          std::make_shared<AtomicLaw>(std::vector<Atom>{{-3, rare}, {loss, (1 - rare) * (1 + off)}}, 0);
      const long double top = std::exp(count * std::log1p(-static_cast<long double>(rare)));
      const long double largest = static_cast<long double>(count) * loss;
      const double share = -std::expm1(static_cast<double>(-largest / 2));
      const double delta = static_cast<double>(top * share);
      const long double truth = largest + std::log1p(-delta / top);
      CAPTURE(count);
      CAPTURE(sign);
      const Bounds found = Composer({{law, count}}).epsilon(delta, 1e-4);
      CHECK(found.lower <= truth);
      CHECK(found.upper >= truth);
    }
}

}  // namespace epsilometer::margins_test
