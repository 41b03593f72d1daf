// Relations that noise with a bound keeps, whatever its numbers.
#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "tests/core/descriptions.h"

namespace epsilometer::noise_kinds_test {

namespace {

Description truncated(const char* kind, double spread, double bound, double sensitivity = 1) {
  const bool normal = std::string_view(kind) == "truncated-gaussian";
  return one(kind, {{normal ? "sigma" : "scale", spread}, {"sensitivity", sensitivity}, {"bound", bound}});
}

Description without_bound(const Description& noise) {
  Description whole = noise;
  whole.kind = noise.kind.substr(std::string_view("truncated-").size());
  whole.numbers.erase("bound");
  return whole;
}

constexpr const char* kinds[] = {"truncated-laplace", "truncated-gaussian"};
constexpr double epsilons[] = {-3, -0.4, 0, 0.3, 0.8, 1, 2, 6};

}  // namespace

TEST_CASE("a larger bound costs no more, and one far out as much as none") {
  for (const char* kind : kinds)
    for (const double spread : {0.3, 1.0, 4.0})
      for (const double level : epsilons) {
        CAPTURE(kind);
        CAPTURE(spread);
        CAPTURE(level);
        double before = 1;
        for (double bound = 0.3; bound < 40; bound *= 1.2) {
          const Bounds found = delta(*privacy_loss(truncated(kind, spread, bound)), level);
          CHECK(found.lower <= before);
          CHECK(found.lower <= found.upper);
          CHECK(found.upper <= 1);
          before = found.upper;
        }
        const Description far = truncated(kind, spread, 1e5 * spread);
        const Bounds whole = delta(*privacy_loss(without_bound(far)), level),
                     cut = delta(*privacy_loss(far), level);
        CHECK(cut.lower <= whole.upper);
        CHECK(cut.upper >= whole.lower);
        CHECK(cut.upper <= whole.upper * (1 + 1e-13) + 1e-320);
      }
}

TEST_CASE("beyond the largest finite loss delta is what shows for certain, never less") {
  for (const char* kind : kinds)
    for (const double bound : {0.5, 0.51, 0.75, 1.0, 1.5, 8.0}) {
      const auto loss = privacy_loss(truncated(kind, 1, bound));
      const double certain = loss->infinite_mass();
      CAPTURE(bound);
      CHECK((bound > 0.5 || certain == 1));
      for (const double level : {loss->largest_loss(), 2 * loss->largest_loss() + 1, 1e4, 1e300})
        CHECK(delta(*loss, level).upper == certain);
      for (const double level : epsilons) CHECK(delta(*loss, level).lower >= certain * (1 - 1e-12));
      CHECK(std::isinf(epsilon(*loss, certain / 2).lower));
      CHECK(std::isinf(loss->renyi(1.5)));
      CHECK(loss->profile()->power(0).upper == certain);
      // Both ends of the trade-off curve: its slope is the likelihood ratio.
      CHECK(loss->profile()->power(rounded_up(1 - certain)).upper == 1);
    }
}

TEST_CASE("extreme numbers of noise with a bound are answered or refused, never lost") {
  for (const char* kind : kinds)
    for (const double spread : {1e-100, 1e-30, 1.0, 1e30, 1e100})
      for (const double bound : {1e-100, 1e-3, 1.0, 1e40, 1e100})
        for (const double sensitivity : {1e-100, 1.0, 1e100}) {
          CAPTURE(spread);
          CAPTURE(bound);
          CAPTURE(sensitivity);
          const auto loss = privacy_loss(truncated(kind, spread, bound, sensitivity));
          for (const double level : {-1e10, -1.0, 0.0, 1e-60, 1.0, 1e10, 1e200}) {
            CAPTURE(level);
            const Bounds found = delta(*loss, level);
            CHECK((found.lower >= 0 && found.lower <= found.upper && found.upper <= 1));
          }
          for (const double x : {0.0, 1e-300, 0.2, 0.7, 1.0}) {
            const Bounds power = loss->profile()->power(x);
            CAPTURE(x);
            CHECK((power.upper >= x && power.lower <= power.upper && power.upper <= 1));
          }
        }
}

// With a bound as large as the sensitivity only one half of the noise is possible on both tables, exactly;
// whatever is not is a failure that delta allows, and the largest finite loss is what remains.
TEST_CASE("no epsilon is certainly infinite where a delta may be as much as what shows for certain") {
  for (const char* kind : kinds)
    for (const double spread : {0.05, 0.3, 1.0, 4.0, 1e3, 1e79}) {
      const Description half = truncated(kind, spread, 1);
      const bool normal = std::string_view(kind) == "truncated-gaussian";
      const double range = normal ? 1 / (2 * spread * spread) : 1 / spread;
      CAPTURE(kind);
      CAPTURE(spread);
      const auto holds = [](const Description& asked, double level, double truth) {
        const auto loss = privacy_loss(asked);
        const Profile profile(*loss);
        const Bounds found = profile.epsilon(level);
        CHECK(found.lower <= truth * (1 + 1e-12));
        CHECK(found.upper >= truth * (1 - 1e-12));
        CHECK((std::isfinite(found.upper) || certainty_of(found, profile.certainty()) != Certainty::exact));
        // Less is certainly too little.
        CHECK(std::isinf(profile.epsilon(level * (1 - 1e-11)).lower));
      };
      holds(half, 0.5, range);
      for (const double rate : {0.5, 0.125}) {
        const double sampled_range =
            range > 600 ? range + std::log(rate) : std::log1p(rate * std::expm1(range));
        holds(sampled("poisson", rate, half), rate / 2, sampled_range);
      }
      holds(repeated(half, 2), 0.75, 2 * range);
    }
}

TEST_CASE("two releases of noise with a bound: the losses of one are integrated out") {
  for (const char* kind : kinds) {
    const Description noise = truncated(kind, 1, 3);
    const auto loss = privacy_loss(noise);
    const auto law = loss->laws()->law(Direction::remove);
    for (const double level : {0.2, 1.0, 1.9}) {
      // delta_2(e) = p_inf + E delta_1(e - L), by the middle rule with 2e4 cells and the atoms.
      double sum = law->infinite_mass();
      for (const Atom& atom : law->atoms()) sum += atom.mass * delta(*loss, level - atom.loss).lower;
      const double low = law->lowest_x(), step = (law->highest_x() - low) / 2e4;
      for (int i = 0; i < 20000; ++i) {
        const double x = low + (i + 0.5) * step;
        sum += step * std::exp(law->log_density(x)) * delta(*loss, level - law->loss(x)).lower;
      }
      const Bounds found = delta(*privacy_loss(repeated(noise, 2)), level);
      CAPTURE(kind);
      CAPTURE(level);
      CHECK(found.lower <= sum * (1 + 1e-7));
      CHECK(found.upper >= sum * (1 - 1e-7));
    }
  }
}

}  // namespace epsilometer::noise_kinds_test
