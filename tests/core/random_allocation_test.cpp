// One of t batches an epoch: against integrals, and what must hold whatever the truth is.
#include "core/loss/random_allocation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/sum_loss.h"

using namespace epsilometer;

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
      {0.5, 2, 0.25, 0.059802832710352687}, {0.5, 2, 1, 0.00064612837198407413},
      {0.5, 2, 2, 2.8811862747780696e-8},   {1, 2, 0.25, 0.21684514554612023},
      {1, 2, 1, 0.059206501085892653},      {1, 2, 2, 0.0047457776332483153},
  };
  for (const auto& [mu, batches, level, truth] : truths) {
    const auto loss = epochs(mu, batches, 1);
    const Bounds found = Profile(*loss).delta(level);
    CHECK(found.lower <= truth);
    CHECK(truth <= found.upper);
    CHECK(found.upper - found.lower <= 2e-3 * truth);
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

TEST_CASE("random allocation answers where its grid is too coarse") {
  for (const double mu : {1e-100, 1e-5, 3.0, 8.0, 1e3}) {
    for (const double batches : {2.0, 1e5, 1e12}) {
      CAPTURE(mu);
      CAPTURE(batches);
      const Bounds found = cost(mu, batches, 3, 1e-6);
      CHECK(found.lower >= 0);
    }
  }
}
