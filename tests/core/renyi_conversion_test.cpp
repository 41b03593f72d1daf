// What is known by a Renyi curve only: its profile, its power and their inverse hold all that keeps the
// curve, are dual to one another, and are never worse than the closed form.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/accounting/closed_form.h"
#include "core/accounting/profile.h"
#include "core/accounting/renyi.h"
#include "core/accounting/trade_off.h"
#include "core/loss/privacy_loss.h"
#include "tests/core/descriptions.h"

namespace epsilometer::renyi_conversion_test {

namespace {

using Loss = std::shared_ptr<const PrivacyLoss>;

Loss zcdp(double rho) { return privacy_loss({"zcdp", {{"rho", rho}}, {}, {}, {}}); }

Loss tcdp(double rho, double omega) {
  return privacy_loss({"tcdp", {{"rho", rho}, {"omega", omega}}, {}, {}, {}});
}

Loss rdp(const std::vector<double>& orders, const std::vector<double>& epsilons) {
  return privacy_loss({"rdp", {}, {{"orders", orders}, {"epsilons", epsilons}}, {}, {}});
}

std::vector<Loss> curves() {
  std::vector<Loss> all;
  for (const double rho : {1e-20, 1e-9, 1e-4, 0.0123, 0.3, 0.5, 0.671, 1.0, 3.0, 37.5, 2000.0}) {
    all.push_back(zcdp(rho));
    for (const double omega : {1.000001, 1.5, 3.0, 12.0, 500.0}) all.push_back(tcdp(rho, omega));
  }
  all.push_back(rdp({2}, {0.01}));
  all.push_back(rdp({1.000001}, {0.3}));
  all.push_back(rdp({1.25, 2, 3.5, 16, 64}, {0.3, 0.31, 0.9, 2.2, 9}));
  all.push_back(rdp({2, 8, 40}, {0.3, 0.9, 4}));
  all.push_back(rdp({10, 1000}, {2, 30}));
  all.push_back(rdp({1.01, 1e6}, {1e-6, 0.5}));
  return all;
}

// From nothing to far beyond what the loss is likely to be.
std::vector<double> levels(const PrivacyLoss& loss) {
  const double divergence = loss.renyi(std::min(2.0, loss.largest_order()));
  const double size = std::min(divergence, 300.0) + std::sqrt(divergence);
  std::vector<double> result;
  for (const double share : {0.0, 1e-9, 0.01, 0.1, 0.3, 0.6, 1.0, 1.7, 3.0}) result.push_back(share * size);
  return result;
}

constexpr double rates[] = {1e-100, 1e-9, 1e-3, 0.02, 0.2, 0.41, 0.5, 0.63, 0.8, 0.97};

// The divergence of coins in more digits: the moment less one is q (e^{ax} - 1) + (1-q) (e^{ay} - 1). In
// WebAssembly these functions have no more than those of a double: rounded up.
long double divergence(long double order, long double p, long double q) {
  const long double x = std::log1p((p - q) / q), y = std::log1p((q - p) / (1 - q));
  const long double most = std::max(x, y);
  // There the other term is lost.
  if (order * most > 700) return (std::log(x > y ? q : 1 - q) + order * most) / (order - 1);
  const long double one = q * std::expm1(order * x), other = (1 - q) * std::expm1(order * y);
  const long double doubt = 8 * unit_roundoff * (std::abs(one) + std::abs(other));
  return std::log1p(one + other + doubt) / (order - 1);
}

long double worse(double order, double p, double q) {
  return std::max(divergence(order, p, q), divergence(order, q, p));
}

// The closed form at one order, in more digits.
long double closed_form(const PrivacyLoss& loss, double order, double delta) {
  const long double t = static_cast<long double>(order) - 1;
  return loss.renyi(order) -
         (std::log(static_cast<long double>(delta)) + t * std::log1p(1 / t) + std::log1p(t)) / t;
}

}  // namespace

TEST_CASE("a curve's profile and its power are dual: each follows from the other" *
          doctest::test_suite("long")) {
  int asked = 0;
  for (const Loss& loss : curves()) {
    CAPTURE(loss->renyi(1.000001));
    CAPTURE(loss->largest_order());
    for (const double rate : rates) {
      CAPTURE(rate);
      const double power = renyi_power(*loss, rate);
      CHECK(power >= rate);
      double least = 1;
      for (const double level : levels(*loss)) {
        for (const double sign : {1.0, -1.0}) {
          const double line = renyi_delta(*loss, sign * level) + std::exp(sign * level) * rate;
          least = std::min(least, line);
          ++asked;
        }
      }
      CHECK(power <= least * (1 + 1e-10));
    }
    // delta(epsilon) is the largest power(x) - e^epsilon x.
    for (const double level : levels(*loss)) {
      const double delta = renyi_delta(*loss, level);
      for (const double rate : rates)
        CHECK(delta >= (renyi_power(*loss, rate) - std::exp(level) * rate) * (1 - 1e-10) - 1e-10 * rate);
    }
  }
  CHECK(asked == (11 * 6 + 6) * 10 * 9 * 2);
}

TEST_CASE("where a line touches the power it is the profile") {
  for (const double rho : {1e-6, 0.05, 0.5, 0.671, 4.0}) {
    for (const double omega : {2.0, 30.0, HUGE_VAL}) {
      const Loss loss = std::isinf(omega) ? zcdp(rho) : tcdp(rho, omega);
      CAPTURE(rho);
      CAPTURE(omega);
      for (const double level : {0.0, 0.4, 1.5}) {
        const double slope = std::exp(level * std::sqrt(rho));
        // The power is concave.
        const auto short_of = [&](double logit) {
          const double rate = 1 / (1 + std::exp(-logit));
          return slope * rate - renyi_power(*loss, rate);
        };
        const double most = -boost::math::tools::brent_find_minima(short_of, -30.0, 30.0, 26).second;
        const double delta = renyi_delta(*loss, level * std::sqrt(rho));
        CHECK(most <= delta * (1 + 1e-10) + 1e-12);
        // The search finds a corner to 26 bits of its place.
        CHECK(most >= delta * (1 - 1e-6));
      }
    }
  }
}

TEST_CASE("no pair of coins leaks more than what is said of its own divergences" *
          doctest::test_suite("long")) {
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  int asked = 0;
  for (int i = 0; i < 300; ++i) {
    const double q_logit = 24 * uniform(generator) - 12, x = std::exp(12 * uniform(generator) - 9);
    const double q = 1 / (1 + std::exp(-q_logit)), p = 1 / (1 + std::exp(-q_logit - x));
    if (!(p < 1 - 1e-9)) continue;
    CAPTURE(p);
    CAPTURE(q);
    std::vector<double> orders, epsilons;
    for (double order = 1 + std::exp(6 * uniform(generator) - 5); order < 500;
         order = 1 + (order - 1) * (1.3 + 9 * uniform(generator))) {
      orders.push_back(order);
      // What is lost in evaluating them here is 1e-19 / (t x), relatively.
      epsilons.push_back(static_cast<double>(worse(order, p, q) * (1 + 1e-12L)));
    }
    // Between the orders it is seen at, the ratio to the order grows by no more than a hundredth of the
    // order's logarithm; beyond, it is log(p/q) over the order at most.
    double rho = 0;
    for (int j = 0; j < 2900; ++j) {
      const double order = 1 + std::exp(0.01 * j - 9);
      rho = std::max(rho, static_cast<double>(worse(order, p, q) / order));
    }
    for (const Loss& loss : {rdp(orders, epsilons), zcdp(rho * 1.012)}) {
      CHECK(renyi_power(*loss, q) >= p * (1 - 1e-15));
      CHECK(renyi_power(*loss, 1 - p) >= (1 - q) * (1 - 1e-12));
      for (const double share : {0.0, 0.2, 0.7, 0.95, 1.0}) {
        const double level = share * std::log(p / q);
        const double truth = p - std::exp(level) * q, other = (1 - q) - std::exp(level) * (1 - p);
        CHECK(renyi_delta(*loss, level) >= std::max(truth, other) - 1e-15);
        if (truth > 1e-6) CHECK(renyi_epsilon(*loss, truth) >= level * (1 - 1e-9) - 1e-9);
        ++asked;
      }
    }
  }
  CHECK(asked > 2000);
}

TEST_CASE("epsilon is the inverse of delta, and neither is above the closed form") {
  int asked = 0;
  for (const Loss& loss : curves()) {
    CAPTURE(loss->renyi(1.000001));
    CAPTURE(loss->largest_order());
    double before = 1;
    for (const double level : levels(*loss)) {
      CAPTURE(level);
      const Bounds at = Profile(*loss).delta(level);
      CHECK(at.lower <= at.upper);
      CHECK(at.upper <= before * (1 + 1e-11));
      before = at.upper;
      CHECK(at.upper <= renyi_curve_delta(*loss, level) * (1 + 1e-11));
      // Nearer to 1 a rounding of delta moves epsilon by more.
      if (at.upper > 1e-290 && at.upper < 0.999) {
        const double back = renyi_epsilon(*loss, at.upper);
        CHECK(back <= level * (1 + 1e-9) + 1e-12);
        CHECK(renyi_delta(*loss, back) <= at.upper * (1 + 1e-12));
      }
      ++asked;
    }
    for (const double delta : {1e-300, 1e-50, 1e-10, 1e-6, 1e-3, 0.1, 0.4, 0.9, 0.999}) {
      CAPTURE(delta);
      const double found = renyi_epsilon(*loss, delta);
      CHECK(found >= Profile(*witness_of(*loss)).epsilon(delta).lower);
      CHECK(found <= renyi_curve_epsilon(*loss, delta) * (1 + 1e-11));
      CHECK(renyi_delta(*loss, found) <= delta * (1 + 1e-12));
      if (const auto rho = loss->concentrated())
        CHECK(found <= (*rho + 2 * std::sqrt(*rho * -std::log(delta))) * (1 + 1e-12));
      ++asked;
    }
  }
  CHECK(asked == (11 * 6 + 6) * 18);
}

TEST_CASE("the closed form at few orders is never below that at all, nor below the truth") {
  int asked = 0;
  for (double mu = 1e-3; mu < 30; mu *= 1.07) {
    const Loss exact = privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
    CAPTURE(mu);
    for (const double delta : {1e-200, 1e-12, 1e-5, 0.01, 0.3}) {
      const double coarse = CoarseRenyi(*exact).epsilon(delta);
      CHECK(coarse >= epsilon(*exact, delta).lower);
      CHECK(coarse >= renyi_curve_epsilon(*exact, delta) * (1 - 1e-10));
      CHECK(renyi_curve_epsilon(*exact, delta) >= renyi_epsilon(*exact, delta) * (1 - 1e-10));
      const double level = 1.3 * coarse;
      CHECK(CoarseRenyi(*exact).delta(level) >= renyi_curve_delta(*exact, level) * (1 - 1e-10));
      // Below this doubles lose their digits.
      if (renyi_curve_delta(*exact, level) > 1e-290)
        CHECK(renyi_curve_delta(*exact, level) >= renyi_delta(*exact, level) * (1 - 1e-10));
      CHECK(renyi_delta(*exact, level) >= epsilometer::delta(*exact, level).lower);
      ++asked;
    }
  }
  CHECK(asked > 700);
}

TEST_CASE("at few orders no divergence is asked twice, however much is asked") {
  class Counting final : public PrivacyLoss {
   public:
    double renyi(double order) const override {
      ++asked;
      return 0.3 * order;
    }
    mutable int asked = 0;
  };
  const Counting loss;
  const CoarseRenyi few(loss);
  for (double epsilon = 0; epsilon < 1000; epsilon += 0.7) {
    CHECK(few.delta(epsilon) == CoarseRenyi(Counting()).delta(epsilon));
    const double delta = std::exp(-0.6 * epsilon - 0.1);
    CHECK(few.epsilon(delta) == CoarseRenyi(Counting()).epsilon(delta));
  }
  CHECK(loss.asked <= 50);
}

TEST_CASE("the closed form at one order is its formula, rounded up") {
  int asked = 0;
  for (const double order : {1.05, 1.1, 1.2, 1.4, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0, 20.0, 28.0,
                             40.0, 64.0, 100.0, 3200.0}) {
    // So little that larger orders would be better, but nothing is stated of them.
    const Loss loss = tcdp(1e-12, order);
    CAPTURE(order);
    for (const double delta : {1e-300, 1e-50, 1e-7, 1e-4}) {
      const long double truth = closed_form(*loss, order, delta);
      // log delta cancels against the other terms to a hundredth at most here.
      for (const double found : {CoarseRenyi(*loss).epsilon(delta), renyi_curve_epsilon(*loss, delta)}) {
        CHECK(found >= truth);
        CHECK(found <= truth * (1 + 1e-11L));
      }
      // The same solved for delta: rounded to a double epsilon moves log delta by t times that.
      const double level = static_cast<double>(truth);
      const long double exact = delta * std::exp((order - 1.0L) * (truth - level));
      for (const double found : {CoarseRenyi(*loss).delta(level), renyi_curve_delta(*loss, level)}) {
        CHECK(found >= exact * (1 - 1e-17L * 1000));
        CHECK(found <= exact * (1 + 1e-11L));
      }
      ++asked;
    }
  }
  CHECK(asked == 19 * 4);
}

// Bun and Steinke 2016, Proposition 1.3 with a constant. What rho alone allows at best, and the constant, is
// less than some pair of coins reaches: the constant leaves room for the outcomes that are no loss.
TEST_CASE("a constant beside rho costs no more than the closed form with it") {
  const auto with = [](double xi, double rho) { return one("xi-zcdp", {{"xi", xi}, {"rho", rho}}); };
  for (const double rho : {1e-6, 0.02, 0.5, 7.0, 300.0}) {
    for (const double xi : {0.0, 1e-7, 0.3, 2.0, 50.0}) {
      for (const double level : {1e-12, 1e-5, 0.01, 0.3}) {
        CAPTURE(rho);
        CAPTURE(xi);
        CAPTURE(level);
        const double without = epsilon(*zcdp(rho), level).upper;
        const double found = epsilon(*privacy_loss(with(xi, rho)), level).upper;
        CHECK(found >= without * (1 - 1e-12));
        CHECK(found <= (xi + rho + 2 * std::sqrt(rho * std::log(1 / level))) * (1 + 1e-12));
        if (xi == 0) CHECK(found == without);
      }
    }
  }
}

TEST_CASE("bounds of both sorts add by themselves, and a constant alone is pure") {
  const Description some = one("xi-zcdp", {{"xi", 0.25}, {"rho", 0.125}}), flat = one("zcdp", {{"rho", 0.5}});
  const auto sum = privacy_loss({"composition", {}, {}, {}, {{some, 4}, {flat, 2}}});
  const auto whole = privacy_loss(one("xi-zcdp", {{"xi", 1}, {"rho", 1.5}}));
  const auto pure = privacy_loss(one("xi-zcdp", {{"xi", 0.7}, {"rho", 0}}));
  for (const double level : {1e-9, 1e-4, 0.1}) {
    CHECK(epsilon(*sum, level).upper == doctest::Approx(epsilon(*whole, level).upper).epsilon(1e-12));
    CHECK(epsilon(*pure, level).upper ==
          epsilon(*privacy_loss(one("pure", {{"epsilon", 0.7}})), level).upper);
  }
  CHECK(sum->renyi(3) == doctest::Approx(1 + 1.5 * 3).epsilon(1e-14));
  CHECK(sum->concentrated().value() == doctest::Approx(2.5).epsilon(1e-14));
  CHECK(refused_field(one("xi-zcdp", {{"xi", -1}, {"rho", 1}})) == "xi");
  CHECK(refused_field(one("xi-zcdp", {{"xi", 1}, {"rho", std::nan("")}})) == "rho");
}

}  // namespace epsilometer::renyi_conversion_test
