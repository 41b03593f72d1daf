// What a tilted sum charges for: each charge alone is made larger than all others, by short windows, long
// tails, large losses, and held against sums that are listed outcome by outcome.
#include "core/accounting/composition/tilted_sum.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/lattice.h"
#include "core/accounting/profile.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer::tilted_sum_test {

namespace {

// Two outcomes, e^loss apart: in both directions alike.
std::shared_ptr<const Law> response(double loss) {
  const double top = 1 / (1 + std::exp(-loss));
  return std::make_shared<AtomicLaw>(std::vector<Atom>{{-loss, 1 - top}, {loss, top}}, 0);
}

struct Tilted {
  double log_moment, mean, variance;
};

Tilted tilted(const Law& law, double theta) {
  double sum = 0, first = 0, second = 0;
  for (const Atom& atom : law.atoms()) {
    const double mass = atom.mass * std::exp(theta * atom.loss);
    sum += mass;
    first += mass * atom.loss;
    second += mass * atom.loss * atom.loss;
  }
  return {std::log(sum), first / sum, second / sum - first * first / sum / sum};
}

TiltedPart part_of(const std::shared_ptr<const Law>& law, double count, double theta) {
  const std::vector<Atom> atoms = law->atoms();
  return {law, count, atoms.front().loss, atoms.back().loss, 0, 0, tilted(*law, theta).log_moment};
}

bool holds(const TiltedSum& sum, double epsilon, const Bounds& truth) {
  return sum.lower(epsilon) <= truth.upper && sum.upper(epsilon) >= truth.lower;
}

}  // namespace

TEST_CASE("what a short window leaves out above it, and what wraps around into it, is charged") {
  int held = 0, close = 0;
  for (const double loss : {0.1, 0.35})
    for (const double count : {16.0, 40.0})
      for (const double theta : {0.05, 0.4, 2.0})
        for (const double below : {1.5, 2.5, 4.0, 6.0})
          for (const double width : {2.0, 3.0, 4.0, 7.0, 10.0})
            for (const double exponent : {0.5, 1.5, 3.0}) {
              const auto law = response(loss);
              const Enumeration exact = *Enumeration::of({{law, count}}, 1e6);
              const Tilted one = tilted(*law, theta);
              const double mean = count * one.mean, spread = std::sqrt(count * one.variance);
              const double low = mean - below * spread, step = 2 * loss;
              const std::size_t length = smooth_length(width * spread / step);
              const TiltedSum sum({step, theta, low, exponent / spread, -exponent / spread, length},
                                  {part_of(law, count, theta)}, -10);
              for (double share = 0.02; share < 1; share += 0.07) {
                const double at = sum.low() + share * (sum.high() - sum.low());
                CAPTURE(loss);
                CAPTURE(count);
                CAPTURE(theta);
                CAPTURE(below);
                CAPTURE(width);
                CAPTURE(at);
                const Bounds truth = exact.delta(at);
                CHECK(holds(sum, at, truth));
                close += sum.upper(at) < 1.2 * truth.upper || sum.lower(at) > 0.8 * truth.lower;
                ++held;
              }
            }
  CHECK(held == 2 * 2 * 3 * 4 * 5 * 3 * 14);
  CHECK(close >= held / 5);
}

TEST_CASE("mass that wraps around to where it weighs most is taken off the lower end, all of it") {
  // Nearly all of the mass lies beyond the window, on one point, and wraps around to a distance from epsilon
  // at which e^{-theta x} (1 - e^-x) is near its greatest; Chernoff's inequality is nearly an equality.
  const double light = 1e-9;
  int near_greatest = 0;
  for (const double theta : {0.5, 1.0, 4.0})
    for (const bool above : {true, false}) {
      const double step = 0.125, length = 8;
      const double heavy = above ? 29 * step : -27 * step;
      const auto law = std::make_shared<AtomicLaw>(above ? std::vector<Atom>{{0, light}, {heavy, 1 - light}}
                                                         : std::vector<Atom>{{heavy, 1 - light}, {0, light}},
                                                   0);
      // The other tail's bound is next to nothing.
      const TiltedSum sum({step, theta, above ? -step / 2 : -3.5 * step, above ? 1e-7 : 400,
                           above ? -400 : -1e-7, static_cast<std::size_t>(length)},
                          {part_of(law, 1, theta)}, -10);
      const double image = heavy + (above ? -3 : 3) * length * step;
      const double heaviest = std::log1p(1 / theta);
      for (double at = sum.low(); at < sum.high(); at += step / 16) {
        CAPTURE(theta);
        CAPTURE(above);
        CAPTURE(at);
        const double truth =
            (at < 0 ? light * -std::expm1(at) : 0) + (at < heavy ? (1 - light) * -std::expm1(at - heavy) : 0);
        CHECK(holds(sum, at, {truth * (1 - 1e-14), truth * (1 + 1e-14)}));
        near_greatest += std::abs(image - at - heaviest) < step;
      }
    }
  CHECK(near_greatest >= 60);
}

TEST_CASE("far out in the tail, where a transform knows nothing, its rounding is charged") {
  int deep = 0;
  for (const double count : {60.0, 3000.0, 20000.0})
    for (const double theta : {1.0, 3.0}) {
      const auto law = response(std::sqrt(1 / count));
      const Enumeration exact = *Enumeration::of({{law, count}}, 1e7);
      const Tilted one = tilted(*law, theta);
      const double mean = count * one.mean, spread = std::sqrt(count * one.variance);
      const double step = 2 * law->atoms().back().loss;
      const TiltedSum sum(
          {step, theta, mean - 13 * spread, 8 / spread, -8 / spread, smooth_length(26 * spread / step)},
          {part_of(law, count, theta)}, -40);
      for (double away = -3; away < 12; away += 0.11) {
        const double at = mean + away * spread;
        CAPTURE(count);
        CAPTURE(theta);
        CAPTURE(away);
        const Bounds truth = exact.delta(at);
        if (truth.upper == 0) continue;
        CHECK(holds(sum, at, truth));
        deep += away > 9;
      }
    }
  CHECK(deep > 100);
}

TEST_CASE("next to the largest loss of a sum the rounding of losses is charged") {
  // The largest loss is count times the loss of one, exactly in long multiplication; delta there is p (1 -
  // e^{epsilon - largest}).
  std::mt19937_64 stream(20261122);
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const double loss = std::exp(std::uniform_real_distribution<double>(-3, 6)(stream));
    const auto count = static_cast<double>(2 + stream() % 12);
    const auto law = response(loss);
    const double largest = count * loss, top = std::pow(law->atoms().back().mass, count);
    const double theta = 1 / loss;
    const TiltedSum sum({2 * loss, theta, -largest - loss, 1 / loss, -1 / loss, smooth_length(2 * count + 4)},
                        {part_of(law, count, theta)}, -10);
    const Enumeration exact = *Enumeration::of({{law, count}}, 1e6);
    double at = largest;
    for (int j = 0; j < 24; ++j, at = std::nextafter(at, 0)) {
      const double apart = std::fma(count, loss, -at);
      const double truth = apart > 0 ? top * -std::expm1(-apart) : 0;
      CAPTURE(loss);
      CAPTURE(count);
      CAPTURE(j);
      // The truth itself is rounded.
      CHECK(holds(sum, at, {truth * (1 - 1e-13), truth * (1 + 1e-13)}));
      CHECK(exact.delta(at).lower <= truth * (1 + 1e-13));
      CHECK(exact.delta(at).upper >= truth * (1 - 1e-13));
      ++compared;
    }
  }
  CHECK(compared == 400 * 24);
}

TEST_CASE("steep tilts of large losses round the masses, and that is charged") {
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 300; ++i) {
    // Unaligned atoms, as heavy as each other under the tilt.
    const double theta = 20 + 30 * uniform(stream);
    std::vector<Atom> atoms;
    double loss = -1, sum = 0;
    for (int j = 0; j < 6; ++j, loss += 0.5 + uniform(stream))
      atoms.push_back({loss, std::exp(-theta * loss)});
    for (const Atom& atom : atoms) sum += atom.mass;
    for (Atom& atom : atoms) atom.mass /= sum;
    const auto law = std::make_shared<AtomicLaw>(atoms, 0);
    const Enumeration exact = *Enumeration::of({{law, 1}}, 1e6);
    const TiltedPart part = part_of(law, 1, theta);
    const double step = 0x1p-7;
    const TiltedSum whole({step, theta, -2, 20, -20, smooth_length(12 / step)}, {part}, -theta * loss);
    const double at = atoms[4].loss - 0.3 * uniform(stream);
    CAPTURE(i);
    CHECK(holds(whole, at, exact.delta(at)));
  }
}

TEST_CASE("masses of a lattice law are rounded outward") {
  std::mt19937_64 stream(20261124);
  std::uniform_real_distribution<double> uniform(0, 1);
  int compared = 0;
  for (int i = 0; i < 200; ++i) {
    const double theta = 8 * uniform(stream), step = 0.125, shift = 3 * uniform(stream);
    std::vector<Atom> atoms;
    for (int j = 0; j < 9; ++j) atoms.push_back({(j - 4) * step * 3, uniform(stream) / 9});
    const AtomicLaw law(atoms, 0.01);
    const Lattice lattice = discretise(law, {step, 0, -12, 25, theta, shift, 0, 0});
    for (int j = 0; j < 9; ++j) {
      const long double exponent = static_cast<long double>(theta) * atoms[j].loss - shift;
      const long double mass = atoms[j].mass * std::exp(exponent);
      CHECK(lattice.upper[3 * j] >= mass);
      CHECK(lattice.lower[3 * j] <= mass);
      CHECK(lattice.lower[3 * j] >= mass * (1 - 1e-13L));
      ++compared;
    }
  }
  CHECK(compared == 1800);
}

TEST_CASE("an atom beside a point is not moved onto it, and a spacing is not taken for another") {
  for (const double apart : {1e-6, 1e-9, 1e-11, 1e-12}) {
    for (const double side : {-1.0, 1.0}) {
      const AtomicLaw law({{-1, 0.25}, {side * apart, 0.25}, {1, 0.5}}, 0);
      const Cut cut{0.25, 0, -4, 9, 0, 0, 0, 0};
      const Lattice lattice = discretise(law, cut);
      CAPTURE(apart);
      CAPTURE(side);
      // Above it, beyond what is sure to lie on the next points, half of the way is left to lose.
      const double at = side > 0 ? apart / 2 : -apart / 2;
      const double rest = 0.5 * -std::expm1(at - 1);
      const double truth = rest + (side > 0 ? 0.25 * -std::expm1(at - apart) : 0);
      double upper = 0, lower = 0;
      for (std::size_t i = 0; i < 9; ++i) {
        const double loss = (static_cast<double>(i) - 4) * 0.25;
        if (loss > at) upper += lattice.upper[i] * -std::expm1(at - loss);
        if (loss > at) lower += lattice.lower[i] * -std::expm1(at - loss);
      }
      // All but the rounding of the masses around it.
      CHECK(upper >= truth * (1 - 2 * unit_roundoff));
      CHECK(lower <= truth * (1 + 2 * unit_roundoff));
    }
    CHECK(!whole_steps(3 * (1 + apart), 1));
    CHECK(!whole_steps(3 * (1 - apart), 1));
    CHECK(common_spacing({1, 1 + apart}) == 0);
  }
  CHECK(*whole_steps(3, 1) == 3);
  CHECK(*whole_steps(0, 1) == 0);
  CHECK(*whole_steps(0.1 * 3, 0.1) == 3);
  CHECK(common_spacing({0.75, 0, 0.5, 1.25}) == 0.25);
  CHECK(common_spacing({}) == 0);
}

TEST_CASE("what is cut off a density is charged, wherever it is cut") {
  int compared = 0;
  for (const double sigma : {0.5, 2.0}) {
    const auto loss = privacy_loss({"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}});
    const auto law = loss->laws()->law(Direction::remove);
    const double mu = 1 / sigma;
    for (const double below : {1.5, 2.0, 3.0})
      for (const double above : {1.5, 2.0, 3.0})
        for (const double cells : {5.0, 40.0}) {
          const double bottom = mu * mu / 2 - below * mu, top = mu * mu / 2 + above * mu;
          const double step = (top - bottom) / cells;
          const auto first = static_cast<std::int64_t>(std::floor(bottom / step));
          const auto size =
              static_cast<std::size_t>(std::ceil(top / step)) - static_cast<std::size_t>(first) + 1;
          const Cut cut{step, 0, first, size, 0, 0, law->x_at(bottom), law->x_at(top)};
          const Lattice lattice = discretise(*law, cut);
          for (double share = -0.1; share < 1.3; share += 0.05) {
            const double at = bottom + share * (top - bottom);
            double upper = lattice.upper_infinite, lower = lattice.lower_infinite;
            for (std::size_t i = 0; i < size; ++i) {
              const double point = static_cast<double>(first + static_cast<std::int64_t>(i)) * step;
              if (point > at) upper += lattice.upper[i] * -std::expm1(at - point);
              if (point > at) lower += lattice.lower[i] * -std::expm1(at - point);
            }
            const Bounds truth = loss->profile()->delta(at);
            CAPTURE(below);
            CAPTURE(above);
            CAPTURE(share);
            CHECK(upper >= truth.lower);
            CHECK(lower <= truth.upper);
            ++compared;
          }
        }
  }
  CHECK(compared >= 2 * 9 * 2 * 28);
}

TEST_CASE("a grid is placed by where losses end, but not by the last bits of that") {
  const Description noise{"gaussian", {{"sigma", 0.6}, {"sensitivity", 1}}, {}, {}, {}};
  const Description sampled{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {{noise, 1}}};
  const auto law = privacy_loss(sampled)->laws()->law(Direction::remove);
  int apart = 0;
  for (const double step : {0x1p-9, 0x1.8p-9, 0x1.fp-10, 0x1.01p-8})
    for (const double count : {1.0, 2.0, 100.0, 100000.0}) {
      TiltedPart part = part_between({law, count}, -5, 5, 0);
      const auto low = [&] { return TiltedSum({step, 1, -1, 1, -1, 4096}, {part}, -10).low(); };
      const double placed = low(), bottom = part.bottom;
      CAPTURE(step);
      CAPTURE(count);
      for (const double bits : {-3.0, -1.0, 1.0, 3.0}) {
        part.bottom = bottom * (1 + bits * 0x1p-52);
        CHECK(low() == placed);
      }
      // One run has no use for a place of its own.
      CHECK(std::remainder(placed, count == 1 ? step : step / 16) == 0);
      apart += std::remainder(placed, step) != 0;
    }
  CHECK(apart >= 4);
}

TEST_CASE("steps whose samples mostly leave the record out have an epsilon as narrow as asked") {
  const Description noise{"gaussian", {{"sigma", 0.46452842831}, {"sensitivity", 1}}, {}, {}, {}};
  const Description sampled{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {{noise, 1}}};
  const auto loss = privacy_loss({"composition", {}, {}, {}, {{sampled, 100}}});
  const double gap = 1e-4;
  const Bounds epsilon = Profile(*loss, gap).epsilon(1e-5);
  CHECK(epsilon.upper - epsilon.lower <= gap * epsilon.upper);
}

}  // namespace epsilometer::tilted_sum_test
