// Attacks on accuracy first: on whole runs, whose outcome may be that there is no model, and on its noise.
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/noise/noise_reduction.h"
#include "core/release/above_threshold.h"
#include "tests/audit/release_attack.h"
#include "tests/core/accuracy_first_noise.h"

namespace epsilometer::accuracy_first_audit_test {

namespace {

constexpr double nothing = -1e300, first_level = 10;

// Large coefficients tell of the record; so does that the first model passed, or that none did. Where none
// does, Ligett et al. 2017, Algorithms 3 and 5, tell the least coefficients besides, which have no noise.
Run outcomes(const FitRequest& request, TestRng& rng, bool tells_least = false) {
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) {
    const std::vector<double> features = {1}, label = {1};
    const Records with{1, 1, features, label}, without{0, 1, {}, {}};
    try {
      const Release release = algorithm->fit(with_record ? with : without, rng, {});
      return release.coefficients()[0] + (release.number("level") == 1 ? first_level : 0);
    } catch (const Refusal&) {
      return tells_least && with_record ? 2 * first_level : nothing;
    }
  };
}

// lambda is so much more than the record's share of the curvature that the coefficient tells all of its
// label.
FitRequest accuracy_asked(const char* algorithm, double least_epsilon) {
  FitRequest request = asked(algorithm, {{"rows", 4},
                                         {"lambda", 40},
                                         {"excessRisk", 4},
                                         {"failure", 0.5},
                                         {"levels", 2},
                                         {"leastEpsilon", least_epsilon},
                                         {"mostEpsilon", 2 * least_epsilon}});
  request.texts["neighbours"] = "add-remove";
  return request;
}

// Output perturbation with one level, of a record (1, 1) or none, as the audited one and as Algorithm 5
// prints it: it makes coefficients as long as M where they are shorter, and leaves longer ones. A test of one
// model of length M is no test of those. Whether a far negative coefficient passes, which the record's loss
// decides.
struct OneLevel {
  static constexpr double lambda = 0.01, epsilon = 0.4, tolerance = 400;

  explicit OneLevel(double most) : most(most), test(most, 0, tolerance, 1, 0.01, tolerance) {}

  double loss(double theta, bool with_record) const {
    return lambda * theta * theta / 2 +
           (with_record ? std::max(0.0, -theta) + std::log1p(std::exp(-std::abs(theta))) : 0);
  }

  double least(bool with_record) const {
    double low = 0, high = with_record ? 1 / lambda : 0;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (lambda * middle * (1 + std::exp(middle)) > 1 ? high : low) = middle;
    }
    return low;
  }

  Run run(TestRng& rng, bool printed) const {
    return [this, &rng, printed](bool is_empty) {
      const bool with_record = !is_empty;
      // A record moves the minimum by at most 1 / lambda: on a grid of a 2^20th of that.
      const std::uint64_t noise = exact::wrapped_discrete_laplace(rng, (1 << 20) / epsilon + 1);
      const double theta = least(with_record) +
                           std::ldexp(static_cast<double>(static_cast<std::int64_t>(noise)), -20) / lambda;
      const bool shortens = printed ? std::abs(theta) <= most : std::abs(theta) > most;
      const double told = shortens ? std::copysign(most, theta) : theta;
      AboveThreshold::Run asked = test.begin(rng);
      const double excess = loss(least(with_record), with_record) - loss(told, with_record);
      return asked.reached(excess, 0) ? -told : nothing;
    };
  }

  double most;
  AboveThreshold test;
};

// One integer of five that neighbours have as 0 or as 20, with noise of 40 steps made from noise of 20: as
// the first level of a path it costs 0.5. The others, where they are small, hint that the noise was kept.
Run noise_of_first_level(TestRng& rng, bool own_coins) {
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

// So many are enough to see a fifth less noise; more take seconds.
constexpr std::size_t few = 30'000;

// Of losses by noise of the stated width, of which the pair in question has 1 at most. Half of the outputs
// have the most, where the noise is Laplace noise.
double excess_over_one(const Run& loss) {
  return certain_excess(
      many(loss, true, few), many(loss, false, few), [](double epsilon) { return 0.9 * epsilon; },
      deltas(Description{"pure", {{"epsilon", 1}}, {}, {}, {}}));
}

double loss_of(double value, double moved, double width) {
  return (std::abs(value) - std::abs(value - moved)) / width;
}

// Two neighbouring tables of two features whose labels are 0, so that only the matrices differ.
struct ColumnPair {
  const char* neighbours;
  std::vector<std::array<double, 3>> records, others;

  // By how much the first entry differs, or the one beside the diagonal.
  double moved(std::size_t column) const {
    const auto sum = [column](const std::vector<std::array<double, 3>>& all) {
      double total = 0;
      for (const auto& one : all) total += one[0] * one[column];
      return total;
    };
    return sum(records) - sum(others);
  }

  // Of what a pair may differ by, in entries that count twice beside the diagonal.
  double share() const {
    return (std::abs(moved(0)) + 2 * std::abs(moved(1))) / (neighbours == std::string("replace") ? 2 : 1);
  }

  // `part` of the noise. Likelihoods are those of all of it: a scale of (rows replaced ? 2 : 1) / (epsilon /
  // 2), half of that off the diagonal.
  double excess_with(double part, TestRng& rng) const {
    const double epsilon = 2 / share(), width = (neighbours == std::string("replace") ? 2 : 1) * share();
    const SeenSums seen(epsilon / part, 1, neighbours, "l1");
    const LinearStatistics with = seen.with(records), without = seen.with(others);
    const Run run = [&](bool with_records) {
      const auto column = seen.column(with_records ? with : without, rng);
      double base[2] = {0, 0};
      for (const auto& one : others)
        for (int k = 0; k < 2; ++k) base[k] += one[0] * one[k];
      return loss_of(column[0] - base[0], moved(0), width) +
             loss_of(column[1] - base[1], moved(1), width / 2);
    };
    return excess_over_one(run);
  }
};

// One record of the features (1, 1) / sqrt(2) and the label 1, against none or against the label -1: the
// minimum is at t times the features, lambda t (1 + e^t) = 1, or moves from -t to t.
double logistic_excess(const std::string& neighbours, double part, TestRng& rng) {
  constexpr double lambda = 1000;
  double t = 0;
  for (int i = 0; i < 20; ++i) t = 1 / (lambda * (1 + std::exp(t)));
  // The stated sensitivity is that of gradients of length 1.
  const bool replaced = neighbours == "replace";
  const double epsilon = 1 / (lambda * t), moves = replaced ? 2 : 1,
               width = std::sqrt(2.0) * moves / (lambda * epsilon), at = t * std::sqrt(0.5);
  const auto model = algorithm(any_model("output-noise-reduction", {{"rows", 1e6}, {"lambda", lambda}},
                                         epsilon / part, 1, neighbours));
  const std::vector<double> features = {std::sqrt(0.5), std::sqrt(0.5)}, yes = {1}, no = {-1};
  const Records with{1, 2, features, yes}, other{1, 2, features, no}, none{0, 2, {}, {}};
  const Run run = [&](bool with_record) {
    const auto theta = model->fit(with_record ? with : replaced ? other : none, rng, {}).coefficients();
    const double base = (1 - moves) * at;
    return loss_of(theta[0] - base, moves * at, width) + loss_of(theta[1] - base, moves * at, width);
  };
  return excess_over_one(run);
}

// Coefficients as long as the ball allows, at which one record loses nearly all that a record may: with it
// they fail the test that they pass without it.
Run long_models(const FitRequest& request, TestRng& rng) {
  const std::shared_ptr<const Algorithm> model = algorithm(request);
  return [=, &rng](bool without) {
    const std::vector<double> features = {1, 0}, label = {1};
    const Records record{1, 2, features, label}, none{0, 2, {}, {}};
    try {
      return -model->fit(without ? none : record, rng, {}).coefficients()[0];
    } catch (const Refusal&) {
      return nothing;
    }
  };
}

}  // namespace

TEST_CASE("runs of accuracy first keep their largest loss, and less noise or a told minimum do not" *
          doctest::test_suite("long")) {
  TestRng rng(20261231);
  for (const char* algorithm : {"covariance-noise-reduction", "output-noise-reduction"}) {
    CAPTURE(algorithm);
    const FitRequest request = accuracy_asked(algorithm, 0.3);
    const Deltas stated = deltas(request);
    const auto excess = [&](const Run& run) {
      return certain_excess(
          many(run, true, 60'000), many(run, false, 60'000), [](double) { return first_level + 0.015; },
          stated);
    };
    CHECK(excess(outcomes(request, rng)) <= 0);
    // The record moves what the coefficient tells by half of what any may, and with the half of the noise
    // that is the matrix's: less than a tenth of the noise would hide in that.
    CHECK(excess(outcomes(accuracy_asked(algorithm, 3), rng)) > 0.05);
    CHECK(excess(outcomes(request, rng, true)) > 0.1);
  }
}

TEST_CASE("coefficients that are too long are shortened before they are tested, and must be") {
  TestRng rng(20261230);
  // That of output-noise-reduction, for one row.
  const OneLevel level(std::sqrt(0.27846454276107380 / OneLevel::lambda));
  const Deltas stated =
      deltas(Description{"pure", {{"epsilon", level.test.epsilon() + OneLevel::epsilon}}, {}, {}, {}});
  // Of the shortened ones: all that are negative and pass.
  const auto negative = [&](double) { return 0.999 * level.most; };
  const auto long_ones = [](double) { return 1.4 / OneLevel::lambda; };
  CHECK(certain_excess(level.run(rng, false), negative, stated) <= 0);
  CHECK(certain_excess(level.run(rng, true), long_ones, stated) > 0.02);
}

TEST_CASE("a coin of its own for each coordinate keeps the loss of a level, and one coin for all does not") {
  TestRng rng(20261232);
  const auto threshold = [](double) { return 19.5; };
  const Deltas stated = deltas(Description{"pure", {{"epsilon", 0.5}}, {}, {}, {}});
  CHECK(certain_excess(noise_of_first_level(rng, true), threshold, stated) <= 0);
  CHECK(certain_excess(noise_of_first_level(rng, false), threshold, stated) > 0.003);
}

TEST_CASE("a noisy matrix tells two features' records apart by its half, and a fifth less noise by more") {
  TestRng rng(20261235);
  const ColumnPair pairs[] = {{"add-remove", {{1, 0, 0}}, {}},
                              {"add-remove", {{2.0 / 3, 1.0 / 3, 0}}, {}},
                              {"replace", {{1, 0, 0}}, {{0, 1, 0}}},
                              {"replace", {{0.5, 0.5, 0}}, {{0.5, -0.5, 0}}}};
  for (const ColumnPair& pair : pairs) {
    CAPTURE(pair.share());
    CHECK(pair.excess_with(1, rng) <= 0);
    CHECK(pair.excess_with(0.8, rng) > 0);
  }
}

TEST_CASE("a noisy minimum tells two features' records apart as stated, and a fifth less noise by more") {
  TestRng rng(20261236);
  for (const char* neighbours : {"add-remove", "replace"}) {
    CAPTURE(neighbours);
    CHECK(logistic_excess(neighbours, 1, rng) <= 0);
    CHECK(logistic_excess(neighbours, 0.8, rng) > 0);
  }
}

TEST_CASE("tests are priced for coefficients as long as the ball allows, and must be") {
  TestRng rng(20261237);
  // On a ball of the radius 10 one record's loss is up to (1 + 10)^2 / 2; without coefficients, up to 1 / 2.
  constexpr double radius = 10, most = 60.5, without_coefficients = 0.5, rows = 50, epsilon = 0.3;
  FitRequest request = asked("covariance-noise-reduction", {{"dimension", 2},
                                                            {"rows", rows},
                                                            {"lambda", rows / (4 * radius * radius)},
                                                            {"excessRisk", most / rows},
                                                            {"failure", 0.05},
                                                            {"levels", 1},
                                                            {"leastEpsilon", epsilon},
                                                            {"mostEpsilon", epsilon}});
  request.texts["neighbours"] = "add-remove";
  const double testing = plan(request).parameters.at("testingEpsilon");
  const Run run = long_models(request, rng);
  const std::vector<double> without = many(run, true, few), with = many(run, false, few);
  const auto excess = [&](double tests) {
    return certain_excess(
        without, with, [](double) { return radius / 2; },
        deltas(Description{"pure", {{"epsilon", tests + epsilon}}, {}, {}, {}}));
  };
  CHECK(excess(testing) <= 0);
  CHECK(excess(testing * without_coefficients / most) > 0.1);
}

}  // namespace epsilometer::accuracy_first_audit_test
