// Attacks on releases of second moments and of a principal subspace, through what they tell, by the
// likelihoods of their noise.
#include <doctest/doctest.h>

#include <cmath>

#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"
#include "core/release/linear_statistics.h"
#include "tests/audit/release_attack.h"

namespace epsilometer::subspace_audit_test {

namespace {

FitRequest unlabelled(const char* algorithm, std::map<std::string, double> numbers) {
  numbers.insert({{"dimension", 2}, {"featureBound", 1}});
  return {algorithm, std::move(numbers), {}};
}

/// Of a lower triangle of two rows with noise of variance sigma^2 off the diagonal and 2 sigma^2 on it: how
/// much likelier it is with its mean at `with`.
double evidence(const std::vector<double>& told, const std::vector<double>& with,
                const std::vector<double>& without, double sigma) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double variance = sigma * sigma * (i == 1 ? 1 : 2);
    sum += (std::pow(told[i] - without[i], 2) - std::pow(told[i] - with[i], 2)) / (2 * variance);
  }
  return sum;
}

void hold(const Excess& found, double share) {
  CAPTURE(share);
  CHECK((share == 1 ? std::max(found.removing, found.adding) <= 0
                    : std::min(found.removing, found.adding) > 0.02));
}

}  // namespace

TEST_CASE("noisy second moments keep their profile, and a fifth less noise does not" *
          doctest::test_suite("long")) {
  TestRng rng(20261125);
  const double sigma = 1.2, half = std::sqrt(0.5);
  const auto asked_with = [](double noise) { return unlabelled("noisy-covariance", {{"sigma", noise}}); };
  const Deltas stated = deltas(asked_with(sigma));
  LinearStatistics none(2, {1, 1}), one = none;
  one.add(std::vector<double>{half, half}, 0);
  const std::vector<double> truth = one.values().gram, zero = {0, 0, 0};
  for (const double share : {1.0, 0.8}) {
    const auto loss = [&](const Release& release) {
      return evidence(release.values("gram"), truth, zero, share * sigma / std::sqrt(2.0));
    };
    hold(certain_excess_both_ways(releases(asked_with(share * sigma), one, none, loss, rng), stated), share);
  }
}

TEST_CASE(
    "a principal subspace keeps its profile at the record that turns it most, and a fifth less noise does "
    "not" *
    doctest::test_suite("long")) {
  TestRng rng(20261126);
  const double gap = 1000, t = (gap + 1) / (2 * gap), gap_noise = 4;
  LinearStatistics without(2, {1, 1});
  for (int i = 0; i < 1000; ++i) without.add(std::vector<double>{1, 0}, 0);
  LinearStatistics with = without;
  with.add(std::vector<double>{std::sqrt(1 - t), std::sqrt(t)}, 0);
  const auto system = [](const LinearStatistics& table) { return eigensystem(table.values().gram, 2, {}); };
  const Eigensystem after = system(with), before = system(without);
  const std::vector<double> turned = projection(after, 1), straight = projection(before, 1);
  const double moved = after.values[0] - after.values[1] - (before.values[0] - before.values[1]),
               middle = before.values[0] - before.values[1] + moved / 2;
  const auto asked_with = [=](double noise) {
    return unlabelled("principal-subspace",
                      {{"sigma", noise}, {"gapNoise", gap_noise}, {"failure", 1e-3}, {"components", 1}});
  };
  const Deltas stated = deltas(asked_with(1));
  for (const double share : {1.0, 0.8}) {
    const auto loss = [&](const Release& release) {
      REQUIRE(release.outcome == Outcome::released);
      return (release.number("gap") - middle) * moved / (gap_noise * gap_noise) +
             evidence(release.values("projection"), turned, straight, release.number("projectionSigma"));
    };
    hold(certain_excess_both_ways(releases(asked_with(share), with, without, loss, rng), stated), share);
  }
}

}  // namespace epsilometer::subspace_audit_test
