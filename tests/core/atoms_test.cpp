// Sums of losses that are point masses: on a lattice of their own, or listed, they are composed without any
// error but rounding.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/composition/compose.h"
#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/lattice.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/loss/laws/atomic_law.h"

namespace epsilometer::atoms_test {

namespace {

Description discrete_gaussian(double sigma, double sensitivity) {
  return {"discrete-gaussian", {{"sigma", sigma}, {"sensitivity", sensitivity}}, {}, {}, {}};
}
Description discrete_laplace(double scale, double sensitivity) {
  return {"discrete-laplace", {{"scale", scale}, {"sensitivity", sensitivity}}, {}, {}, {}};
}
Description response(double epsilon, double categories) {
  return {"randomized-response", {{"epsilon", epsilon}, {"categories", categories}}, {}, {}, {}};
}
Description approximate(double epsilon, double delta) {
  return {"approximate", {{"epsilon", epsilon}, {"delta", delta}}, {}, {}, {}};
}
Description sampled(double rate, const Description& base, const char* sampling) {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", sampling}}, {{base, 1}}};
}

const std::vector<Description> atomic = {discrete_gaussian(0.01, 1),
                                         discrete_gaussian(0.3912, 50),
                                         discrete_gaussian(0.5, 30),
                                         discrete_gaussian(0.7, 1),
                                         discrete_gaussian(2, 75),
                                         discrete_gaussian(3, 2),
                                         discrete_gaussian(10.47, 2),
                                         discrete_laplace(0.001, 1),
                                         discrete_laplace(0.01, 10),
                                         discrete_laplace(3, 4),
                                         discrete_laplace(1000, 3),
                                         response(0, 3),
                                         response(1e-9, 2),
                                         response(0.3, 5),
                                         response(1000, 2),
                                         response(1000, 7),
                                         approximate(0, 0.1),
                                         approximate(1, 1e-9),
                                         approximate(0.5, 0.3),
                                         approximate(800, 0.01),
                                         approximate(1, 1)};

std::shared_ptr<const Law> law_of(const Description& kind, Direction direction = Direction::remove) {
  return privacy_loss(kind)->laws()->law(direction);
}

}  // namespace

TEST_CASE("a sample of point masses loses none of its mass, however far apart the losses are") {
  int laws = 0, levels = 0;
  for (const Description& base : atomic)
    for (const double rate : {1e-12, 0.03744, 0.5, 0.999})
      for (const char* sampling : {"poisson", "without-replacement"}) {
        const auto loss = privacy_loss(sampled(rate, base, sampling));
        CAPTURE(base.kind);
        CAPTURE(base.numbers.begin()->second);
        CAPTURE(rate);
        CAPTURE(sampling);
        std::vector<Enumeration> once;
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const auto law = loss->laws()->law(direction);
          double mass = law->infinite_mass(), before = -HUGE_VAL, largest = -HUGE_VAL;
          for (const Atom& atom : law->atoms()) {
            CHECK(atom.mass >= 0);
            CHECK(atom.loss >= before);
            before = atom.loss;
            mass += atom.mass;
            if (atom.mass > 0) largest = atom.loss;
          }
          // Every mass is right to five times rounding_margin; some thousand additions.
          CHECK(std::abs(mass - 1) <= 5 * rounding_margin + 3000 * unit_roundoff);
          // An outcome that one side never shows is a larger loss, but only of the direction that is smaller.
          if (loss->infinite_mass() == 0) CHECK(largest <= loss->largest_loss() + law->atom_error());
          once.push_back(*Enumeration::of({{law, 1}}, 1e9));
          ++laws;
        }
        // One copy has the profile that is known in closed form.
        const double reach = std::min(loss->largest_loss(), 60.0);
        for (const double share : {0.0, 1e-3, 0.2, 0.5, 0.9, 0.999}) {
          CAPTURE(share);
          const double at = share * reach;
          const Bounds truth = loss->profile()->delta(at), remove = once[0].delta(at),
                       add = once[1].delta(at);
          CHECK(std::max(remove.lower, add.lower) <= truth.upper);
          CHECK(std::max(remove.upper, add.upper) >= truth.lower);
          ++levels;
        }
      }
  CHECK(laws == 21 * 4 * 2 * 2);
  CHECK(levels == 21 * 4 * 2 * 6);
}

namespace {

struct RandomSum {
  std::vector<RepeatedLaw> laws;
  double spacing;
};

// A few laws whose lattices have a common spacing.
RandomSum random_lattice_sum(std::mt19937_64& stream) {
  const auto between = [&stream](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(stream));
  };
  const auto up_to = [&stream](int most) { return 1.0 + static_cast<double>(stream() % most); };
  const double spacing = between(0.02, 0.6);
  RandomSum result{{}, spacing};
  for (double parts = up_to(3); parts > 0; --parts) {
    const double size = spacing * up_to(4), count = up_to(5), sensitivity = up_to(3);
    Description kind = approximate(size / 2, 0.01);
    if (stream() % 4 == 0) kind = response(size, 2 + up_to(5));
    if (stream() % 4 == 1) kind = discrete_laplace(2 / size, sensitivity);
    // Delta / sigma^2 is the spacing; a law of many atoms, which are listed of few releases only.
    if (stream() % 4 == 2 && size > 0.1) kind = discrete_gaussian(std::sqrt(sensitivity / size), sensitivity);
    result.laws.push_back({law_of(kind), kind.kind == "discrete-gaussian" ? 1 : count});
  }
  return result;
}

bool meet(const Bounds& one, const Bounds& other) {
  return one.lower <= one.upper && one.lower <= other.upper && one.upper >= other.lower;
}

}  // namespace

TEST_CASE("a sum on a lattice is what its outcomes say, one by one, at every level and inside every cell") {
  std::mt19937_64 stream(20261122);
  int compared = 0, inside = 0;
  for (int i = 0; i < 60; ++i) {
    RandomSum sum = random_lattice_sum(stream);
    const auto listed = Enumeration::of(sum.laws, 3e7);
    if (!listed) continue;
    // A law that is never listed, because there are too many releases of it, and of no loss at all.
    sum.laws.push_back({std::make_shared<AtomicLaw>(std::vector<Atom>{{0, 0.5}, {0, 0.5}}, 0), 1e9});
    const Composer lattice(sum.laws);
    double largest = 0, releases = 0;
    for (const RepeatedLaw& repeated : sum.laws) {
      largest += repeated.count * repeated.law->atoms().back().loss;
      if (repeated.count < 1e9) releases += repeated.count;
    }
    CAPTURE(i);
    for (int j = 0; j < 8; ++j) {
      const double at = std::min(largest, 20.0) * static_cast<double>(stream() >> 11) * 0x1p-53;
      CAPTURE(at);
      const Bounds exact = listed->delta(at), found = lattice.delta(at, 1e-4);
      CHECK(meet(found, exact));
      CHECK(exact.lower >= (1 - 1e-10) * exact.upper);
      ++compared;
      // Linear in e^epsilon between a lattice point and the next one.
      const double cell = sum.spacing * 0.1;
      const Bounds left = listed->delta(at), middle = listed->delta(at + cell / 2),
                   right = listed->delta(at + cell);
      const double share = std::expm1(cell / 2) / std::expm1(cell);
      CHECK(middle.lower <= (1 - share) * left.upper + share * right.upper + 1e-300);
      ++inside;
    }
    for (const double target : {0.3, 1e-3, 1e-9, 1e-40}) {
      CAPTURE(target);
      const Bounds exact = listed->epsilon(target);
      // Below the infinite mass there is no finite answer.
      if (std::isfinite(exact.upper)) CHECK(meet(lattice.epsilon(target, 1e-4), exact));
    }
  }
  CHECK(compared >= 300);
  CHECK(inside == compared);
}

TEST_CASE("two discrete Gaussians are known to rounding however small delta is") {
  int asked = 0;
  for (const double sigma : {7.3, 41.0, 103.7, 130.0, 137.04631146007034, 150.0, 411.3, 1059.06})
    for (const double delta : {1e-9, 1e-120, 1e-150, 1e-233, 1e-290}) {
      CAPTURE(sigma);
      CAPTURE(delta);
      const Description noise{"discrete-gaussian", {{"sigma", sigma}, {"sensitivity", 2}}, {}, {}, {}};
      const auto two = privacy_loss({"composition", {}, {}, {}, {{noise, 2}}});
      const Bounds found = epsilon(*two, delta);
      CHECK(found.lower >= found.upper * (1 - 1e-9));
      // Completing the square, they are concentrated as the Gaussian of twice the variance of the loss.
      const double mu = std::sqrt(8.0) / sigma;
      CHECK(found.upper <= mu * mu / 2 + mu * std::sqrt(-2 * std::log(delta)));
      ++asked;
    }
  CHECK(asked == 40);
}

}  // namespace epsilometer::atoms_test
