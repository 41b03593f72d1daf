// Profiles as point masses on a grid: never below the profile they stand for, nor far above it; and sums of
// Gaussians and objective perturbations that are priced by them.
#include "core/accounting/composition/profile_grid.h"
#include "core/loss/gaussian_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/small_pairs.h"

namespace epsilometer::profile_grid_test {

namespace {

// The profile of N(0, 1) against N(mu, 1), or what a search that leaves some of it open makes of that.
class Stub final : public KnownDirections {
 public:
  explicit Stub(double mu, double doubt = 0) : gaussian_(DoubleDouble{mu}), mu_(mu), doubt_(doubt) {}

  double directed_delta(Direction direction, double epsilon) const override {
    const double more = direction == Direction::add ? std::fmod(epsilon * 7919, 1) : 0;
    return gaussian_.delta(epsilon).upper * (1 + doubt_ * more);
  }
  Extent extent() const override { return {mu_ * mu_ / 2, mu_}; }

 private:
  GaussianLoss gaussian_;
  double mu_, doubt_;
};

double profile_of(const GridLaw& law, double step, double epsilon) {
  double sum = law.infinite;
  for (std::size_t i = 0; i < law.masses.size(); ++i) {
    const double loss = static_cast<double>(law.first + static_cast<std::int64_t>(i)) * step;
    sum += law.masses[i] * std::max(0.0, -std::expm1(epsilon - loss));
  }
  return sum;
}

Description objective(double sigma, double lambda, double smoothness, const char* derivative) {
  return {"objective-perturbation",
          {{"sigma", sigma}, {"lambda", lambda}, {"lipschitz", 1}, {"smoothness", smoothness}},
          {},
          {{"derivative", derivative}},
          {}};
}

Description gaussian(double sigma) {
  return {"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
}

Description together_with(std::vector<Part> parts) { return {"composition", {}, {}, {}, std::move(parts)}; }

}  // namespace

TEST_CASE("a law on a grid costs no less than the profile at any epsilon, and hardly more") {
  std::mt19937_64 random(20261125);
  for (const double mu : {1e-6, 0.01, 0.3, 1.0, 4.0})
    for (const double doubt : {0.0, 1e-6}) {
      const Stub stub(mu, doubt);
      const double step = std::exp2(std::floor(std::log2(mu / 48)));
      const GridPair pair = grids_of(stub, step);
      const GaussianLoss truth(DoubleDouble{mu});
      for (const auto* law : {&pair.remove, &pair.add}) {
        REQUIRE(law->has_value());
        std::uniform_real_distribution<double> places(-12, 8);
        for (int i = 0; i < 200; ++i) {
          const double z = places(random), epsilon = mu * mu / 2 + z * mu;
          CAPTURE(mu);
          CAPTURE(z);
          const Bounds exact = truth.delta(epsilon);
          const double found = profile_of(**law, step, epsilon);
          CHECK(found >= exact.lower);
          // A chord of length h is above by at most h^2 / 8 of delta's second derivative in e^epsilon, which
          // is the density of losses; that is at most (1 + |z|) (|z| + 2) / mu^2 of delta (Mills), and there
          // is an endless last chord, where delta is below 1e-20.
          const double size = std::abs(z) + 2,
                       chord = step * step / 8 * size * size / (mu * mu) * std::exp(step * size / mu);
          CHECK(found <= exact.upper * (1 + chord + 2 * doubt + 1e-8) + 1e-20);
        }
      }
    }
}

TEST_CASE("the mean of the profile over a Gaussian's losses lies a little below what the grid says") {
  // Theorem C3: per direction, by a rule of equal steps that shares nothing with the grid.
  struct Setting {
    double mu, sigma, lambda, smoothness;
    const char* derivative;
  };
  for (const Setting& one : {Setting{1 / 9.63, 3.05, 3.05, 0.25, "one-signed"}, Setting{1, 2, 0.5, 1, "any"},
                             Setting{0.05, 20, 0.1, 1, "any"}}) {
    const auto loss = privacy_loss(objective(one.sigma, one.lambda, one.smoothness, one.derivative));
    const auto grids =
        ProfileGrid::of({{loss, 1}, {std::make_shared<GaussianLoss>(DoubleDouble{one.mu}), 1}});
    REQUIRE(grids.size() == 2);
    const KnownDirections& known = *loss->directions();
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Direction other = direction == Direction::add ? Direction::remove : Direction::add;
      const double epsilon = 1.5 * (one.mu + 1 / one.sigma) + 0.2, width = 1.0 / 24;
      double sum = 0;
      for (double z = -9; z < 9; z += width) {
        const double left = epsilon - one.mu * one.mu / 2 - one.mu * z;
        const double delta = left >= 0
                                 ? known.directed_delta(direction, left)
                                 : -std::expm1(left) + std::exp(left) * known.directed_delta(other, -left);
        sum += width * std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * delta;
      }
      const double found = grids[direction == Direction::add].delta(epsilon);
      CAPTURE(found);
      CHECK(found >= sum * (1 - 2e-6));
      CHECK(found <= sum * 1.003);
    }
  }
}

TEST_CASE("a Gaussian and an objective perturbation are priced by quadrature, whatever stands between them") {
  const auto epsilon_of = [](const Description& description) {
    return epsilon(*privacy_loss(description), 1e-5);
  };
  const Description minimum = objective(3.05, 3.05, 0.25, "one-signed");
  Description minima = minimum;
  minima.kind = "approximate-minima-perturbation";
  minima.numbers.insert({{"gradientTolerance", 1e-12}, {"outputSigma", 1}});
  // Worked out by the specification's own quadrature: 1.316. By the laws of both it is 1.3945.
  for (const Description& one : {minimum, minima}) {
    const Bounds found = epsilon_of(together_with({{gaussian(9.63), 1}, {one, 1}}));
    CHECK(found.upper == doctest::Approx(1.316).epsilon(5e-4));
    CHECK(found.lower <= found.upper);
  }
  // Four Gaussians of twice the noise are one, and a composition inside is its parts.
  const Bounds split =
      epsilon_of(together_with({{together_with({{gaussian(2 * 9.63), 4}}), 1}, {minima, 1}}));
  CHECK(split.upper == doctest::Approx(1.316).epsilon(5e-4));
}

TEST_CASE("a few objective perturbations of hardly any curvature cost what Gaussians of their noise do") {
  for (const double count : {1.0, 2.0, 8.0})
    for (const double sigma : {1.0, 30.0}) {
      CAPTURE(count);
      CAPTURE(sigma);
      const auto loss =
          privacy_loss(together_with({{gaussian(sigma), 1}, {objective(sigma, 1, 2e-8, "any"), count}}));
      const GaussianLoss least(DoubleDouble{std::sqrt(count + 1) / sigma});
      for (const double delta : {1e-2, 1e-6, 1e-12}) {
        const double found = epsilon(*loss, delta).upper, exact = epsilon(least, delta).lower;
        CHECK(found >= exact);
        CHECK(found <= exact * (1 + 2e-3) + 1e-6);
      }
      const Profile profile(*loss);
      CHECK(TradeOff(*loss, profile).power(0.01).upper <= least.power(0.01).upper * 1.002);
    }
}

TEST_CASE("the law of a profile's chords is a law, and costs no less than the profile at any epsilon") {
  std::mt19937_64 random(20261129);
  for (int i = 0; i < 300; ++i) {
    // Profiles of small pairs have corners, and chords between any points of them.
    const SmallPair pair = random_pair(random);
    const double reach = std::exp(std::uniform_real_distribution<double>(-6, 3)(random));
    const auto points = static_cast<int>(1 + random() % 200);
    CAPTURE(i);
    const auto law = law_of_chords(
        [&](double epsilon) { return std::min(1.0, delta_of(pair, epsilon) * (1 + 1e-12)); }, reach, points);
    REQUIRE(law);
    double mass = law->infinite_mass(), other = 0;
    for (const Atom& atom : law->atoms()) {
      mass += atom.mass;
      other += atom.mass * std::exp(-atom.loss);
    }
    CHECK(mass == doctest::Approx(1).epsilon(1e-13));
    CHECK(other <= 1 + 1e-8);
    for (double epsilon = -2 * reach; epsilon < 2 * reach; epsilon += reach / 37) {
      double found = law->infinite_mass();
      for (const Atom& atom : law->atoms())
        found += atom.mass * std::max(0.0, -std::expm1(epsilon - atom.loss));
      // Below 0 as the other direction says it.
      const double truth = epsilon < 0 ? -std::expm1(epsilon) + std::exp(epsilon) * delta_of(pair, -epsilon)
                                       : delta_of(pair, epsilon);
      CHECK(found >= truth * (1 - 1e-14));
    }
  }
}

namespace {

// Poisson samples that are never cut: what they cost is known by its profile alone, and is that of the
// samples.
Description never_cut(double steps, const Description& base) {
  return {"subsampled",
          {{"rate", 0.01}, {"steps", steps}, {"records", 100}, {"largestBatch", 100}},
          {},
          {{"sampling", "truncated-poisson"}},
          {{base, 1}}};
}

Description samples(double steps, const Description& base) {
  return together_with(
      {{{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {{base, 1}}}, steps}});
}

}  // namespace

TEST_CASE("what is known by its profile alone composes: above the releases themselves, and hardly more") {
  const Description laplace{"laplace", {{"scale", 2}, {"sensitivity", 1}}, {}, {}, {}};
  const Description response{"approximate", {{"epsilon", 0.2}, {"delta", 1e-7}}, {}, {}, {}};
  const std::vector<std::vector<Part>> others = {{{gaussian(3), 1}},
                                                 {{laplace, 1}},
                                                 {{laplace, 7}, {gaussian(5), 2}},
                                                 {{response, 1}},
                                                 {{response, 3}, {laplace, 2}}};
  for (const double steps : {1.0, 200.0})
    for (const Description& base : {gaussian(1), laplace})
      for (const double count : {1.0, 3.0})
        for (const std::vector<Part>& beside : others) {
          std::vector<Part> hidden = beside, known = beside;
          hidden.push_back({never_cut(steps, base), count});
          known.push_back({samples(steps, base), count});
          const auto loss = privacy_loss(together_with(hidden)), itself = privacy_loss(together_with(known));
          const Profile profile(*loss), truth(*itself);
          CAPTURE(steps);
          CAPTURE(count);
          for (const double delta : {1e-2, 1e-5, 1e-9}) {
            const Bounds found = profile.epsilon(delta), exact = truth.epsilon(delta);
            CHECK(found.upper >= exact.lower);
            CHECK(found.lower <= exact.upper);
            // 160 chords of about 10 standard deviations each: less than 2e-3 of delta, as above, and three
            // of them together.
            CHECK(found.upper <= exact.upper * 1.01 + 1e-3);
          }
          if (steps > 1) continue;
          const double power = TradeOff(*loss, profile).power(0.01).upper,
                       least = TradeOff(*itself, truth).power(0.01).lower;
          CHECK(power >= least);
          CHECK(power <= least * 1.01);
        }
}

// Two releases behind tests, one after the other, and a third that is known exactly: no outcome of all of
// them tells more than is stated.
TEST_CASE("releases behind tests compose with what else is released") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  double nearest = 0;
  for (int i = 0; i < 12; ++i) {
    const SmallPair run = random_pair(random), test{{0.7, 0.3}, {0.6, 0.4}};
    const double test_epsilon = uniform(random), epsilon0 = uniform(random);
    const Description inside{
        "approximate", {{"epsilon", epsilon0}, {"delta", delta_of(run, epsilon0)}}, {}, {}, {}};
    const Description tested{
        "propose-test-release",
        {{"testEpsilon", test_epsilon}, {"testDelta", delta_of(test, test_epsilon)}, {"failure", 0}},
        {},
        {{"test", "accept-reject"}},
        {{inside, 1}}};
    SmallPair shown{{test.with[1]}, {test.without[1]}};
    for (std::size_t k = 0; k < run.with.size(); ++k) {
      shown.with.push_back(test.with[0] * run.with[k]);
      shown.without.push_back(test.without[0] * run.without[k]);
    }
    const double answer = 0.3, likely = 1 / (1 + std::exp(-answer));
    SmallPair response{{likely, 1 - likely}, {1 - likely, likely}};
    SmallPair all{{1}, {1}};
    for (SmallPair* one : {&shown, &shown, &response}) {
      SmallPair next;
      for (std::size_t a = 0; a < all.with.size(); ++a)
        for (std::size_t b = 0; b < one->with.size(); ++b) {
          next.with.push_back(all.with[a] * one->with[b]);
          next.without.push_back(all.without[a] * one->without[b]);
        }
      all = std::move(next);
    }
    const auto loss =
        privacy_loss(together_with({{tested, 2}, {{"pure", {{"epsilon", answer}}, {}, {}, {}}, 1}}));
    const Profile profile(*loss);
    for (const double epsilon : {0.0, 0.5, 1.0, 2.0, 4.0}) {
      const double truth = delta_of(all, epsilon), upper = profile.delta(epsilon).upper;
      CAPTURE(i);
      CAPTURE(epsilon);
      CHECK(truth <= upper * (1 + 1e-12) + 1e-15);
      nearest = std::max(nearest, truth / upper);
    }
  }
  // Half of what is stated would be too little.
  CHECK(nearest > 0.5);
}

TEST_CASE("where infinite losses alone are more than delta, by however little, no finite epsilon is told") {
  const Description laplace{"laplace", {{"scale", 2}, {"sensitivity", 1}}, {}, {}, {}};
  for (const double failure : {1e-9, 1e-6, 0.01, 0.3})
    for (const double count : {1.0, 2.0, 3.0, 40.0})
      for (const std::vector<Part>& beside :
           std::vector<std::vector<Part>>{{{laplace, 1}}, {{gaussian(2), 1}}}) {
        std::vector<Part> parts = beside;
        parts.push_back({{"approximate", {{"epsilon", 0.5}, {"delta", failure}}, {}, {}, {}}, count});
        const auto loss = privacy_loss(together_with(parts));
        const long double mass =
            -std::expm1(static_cast<long double>(count) * std::log1p(-static_cast<long double>(failure)));
        CAPTURE(failure);
        CAPTURE(count);
        for (long double below = 1e-16L; below < 1e-9L; below *= 3) {
          const auto less = static_cast<double>(mass * (1 - below));
          if (less < mass) CHECK(std::isinf(epsilon(*loss, less).upper));
        }
        // Of one release the probability is known to the last digit.
        if (count == 1)
          CHECK(std::isfinite(epsilon(*loss, failure).upper) == (beside[0].mechanism.kind == "laplace"));
        if (beside[0].mechanism.kind == "laplace")
          CHECK(std::isfinite(epsilon(*loss, static_cast<double>(mass) * (1 + 1e-9)).upper));
      }
}

}  // namespace epsilometer::profile_grid_test
