// An attack on noisy Newton steps of several classes: a table of one record against an empty one, with
// nothing but an intercept and one step, where all that is released is normal, given what was released
// before.
#include <doctest/doctest.h>

#include <cmath>

#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "tests/audit/attack.h"

namespace epsilometer::softmax_audit_test {

namespace {

// At the first step a record says 1 - 1 / K against its class and -1 / K for each other: sqrt(1 - 1 / K) of
// the sqrt(2) that is paid for, and the matrix is tight. Most of the price is for that.
constexpr std::size_t classes = 20, own_class = 7;
constexpr double gram_share = 0.75, negligible = 1e-9;

FitRequest request(double sigma) {
  return {"noisy-newton",
          {{"dimension", 1},
           {"featureBound", negligible},
           {"intercept", 1},
           {"classes", classes},
           {"sigma", sigma},
           {"steps", 1},
           {"gramShare", gram_share}},
          {{"loss", "softmax"}}};
}

// The log of the density of a release with the record over that without it.
double loss_of(const Release& release, const NoisyGram& gram, double gram_width) {
  // Normal noise on the diagonal is sqrt(2) as wide as off it.
  const double of_matrix = (release.values("gram")[0] - 0.5) / (2 * gram_width * gram_width);
  const Whitening whitening = gram.whitening(release, gram_width, {});
  const std::vector<double> x{1};
  std::vector<float> z(1);
  std::vector<double> scratch(1);
  whitening.apply(x, z, scratch);
  // The step's length and its bound, of which a record that is 1 long takes 1 / sqrt(2) of its derivative.
  const double step = 2 * whitening.bound() * std::sqrt(2.0) * gram.coefficients(whitening, {1}).front();
  const double width = release.parameters.at("stepSigma");
  double of_steps = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double moved = z[0] * ((k == own_class ? 1.0 : 0.0) - 1.0 / classes) / std::sqrt(2.0);
    of_steps += (release.values("coefficients")[k] / step * moved - moved * moved / 2) / (width * width);
  }
  return of_matrix + of_steps;
}

}  // namespace

TEST_CASE(
    "steps of several classes and their matrix keep the price of both, and a fifth less noise does not") {
  constexpr double sigma = 0.8;
  const Deltas stated = deltas(plan(request(sigma)).description);
  const NoisyGram gram(1, {negligible, 1, HUGE_VAL}, Change::add_or_remove);
  for (const double noise : {1.0, 0.8}) {
    const auto algorithm = epsilometer::algorithm(request(noise * sigma));
    const double gram_width = gram.width(std::sqrt(gram_share) / (noise * sigma));
    TestRng rng(20261125);
    const Run loss = [&](bool with_record) {
      const std::vector<double> feature{1}, label{own_class};
      const std::size_t count = with_record ? 1 : 0;
      const Records records{count, 1, std::span(feature).first(count), std::span(label).first(count)};
      return loss_of(algorithm->fit(records, rng, {}), gram, gram_width);
    };
    const auto [removing, adding] = certain_excess_both_ways(loss, stated, 50'000);
    CAPTURE(noise);
    CHECK((noise == 1 ? removing <= 0 : removing > 0.02));
    CHECK((noise == 1 ? adding <= 0 : adding > 0.02));
  }
}

}  // namespace epsilometer::softmax_audit_test
