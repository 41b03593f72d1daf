// Profiles as point masses on a grid: never below the profile they stand for, nor far above it; and sums of
// Gaussians and objective perturbations that are priced by them.
#include "core/accounting/composition/profile_grid.h"
#include "core/loss/gaussian_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"

namespace epsilometer::profile_grid_test {

namespace {

// The profile of N(0, 1) against N(mu, 1), or what a search that leaves some of it open makes of that.
class Stub final : public KnownDirections {
 public:
  explicit Stub(double mu, double doubt = 0) : gaussian_(DoubleDouble{mu}), mu_(mu), doubt_(doubt) {}

  double delta_upper(Direction direction, double epsilon) const override {
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
        const double delta = left >= 0 ? known.delta_upper(direction, left)
                                       : -std::expm1(left) + std::exp(left) * known.delta_upper(other, -left);
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

}  // namespace epsilometer::profile_grid_test
