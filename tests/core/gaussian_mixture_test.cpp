// Normal noise with random shifts, against what it must agree with whatever the truth is.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/loss/laws/mixture_law.h"
#include "core/loss/privacy_loss.h"
#include "tests/core/tables.h"

namespace epsilometer::gaussian_mixture_test {

namespace {

Description mixture(double sigma, std::vector<double> sensitivities, std::vector<double> probabilities) {
  return {"gaussian-mixture",
          {{"sigma", sigma}},
          {{"sensitivities", std::move(sensitivities)}, {"probabilities", std::move(probabilities)}},
          {},
          {}};
}

Description gaussian(double sigma, double sensitivity) {
  return {"gaussian", {{"sigma", sigma}, {"sensitivity", sensitivity}}, {}, {}, {}};
}

Description sampled(double rate, double sigma) {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {{gaussian(sigma, 1), 1}}};
}

constexpr double levels[] = {-1.2, -0.01, 0, 1e-3, 0.2, 1, 4, 20};
constexpr double rates[] = {0, 1e-12, 1e-3, 0.4, 0.9, 1};

void check_overlap(const Bounds& a, const Bounds& b) {
  CHECK(a.lower <= b.upper);
  CHECK(b.lower <= a.upper);
  CHECK(a.upper - a.lower <= 1e-11 * a.upper + 1e-300);
}

}  // namespace

TEST_CASE("a mixture with one sensitivity, or sampled with one, is what these kinds say") {
  const auto check_same = [](const Description& one, const Description& other) {
    const auto a = privacy_loss(one), b = privacy_loss(other);
    for (const double level : levels) {
      CAPTURE(level);
      check_overlap(a->profile()->delta(level), b->profile()->delta(level));
    }
    for (const double rate : rates) check_overlap(a->profile()->power(rate), b->profile()->power(rate));
    for (const double order : {1.01, 1.5, 2.0, 7.25, 80.0}) {
      CAPTURE(order);
      CHECK(a->renyi(order) == doctest::Approx(b->renyi(order)).epsilon(1e-11));
    }
  };
  check_same(mixture(2, {3, 5}, {1, 0}), gaussian(2, 3));
  check_same(mixture(2, {3, 3, 3}, {0.25, 0.25, 0.5}), gaussian(2, 3));
  check_same(mixture(1, {0, 1}, {0.75, 0.25}), sampled(0.25, 1));
  check_same(mixture(0.7, {1, 0}, {0.0078125, 0.9921875}), sampled(0.0078125, 0.7));
  check_same(mixture(50, {0, 1}, {0.5, 0.5}), sampled(0.5, 50));
}

TEST_CASE("more probability of a larger sensitivity costs more, and more noise less") {
  const auto check_order = [](const Description& less, const Description& more) {
    const auto a = privacy_loss(less), b = privacy_loss(more);
    for (const double level : levels)
      CHECK(a->profile()->delta(level).lower <= b->profile()->delta(level).upper);
    for (const double rate : rates) CHECK(a->profile()->power(rate).lower <= b->profile()->power(rate).upper);
    for (const double order : {1.5, 2.0, 12.0, 3e5}) CHECK(a->renyi(order) <= b->renyi(order) * (1 + 1e-12));
    const auto twice = [](const Description& one) {
      return privacy_loss({"composition", {}, {}, {}, {{one, 7}}});
    };
    const auto many = twice(less), more_of_it = twice(more);
    CHECK(Profile(*many).certainty() == Certainty::certified);
    CHECK(epsilon(*many, 1e-5).lower <= epsilon(*more_of_it, 1e-5).upper);
  };
  check_order(mixture(1, {0, 1, 2}, {0.5, 0.25, 0.25}), mixture(1, {0, 1, 2}, {0.25, 0.5, 0.25}));
  check_order(mixture(1, {0, 1, 2}, {0.5, 0.25, 0.25}), mixture(1, {0, 1, 3}, {0.5, 0.25, 0.25}));
  check_order(mixture(2, {0, 1, 2}, {0.5, 0.25, 0.25}), mixture(1.5, {0, 1, 2}, {0.5, 0.25, 0.25}));
}

TEST_CASE("what rounding leaves of all probability counts for the largest sensitivity") {
  std::vector<double> tenths(10, 0.1), places(10, 0);
  places[3] = 1;
  const auto rounded = privacy_loss(mixture(1, places, tenths));
  check_overlap(rounded->profile()->delta(0.5), privacy_loss(sampled(0.1, 1))->profile()->delta(0.5));
  // A tail as heavy as what is left of 1 is not less than this; taken from the smallest one it is not there.
  const double left = 1e-13;
  const auto less = privacy_loss(mixture(1, {0, 9}, {1 - left, 0}));
  CHECK(less->profile()->delta(3).lower > 0.5 * left);
  const auto more = privacy_loss(mixture(1, {0, 9}, {1, left}));
  CHECK(more->profile()->delta(3).lower > 0.5 * left);
}

TEST_CASE("a mixture refuses what is none by its field") {
  const auto refused = [](const Description& one) {
    try {
      privacy_loss(one);
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return std::string("answered");
  };
  CHECK(refused(mixture(1, {0, 1}, {0.5, 0.4999})) == "probabilities");
  CHECK(refused(mixture(1, {0, 1}, {0.5, 0.50001})) == "probabilities");
  CHECK(refused(mixture(1, {0, 1}, {1})) == "probabilities");
  CHECK(refused(mixture(1, {0, 1}, {1.5, -0.5})) == "probabilities");
  CHECK(refused(mixture(1, {0, -1}, {0.5, 0.5})) == "sensitivities");
  CHECK(refused(mixture(1e-7, {0, 1}, {0.5, 0.5})) == "sensitivities");
  CHECK(refused(mixture(0, {0, 1}, {0.5, 0.5})) == "sigma");
}

TEST_CASE("the loss is right wherever an output may be, whatever the shifts") {
  const std::vector<MixtureLaw::Mixture> mixtures = {
      {{0.75, 0}, {0.25, 3}},
      {{0.25, 0}, {0.75, 3}},
      {{1, 5}},
      {{0.3, 208}, {0.05, 252}, {0.65, 725}},
      {{0.5, 1}, {0.5, 1e-3}},
      {{0.99, 40}, {0.01, 1e-8}},
      {{0.6, 30}, {0.4, 31}},
  };
  for (const auto& mixture : mixtures) {
    const MixtureLaw law(mixture, {{1, 0}});
    double before = -HUGE_VAL;
    for (double x = -1500; x <= 1500; x += 12.375) {
      // In the order of their sizes, so that no exponential is lost.
      long double top = -HUGE_VALL, sum = 0;
      const auto ratio = [x](const auto& one) { return 1.0L * one.shift * x - 0.5L * one.shift * one.shift; };
      for (const auto& one : mixture) top = std::max(top, ratio(one));
      for (const auto& one : mixture) sum += one.probability * std::exp(ratio(one) - top);
      const long double truth = top + std::log(sum);
      const double found = law.loss(x);
      CAPTURE(x);
      CAPTURE(mixture.back().shift);
      // A dozen roundings of the largest exponent.
      CHECK(std::abs(found - truth) <= 3e-15L * std::max(1.0L, std::abs(top)));
      CHECK(found >= before - 1e-12 * std::abs(before));
      before = found;
    }
  }
}

TEST_CASE("extreme mixtures have answers") {
  for (const double sigma : {1e-100, 1e-5, 1.0, 1e100}) {
    for (const double c : {1e-100, 1e-4, 3.0, 1e100}) {
      if (c > 1e6 * sigma) continue;
      const auto loss = privacy_loss(mixture(sigma, {0, c / 2, c}, {0.5, 0.25, 0.25}));
      CAPTURE(sigma);
      CAPTURE(c);
      for (const double level : {-800.0, -1.0, 0.0, 1e-90, 1.0, 800.0, 1e200}) {
        const Bounds found = loss->profile()->delta(level);
        CAPTURE(level);
        CHECK((0 <= found.lower && found.lower <= found.upper && found.upper <= 1));
      }
      for (const double rate : rates) {
        const Bounds found = loss->profile()->power(rate);
        CHECK((rate * (1 - 1e-9) <= found.lower && found.lower <= found.upper && found.upper <= 1));
      }
      for (const double order : {1.000001, 2.0, 1e6}) CHECK(loss->renyi(order) >= 0);
    }
  }
}

}  // namespace epsilometer::gaussian_mixture_test
