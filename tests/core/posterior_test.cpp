// The pair of one posterior sample: its profile, its Renyi divergence, and which pairs it dominates.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/loss/privacy_loss.h"
#include "core/loss/sum_loss.h"
#include "core/numerics/normal.h"

namespace epsilometer::posterior_test {

namespace {

Description sample(double leverage, double residual) {
  return {"posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}};
}

// In closed form: e beyond +-c, or within.
double closed(double mu, double residual, double epsilon, bool adding) {
  const double half = std::log1p(mu) / 2, square = residual * residual / (1 + mu);
  const double c = std::sqrt(std::max(0.0, 2 * (adding ? epsilon + half : half - epsilon) + square));
  const auto outside = [c](double mean, double deviation) {
    return normal_upper_tail({(c - mean) / deviation}) + normal_upper_tail({(c + mean) / deviation});
  };
  const double without = outside(residual, std::sqrt(mu)),
               with = outside(residual / (1 + mu), std::sqrt(mu / (1 + mu)));
  return adding ? without - std::exp(epsilon) * with : (1 - with) - std::exp(epsilon) * (1 - without);
}

}  // namespace

TEST_CASE("a sample's profile is the truth, and its laws hold that in both directions" *
          doctest::test_suite("long")) {
  // mpmath with 40 digits, from the two normal laws: leverage, residual, epsilon, adding, removing.
  struct Row {
    double leverage, residual, epsilon, adding, removing;
  };
  for (const Row& row : {Row{0.5, 1, 0.7, 0.091643878197680231, 0},
                         {0.01, 10, 1, 0.12607906963384787, 0.12256961008409999},
                         {0.001, 0.5, 0.05, 9.6570955703521684e-6, 6.4973710580628349e-7},
                         {0.0001, 1, 0.03, 4.5865873032140701e-6, 3.2371126228744912e-6},
                         {0.000001, 300, 0.5, 0.0075735574193578381, 0.0075733469159874816},
                         {2, 0, 0.3, 0.20767073399965869, 0.096629418763212786},
                         {2, 3, 2, 0.45555869760324781, 0.0047054767515118898},
                         {0.02, 3, 1.5, 0.0001077594233768633, 6.7774465241043287e-6},
                         {0.3, 0.25, 4, 1.8512671809714775e-7, 0}}) {
    const auto loss = privacy_loss(sample(row.leverage, row.residual));
    const Profile profile(*loss);
    CAPTURE(row.leverage);
    CAPTURE(row.residual);
    CAPTURE(row.epsilon);
    CHECK(profile.certainty() == Certainty::exact);
    const double truth = std::max(row.adding, row.removing);
    const Bounds found = profile.delta(row.epsilon);
    CHECK(found.lower <= truth * (1 + 1e-12));
    CHECK(found.upper >= truth * (1 - 1e-12));
    CHECK(found.upper - found.lower <= 1e-13 * truth);
    // Each direction by itself, as compositions know it; the removing one comes first.
    const SumLoss integrated({{loss, 1}});
    const Profile profile_of_laws(integrated, 1e-9);
    const double each[2] = {row.removing, row.adding};
    for (std::size_t direction : {0, 1}) {
      const Bounds one = profile_of_laws.delta(direction, row.epsilon);
      CHECK(one.lower <= each[direction] * (1 + 1e-12));
      CHECK(one.upper >= each[direction] * (1 - 1e-12));
    }
  }
}

TEST_CASE("a sample's Renyi divergence is that of its two laws, the larger one") {
  // By quadrature with 40 digits: leverage, residual, order, divergence.
  struct Row {
    double leverage, residual, order, truth;
  };
  for (const auto& [leverage, residual, order, truth] : {Row{0.5, 1, 2, 0.81050770289255713},
                                                         {0.5, 1, 2.5, 1.9260322329858813},
                                                         {0.01, 10, 3, 1.515533179618597},
                                                         {0.001, 0.5, 40, 0.0052079769031742375},
                                                         {2, 0, 1.25, 0.83698821678583577}}) {
    const double found = privacy_loss(sample(leverage, residual))->renyi(order);
    CHECK(found >= truth * (1 - 1e-15));
    CHECK(found <= truth * (1 + 1e-12));
  }
  CHECK(privacy_loss(sample(0.5, 1))->renyi(3) == std::numeric_limits<double>::infinity());
}

TEST_CASE(
    "the largest leverage at a residual raised by sqrt(1 + leverage) is the worst, without that it is not") {
  int needed = 0;
  for (const double most : {0.01, 0.3, 1.0, 4.0})
    for (const double largest : {0.1, 1.0, 4.0})
      for (double leverage = most; leverage > most / 60; leverage *= 0.8)
        for (double residual = largest; residual > largest / 5; residual *= 0.7)
          for (const double epsilon : {-0.5, 0.0, 0.1, 0.4, 1.0, 2.0})
            for (const bool adding : {true, false}) {
              const double other = closed(leverage, residual, epsilon, adding);
              CHECK(other <= closed(most, largest * std::sqrt(1 + most), epsilon, adding) + 1e-13);
              needed += other > closed(most, largest, epsilon, adding) + 1e-9;
            }
  CHECK(needed > 0);
}

TEST_CASE("a sample composes with other releases, and only once with itself at no more than twice") {
  const Description one = sample(0.01, 2);
  const Description two{"composition", {}, {}, {}, {{one, 2}}};
  const auto single = privacy_loss(one), twice = privacy_loss(two);
  const double at = Profile(*single).epsilon(1e-6).upper;
  CHECK(Profile(*twice).epsilon(1e-6).upper > at);
  CHECK(Profile(*twice).epsilon(2e-6).upper < 2 * at);
}

}  // namespace epsilometer::posterior_test
