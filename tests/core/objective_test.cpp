// Objective perturbation against maps that nobody proved anything about: none leaks more than the stated
// supremum, and the best that a search finds comes close to it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/accounting/closed_form.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/loss/objective_divergence.h"
#include "core/loss/objective_levels.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/search.h"
#include "tests/core/descriptions.h"

namespace epsilometer::objective_test {

namespace {

double upper_tail(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

// An admissible map v -> v + k(v), linear between the points of a grid: a mechanism of the class in one
// dimension.
struct Map {
  double slope, kappa;
  std::vector<double> v, k;

  // Random slopes in [0, kappa], long flat or steep stretches more often than not, cut at -s and s.
  Map(double s, double growth, std::mt19937& random) : slope(s), kappa(growth) {
    std::uniform_real_distribution<double> uniform(0, 1);
    const double step = uniform(random) < 0.5 ? 0.02 : 0.1;
    double height = -s + 2 * s * std::pow(uniform(random), 2), rate = 0;
    if (uniform(random) < 0.5) height = -s;
    for (double at = -9; at <= 9; at += step) {
      v.push_back(at);
      k.push_back(height);
      if (uniform(random) < 0.2)
        rate = uniform(random) < 0.4 ? kappa : uniform(random) < 0.6 ? 0 : kappa * uniform(random);
      height = std::min(s, height + rate * step);
    }
  }

  // A ramp from `low` to s that leaves `low` at `start`: what the derivation says to try.
  Map(double s, double growth, double low, double start) : slope(s), kappa(growth) {
    for (double at = -9; at <= 9; at += 0.01) v.push_back(at);
    for (const double bend : {start, start + (s - low) / kappa})
      if (v.front() < bend && bend < v.back()) v.insert(std::upper_bound(v.begin(), v.end(), bend), bend);
    for (const double at : v) k.push_back(std::clamp(low + kappa * (at - start), low, s));
  }

  // The integral of f(v, v + k, 1 + k') between -9 and 9 by a midpoint sum, whose steps h are at most 0.0025.
  template <class Integrand>
  double integral(const Integrand& f) const {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      constexpr int parts = 40;
      const double growth = 1 + (k[i + 1] - k[i]) / (v[i + 1] - v[i]), step = (v[i + 1] - v[i]) / parts;
      for (int j = 0; j < parts; ++j) {
        const double x = v[i] + (j + 0.5) * step;
        sum += step / 2.5066282746310002 * f(x, x + k[i] + (growth - 1) * (x - v[i]), growth);
      }
    }
    return sum;
  }

  // delta of one direction, to h^2 / 8 times the total variation of the derivative of the positive part.
  double leak(double epsilon, bool adding) const {
    return integral([=](double x, double y, double growth) {
      const double p = std::exp(-x * x / 2), q = growth * std::exp(-y * y / 2);
      return std::max(0.0, adding ? p - std::exp(epsilon) * q : q - std::exp(epsilon) * p);
    });
  }

  // The Renyi divergence of one direction, from below: what lies beyond -9 and 9 is left out. The integral's
  // relative error is at most h^2 / 24 times the total variation of the integrand's derivative, below 300
  // times the integral here.
  double divergence(double order, bool adding) const {
    const double moment = integral([=](double x, double y, double growth) {
      const double loss = (y * y - x * x) / 2 - std::log(growth), log_p = -x * x / 2;
      return std::exp(adding ? log_p + (order - 1) * loss : log_p - order * loss);
    });
    return std::log(moment) / (order - 1);
  }
};

struct Case {
  double epsilon, slope, kappa;
};

}  // namespace

TEST_CASE("no admissible map leaks more than the stated supremum, and a ramp attains it" *
          doctest::test_suite("long")) {
  std::mt19937 random(20240611);
  for (const Case& one : {Case{0.5, 0.2, 0.05}, Case{0.1, 0.1, 0.2}, Case{2, 1, 1.0 / 3},
                          Case{1, 1.0 / 1.5, 2}, Case{0, 0.3, 1}}) {
    CAPTURE(one.epsilon);
    const ObjectiveLevels levels(one.epsilon, {one.slope}, one.kappa, log_one_plus(DoubleDouble{one.kappa}));
    const Bounds add = levels.adding(false), remove = levels.removing(false);
    const auto hold = [&](const Map& map) {
      // The derivatives of p and e^epsilon q vary by less than 12 together.
      CHECK(map.leak(one.epsilon, true) <= add.upper + 1e-5);
      CHECK(map.leak(one.epsilon, false) <= remove.upper + 1e-5);
    };
    for (int i = 0; i < 400; ++i) hold(Map(one.slope, one.kappa, random));
    for (double start = -8; start < 8; start += 0.1) {
      for (const double low : {-one.slope, -one.slope / 2, 0.0}) hold(Map(one.slope, one.kappa, low, start));
    }
    // The supremum is that of a ramp from -s, whose start is searched to 1e-7: what the start is off by moves
    // the two ends of a set by kappa as much at most. That and the midpoint sum are below 2e-5.
    for (const bool adding : {true, false}) {
      const auto missing = [&](double start) {
        return -Map(one.slope, one.kappa, -one.slope, start).leak(one.epsilon, adding);
      };
      double best = 0, least = 0;
      for (double start = -8; start < 8; start += 0.1)
        if (const double here = missing(start); here < least) best = start, least = here;
      const double most = -minimum(missing, best - 0.1, best + 0.1, 30).second;
      const Bounds& stated = adding ? add : remove;
      CHECK(most >= stated.lower - 2e-5);
      CHECK(most <= stated.upper + 1e-5);
    }
  }
}

TEST_CASE("no admissible map has a larger divergence than is stated, and a ramp has that" *
          doctest::test_suite("long")) {
  std::mt19937 random(7);
  struct Ordered {
    double order, slope, kappa;
  };
  for (const Ordered& one : {Ordered{2, 0.2, 0.05}, Ordered{8, 0.1, 0.2}, Ordered{1.01, 0.01, 0.1},
                             Ordered{4, 1, 0.5}, Ordered{3, 1, 2}, Ordered{16, 0.35, 1.0 / 6}}) {
    CAPTURE(one.order);
    const double stated = objective_divergence(one.order, one.slope, one.kappa);
    const auto largest = [&](const Map& map) {
      return std::max(map.divergence(one.order, true), map.divergence(one.order, false));
    };
    // What the sum is off by, in D. Of orders near 1 the integrand is near p, whose own sum is right.
    const double doubt =
        300 * 0.0025 * 0.0025 / 24 / (one.order - 1) * std::min(1.0, 3 * (one.order - 1) * stated);
    double best = 0;
    for (int i = 0; i < 100; ++i) best = std::max(best, largest(Map(one.slope, one.kappa, random)));
    for (double start = -8; start < 8; start += 0.1)
      for (const double low : {-one.slope, 0.0})
        best = std::max(best, largest(Map(one.slope, one.kappa, low, start)));
    CHECK(best <= stated + doubt);
    CHECK(best >= 0.999 * stated - doubt);
  }
}

TEST_CASE("each direction has a divergence of its own, from both sides, narrow, and of a map that there is") {
  struct Known {
    double order, slope, kappa, adding, removing;
  };
  // Of the reference values, to the digits that are known there.
  for (const Known& one :
       {Known{32, 0.2, 0.05, 0.6619382150971924, 0.6400000032548068}, Known{2, 0.2, 0.05, 0.04, 0.04},
        Known{8, 0.1, 0.2, 0.07194222053498028, 0.07551869131693359},
        Known{10, 1, 2, 5.07701635339555, 5.542446677374368},
        Known{1.01, 0.01, 0.1, 0.0004250071922411687, 0.0004370175288472286}}) {
    CAPTURE(one.order);
    const auto [adding, removing] = objective_divergences(one.order, one.slope, one.kappa);
    for (const auto& [bounds, known] : {std::pair(adding, one.adding), std::pair(removing, one.removing)}) {
      CHECK(bounds.lower <= known * (1 + 1e-9));
      CHECK(bounds.upper >= known * (1 - 1e-9));
      CHECK(bounds.upper - bounds.lower <= 1e-9 * known);
    }
  }
  for (const double slope : {1e-6, 0.01, 0.2, 1.5, 20.0})
    for (const double kappa : {1e-8, 1e-3, 0.2, 3.0, 1e4})
      for (const double order : {1 + 1e-9, 1.001, 1.5, 2.0, 7.0, 60.0, 1e4}) {
        CAPTURE(slope);
        CAPTURE(kappa);
        CAPTURE(order);
        const auto [adding, removing] = objective_divergences(order, slope, kappa);
        for (const Bounds& one : {adding, removing}) {
          CHECK(one.lower >= 0);
          CHECK(one.lower <= one.upper);
          CHECK(std::isfinite(one.lower));
        }
        CHECK(std::max(adding.upper, removing.upper) == objective_divergence(order, slope, kappa));
      }
}

TEST_CASE("divergences grow with the order, the slope and the curvature, above that of a linear loss") {
  for (const double slope : {1e-6, 0.01, 0.2, 1.5, 20.0})
    for (const double kappa : {1e-8, 1e-3, 0.2, 3.0, 1e4}) {
      double before = 0;
      for (const double order : {1 + 1e-9, 1.001, 1.5, 2.0, 7.0, 60.0, 1e4}) {
        CAPTURE(slope);
        CAPTURE(kappa);
        CAPTURE(order);
        const double found = objective_divergence(order, slope, kappa);
        if (std::isinf(found)) continue;
        CHECK(found >= order * slope * slope / 2);
        CHECK(found >= before * (1 - 1e-9));
        CHECK(objective_divergence(order, slope, 1.1 * kappa) >= found * (1 - 1e-9));
        CHECK(objective_divergence(order, 1.1 * slope, kappa) >= found * (1 - 1e-9));
        before = found;
      }
    }
}

TEST_CASE("the supremum is enclosed to 11 digits and obeys its limits") {
  for (const double slope : {0.01, 0.2, 1.5, 6.0}) {
    for (const double kappa : {1e-6, 0.03, 0.7, 8.0}) {
      Bounds before{1, 1};
      for (const double epsilon : {0.0, 0.01, 0.1, 0.5, 2.0, 9.0}) {
        CAPTURE(slope);
        CAPTURE(kappa);
        CAPTURE(epsilon);
        const ObjectiveLevels levels(epsilon, {slope}, kappa, log_one_plus(DoubleDouble{kappa}));
        const Bounds add = levels.adding(false), remove = levels.removing(false);
        const Bounds whole{std::max(add.lower, remove.lower), std::max(add.upper, remove.upper)};
        // The Gaussian member of the class.
        const double a = epsilon / slope - slope / 2;
        const double gaussian = upper_tail(a) - std::exp(epsilon) * upper_tail(a + slope);
        CHECK(whole.upper >= gaussian * (1 - 1e-9) - 1e-15);
        CHECK(levels.adding(true).lower <= add.upper);
        CHECK(levels.removing(true).lower <= remove.upper);
        if (whole.upper > 1e-280) CHECK(whole.upper / whole.lower - 1 < 1e-10);
        CHECK(whole.lower <= before.upper);
        before = whole;
      }
    }
  }
}

TEST_CASE("hardly any gradient costs hardly anything") {
  for (const double sigma : {2e8, 1e12, 1e100})
    for (const char* derivative : {"any", "one-signed"}) {
      Description release = one("objective-perturbation",
                                {{"sigma", sigma}, {"lambda", 9}, {"lipschitz", 1}, {"smoothness", 0.9}});
      release.texts["derivative"] = derivative;
      const auto loss = privacy_loss(release);
      CAPTURE(sigma);
      CHECK(delta(*loss, 0).upper <= 2 / sigma * (1 + 1e-9));
      CHECK(epsilon(*loss, 1e-7).upper == 0);
      CHECK(loss->renyi(2) <= 1e-8);
    }
}

TEST_CASE("with next to no curvature the supremum is that of a linear loss") {
  for (const double slope : {1e-3, 0.01, 1.0, 6.0}) {
    const auto gaussian = privacy_loss(one("gaussian", {{"sigma", 1}, {"sensitivity", slope}}));
    for (const double kappa : {1e-100, 1e-20, 1e-12, 9e-9, 2e-8}) {
      CAPTURE(slope);
      CAPTURE(kappa);
      const auto loss =
          privacy_loss(one("objective-perturbation",
                           {{"sigma", 1}, {"lambda", 1}, {"lipschitz", slope}, {"smoothness", kappa}}));
      for (const double delta : {1e-4, 1e-10}) {
        const Bounds found = epsilon(*loss, delta), least = epsilon(*gaussian, delta);
        CHECK(found.lower <= least.upper * (1 + 1e-6));
        CHECK(found.upper >= least.lower);
        // log(1 + kappa), and what the search leaves.
        CHECK(found.upper <= least.upper * (1 + 1e-6) + 2e-8);
      }
    }
  }
}

TEST_CASE("a finish on a perturbed minimum costs what it hides, not the step to another bound") {
  const std::map<std::string, double> numbers{
      {"sigma", 7}, {"lambda", 1}, {"lipschitz", 1.4}, {"smoothness", 0.5}};
  const Description exact{"objective-perturbation", numbers, {}, {}, {}};
  const auto alone = privacy_loss(exact);
  for (const double mu : {0x1p-40, 0x1p-16, 0x1p-11}) {
    Description finished{"approximate-minima-perturbation", numbers, {}, {}, {}};
    finished.numbers["gradientTolerance"] = mu * 1e-3 / 2;
    finished.numbers["outputSigma"] = 1e-3;
    const Description composed{
        "composition",
        {},
        {},
        {},
        {{exact, 1}, {{"gaussian", {{"sensitivity", mu}, {"sigma", 1}}, {}, {}, {}}, 1}}};
    const auto loss = privacy_loss(finished), sum = privacy_loss(composed);
    // Whatever share of epsilon the finish takes: of all shares of a cell none costs less than its ends say.
    const auto output = privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
    const auto least_split = [&](const auto& minimum_at) {
      double found = minimum_at(0.0) + delta(*output, 0).lower;
      for (double from = 0; from < 40 * mu; from += mu / 8)
        found = std::min(found, minimum_at(from) + delta(*output, from + mu / 8).lower);
      return found;
    };
    for (const double epsilon : {0.0, 0.2, 0.7, 1.5}) {
      CAPTURE(mu);
      CAPTURE(epsilon);
      const Bounds price = delta(*loss, epsilon), least = delta(*alone, epsilon);
      CHECK(price.lower <= price.upper);
      CHECK(price.upper >= least.upper);
      CHECK(price.upper >= least_split([&](double share) { return delta(*alone, epsilon - share).lower; }));
      CHECK(price.upper <= delta(*alone, epsilon - 12 * mu).upper * (1 + 1e-5));
      // A mean of the supremum costs less than a split by what its share, of 12 mu at most, is worth: delta
      // falls by less than e^33 over a unit of epsilon here.
      CHECK(price.upper < (1 + 400 * mu) * delta(*sum, epsilon).upper);
    }
    for (const double rate : {1e-9, 1e-3, 0.3, 0.999}) {
      const Bounds hit = power(*loss, rate);
      CHECK(hit.lower <= hit.upper);
      CHECK(hit.upper >= power(*alone, rate).upper);
      CHECK(hit.upper >= least_split([&](double share) {
              return power(*alone, std::min(1.0, std::exp(share) * rate)).lower;
            }));
      CHECK(hit.upper <= power(*alone, rate).upper + 20 * mu);
    }
    // Twice the same is composed by the bounds that have a law.
    const Description twice{"composition", {}, {}, {}, {{finished, 2}}};
    const Bounds two = epsilon(*privacy_loss(twice), 1e-6);
    CHECK(two.upper > epsilon(*loss, 1e-6).upper);
    CHECK(two.upper < 2.5 * epsilon(*loss, 1e-6).upper);
  }
}

TEST_CASE("a finish costs no more than any split with it, however small epsilon is beside it") {
  const double mu = 0x1p-16;
  const auto output = privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
  for (const double sigma : {1e3, 1e5, 1e7, 1e12}) {
    const std::map<std::string, double> numbers{
        {"sigma", sigma}, {"lambda", sigma}, {"lipschitz", 1}, {"smoothness", 0.25}};
    const auto alone = privacy_loss({"objective-perturbation", numbers, {}, {}, {}});
    Description finished{"approximate-minima-perturbation", numbers, {}, {}, {}};
    finished.numbers["gradientTolerance"] = mu * 1e-3 * sigma / 2;
    finished.numbers["outputSigma"] = 1e-3;
    const auto loss = privacy_loss(finished);
    CAPTURE(sigma);
    for (const double epsilon : {0.0, 1e-9, 1e-6, 1e-5, 3e-5, 1e-4, 1e-3, 0.1}) {
      CAPTURE(epsilon);
      const Bounds price = delta(*loss, epsilon);
      CHECK(price.lower <= price.upper);
      // The rule for the share looks at quarters of a deviation, or takes what costs a millionth more.
      for (const double share : {0.0, 0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 9.0})
        CHECK(price.upper <=
              (delta(*alone, epsilon - share * mu).upper + delta(*output, share * mu).upper) * (1 + 1e-5));
    }
    for (const double rate : {1e-6, 1e-3, 0.3, 0.999}) {
      CAPTURE(rate);
      const Bounds hit = power(*loss, rate);
      CHECK(hit.lower <= hit.upper);
      for (const double share : {0.0, 0.5, 1.0, 3.0, 6.0})
        CHECK(hit.upper <= (power(*alone, std::min(1.0, std::exp(share * mu) * rate)).upper +
                            delta(*output, share * mu).upper) *
                               (1 + 1e-5));
    }
  }
}

TEST_CASE("the best order of a composition is found, and the same whatever was asked before" *
          doctest::test_suite("long")) {
  const auto release = [](double sigma) {
    return Description{"objective-perturbation",
                       {{"lipschitz", 1}, {"smoothness", 1}, {"lambda", 10}, {"sigma", sigma}},
                       {},
                       {},
                       {}};
  };
  const Description releases{"composition", {}, {}, {}, {{release(20), 10}, {release(35), 4}}};
  const auto asked = privacy_loss(releases);
  for (const double delta : {1e-2, 1e-6, 1e-20, 1e-100}) {
    CAPTURE(delta);
    double least = HUGE_VAL;
    for (double log_t = -5; log_t < 9; log_t += 0x1p-8) {
      const double t = std::exp(log_t);
      const double gain = std::log(delta) + t * std::log1p(1 / t) + std::log1p(t);
      least = std::min(least, asked->renyi(1 + t) - gain / t);
    }
    const double found = renyi_curve_epsilon(*asked, delta);
    // The search ends within 2^-17 of itself, below 9, of the best log t, and on neither side of that epsilon
    // changes by more than twice itself per unit.
    CHECK(found <= least * (1 + 0x1p-12));
    CHECK(found == renyi_curve_epsilon(*privacy_loss(releases), delta));
    CHECK(renyi_curve_delta(*asked, found) == renyi_curve_delta(*privacy_loss(releases), found));
  }
}

}  // namespace epsilometer::objective_test
