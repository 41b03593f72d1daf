// Scores: no record counts more than its bound, whatever the coefficients are.
#include "core/release/score.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "tests/core/statistics.h"

namespace epsilometer::score_test {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array extremes = {0.0, 1.0, -1.0, 0.3, 1e300, -1e300, HUGE_VAL, -HUGE_VAL, nan};

}  // namespace

TEST_CASE("a record counts from 0 to the bound, and coefficients that are no numbers count it all") {
  for (const Score& score :
       {Score(Score::Kind::misclassified, 1, false), Score(Score::Kind::squared_error, 3, false),
        Score(Score::Kind::squared_error, 3, true)})
    for (const double x : extremes)
      for (const double label : extremes)
        for (const double theta : extremes) {
          const double found = score.of(std::array{x}, label, std::array{theta});
          CHECK((found >= 0 && found <= score.bound()));
          if (std::isnan(theta)) CHECK(found == score.bound());
        }
}

TEST_CASE("of several classes a record counts where its own predictor is not larger than all others") {
  const Score score(Score::Kind::misclassified, 1, false, 3);
  CHECK(score.bound() == 1);
  const std::array theta = {1.0, 0.0, -1.0, 0.5, 2.0, 0.0};
  // Predictors 1.5, 2, -1; 1, 0, -1; 0, 0, 0.
  CHECK(score.of(std::array{1.0, 1.0}, 1, theta) == 0);
  CHECK(score.of(std::array{1.0, 1.0}, 0, theta) == 1);
  CHECK(score.of(std::array{1.0, 0.0}, 0, theta) == 0);
  CHECK(score.of(std::array{-1.0, 0.0}, 2, theta) == 0);
  CHECK(score.of(std::array{-1.0, 0.0}, 0, theta) == 1);
  for (const double none : {3.0, -1.0, 0.5, std::nan(""), HUGE_VAL})
    CHECK(score.of(std::array{1.0, 1.0}, none, theta) == 1);
  for (const double label : {0.0, 1.0, 2.0}) CHECK(score.of(std::array{0.0, 0.0}, label, theta) == 1);
  for (const double x : extremes)
    for (const double one : extremes)
      for (const double label : extremes) {
        const double found = score.of(std::array{x}, label, std::array{one, 1.0, 0.3});
        CHECK((found == 0 || found == 1));
        if (std::isnan(one)) CHECK(found == 1);
      }
  TestRng rng(5);
  const std::vector<double> features = {1, 1, 1, 0, -1, 0}, labels = {1, 0, 1};
  const Records records{3, 2, features, labels};
  CHECK(score.released(Pieces(&records, 1), theta, GaussianNoise::of(1e-4), rng) ==
        doctest::Approx(1).epsilon(1e-3));
  CHECK_THROWS_AS(score.released(Pieces(&records, 1), std::span(theta).first(4), GaussianNoise::of(1), rng),
                  Refusal);
}

TEST_CASE("a score is the number of wrong classes, or the sum of squared errors within the labels' range") {
  const std::vector<double> features = {1, 0.5, -1, -0.25}, classes = {1, -1, -1, 1}, theta = {2};
  TestRng rng(3);
  const auto scored = [&](const Score& score, const std::vector<double>& labels, double noise) {
    const std::array<Records, 2> table = {
        Records{3, 1, std::span(features).first(3), std::span(labels).first(3)},
        Records{1, 1, std::span(features).subspan(3), std::span(labels).subspan(3)}};
    return score.released(table, theta, GaussianNoise::of(noise), rng);
  };
  CHECK(scored({Score::Kind::misclassified, 1, false}, classes, 1e-4) == doctest::Approx(2).epsilon(1e-3));
  // Predictions 1.5 (clamped), 1, -1.5 (clamped), -0.5 of labels 1, 0, -1.5 (clamped), 0.5.
  CHECK(scored({Score::Kind::squared_error, 1.5, false}, {1, 0, -7, 0.5}, 1e-3) ==
        doctest::Approx(0.25 + 1 + 0 + 1).epsilon(1e-2));
  // e^2 (clamped to 5), e, e^-2, e^-0.5.
  const double e = std::exp(1);
  CHECK(scored({Score::Kind::squared_error, 5, true}, {5, 2, 0, 1}, 1e-3) ==
        doctest::Approx((e - 2) * (e - 2) + std::exp(-4) + std::pow(1 - std::exp(-0.5), 2)).epsilon(2e-2));
}

TEST_CASE("a released score has the whole of either noise") {
  const Score score(Score::Kind::misclassified, 1, false);
  const std::vector<double> features = {1, 1, -1}, labels = {1, -1, 1};
  const Records records{3, 1, features, labels};
  TestRng rng(12);
  std::vector<double> normal, laplace;
  const std::size_t draws = 20'000 / share;
  for (std::size_t i = 0; i < draws; ++i) {
    const auto scored = [&](const Score::Noise& noise) {
      return score.released(Pieces(&records, 1), std::array{1.0}, noise, rng) - 2;
    };
    normal.push_back(scored(GaussianNoise::of(3)) / 3);
    laplace.push_back(scored(LaplaceNoise::of(3)) / 3);
  }
  CHECK(kolmogorov(normal) > 1e-4);
  CHECK(kolmogorov(laplace, [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }) > 1e-4);
}

TEST_CASE("a score costs what one record can count") {
  const Score score(Score::Kind::squared_error, 1.5, false);
  CHECK(score.bound() == doctest::Approx(9).epsilon(1e-12));
  const auto mu = privacy_loss(score.guarantee(GaussianNoise::of(18)))->gaussian();
  REQUIRE(mu);
  CHECK(*mu == doctest::Approx(0.5).epsilon(1e-6));
  const Description laplace = score.guarantee(LaplaceNoise::of(18));
  CHECK(privacy_loss(laplace)->largest_loss() == doctest::Approx(0.5).epsilon(1e-6));
}

}  // namespace epsilometer::score_test
