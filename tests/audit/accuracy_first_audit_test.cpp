// Attacks on accuracy first: on whole runs, whose outcome may be that there is no model, and on its noise.
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/noise/noise_reduction.h"
#include "tests/audit/release_attack.h"

using namespace epsilometer;

namespace {

constexpr double nothing = -1e300;

// Large coefficients tell of the record; so does that the first model passed, or that none did.
Run outcomes(const FitRequest& request, TestRng& rng, double first_level_counts) {
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) {
    const std::vector<double> features = {1}, label = {1};
    const Records with{1, 1, features, label}, without{0, 1, {}, {}};
    try {
      const Release release = algorithm->fit(with_record ? with : without, rng, {});
      return release.coefficients()[0] + (release.number("level") == 1 ? first_level_counts : 0);
    } catch (const Refusal&) {
      return nothing;
    }
  };
}

FitRequest accuracy_asked(const char* algorithm) {
  FitRequest request = asked(algorithm, {{"rows", 4},
                                         {"lambda", 4},
                                         {"excessRisk", 4},
                                         {"failure", 0.5},
                                         {"levels", 2},
                                         {"leastEpsilon", 0.3},
                                         {"mostEpsilon", 0.6}});
  request.texts["neighbours"] = "add-remove";
  return request;
}

// One integer of five that neighbours have as 0 or as 20, with noise of 40 steps made from noise of 20: as
// the first level of a path it costs 0.5. The others, where they are small, hint that the noise was kept.
Run first_level(TestRng& rng, bool own_coins) {
  return [&rng, own_coins](bool with_record) {
    const bool together = exact::ratio_of_squared_sinh(rng, 20, 40);
    const auto drawn = [&] {
      if (own_coins)
        return static_cast<std::int64_t>(NoisePath(rng, std::vector<std::uint64_t>{40, 20}).at(0));
      const std::uint64_t kept = exact::wrapped_discrete_laplace(rng, 20);
      return static_cast<std::int64_t>(together ? kept : kept + exact::wrapped_discrete_laplace(rng, 40));
    };
    bool small = true;
    for (int i = 0; i < 4; ++i) small &= std::abs(drawn()) <= 20;
    const std::int64_t own = drawn() + (with_record ? 20 : 0);
    return small ? static_cast<double>(own) : nothing;
  };
}

}  // namespace

TEST_CASE("runs of accuracy first keep their largest loss" * doctest::test_suite("long")) {
  TestRng rng(20261231);
  for (const char* algorithm : {"covariance-noise-reduction", "output-noise-reduction"}) {
    const FitRequest request = accuracy_asked(algorithm);
    const Deltas stated = deltas(request);
    const auto threshold = [](double) { return 5.3; };
    CHECK(certain_excess(outcomes(request, rng, 10), threshold, stated) <= 0);
  }
}

TEST_CASE("a coin of its own for each coordinate keeps the loss of a level, and one coin for all does not") {
  TestRng rng(20261232);
  const auto threshold = [](double) { return 19.5; };
  const Deltas stated = deltas(Description{"pure", {{"epsilon", 0.5}}, {}, {}, {}});
  CHECK(certain_excess(first_level(rng, true), threshold, stated) <= 0);
  CHECK(certain_excess(first_level(rng, false), threshold, stated) > 0.003);
}
