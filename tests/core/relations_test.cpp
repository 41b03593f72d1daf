// What must hold between the answers of one loss, or of a loss and its repetitions, whatever the truth is.
// Each relation bounds an answer from below, so that none can be too small by much, for every kind and at
// both ends.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/accounting/composition/compose.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/loss/sum_loss.h"
#include "tests/core/descriptions.h"
#include "tests/core/tables.h"

namespace epsilometer::relations_test {

namespace {

const Description one_gaussian{"gaussian", {{"sigma", 1.3}, {"sensitivity", 1}}, {}, {}, {}};

// Every kind that is not made of others, with at least two sets of numbers.
const std::vector<Description>& simple() {
  static const std::vector<Description> all = {
      one_gaussian,
      {"gaussian", {{"sigma", 0.4}, {"sensitivity", 1.5}}, {}, {}, {}},
      {"gdp", {{"mu", 0.3}}, {}, {}, {}},
      {"gdp", {{"mu", 2}}, {}, {}, {}},
      {"laplace", {{"scale", 0.8}, {"sensitivity", 1}}, {}, {}, {}},
      {"laplace", {{"scale", 5}, {"sensitivity", 2}}, {}, {}, {}},
      {"discrete-laplace", {{"scale", 1.7}, {"sensitivity", 3}}, {}, {}, {}},
      {"discrete-laplace", {{"scale", 0.5}, {"sensitivity", 1}}, {}, {}, {}},
      {"discrete-gaussian", {{"sigma", 2.2}, {"sensitivity", 3}}, {}, {}, {}},
      {"discrete-gaussian", {{"sigma", 0.7}, {"sensitivity", 1}}, {}, {}, {}},
      {"exponential", {{"epsilon", 0.7}}, {}, {}, {}},
      {"exponential", {{"epsilon", 3}}, {}, {}, {}},
      {"pure", {{"epsilon", 0.5}}, {}, {}, {}},
      {"pure", {{"epsilon", 3}}, {}, {}, {}},
      {"approximate", {{"epsilon", 0.4}, {"delta", 0.01}}, {}, {}, {}},
      {"approximate", {{"epsilon", 2}, {"delta", 1e-6}}, {}, {}, {}},
      {"randomized-response", {{"epsilon", 1.3}, {"categories", 5}}, {}, {}, {}},
      {"randomized-response", {{"epsilon", 0.2}, {"categories", 2}}, {}, {}, {}},
      {"gaussian-mixing", {{"gamma", 9.5}, {"sketchSize", 40}}, {}, {}, {}},
      {"gaussian-mixing", {{"gamma", 3}, {"sketchSize", 7}}, {}, {}, {}},
      {"report-noisy-max", {{"classes", 2}, {"scale", 2}}, {}, {{"noise", "laplace"}, {"vote", "added"}}, {}},
      {"report-noisy-max",
       {{"classes", 5}, {"scale", 4}},
       {},
       {{"noise", "gaussian"}, {"vote", "switched"}},
       {}},
      {"zcdp", {{"rho", 0.3}}, {}, {}, {}},
      {"tcdp", {{"rho", 0.1}, {"omega", 7}}, {}, {}, {}},
      {"rdp", {}, {{"orders", {2, 8, 40}}, {"epsilons", {0.3, 0.9, 4}}}, {}, {}},
      {"gaussian-mixture",
       {{"sigma", 1.2}},
       {{"sensitivities", {0, 1, 2}}, {"probabilities", {0.75, 0.125, 0.125}}},
       {},
       {}},
      {"gaussian-mixture",
       {{"sigma", 2}},
       {{"sensitivities", {3, 1}}, {"probabilities", {0.5, 0.5}}},
       {},
       {}},
      {"objective-perturbation",
       {{"lipschitz", 1}, {"smoothness", 0.25}, {"lambda", 2}, {"sigma", 3}},
       {},
       {{"derivative", "any"}},
       {}},
      {"skellam", {{"variance", 9}, {"sensitivity", 2}}, {}, {}, {}},
      {"distributed-discrete-gaussian", {{"sigma", 0.6}, {"clients", 12}, {"sensitivity", 1}}, {}, {}, {}},
      {"truncated-laplace", {{"scale", 1}, {"sensitivity", 1}, {"bound", 4}}, {}, {}, {}},
      {"truncated-gaussian", {{"sigma", 1.5}, {"sensitivity", 1}, {"bound", 5}}, {}, {}, {}},
      {"staircase", {{"epsilon", 1.2}, {"gamma", 0.3}}, {}, {}, {}},
      {"permute-and-flip", {{"epsilon", 0.8}}, {}, {}, {}},
      {"randomized-response", {{"epsilon", 1.3}, {"categories", 5}}, {}, {{"other", "random"}}, {}},
      {"privacy-loss",
       {{"infinite", 0}},
       {{"losses", {-1, 0, 1.5}}, {"masses", {0.125, 0.375, 0.5}}},
       {{"rounded", "up"}, {"direction", "remove"}},
       {}},
  };
  return all;
}

// These, and samples of those that can be sampled.
std::vector<Description> kinds() {
  std::vector<Description> all = simple();
  for (const char* sampling : {"poisson", "without-replacement"})
    for (const std::size_t i : {0, 4, 6, 8, 14, 16}) all.push_back(sampled(sampling, 0.2, simple()[i]));
  return all;
}

constexpr double orders[] = {1.05, 1.5, 2, 3.5, 6};

bool meets(double found, double wanted, double relative) {
  if (std::isinf(wanted)) return found == wanted;
  return std::abs(found - wanted) <= relative * std::abs(wanted);
}

}  // namespace

TEST_CASE("what k releases can lose is k times as much, in closed form or not") {
  int finite = 0, concentrated = 0, bounded = 0, failing = 0;
  for (const Description& one : kinds()) {
    CAPTURE(one.kind);
    const auto loss = privacy_loss(one), other = privacy_loss(one_gaussian);
    for (const double count : {2.0, 7.0}) {
      const Description repeated{"composition", {}, {}, {}, {{one, count}}};
      const Description beside{"composition", {}, {}, {}, {{one, count}, {one_gaussian, 3}}};
      const auto whole = privacy_loss(repeated), both = privacy_loss(beside);
      const SumLoss sum({{loss, count}}), nested({{std::make_shared<SumLoss>(sum), 3}});
      for (const double order : orders) {
        CAPTURE(order);
        const double each = loss->renyi(order);
        finite += std::isfinite(each);
        for (const PrivacyLoss* many : {whole.get(), static_cast<const PrivacyLoss*>(&sum)}) {
          CHECK(many->renyi(order) >= count * each * (1 - 1e-13));
          CHECK(many->renyi(order) <= count * each * (1 + 1e-12));
        }
        CHECK(meets(nested.renyi(order), 3 * sum.renyi(order), 1e-13));
        CHECK(both->renyi(order) >= (count * each + 3 * other->renyi(order)) * (1 - 1e-13));
      }
      const double largest = loss->largest_loss();
      bounded += std::isfinite(largest);
      CHECK(meets(sum.largest_loss(), count * largest, 1e-13));
      CHECK(meets(nested.largest_loss(), 3 * count * largest, 1e-13));
      CHECK(meets(whole->largest_loss(), count * largest, 1e-13));
      if (const auto rho = loss->concentrated()) {
        ++concentrated;
        CHECK(meets(*sum.concentrated(), count * *rho, 1e-13));
        CHECK(meets(*whole->concentrated(), count * *rho, 1e-12));
        CHECK(meets(*both->concentrated(), count * *rho + 3 * *other->concentrated(), 1e-12));
      } else {
        CHECK(!whole->concentrated());
        CHECK(!both->concentrated());
      }
      const double mass = loss->infinite_mass(), fails = -std::expm1(count * std::log1p(-mass));
      failing += mass > 0;
      CHECK(meets(whole->infinite_mass(), fails, 1e-13));
      CHECK(meets(nested.infinite_mass(), -std::expm1(3 * count * std::log1p(-mass)), 1e-13));
      CHECK(both->largest_order() == loss->largest_order());
      const SumLoss last({{other, 3}, {loss, count}}), first({{loss, count}, {other, 3}});
      for (const SumLoss* mixed : {&last, &first}) {
        CHECK(mixed->largest_order() == loss->largest_order());
        CHECK(mixed->symmetric() == loss->symmetric());
        CHECK(mixed->composes() == loss->composes());
      }
    }
  }
  // As many as there are.
  CHECK(finite >= 316);
  CHECK(concentrated >= 34);
  CHECK(bounded >= 40);
  CHECK(failing >= 8);
}

TEST_CASE("the lower end of delta is the same when it is asked alone" * doctest::test_suite("long")) {
  std::vector<Description> all = kinds();
  all.push_back({"approximate-minima-perturbation",
                 {{"sigma", 8},
                  {"lambda", 10},
                  {"lipschitz", 1},
                  {"smoothness", 1},
                  {"gradientTolerance", 0.02},
                  {"outputSigma", 0.3}},
                 {},
                 {},
                 {}});
  int positive = 0;
  for (const Description& one : all)
    for (const double count : {1.0, 3.0}) {
      const auto loss = privacy_loss({"composition", {}, {}, {}, {{one, count}}});
      const Profile profile(*loss);
      for (const double epsilon : {-0.3, 0.0, 0.4, 2.0, 50.0}) {
        CAPTURE(one.kind);
        CAPTURE(count);
        CAPTURE(epsilon);
        const double lower = profile.least_delta(epsilon);
        CHECK(lower == profile.delta(epsilon).lower);
        positive += lower > 0;
      }
    }
  CHECK(positive > 200);
}

TEST_CASE("epsilon is where the stated profile falls to delta, of every kind and of what is around it" *
          doctest::test_suite("long")) {
  std::vector<Description> all;
  for (const Description& one : kinds()) {
    all.push_back(one);
    for (const char* stopping : {"poisson", "geometric"})
      all.push_back({"private-selection", {{"runs", 4}}, {}, {{"stopping", stopping}}, {{one, 1}}});
    for (const char* test : {"accept-reject", "released"})
      all.push_back({"propose-test-release",
                     {{"testEpsilon", 0.5}, {"testDelta", 1e-6}, {"failure", 1e-6}},
                     {},
                     {{"test", test}},
                     {{one, 1}}});
  }
  // Several questions in a row are about one description.
  for (std::size_t i = 0; i < tables().size(); i += 7) all.push_back(tables()[i].description);
  int asked = 0;
  for (const Description& one : all) {
    CAPTURE(one.kind);
    std::shared_ptr<const PrivacyLoss> loss;
    try {
      loss = privacy_loss(one);
    } catch (const Refusal&) {
      continue;
    }
    for (const double level : {1e-12, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.9}) {
      CAPTURE(level);
      const Bounds found = epsilon(*loss, level);
      if (std::isinf(found.upper)) continue;
      const Bounds there = delta(*loss, found.upper * (1 + 1e-9));
      CHECK(there.lower <= level * (1 + 1e-9));
      // Intervals of compositions are wider, but by no more than what is asked of them.
      CHECK(there.upper <= level * (1 + 2e-3));
      if (found.upper > 1e-6) CHECK(delta(*loss, found.upper * (1 - 1e-2)).upper > level * (1 - 1e-3));
      if (found.lower > 1e-6) CHECK(delta(*loss, found.lower * (1 - 1e-9)).upper >= level * (1 - 1e-9));
      ++asked;
    }
  }
  CHECK(asked > 2000);
}

TEST_CASE("parts that differ in any number are composed with all of them") {
  // Stronger parts after a weaker first one: a closed form that takes the first for all would be too small.
  for (const Description& weak : simple()) {
    CAPTURE(weak.kind);
    for (const Description& other : simple()) {
      if (other.kind != weak.kind && !(weak.kind == "pure" && other.kind != "rdp")) continue;
      CAPTURE(other.kind);
      const auto whole = privacy_loss({"composition", {}, {}, {}, {{weak, 2}, {other, 3}}});
      const auto first = privacy_loss(weak), second = privacy_loss(other);
      for (const double order : orders)
        CHECK(whole->renyi(order) >= (2 * first->renyi(order) + 3 * second->renyi(order)) * (1 - 1e-12));
      CHECK(whole->largest_loss() >= (2 * first->largest_loss() + 3 * second->largest_loss()) * (1 - 1e-12));
      CHECK(whole->infinite_mass() >=
            -std::expm1(2 * std::log1p(-first->infinite_mass()) + 3 * std::log1p(-second->infinite_mass())) *
                (1 - 1e-12));
    }
  }
}

TEST_CASE("a test of every power is an event whose divergence the loss admits, and gains the profile") {
  int tested = 0;
  for (const Description& one : kinds()) {
    CAPTURE(one.kind);
    const auto loss = privacy_loss(one);
    if (!loss->profile()) continue;
    ++tested;
    // False-positive rates so close that a test between two of them gains little beside them.
    constexpr double ratio = 1.08;
    std::vector<double> rates{0};
    for (double x = 1e-9; x < 1; x *= ratio) rates.push_back(x);
    rates.push_back(1);
    std::vector<Bounds> powers;
    for (const double x : rates) powers.push_back(loss->profile()->power(x));
    for (const double epsilon : {-1.0, 0.0, 0.2, 0.6, 1.5}) {
      CAPTURE(epsilon);
      // delta(epsilon) = sup T(x) - e^epsilon x, and T rises.
      double most = powers[0].upper;
      for (std::size_t i = 0; i + 1 < rates.size(); ++i)
        most = std::max(most, powers[i + 1].upper - std::exp(epsilon) * rates[i]);
      CHECK(loss->profile()->delta(epsilon).lower <= most * (1 + 1e-12));
      for (std::size_t i = 0; i < rates.size(); ++i)
        CHECK(powers[i].lower <=
              (loss->profile()->delta(epsilon).upper + std::exp(epsilon) * rates[i]) * (1 + 1e-12));
    }
    // p^a q^{1-a} + (1-p)^a (1-q)^{1-a} <= e^{(a-1) D}, the data processing inequality.
    for (const double order : orders) {
      CAPTURE(order);
      double least = 0;
      for (std::size_t i = 1; i + 1 < rates.size(); ++i) {
        const double q = rates[i], p = std::min(powers[i].lower, 1 - 1e-9), a = order;
        const double sum = std::pow(p, a) * std::pow(q, 1 - a) + std::pow(1 - p, a) * std::pow(1 - q, 1 - a);
        least = std::max(least, std::log(sum) / (a - 1));
      }
      CHECK(loss->renyi(order) >= least * (1 - 1e-9) - 1e-12);
      if (const auto rho = loss->concentrated()) CHECK(*rho * order >= least * (1 - 1e-9) - 1e-12);
    }
    // Pinsker's inequality, at every order.
    CHECK(std::sqrt(loss->renyi(1.000001) / 2) >= loss->profile()->delta(0).lower * (1 - 1e-9));
  }
  CHECK(tested >= 30);
}

TEST_CASE("the law of one release has the profile of the loss, in the worse direction") {
  int composed = 0;
  for (const Description& one : kinds()) {
    CAPTURE(one.kind);
    const auto loss = privacy_loss(one);
    if (!loss->laws() || !loss->profile()) continue;
    ++composed;
    for (const double epsilon : {0.0, 0.5, 1.5}) {
      CAPTURE(epsilon);
      Bounds worse{0, 0};
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const Composer composer({{loss->laws()->law(direction), 1}});
        const Bounds found = composer.delta(epsilon, 1e-3);
        worse = {std::max(worse.lower, found.lower), std::max(worse.upper, found.upper)};
      }
      const Bounds known = loss->profile()->delta(epsilon);
      CHECK(worse.upper >= known.lower * (1 - 1e-12));
      // A law that stands for a whole class may lose more than any of its members, and that of noisy numbers
      // more than their winner.
      const bool is_of_numbers = one.kind == "report-noisy-max" && one.texts.at("noise") != "gaussian";
      if (loss->profile()->is_tight() && !is_of_numbers)
        CHECK(worse.lower <= known.upper * (1 + 1e-12) + 1e-300);
    }
  }
  CHECK(composed >= 30);
}

TEST_CASE("nothing that a sample shows is lost: rates, directions, failures") {
  for (const std::size_t i : {0, 4, 6, 8, 14, 16}) {
    const Description& base = simple()[i];
    CAPTURE(base.kind);
    const auto whole = privacy_loss(base);
    for (const double rate : {0.01, 0.3, 0.9}) {
      CAPTURE(rate);
      const auto poisson = privacy_loss(sampled("poisson", rate, base));
      const auto fixed = privacy_loss(sampled("without-replacement", rate, base));
      const double mass = rate * whole->infinite_mass();
      for (const auto& loss : {poisson, fixed}) {
        CHECK(meets(loss->infinite_mass(), mass, 1e-15));
        CHECK(meets(loss->largest_loss(), std::log1p(rate * std::expm1(whole->largest_loss())), 1e-13));
        // What is sampled is seen at least with the probability of the sample.
        CHECK(loss->profile()->delta(0).upper >= rate * whole->profile()->delta(0).lower);
        CHECK(loss->profile()->delta(0).lower <= whole->profile()->delta(0).upper);
        for (const double x : {0.05, 0.5}) {
          const double mixed = (1 - rate) * x + rate * whole->profile()->power(x).lower;
          CHECK(loss->profile()->power(x).upper >= mixed * (1 - 1e-13));
        }
      }
      // Without the record the other direction: where it sees T(x), the sample sees (1 - q) T(x) + q x.
      for (const double x : {0.05, 0.5}) {
        const double seen = whole->profile()->power(x).lower, rarely = (1 - rate) * seen + rate * x;
        CHECK(poisson->profile()->power(std::min(1.0, rarely)).upper >= seen * (1 - 1e-9));
      }
    }
  }
}

TEST_CASE("an exact interval is as narrow next to the largest loss as anywhere, sampled or not") {
  std::vector<Description> all;
  for (const Description& one : simple()) {
    const auto loss = privacy_loss(one);
    if (!std::isfinite(loss->largest_loss()) || !loss->profile()) continue;
    // Losses of a table are doubles, and nearer to them nothing is known.
    if (!loss->profile()->is_tight() || !loss->symmetric()) continue;
    all.push_back(one);
    for (const char* sampling : {"poisson", "without-replacement"})
      for (const double rate : {1e-6, 0.01, 0.5}) all.push_back(sampled(sampling, rate, one));
  }
  CHECK(all.size() >= 70);
  int asked = 0;
  for (const Description& one : all) {
    CAPTURE(one.kind);
    const auto loss = privacy_loss(one);
    // A loss of the sample is known to 2^-92 of that of the base, which moves it by at most a few units of
    // it: at 2^-46 of the end that is 2^-40 of what is left.
    for (int k = 1; k <= 46; ++k) {
      const double epsilon = loss->largest_loss() * (1 - std::exp2(-k));
      CAPTURE(k);
      const Bounds found = loss->profile()->delta(epsilon);
      CHECK(found.lower >= (1 - 1e-9) * found.upper - 1e-300);
      asked += found.lower > 0;
    }
  }
  CHECK(asked > 2000);
}

TEST_CASE("compositions of what has no law that could be listed are bounded, as all others are") {
  for (const double sigma : {13718.4, 1e5})
    for (const double count : {2.0, 117.0}) {
      CAPTURE(sigma);
      CAPTURE(count);
      const Description wide{"discrete-gaussian", {{"sigma", sigma}, {"sensitivity", 20}}, {}, {}, {}};
      const Description laplace{"laplace", {{"scale", sigma / 20}, {"sensitivity", 1}}, {}, {}, {}};
      const Description like{"gaussian", {{"sigma", sigma}, {"sensitivity", 20}}, {}, {}, {}};
      const auto alone = privacy_loss({"composition", {}, {}, {}, {{wide, count}}});
      const auto beside = privacy_loss({"composition", {}, {}, {}, {{wide, count}, {laplace, 4}}});
      const auto smooth = privacy_loss({"composition", {}, {}, {}, {{like, count}, {laplace, 4}}});
      for (const double delta : {1e-3, 1e-12, 1e-190}) {
        CAPTURE(delta);
        const Bounds one = epsilon(*alone, delta), both = epsilon(*beside, delta);
        CHECK(one.lower <= one.upper);
        CHECK(both.lower <= both.upper);
        CHECK(one.lower <= both.upper);
        CHECK(std::isfinite(both.upper));
        // So wide a grid is as fine as none.
        CHECK(both.upper >= epsilon(*smooth, delta).lower * (1 - 1e-6));
        CHECK(Profile(*beside).delta(both.upper).lower <= delta * (1 + 1e-9));
      }
    }
}

// A little epsilon takes no more off delta than its own size, also where the losses are so large that doubles
// do not show it beside them.
TEST_CASE("delta moves no faster than epsilon, however small that is beside the losses") {
  std::vector<Description> all = kinds();
  for (const double scale : {1e3, 1.0, 1e-3, 1e-10, 1e-17, 1e-69}) {
    for (const char* vote : {"added", "switched"})
      for (const double classes : {2, 7})
        for (const char* noise : {"laplace", "gaussian"})
          all.push_back({"report-noisy-max",
                         {{"classes", classes}, {"scale", scale}},
                         {},
                         {{"noise", noise}, {"vote", vote}},
                         {}});
    all.push_back({"laplace", {{"scale", scale}, {"sensitivity", 1}}, {}, {}, {}});
    all.push_back({"gaussian", {{"sigma", scale}, {"sensitivity", 1}}, {}, {}, {}});
    all.push_back(
        {"truncated-laplace", {{"scale", scale}, {"sensitivity", 1}, {"bound", 4 * scale + 3}}, {}, {}, {}});
    all.push_back({"pure", {{"epsilon", 1 / scale}}, {}, {}, {}});
    all.push_back({"permute-and-flip", {{"epsilon", std::min(700.0, 1 / scale)}}, {}, {}, {}});
  }
  for (const Description& one : all) {
    CAPTURE(one.kind);
    const auto loss = privacy_loss(one);
    const double largest = std::min(loss->largest_loss(), 1e80);
    const Bounds zero = delta(*loss, 0);
    std::vector<double> tried = {std::numeric_limits<double>::denorm_min(), 1e-300, 1e-100, 1e-18};
    for (int k = -60; k <= -40; k += 2) {
      tried.push_back(std::ldexp(1.0, k));
      tried.push_back(std::ldexp(largest, k));
    }
    for (const double epsilon : tried) {
      CAPTURE(epsilon);
      const Bounds above = delta(*loss, epsilon), below = delta(*loss, -epsilon);
      CHECK(above.upper >= zero.lower - std::expm1(epsilon));
      CHECK(above.lower <= zero.upper);
      CHECK(below.upper >= zero.lower);
      CHECK(below.lower <= zero.upper - std::expm1(-epsilon));
    }
  }
}

}  // namespace epsilometer::relations_test
