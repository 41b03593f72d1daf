// One of t batches an epoch: against integrals, and what must hold whatever the truth is.
#include "core/loss/random_allocation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::random_allocation_test {

namespace {

std::shared_ptr<const PrivacyLoss> epochs(double mu, double batches, double count) {
  return std::make_shared<SumLoss>(std::vector<Repeated>{{random_allocation(mu, batches), count}});
}

Bounds cost(double mu, double batches, double count, double delta) {
  const auto loss = epochs(mu, batches, count);
  const Profile profile(*loss);
  CHECK(profile.certainty() == Certainty::certified);
  const Bounds found = profile.epsilon(delta);
  CHECK(found.lower <= found.upper);
  return found;
}

}  // namespace

TEST_CASE("random allocation encloses what one epoch costs") {
  struct Truth {
    double mu, batches, level, delta;
  };
  // tests/reference/allocation.py
  const Truth truths[] = {
      {0.01, 2, 0.001, 0.0023503145491309841}, {0.01, 2, 0.02, 4.9398947703503549e-6},
      {0.5, 2, 0.25, 0.059802832710352687},    {0.5, 2, 1.0, 0.00064612837198407413},
      {0.5, 2, 2.0, 2.8811862747780696e-8},    {1.0, 2, 0.25, 0.21684514554612023},
      {1.0, 2, 1.0, 0.059206501085892653},     {1.0, 2, 2.0, 0.0047457776332483153},
      {2.0, 2, 1.0, 0.40457750037785358},      {2.0, 2, 6.0, 0.0039021061503920094},
      {4.0, 2, 8.0, 0.34172373957052011},      {4.0, 2, 25.0, 2.2246667807141819e-6},
      {8.0, 2, 40.0, 0.11455408702243183},     {8.0, 2, 80.0, 3.2227566341471035e-10},
      {12.0, 2, 70.0, 0.51024057273543041},    {12.0, 2, 160.0, 4.4642575607800167e-14},
  };
  for (const auto& [mu, batches, level, truth] : truths) {
    const auto loss = epochs(mu, batches, 1);
    const Bounds found = Profile(*loss).delta(level);
    CHECK(found.lower <= truth);
    CHECK(truth <= found.upper);
    CHECK(found.upper - found.lower <= 5e-3 * truth);
  }
}

TEST_CASE("random allocation costs no more than a fixed order, and less the more batches there are") {
  double before = HUGE_VAL;
  for (const double batches : {2.0, 10.0, 100.0, 1000.0}) {
    const Bounds found = cost(1, batches, 10, 1e-5);
    CHECK(found.lower > 0);
    CHECK(found.upper < before);
    before = found.lower;
    const auto fixed = std::make_shared<GaussianLoss>(DoubleDouble{std::sqrt(10.0)});
    CHECK(found.lower <= epsilon(*fixed, 1e-5).upper);
  }
}

TEST_CASE("random allocation is narrow however far the means are apart, and its ends contradict no relation" *
          doctest::test_suite("long")) {
  for (const double mu : {0.01, 1.0, 4.0, 20.0}) {
    const auto fixed = std::make_shared<GaussianLoss>(DoubleDouble{std::sqrt(3.0) * mu});
    for (const double delta : {1e-4, 1e-12}) {
      double before = epsilon(*fixed, delta).upper;
      for (const double batches : {2.0, 7.0, 1000.0}) {
        CAPTURE(mu);
        CAPTURE(delta);
        CAPTURE(batches);
        const Bounds found = cost(mu, batches, 3, delta);
        CHECK(found.lower < before);
        // At a delta near the mass that is given up it is wider.
        CHECK(found.upper - found.lower <= 3e-3 * found.upper);
        before = found.upper;
        const Bounds once = cost(mu, batches, 1, delta);
        CHECK(once.lower <= found.upper);
      }
    }
  }
}

// Whoever knew the batch would lose no more than log t less in each epoch: a sum of t likelihood ratios is
// above t e^l where one of them is, so that delta is at least that of the normal pair at epsilon + epochs log
// t.
TEST_CASE("at the smallest delta random allocation tells nearly what a fixed order does, from both sides") {
  for (const double mu : {100.0, 1e4})
    for (const double batches : {2.0, 50.0})
      for (const double count : {1.0, 2.0}) {
        CAPTURE(mu);
        CAPTURE(batches);
        CAPTURE(count);
        const GaussianLoss fixed(DoubleDouble{std::sqrt(count) * mu});
        const Bounds found = cost(mu, batches, count, 1e-200), most = epsilon(fixed, 1e-200);
        CHECK(found.lower <= most.upper);
        CHECK(found.upper >= most.lower - count * std::log(batches));
        // A single batch is looked at with probability 1 / t, which is as much of delta.
        const double once = epsilon(fixed, 1e-200 * std::pow(batches, count)).lower;
        CHECK(found.lower >= (once - 2 * count * std::log(batches)) * (1 - 1e-3));
      }
}

TEST_CASE("random allocation answers where there is no grid, or one that is too coarse") {
  for (const double mu : {1e-100, 1e-5, 1e-4, 8.0, 20.1, 1e3}) {
    for (const double batches : {2.0, 1e5, 1e12}) {
      CAPTURE(mu);
      CAPTURE(batches);
      const Bounds found = cost(mu, batches, 3, 1e-6);
      CHECK(found.lower >= 0);
    }
  }
}

}  // namespace epsilometer::random_allocation_test
