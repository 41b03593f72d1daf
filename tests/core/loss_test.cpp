// The losses against their definitions, and the bounds that privacy rests on against what records can do.
#include "core/model/loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/refusal.h"
#include "core/model/bounded_records.h"
#include "core/release/model_request.h"

using namespace epsilometer;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

const LossNumbers numbers{3, 0.75};

bool near(double value, double truth) { return std::abs(value - truth) <= 1e-14 * (1 + std::abs(truth)); }

}  // namespace

TEST_CASE("losses are what their names say") {
  const auto logistic = make_loss("logistic", numbers), poisson = make_loss("poisson", numbers);
  const auto squared = make_loss("squared", numbers), huber = make_loss("huber", numbers);
  // 40 digits, by mpmath.
  LossAt at = logistic->at(0.3, 1);
  CHECK(near(at.value, 0.554355244468527124));
  CHECK(near(at.first, -0.425557483188341016));
  CHECK(near(at.second, 0.244458311690745869));
  at = logistic->at(-7.25, 1);
  CHECK(near(at.value, 7.25070992233433931));
  CHECK(near(at.first, -0.999290329600899412));
  CHECK(logistic->at(40, -1).second == doctest::Approx(4.24835425529158896e-18).epsilon(1e-13));
  CHECK(logistic->at(1000, 1).first == 0);
  CHECK(logistic->at(1000, -1).value == 1000);
  at = poisson->at(1.5, 3);
  CHECK(near(at.value, -0.0183109296619351774));
  CHECK(near(at.first, 1.48168907033806482));
  CHECK(squared->at(5, 2).value == 4.5);
  CHECK(squared->at(5, 2).first == 3);
  CHECK(huber->at(5, 2).first == 0.75);
  CHECK(huber->at(5, 2).value == 0.75 * (3 - 0.375));
  CHECK(huber->at(2.5, 2).value == 0.125);
  CHECK(near(clipped(*logistic, -3, 1, 0.25).value, 1.31233514461880835));
  CHECK(near(clipped(*poisson, 2.5, 3, 1).value, 0.954822555520437525));
  CHECK(near(clipped(*logistic, -8, -1, 1).first, 0.0003353501304664781));
  CHECK(near(clipped(*logistic, -40, 1, 0.9).value, 36.325082973391446));
  CHECK(near(clipped(*squared, -4, 1, 0.875).value, 3.9921875));
  CHECK_THROWS_AS(make_loss("hinge", numbers), Refusal);
}

TEST_CASE("derivatives are those of the value, clipped or not, and the value has no jump") {
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
          const double slope = (at(u + h).value - at(u - h).value) / (2 * h);
          // Across a kink of f' the difference quotient is half a step off.
          CHECK(std::abs(slope - at(u).first) <= 2e-5 * (1 + std::abs(at(u).first)));
          CHECK(std::abs(at(u).first) <= limit);
          const double bend = (at(u + h).first - at(u - h).first) / (2 * h);
          const bool kink = at(u + h).second != 0 && at(u - h).second == 0;
          const bool other_kink = at(u + h).second == 0 && at(u - h).second != 0;
          if (!kink && !other_kink) CHECK(std::abs(bend - at(u).second) <= 1e-5 * (1 + at(u).second));
          CHECK(at(u).second <= loss->curvature(std::min(limit, loss->steepness())));
        }
  }
}

TEST_CASE("the error of a derivative covers what long doubles see") {
  const auto logistic = make_loss("logistic", numbers), poisson = make_loss("poisson", numbers);
  for (double u = -45; u < 45; u += 0.0137) {
    const long double exact = -1 / (1 + std::exp(static_cast<long double>(u)));
    const LossAt at = logistic->at(u, 1);
    CHECK(std::abs(at.first - exact) <= at.error);
    CHECK(at.error <= 2e-15 * std::abs(at.first) + 1e-280);
    const LossAt count = poisson->at(u / 9, 2);
    CHECK(std::abs(count.first - (std::exp(static_cast<long double>(u / 9)) - 2)) <= count.error);
  }
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
