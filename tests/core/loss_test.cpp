// The losses against their definitions, and the bounds that privacy rests on against what records can do.
#include "core/model/loss.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "core/base/refusal.h"
#include "core/model/bounded_records.h"
#include "core/release/model_request.h"

namespace epsilometer::loss_test {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const LossNumbers numbers{3, 0.75};

bool near(double value, double truth) { return std::abs(value - truth) <= 1e-14 * (1 + std::abs(truth)); }

}  // namespace

TEST_CASE("derivatives of losses are what their names say") {
  const auto logistic = make_loss("logistic", numbers), poisson = make_loss("poisson", numbers);
  const auto squared = make_loss("squared", numbers), huber = make_loss("huber", numbers);
  // 40 digits, by mpmath.
  LossAt at = logistic->at(0.3, 1);
  CHECK(near(at.first, -0.425557483188341016));
  CHECK(near(at.second, 0.244458311690745869));
  CHECK(near(logistic->at(-7.25, 1).first, -0.999290329600899412));
  CHECK(logistic->at(40, -1).second == doctest::Approx(4.24835425529158896e-18).epsilon(1e-13));
  CHECK(logistic->at(1000, 1).first == 0);
  CHECK(logistic->at(1000, -1).first == 1);
  CHECK(near(poisson->at(1.5, 3).first, 1.48168907033806482));
  CHECK(squared->at(5, 2).first == 3);
  CHECK(huber->at(5, 2).first == 0.75);
  CHECK(huber->at(5, 2).second == 0);
  CHECK(huber->at(2.5, 2).first == 0.5);
  CHECK(near(clipped(*logistic, -8, -1, 1).first, 0.0003353501304664781));
  CHECK(clipped(*logistic, -3, 1, 0.25).first == -0.25);
  CHECK(clipped(*poisson, 2.5, 3, 1).first == 1);
  CHECK(clipped(*poisson, 1e4, 3, 1).first == 1);
  CHECK(clipped(*squared, -4, 1, 0.875).second == 0);
  CHECK_THROWS_AS(make_loss("hinge", numbers), Refusal);
}

TEST_CASE("second derivatives are those of the first, clipped or not, and within what is priced") {
  for (const char* name : {"logistic", "squared", "huber", "poisson"}) {
    const auto loss = make_loss(name, numbers);
    for (const double given : {-2.0, 0.0, 1.0, 2.5})
      for (const double limit : {infinite, 0.9, 0.3})
        for (double u = -3.97; u < 4; u += 0.11) {
          CAPTURE(name);
          CAPTURE(given);
          CAPTURE(limit);
          CAPTURE(u);
          const double label = loss->label(given), h = 1e-5;
          const auto at = [&](double place) { return clipped(*loss, place, label, limit); };
          CHECK(std::abs(at(u).first) <= limit);
          const double bend = (at(u + h).first - at(u - h).first) / (2 * h);
          const bool kink = (at(u + h).second == 0) != (at(u - h).second == 0);
          if (!kink) CHECK(std::abs(bend - at(u).second) <= 1e-5 * (1 + at(u).second));
          CHECK(at(u).second <= loss->curvature(std::min(limit, loss->steepness())));
        }
  }
}

TEST_CASE("no second derivative changes by more than its bend says, nor jumps where there is one") {
  for (const char* name : {"logistic", "poisson", "squared"}) {
    CAPTURE(name);
    const auto loss = make_loss(name, numbers);
    for (const double label : {-1.0, 1.0})
      for (double u = -6; u <= 6; u += 0.125) {
        CAPTURE(u);
        constexpr double step = 0x1p-12;
        const LossAt at = loss->at(u, loss->label(label));
        const double third =
            (loss->at(u + step, loss->label(label)).second - loss->at(u - step, loss->label(label)).second) /
            (2 * step);
        CHECK(std::abs(third) <= at.second * (loss->bend(at.first) + 1e-6));
        CHECK(std::abs(third) >= at.second * (loss->bend(at.first) - 1e-6));
      }
  }
}

TEST_CASE(
    "precise derivatives are within their error of 200-bit ones, clipped, far out and in doubt as well") {
  using Wide = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<200, boost::multiprecision::digit_base_2>,
      boost::multiprecision::et_off>;
  std::mt19937_64 random(20261130);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto truth = [](const std::string& name, const Wide& u, double label) -> Wide {
    if (name == "logistic") return -label / (1 + exp(label * u));
    if (name == "poisson") return exp(u) - label;
    const Wide rest = u - label;
    return name == "huber" ? std::clamp(rest, Wide(-0.75), Wide(0.75)) : rest;
  };
  int clips = 0;
  double largest = 0;
  for (const std::string name : {"logistic", "squared", "huber", "poisson"}) {
    const auto loss = make_loss(name, numbers);
    for (int i = 0; i < 4000; ++i) {
      const double reach = std::array{1e-20, 1.0, 10.0, 100.0, 650.0}[i % 5];
      const double doubt = i % 3 == 0 ? std::exp(-20 + 20 * uniform(random)) : 0;
      const DoubleDouble u = two_sum(reach * uniform(random), reach * 0x1p-54 * uniform(random));
      const double label = loss->label(4 * uniform(random)), limit = i % 2 ? 0.7 : infinite;
      const PreciseLossAt found = clipped(*loss, u, label, limit, doubt);
      const Wide moved = Wide(u.hi) + u.lo + doubt * uniform(random);
      const Wide exact = truth(name, moved, label), bounded = std::clamp(exact, Wide(-limit), Wide(limit));
      const Wide off = abs(bounded - found.first.hi - found.first.lo);
      CAPTURE(name);
      CAPTURE(u.hi);
      CAPTURE(doubt);
      CHECK(off <= found.error);
      clips += bounded != exact;
      // Two doubles, but for the rounding of the terms.
      if (doubt == 0) CHECK(found.error <= 0x1p-92 * (std::abs(found.first.hi) + 3) + 1e-255);
      if (doubt == 0 && found.error > 1e-200)
        largest = std::max(largest, static_cast<double>(off / found.error));
    }
  }
  CHECK(clips > 1000);
  // A bound that nothing comes near would hide a mistake in the bound.
  CHECK(largest > 0x1p-8);
}

TEST_CASE("labels become what the loss takes") {
  const double nan = std::nan("");
  const auto logistic = make_loss("logistic", numbers), poisson = make_loss("poisson", numbers);
  const auto huber = make_loss("huber", numbers);
  for (const double positive : {1.0, 7.0, infinite}) CHECK(logistic->label(positive) == 1);
  for (const double other : {0.0, -1.0, nan}) CHECK(logistic->label(other) == -1);
  CHECK(huber->label(infinite) == 3);
  CHECK(huber->label(-4) == -3);
  CHECK(huber->label(nan) == -3);
  CHECK(poisson->label(-4) == 0);
  CHECK(poisson->label(1e300) == 3);
}

TEST_CASE("no record's gradient or curvature is above what is priced, whatever it holds") {
  std::mt19937_64 random(20261121);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double nan = std::nan("");
  for (const char* name : {"logistic", "squared", "huber", "poisson"})
    for (const double gradient : {0.4, 5.0}) {
      const FitRequest asked{"a",
                             {{"featureBound", 2},
                              {"intercept", 0.7},
                              {"labelBound", 3},
                              {"threshold", 0.75},
                              {"gradientBound", gradient}},
                             {{"loss", name}}};
      const PublicModel model(model_request(asked, {}, {}));
      double steepest = 0, most_curved = 0;
      for (int i = 0; i < 20'000; ++i) {
        std::vector<double> features(4), label{5 * uniform(random)};
        const double size = std::exp(6 * uniform(random));
        for (double& feature : features) feature = size * uniform(random);
        if (i % 97 == 0) features[1] = nan;
        if (i % 89 == 0) features[2] = 1e308, features[0] = -1e308;
        if (i % 83 == 0) features[0] = infinite;
        if (i % 79 == 0) label[0] = nan;
        const BoundedRecords records({1, 4, features, label}, *model.loss, model.bounds);
        std::vector<double> x(4);
        const auto record = records.read(0, x);
        long double square = 0;
        for (const double entry : x) square += static_cast<long double>(entry) * entry;
        const double norm = static_cast<double>(std::sqrt(square));
        CHECK(norm <= record.norm);
        CHECK(norm <= model.bounds.norm());
        if (norm > 0) CHECK(x[3] <= 0.7);
        const LossAt at = records.at(record, 8 * uniform(random));
        CHECK(std::abs(at.first) * norm <= model.lipschitz);
        CHECK(at.second * norm * norm <= model.smoothness);
        steepest = std::max(steepest, std::abs(at.first) * norm);
        most_curved = std::max(most_curved, at.second * norm * norm);
      }
      CAPTURE(name);
      CAPTURE(gradient);
      CHECK(steepest > 0.98 * model.lipschitz);
      CHECK(most_curved > 0.5 * model.smoothness);
    }
}

}  // namespace epsilometer::loss_test
