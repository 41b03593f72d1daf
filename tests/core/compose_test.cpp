// Composition: each lattice law encloses the law it is made from, and every certified interval holds the
// truth.
#include "core/accounting/composition/compose.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/accounting/calibrate.h"
#include "core/accounting/composition/lattice.h"
#include "core/accounting/composition/law_quadrature.h"
#include "core/accounting/profile.h"
#include "tests/core/descriptions.h"

namespace epsilometer::compose_test {

namespace {

Description gaussian(double sigma) {
  return {"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
}
Description laplace(double scale) { return {"laplace", {{"scale", scale}, {"sensitivity", 1}}, {}, {}, {}}; }
Description sampled(double rate, const Description& base, const char* sampling = "poisson") {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", sampling}}, {{base, 1}}};
}
Description repeated(const std::vector<Part>& parts) { return {"composition", {}, {}, {}, parts}; }

// The product of the laws of all parts, whether some mechanism has it or not.
Composer product(const std::vector<Part>& parts) {
  std::vector<RepeatedLaw> laws;
  for (const Part& part : parts)
    laws.push_back({privacy_loss(part.mechanism)->laws()->law(Direction::remove), part.count});
  return Composer(laws);
}

// delta(epsilon) of a lattice law.
double profile(const std::vector<double>& masses, double infinite, const Cut& cut, double epsilon) {
  double sum = infinite;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double loss = cut.offset + static_cast<double>(cut.first + static_cast<std::int64_t>(i)) * cut.step;
    if (loss > epsilon)
      sum += masses[i] * std::exp(cut.shift - cut.theta * loss) * -std::expm1(epsilon - loss);
  }
  return sum;
}

}  // namespace

TEST_CASE("a law lies between its lattices, at every level, whatever the step, the offset and the tilt") {
  const std::vector<Description> kinds = {
      gaussian(1),
      gaussian(20),
      laplace(1),
      laplace(7),
      {"exponential", {{"epsilon", 0.7}}, {}, {}, {}},
      {"randomized-response", {{"epsilon", 1.3}, {"categories", 5}}, {}, {}, {}},
      {"approximate", {{"epsilon", 0.4}, {"delta", 0.01}}, {}, {}, {}},
      {"discrete-laplace", {{"scale", 3}, {"sensitivity", 4}}, {}, {}, {}},
      sampled(0.1, gaussian(1), "without-replacement"),
      sampled(0.3, laplace(1), "without-replacement")};
  std::mt19937_64 stream(20261120);
  std::uniform_real_distribution<double> uniform(0, 1);
  int compared = 0;
  for (const Description& kind : kinds) {
    const auto loss = privacy_loss(kind);
    const auto law = loss->laws()->law(Direction::remove);
    const double spread =
        std::isinf(loss->largest_loss()) ? loss->gaussian().value_or(1) : loss->largest_loss() / 2;
    for (int i = 0; i < 60; ++i) {
      const double step = spread * std::exp(-4 * uniform(stream));
      const double offset = step * (uniform(stream) - 0.5), theta = 5 * uniform(stream) / spread;
      const double reach =
          std::isinf(loss->largest_loss()) ? 8 * spread + spread * spread : loss->largest_loss();
      const auto first = static_cast<std::int64_t>(std::floor((-reach - offset) / step));
      const auto size = static_cast<std::size_t>(2 * reach / step) + 3;
      const double from = std::max(law->lowest_x(), law->x_at(-reach)),
                   to = std::min(law->highest_x(), law->x_at(reach));
      const Cut cut{step, offset, first, size, theta, 0, from, to};
      const Lattice lattice = discretise(*law, cut);
      for (int j = 0; j < 20; ++j) {
        const double epsilon = reach * (2 * uniform(stream) - 1);
        const Bounds truth = loss->profile()->delta(epsilon);
        CAPTURE(kind.kind);
        CAPTURE(step);
        CAPTURE(epsilon);
        CHECK(profile(lattice.upper, lattice.upper_infinite, cut, epsilon) >= truth.lower * (1 - 1e-12));
        CHECK(profile(lattice.lower, lattice.lower_infinite, cut, epsilon) <= truth.upper * (1 + 1e-12));
        ++compared;
      }
    }
  }
  CHECK(compared == 10 * 60 * 20);
}

TEST_CASE("both directions of a sampled Gaussian lie between their lattices") {
  for (const double rate : {0.01, 0.3}) {
    const auto loss = privacy_loss(sampled(rate, gaussian(1)));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Composer once({{loss->laws()->law(direction), 1}});
      for (const double epsilon : {0.001, 0.02, 0.5, 2.0}) {
        // One copy: the larger direction is the exact profile.
        const Bounds found = once.delta(epsilon, 1e-4), truth = loss->profile()->delta(epsilon);
        CHECK(found.lower <= truth.upper * (1 + 1e-12));
        if (direction == Direction::remove) CHECK(found.upper >= truth.lower * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("where a sampled loss nears a bound of its own, none of its mass is lost") {
  // With so little noise a sample either shows the record or does not. Truths: one release by Phi in 40
  // digits, two by quadrature over the second one, three in closed form to within 1e-20.
  struct Known {
    double rate, sigma, count;
    Direction direction;
    double epsilon, delta;
  };
  const Known known[] = {{0.1, 0.05, 1, Direction::add, 0.05, 0.053856013261578367},
                         {0.1, 0.12, 1, Direction::add, 0.05, 0.053853694358136721},
                         {0.3, 0.2, 1, Direction::add, 0.05, 0.26052771604525318},
                         {0.1, 0.12, 1, Direction::remove, 0.05, 0.099996202738684133},
                         {0.1, 0.2, 2, Direction::remove, 0.5, 0.18370778709262526},
                         {0.1, 0.05, 3, Direction::remove, 0.5, 0.271},
                         {0.1, 0.05, 3, Direction::add, 0.05, 1 - 0.729 * std::exp(0.05)}};
  for (const Known& one : known) {
    CAPTURE(one.sigma);
    CAPTURE(one.count);
    const auto law = privacy_loss(sampled(one.rate, gaussian(one.sigma)))->laws()->law(one.direction);
    const Bounds found = Composer({{law, one.count}}).delta(one.epsilon, 1e-4);
    CHECK(found.lower <= one.delta * (1 + 1e-13));
    CHECK(found.upper >= one.delta * (1 - 1e-13));
    // As narrow as asked for, but where one cell of the lattice has most of the mass: 4.4e-4 with sigma 0.2,
    // twice.
    CHECK(found.lower >= (1 - 5e-4) * found.upper);
  }
  // It once was said that a thousand of these cost nothing: some record is seen with probability 0.99996.
  const auto seen = privacy_loss(repeated({{sampled(0.01, gaussian(0.12)), 1000}}));
  CHECK(delta(*seen, 0.5).upper >= 0.9999);
  CHECK(epsilon(*seen, 0.02).lower >= 500);
}

TEST_CASE("certified intervals hold the truths of an independent contour integral, and are narrow") {
  struct Known {
    std::vector<Part> parts;
    double delta, epsilon;
  };
  const std::vector<Known> known = {
      {{{sampled(0.01, gaussian(1)), 1000}}, 1e-5, 1.82823666651646},
      {{{sampled(0.01, gaussian(1)), 1000}}, 1e-10, 3.29044375089519},
      {{{sampled(0.01, gaussian(1)), 1000}}, 1e-20, 6.36170020407919},
      {{{sampled(0.01, gaussian(1)), 1000}}, 1e-40, 12.2862282211181},
      {{{sampled(0.01, gaussian(1)), 1000}}, 1e-100, 29.5987115908058},
      {{{sampled(0.01, gaussian(1)), 10000}}, 1e-10, 9.31613852588178},
      {{{sampled(0.001, gaussian(0.8)), 1e5}}, 1e-5, 2.57495930935199},
      // Rare large losses: the characteristic functions stay above a floor.
      {{{sampled(1.024e-5, gaussian(0.1)), 976563}}, 1e-5, 1024.931403868042},
      {{{sampled(0.01, gaussian(0.375)), 1e6}}, 6.3e-82, 8620.496630091530},
      {{{laplace(10), 1000}}, 1e-6, 18.9502873675396},
      {{{gaussian(20), 100}, {laplace(30), 200}, {sampled(0.01, gaussian(1.2)), 500}},
       1e-6,
       3.38780127500903},
      {{{{"approximate", {{"epsilon", 0.1}, {"delta", 1e-9}}, {}, {}, {}}, 50}}, 1e-6, 3.1769223179453418}};
  for (const Known& one : known) {
    const auto loss = privacy_loss(repeated(one.parts));
    const Profile whole(*loss);
    CAPTURE(one.epsilon);
    const Bounds found = whole.epsilon(one.delta);
    CHECK(whole.certainty() == Certainty::certified);
    // The truths are given to 10 digits and more.
    CHECK(found.lower <= one.epsilon * (1 + 1e-10));
    CHECK(found.upper >= one.epsilon * (1 - 1e-10));
    CHECK(found.upper / found.lower - 1 <= 1e-4);
    const Bounds at = whole.delta(one.epsilon);
    CHECK(at.lower <= one.delta * (1 + 1e-9));
    CHECK(at.upper >= one.delta * (1 - 1e-9));
  }
}

TEST_CASE("next to the largest loss of a sum the interval still holds the truth") {
  const auto range = [](double width) {
    return Description{"exponential", {{"epsilon", width}}, {}, {}, {}};
  };
  const auto pure = [](double loss) { return Description{"pure", {{"epsilon", loss}}, {}, {}, {}}; };
  struct Known {
    std::vector<Part> parts;
    double delta, epsilon;
  };
  // Found by the survey of random compositions, tests/reference/compose_survey.py; each was missed once.
  const std::vector<Known> known = {
      {{{laplace(1.23), 11}}, 1e-20, 8.943089430894309},
      {{{pure(0.1), 5}, {pure(0.03), 7}}, 1e-20, 0.71},
      {{{range(0.94), 33}}, 1e-50, 30.460440989421902},
      {{{range(1), 3}, {laplace(1), 2}}, 1e-20, 4.9999626800152914},
      {{{range(0.30492293635484924), 4}}, 2.21868881166605e-9, 1.1906604516861322},
      {{{pure(1.95), 3}, {pure(1.62), 8}}, 3.9e-14, 18.80999999999976}};
  // All but the largest loss itself: the ends must not cross by a rounding.
  const Bounds top = product({{{"discrete-laplace", {{"scale", 8490}, {"sensitivity", 2}}, {}, {}, {}}, 4},
                              {{"approximate", {{"epsilon", 1.25e-5}, {"delta", 3.4e-102}}, {}, {}, {}}, 115},
                              {range(0.0009409012934340768), 1}})
                         .epsilon(1.5e-98, 1e-4);
  CHECK(top.lower <= top.upper);
  CHECK(top.lower >= 0.00332);
  for (const Known& one : known) {
    CAPTURE(one.epsilon);
    const Bounds found = product(one.parts).epsilon(one.delta, 1e-4);
    CHECK(found.lower <= one.epsilon * (1 + 1e-12));
    CHECK(found.upper >= one.epsilon * (1 - 1e-12));
  }
  const Bounds edge = product({{range(0.94), 33}}).delta(30.3, 1e-4);
  CHECK(edge.upper >= 4.872174900333e-47);
  CHECK(edge.lower <= 4.872174900333e-47);
  const Bounds ranges = product({{range(0.1), 40}}).epsilon(1e-6, 1e-4);
  CHECK(ranges.lower <= 1.558558268 * (1 + 1e-10));
  CHECK(ranges.upper >= 1.558558268 * (1 - 1e-10));
  CHECK(ranges.lower >= (1 - 1e-4) * ranges.upper);
}

TEST_CASE("a loss that is large beside the spread of the sum overflows nothing") {
  const auto bounded = [](const char* kind, double size) {
    const bool noise = std::string(kind) == "laplace";
    return noise ? laplace(1 / size) : Description{kind, {{"epsilon", size}}, {}, {}, {}};
  };
  for (const double size : {0.1, 0.8}) {
    for (const double noise : {2e2, 3e3}) {
      for (const double delta : {1e-39, 1e-200}) {
        CAPTURE(size);
        CAPTURE(noise);
        CAPTURE(delta);
        const auto at = [&](const char* kind) {
          return product({{bounded(kind, size), 1}, {gaussian(noise), 1}}).epsilon(delta, 1e-4);
        };
        const Bounds pure = at("pure"), window = at("exponential"), two_sided = at("laplace");
        for (const Bounds& found : {pure, window, two_sided}) CHECK(found.lower >= (1 - 1e-3) * found.upper);
        CHECK(pure.lower >= (1 - 1e-9) * pure.upper);
        // delta(epsilon) of two point masses and a Gaussian, each in closed form.
        const auto exact = privacy_loss(gaussian(noise));
        const double top = 1 / (1 + std::exp(-size));
        const auto truth = [&](double epsilon) {
          return top * exact->profile()->delta(epsilon - size).lower +
                 (1 - top) * exact->profile()->delta(epsilon + size).lower;
        };
        CHECK(truth(pure.upper * (1 + 1e-12)) <= delta * (1 + 1e-9));
        CHECK(truth(pure.lower * (1 - 1e-12)) >= delta * (1 - 1e-9));
        // The point masses are the worst of both others.
        CHECK(window.lower <= pure.upper);
        CHECK(two_sided.lower <= pure.upper);
      }
    }
  }
}

TEST_CASE("an outcome that one side never shows is a finite loss of the sample") {
  // Five releases, every combination of their outcomes enumerated: 1 - q = 1/2 of a failure goes unnoticed.
  const Description failing{"approximate", {{"epsilon", 1}, {"delta", 0.3}}, {}, {}, {}};
  const auto loss = privacy_loss(repeated({{sampled(0.5, failing), 5}}));
  const std::pair<double, double> known[] = {{0, 0.661976218639}, {0.3, 0.639703175912}, {1, 0.589586883415}};
  for (const auto& [at, truth] : known) {
    const Bounds found = delta(*loss, at);
    CHECK(found.lower <= truth * (1 + 1e-11));
    CHECK(found.upper >= truth * (1 - 1e-11));
    CHECK(found.lower >= (1 - 1e-4) * found.upper);
  }
  CHECK(std::isinf(loss->renyi(2)));
}

TEST_CASE("the density of a law has the mass that its atoms leave, but for the rounding that it admits") {
  for (const double ratio : {1e-9, 0.3, 7.0, 1e3, 1e6, 1e9, 1e12, 3.573e15}) {
    const Description noises[] = {
        laplace(1 / ratio),
        {"exponential", {{"epsilon", ratio}}, {}, {}, {}},
        {"truncated-laplace", {{"scale", 1 / ratio}, {"sensitivity", 1}, {"bound", 3}}, {}, {}, {}},
        gaussian(1 / std::min(ratio, 30.0))};
    for (const Description& noise : noises)
      for (const Description& kind : {noise, sampled(0.3, noise), sampled(1e-7, noise)}) {
        const bool is_sample = kind.kind == "subsampled";
        if (is_sample && ratio > 10) continue;
        const double far = is_sample ? 2 * ratio : 80;
        const auto loss = privacy_loss(kind);
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const auto law = loss->laws()->law(direction);
          if (!law->has_density()) continue;
          // Where nearly all of it is.
          const bool is_line = std::isinf(law->highest_x());
          const double from = is_line ? -80 : std::max(law->lowest_x(), law->highest_x() - far),
                       to = is_line ? 80 : law->highest_x();
          double mass = 0, atoms = 0;
          integrate(*law, from, to, 0, underflow_exponent, [&](double, double part) { mass += part; });
          for (const Atom& atom : law->atoms()) atoms += atom.mass;
          const double left = 1 - law->infinite_mass() - atoms;
          CAPTURE(kind.kind);
          CAPTURE(noise.kind);
          CAPTURE(ratio);
          const double charged = std::expm1(4 * unit_roundoff * (110 + law->rounding(from, to)));
          CHECK(std::abs(mass - left) <= charged * mass + 1e-12);
        }
      }
  }
}

TEST_CASE(
    "a sample's density has the share of its noise that is drawn, but for the rounding that it admits") {
  for (const char* sampling : {"poisson", "without-replacement"})
    for (const double ratio : {100.0, 1e4, 1e6, 1e9, 1e12, 3.573e15})
      for (const double rate : {1e-3, 0.9}) {
        CAPTURE(sampling);
        CAPTURE(ratio);
        CAPTURE(rate);
        const auto law =
            privacy_loss(sampled(rate, laplace(1 / ratio), sampling))->laws()->law(Direction::remove);
        const double to = law->highest_x(), from = to - 80;
        double mass = 0;
        integrate(*law, from, to, 0, underflow_exponent, [&](double, double part) { mass += part; });
        const double charged = std::expm1(4 * unit_roundoff * (110 + law->rounding(from, to)));
        CHECK(std::abs(mass - rate / 2) <= charged * mass + 1e-12 * rate);
      }
}

TEST_CASE("a composition costs no less than each of its parts, however large a loss is" *
          doctest::test_suite("long")) {
  const Description tiny = {"randomized-response", {{"epsilon", 1e-9}, {"categories", 5}}, {}, {}, {}};
  const Description certain = {"pure", {{"epsilon", 1e6}}, {}, {}, {}};
  const std::vector<Part> asked[] = {
      {{laplace(2.7988030346920296e-16), 1}, {certain, 1}},
      {{laplace(3.9836893401868163e-16), 1}, {tiny, 2}},
      {{{"exponential", {{"epsilon", 7521.5}}, {}, {}, {}}, 1},
       {{"discrete-laplace", {{"scale", 1.67e-8}, {"sensitivity", 439}}, {}, {}, {}}, 2}},
      {{sampled(0.02, certain), 1}, {sampled(0.2, laplace(1.6e10)), 1}, {sampled(0.03, tiny), 1}},
      {{sampled(0.26, {"discrete-laplace", {{"scale", 2.4e16}, {"sensitivity", 1584}}, {}, {}, {}}), 2},
       {certain, 1},
       {laplace(5.4e27), 2}},
      {{sampled(0.018, {"randomized-response", {{"epsilon", 700}, {"categories", 5}}, {}, {}, {}}), 1},
       {{"exponential", {{"epsilon", 8.7e-99}}, {}, {}, {}}, 2},
       {sampled(0.0085, {"randomized-response", {{"epsilon", 4.9e-27}, {"categories", 5}}, {}, {}, {}}),
        178}}};
  for (const std::vector<Part>& parts : asked) {
    const auto loss = privacy_loss(repeated(parts));
    const double largest = loss->largest_loss(), reach = std::isfinite(largest) ? largest : 1e6;
    double before = 1;
    for (const double share : {0.0, 0.9, 1.0}) {
      CAPTURE(share);
      CAPTURE(reach);
      const double epsilon = share * reach;
      const Bounds found = delta(*loss, epsilon);
      CHECK(found.lower <= found.upper);
      CHECK(found.lower <= before);
      before = found.upper;
      for (const Part& part : parts)
        CHECK(found.upper >= delta(*privacy_loss(part.mechanism), epsilon).lower * (1 - 1e-12));
    }
  }
}

TEST_CASE("the general engine agrees with every closed form of a composition") {
  const Composer gaussians({{privacy_loss(gaussian(20))->laws()->law(Direction::remove), 100}});
  for (const double target : {1e-5, 1e-30, 1e-100}) {
    const Bounds general = gaussians.epsilon(target, 1e-4);
    const Bounds exact = epsilon(*privacy_loss(gaussian(2)), target);
    CHECK(general.lower <= exact.upper);
    CHECK(general.upper >= exact.lower);
  }
  const Description response{"pure", {{"epsilon", 0.1}}, {}, {}, {}};
  const Composer responses({{privacy_loss(response)->laws()->law(Direction::remove), 50}});
  const auto closed = privacy_loss(repeated({{response, 50}}));
  for (const double target : {1e-3, 1e-6, 1e-12}) {
    const Bounds general = responses.epsilon(target, 1e-4), exact = epsilon(*closed, target);
    CHECK(general.lower <= exact.upper);
    CHECK(general.upper >= exact.lower);
    CHECK(general.upper / general.lower - 1 <= 1e-4);
  }
}

namespace {

// The same law without what the contour integral needs, so that the transform answers.
class Discretised final : public Law {
 public:
  explicit Discretised(std::shared_ptr<const Law> law) : law_(std::move(law)) {}

  std::vector<Atom> atoms() const override { return law_->atoms(); }
  double infinite_mass() const override { return law_->infinite_mass(); }
  double lowest_x() const override { return law_->lowest_x(); }
  double highest_x() const override { return law_->highest_x(); }
  double loss(double x) const override { return law_->loss(x); }
  double x_at(double loss) const override { return law_->x_at(loss); }
  double slope(double x) const override { return law_->slope(x); }
  double log_density(double x) const override { return law_->log_density(x); }
  double log_slope_bound(double from, double to) const override { return law_->log_slope_bound(from, to); }
  double length_scale() const override { return law_->length_scale(); }
  double log_above(double x) const override { return law_->log_above(x); }
  double log_below(double x) const override { return law_->log_below(x); }

 private:
  std::shared_ptr<const Law> law_;
};

}  // namespace

TEST_CASE("the contour integral and the transform, two ways to the same number, agree on random sums" *
          doctest::test_suite("long")) {
  std::mt19937_64 stream(20261121);
  const auto between = [&stream](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(stream));
  };
  int narrow = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<RepeatedLaw> laws, plain;
    const auto add = [&](const Description& mechanism, double count, Direction direction) {
      const auto law = privacy_loss(mechanism)->laws()->law(direction);
      laws.push_back({law, count});
      plain.push_back({std::make_shared<Discretised>(law), count});
    };
    const Direction direction = i % 2 ? Direction::add : Direction::remove;
    const double rate = between(1e-3, 0.9), count = std::round(between(100, 3e4));
    add(sampled(rate, gaussian(between(0.6, 6))), count, direction);
    if (i % 3 == 1) add(gaussian(between(0.5, 20)), 1, direction);
    if (i % 3 == 2) add(sampled(rate, laplace(between(0.5, 6))), std::round(count / 10), direction);
    if (i % 5 == 1) add(laplace(between(10, 60)), 50, direction);
    if (i % 5 == 2) add({"approximate", {{"epsilon", 0.02}, {"delta", 1e-12}}, {}, {}, {}}, 10, direction);
    const double target = between(1e-60, 0.1);
    CAPTURE(i);
    CAPTURE(rate);
    CAPTURE(count);
    CAPTURE(target);
    const Composer line(laws), transform(plain);
    const Bounds one = line.epsilon(target, 1e-4), other = transform.epsilon(target, 1e-3);
    CHECK(one.lower <= one.upper);
    CHECK(one.lower <= other.upper);
    CHECK(one.upper >= other.lower);
    narrow += one.lower >= (1 - 1e-6) * one.upper;
    if (!(other.upper < 50)) continue;
    const Bounds first = line.delta(other.upper, 1e-4), second = transform.delta(other.upper, 1e-3);
    CHECK(first.lower <= second.upper);
    CHECK(first.upper >= second.lower);
  }
  CHECK(narrow >= 40);
}

TEST_CASE("where the contour integral has no answer, the transform gives it") {
  // Almost everything fails, so that the tilt is next to nothing: no number of nodes would do.
  const auto law = [](const Description& one) { return privacy_loss(one)->laws()->law(Direction::remove); };
  const Composer failing({{law(sampled(0.01, gaussian(1))), 1000},
                          {law({"approximate", {{"epsilon", 0.1}, {"delta", 0.999}}, {}, {}, {}}), 1}});
  CHECK(failing.epsilon(0.9995, 1e-4).upper == 0);
  // Moments beyond the range of doubles: the middle one of these once ended in an exception.
  const Description objective{"objective-perturbation",
                              {{"lambda", 7.2834780056331319},
                               {"lipschitz", 1},
                               {"sigma", 9.7382957833874855},
                               {"smoothness", 1.5338800245617514}},
                              {},
                              {},
                              {}};
  const Description rare =
      sampled(0.0019528592650091586,
              {"discrete-gaussian", {{"sensitivity", 3}, {"sigma", 7.8844732215450071}}, {}, {}, {}});
  const auto both = privacy_loss(repeated({{rare, 4}, {objective, 1}}));
  Bounds before{3, 3};
  for (const double delta : {1e-125, 5.6811864527935653e-126, 1e-126}) {
    const Bounds found = epsilon(*both, delta);
    CHECK(found.lower > before.lower);
    CHECK(found.upper > before.upper);
    before = found;
  }
  CHECK(before.upper < 4);
}

TEST_CASE("the place of a loss is where the law has that loss, however large it is and rarely it occurs") {
  std::vector<Description> all;
  for (const double size : {1e-6, 1e-3, 0.02, 1.0, 1e3}) {
    const Description exponential{"exponential", {{"epsilon", 1 / size}}, {}, {}, {}};
    for (const Description& base : {gaussian(size), laplace(size)}) {
      all.push_back(base);
      for (const double rate : {1e-100, 1e-9, 0.01, 0.999})
        for (const char* sampling : {"poisson", "without-replacement"})
          all.push_back(sampled(rate, base, sampling));
    }
    all.push_back(exponential);
  }
  int asked = 0;
  for (const Description& one : all)
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto law = privacy_loss(one)->laws()->law(direction);
      const double low = std::max(law->lowest_x(), -4000 * law->length_scale());
      const double high = std::min(law->highest_x(), 4000 * law->length_scale());
      for (int i = 0; i <= 1000 && low < high; ++i) {
        const double loss = law->loss(low + (high - low) * (i / 1000.0));
        CAPTURE(one.kind);
        CAPTURE(loss);
        const double found = law->loss(std::clamp(law->x_at(loss), low, high));
        // Towards a bound of the losses a rounding of the loss moves the place far.
        CHECK(std::abs(found - loss) <= 1e-11 * std::abs(loss));
        ++asked;
      }
    }
  CHECK(asked >= 100000);
}

TEST_CASE("absurd compositions get an answer, whose ends do not contradict each other or those of others" *
          doctest::test_suite("long")) {
  struct Answer {
    double rate, sigma, count, delta;
    Bounds epsilon;
  };
  for (const Direction direction : {Direction::remove, Direction::add}) {
    std::vector<Answer> answers;
    for (const double rate : {1e-9, 0.01, 0.5})
      for (const double sigma : {0.02, 1.0, 1e6})
        for (const double count : {1.0, 1000.0, 1e12}) {
          const auto law = privacy_loss(sampled(rate, gaussian(sigma)))->laws()->law(direction);
          const Composer composer({{law, count}});
          for (const double delta : {0.3, 1e-5, 1e-300})
            answers.push_back({rate, sigma, count, delta, composer.epsilon(delta, 1e-3)});
        }
    for (const Answer& less : answers) {
      CAPTURE(less.rate);
      CAPTURE(less.sigma);
      CAPTURE(less.count);
      CAPTURE(less.delta);
      CHECK(less.epsilon.lower >= 0);
      for (const Answer& more : answers) {
        // More and larger samples with less noise cost more, at a smaller delta.
        if (less.rate <= more.rate && less.sigma >= more.sigma && less.count <= more.count &&
            less.delta >= more.delta) {
          CAPTURE(more.rate);
          CAPTURE(more.sigma);
          CAPTURE(more.count);
          CAPTURE(more.delta);
          CHECK(less.epsilon.lower <= more.epsilon.upper);
        }
      }
    }
  }
}

TEST_CASE("a sum whose place no bound finds has no window, here and in WebAssembly") {
  struct Case {
    double sigma, rate, sampled_sigma, count, delta;
  };
  for (const Case& one :
       {Case{2874.441378189009, 0.0194452041795194, 0.001073951305174206, 79119538, 7.4e-12},
        Case{27708.577193682111, 0.038043176992558499, 0.00287398657719540, 270252344, 5.6e-79},
        Case{3582.304513004688, 0.42418742598323389, 0.00667899174483346, 7172502, 2.7e-77}}) {
    const Description beside = sampled(one.rate, gaussian(one.sampled_sigma));
    const auto answer = [&](double count) {
      return epsilon(*privacy_loss(repeated({{gaussian(one.sigma), 2}, {beside, count}})), one.delta);
    };
    const Bounds found = answer(one.count), half = answer(std::floor(one.count / 2));
    CAPTURE(one.count);
    CHECK(found.lower > 0);
    CHECK(found.lower <= found.upper);
    CHECK(found.upper < 10 * found.lower);
    CHECK(half.lower <= found.upper);
  }
}

TEST_CASE("delta of an absurd composition does not contradict itself, nor grow with epsilon" *
          doctest::test_suite("long")) {
  for (const Description& one :
       {sampled(1e-9, gaussian(0.02)), sampled(0.01, gaussian(0.02)), sampled(0.5, gaussian(1)),
        sampled(1e-9, laplace(1e-3)), sampled(0.5, laplace(1)), laplace(0.01), gaussian(1e3)})
    for (const double count : {1000.0, 1e13})
      for (const Direction direction : {Direction::remove, Direction::add}) {
        CAPTURE(one.kind);
        CAPTURE(count);
        const Composer composer({{privacy_loss(one)->laws()->law(direction), count}});
        double below = 1;
        for (const double epsilon : {0.0, 1e3, 1e10, 1e18}) {
          CAPTURE(epsilon);
          const Bounds found = composer.delta(epsilon, 1e-3);
          CHECK(found.lower <= found.upper);
          CHECK(found.lower <= below);
          below = std::min(below, found.upper);
        }
      }
}

TEST_CASE("atoms on a common lattice are composed on it, however many releases there are") {
  // Against the closed form of repeated responses, where it exists.
  const Description pure{"pure", {{"epsilon", 0.0095}}, {}, {}, {}};
  for (const double count : {1e4, 9e5}) {
    const auto part = privacy_loss(pure);
    const Composer composer({{part->laws()->law(Direction::remove), count}});
    const auto whole = privacy_loss(repeated({{pure, count}}));
    for (const double epsilon : {1.0, 5.0, 30.0, 45.0}) {
      CAPTURE(count);
      CAPTURE(epsilon);
      const Bounds found = composer.delta(epsilon, 1e-4);
      CHECK(found.lower >= (1 - 2e-5) * found.upper - 1e-300);
      if (const KnownProfile* known = whole->profile()) {
        const Bounds truth = known->delta(epsilon);
        CHECK(found.lower <= truth.upper);
        CHECK(found.upper >= truth.lower);
      }
    }
  }
}

TEST_CASE("hundreds of different laws lie between as many of the least and of the most private one" *
          doctest::test_suite("long")) {
  for (const bool sampling : {false, true}) {
    const auto law = [&](double scale) {
      return sampling ? sampled(0.01, gaussian(scale / 50)) : laplace(scale);
    };
    std::vector<Part> parts, most, least;
    for (int i = 0; i < 300; ++i) parts.push_back({law(100 + i / 100.0), 1});
    // A few at a time are as many of the least or of the most private one among them.
    const int few = sampling ? 100 : 20;
    for (int i = 0; i < 300; i += few) {
      most.push_back({law(100 + i / 100.0), 1.0 * few});
      least.push_back({law(100 + (i + few - 1) / 100.0), 1.0 * few});
    }
    const auto priced = [](const std::vector<Part>& all) {
      return epsilon(*privacy_loss(repeated(all)), 1e-6);
    };
    const Bounds found = priced(parts), above = priced(most), below = priced(least);
    CAPTURE(sampling);
    CHECK(found.upper >= below.lower);
    CHECK(found.lower <= above.upper);
    CHECK(found.upper <= above.upper * (1 + 1e-4));
    // Nearly all of a Laplace loss is two atoms, here on 300 different lattices, and the step of so many
    // transforms is coarse: the lower end is up to .4 % low.
    CHECK(found.lower >= below.lower * (1 - (sampling ? 1e-4 : 4e-3)));
  }
}

TEST_CASE("laws that differ by next to nothing cost together what as many of one law do" *
          doctest::test_suite("long")) {
  // Each is a law of its own; what 1e-10 of a rate or scale can change is far below the asked width.
  const auto nearly = [](int i) { return 1 + 1e-10 * i; };
  const auto discrete = [](const char* kind, const char* noise, double size, double sensitivity) {
    return one(kind, {{noise, size}, {"sensitivity", sensitivity}});
  };
  const std::function<Description(int)> kinds[] = {
      [&](int i) { return sampled(0.01 * nearly(i), gaussian(1)); },
      [&](int i) { return sampled(0.002, laplace(0.7 * nearly(i))); },
      [&](int i) { return gaussian(30 * nearly(i)); },
      [&](int i) { return laplace(20 * nearly(i)); },
      [&](int i) { return discrete("discrete-gaussian", "sigma", 12.3 * nearly(i), 1); },
      [&](int i) { return discrete("discrete-gaussian", "sigma", 3.2 * nearly(i), 1); },
      [&](int i) { return discrete("discrete-gaussian", "sigma", 1.7 * nearly(i), 2); },
      [&](int i) { return discrete("discrete-gaussian", "sigma", 800 * nearly(i), 30); },
      [&](int i) { return discrete("discrete-laplace", "scale", 15 * nearly(i), 1); },
      [&](int i) { return discrete("discrete-laplace", "scale", 40 * nearly(i), 7); },
      [&](int i) {
        return one("pure", {{"epsilon", 0.04 * nearly(i)}});
      },
      [&](int i) {
        return one("approximate", {{"epsilon", 0.1 * nearly(i)}, {"delta", 1e-20}});
      },
      [&](int i) {
        return one("randomized-response", {{"categories", 9}, {"epsilon", 0.3 * nearly(i)}});
      },
  };
  constexpr std::size_t coarse_lattices = 6;
  int answers = 0;
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind)
    for (const int count : {5, 40, 200}) {
      std::vector<Part> parts;
      for (int i = 0; i < count; ++i) parts.push_back({kinds[kind](i), 1});
      const auto apart = privacy_loss(repeated(parts));
      const auto same = privacy_loss(repeated({{kinds[kind](0), 1.0 * count}}));
      for (const double delta : {1e-3, 1e-6, 1e-12}) {
        CAPTURE(kind);
        CAPTURE(count);
        CAPTURE(delta);
        const Bounds found = epsilon(*apart, delta), truth = epsilon(*same, delta);
        CHECK(found.lower <= truth.upper * (1 + 1e-7));
        CHECK(found.upper >= truth.lower * (1 - 1e-7));
        // Different lattices so coarse that much returns at their periods are left to a transform.
        const double width = kind == coarse_lattices ? 0.02 : 1e-4;
        CHECK(found.upper - found.lower <= width * found.upper);
        ++answers;
      }
    }
  CHECK(answers == 117);
}

TEST_CASE("equal mechanisms that are listed apart are one that runs more often") {
  std::vector<Part> listed(50, Part{laplace(10), 2});
  const Bounds apart = epsilon(*privacy_loss(repeated(listed)), 1e-6);
  const Bounds together = epsilon(*privacy_loss(repeated({{laplace(10), 100}})), 1e-6);
  CHECK(apart.lower == together.lower);
  CHECK(apart.upper == together.upper);
}

TEST_CASE("many Gaussians reach as far as all of them together, whatever is beside them") {
  // Where one Gaussian alone would have nothing left, a hundred have much.
  const auto alone = privacy_loss(repeated({{gaussian(1), 100}}));
  const auto law = [](const Description& one) { return privacy_loss(one)->laws()->law(Direction::remove); };
  const Composer both({{law(gaussian(1)), 100}, {law(laplace(50)), 1}});
  for (const double level : {20.0, 39.0, 45.0, 60.0, 100.0, 200.0, 350.0}) {
    CAPTURE(level);
    const Bounds least = delta(*alone, level), found = both.delta(level, 1e-4);
    CHECK(least.lower > 0);
    CHECK(found.upper >= least.lower);
    // One loss of at most 1 / 50 more.
    CHECK(found.lower <= delta(*alone, level - 0.02).upper);
  }
}

TEST_CASE("what hardly loses anything may be left out, and the interval holds the truth and is narrow" *
          doctest::test_suite("long")) {
  // Of symmetric pairs: both directions are one, at losses below zero too.
  for (const Description& kind : {gaussian(2), laplace(1)}) {
    const auto alone = privacy_loss(kind);
    for (const double tiny : {1e-5, 1e-6, 1e-9}) {
      for (const double count : {1.0, 3.0}) {
        CAPTURE(kind.kind);
        CAPTURE(tiny);
        CAPTURE(count);
        const Description whole = repeated({{kind, 1}, {{"pure", {{"epsilon", tiny}}, {}, {}, {}}, count}});
        // So many of the tiny losses are positive, each with this probability.
        const double likely = 1 / (1 + std::exp(-tiny)), rare = 1 - likely;
        const auto truth = [&](double level) {
          Bounds sum{0, 0};
          for (int k = 0; k <= count; ++k) {
            const double ways = (k == 0 || k == count) ? 1 : count;
            const double share = ways * std::pow(likely, k) * std::pow(rare, count - k);
            const Bounds rest = delta(*alone, level - (2 * k - count) * tiny);
            sum = {sum.lower + share * rest.lower, sum.upper + share * rest.upper};
          }
          return Bounds{sum.lower * (1 - 1e-12), sum.upper * (1 + 1e-12) + 1e-320};
        };
        const auto loss = privacy_loss(whole);
        for (const double level : {0.0, tiny / 2, tiny, 2.5 * tiny, 4 * tiny, 1e-3, 0.1, 0.9, 1.0,
                                   1 + tiny / 2, 1 + 2.5 * tiny, 3.0}) {
          CAPTURE(level);
          const Bounds found = Profile(*loss).delta(level), right = truth(level);
          CHECK(found.lower <= right.upper);
          CHECK(found.upper >= right.lower);
          // Next to the largest loss it falls to nothing within one of these losses.
          if (std::abs(level - 1) > 4 * tiny) CHECK(found.upper - found.lower <= 1e-4 * found.upper);
        }
        for (const double level : {0.01, 1e-5, 1e-20, 1e-100}) {
          CAPTURE(level);
          const Bounds found = Profile(*loss).epsilon(level);
          CHECK(truth(found.upper).lower <= level);
          if (found.lower > 0) CHECK(truth(found.lower).upper >= level * (1 - 1e-9));
          CHECK(found.upper - found.lower <= 1e-4 * found.upper);
        }
      }
    }
  }
}

TEST_CASE("a small loss that nearly always occurs counts in full although it is left out") {
  const auto law = [](const Description& one) { return privacy_loss(one)->laws()->law(Direction::add); };
  const auto rest = privacy_loss(gaussian(2));
  for (const double rate : {1e-5, 1e-6, 1e-8}) {
    // Whoever is added to a sample that hardly anybody is in: this is lost but for 1e-20 of all.
    const double lost = -std::log1p(-rate);
    const Composer both({{law(gaussian(2)), 1}, {law(sampled(rate, gaussian(0.05))), 1}});
    CAPTURE(rate);
    for (const double level : {0.0, lost / 2, 2 * lost, 1e-3, 0.5, 2.0, 6.0}) {
      CAPTURE(level);
      const Bounds found = both.delta(level, 1e-4), right = delta(*rest, level - lost);
      CHECK(found.lower <= right.upper);
      CHECK(found.upper >= right.lower);
      CHECK(found.upper - found.lower <= 1e-4 * found.upper);
    }
    for (const double level : {0.1, 1e-5, 1e-18}) {
      CAPTURE(level);
      const Bounds found = both.epsilon(level, 1e-4), right = epsilon(*rest, level);
      CHECK(found.lower <= (right.upper + lost) * (1 + 1e-15));
      CHECK(found.upper >= right.lower + lost * (1 - 1e-9));
    }
  }
}

TEST_CASE("a few samples beside coins are narrow, and what a quadrature of one sample's law says" *
          doctest::test_suite("long")) {
  // E (1 - e^{level - L})_+ by Simpson's rule, from where the loss is above the level: within 5e-8 of what
  // sixteen times as many places give, of all that is asked here.
  const auto lost = [](const Law& law, double level) {
    double sum = 0;
    for (const Atom& atom : law.atoms()) sum += atom.mass * std::max(0.0, -std::expm1(level - atom.loss));
    const double from = std::max(law.x_at(level), std::max(law.lowest_x(), -14.0));
    const double to = std::min(law.highest_x(), 40.0);
    constexpr int halves = 4000;
    for (int i = 0; from < to && i <= halves; ++i) {
      const double x = from + (to - from) * i / halves;
      const double weight = (i == 0 || i == halves) ? 1 : i % 2 ? 4 : 2;
      const double value = std::exp(law.log_density(x)) * std::max(0.0, -std::expm1(level - law.loss(x)));
      sum += weight * (to - from) / (3 * halves) * value;
    }
    return sum;
  };
  for (const Description& kind : {sampled(0.3, gaussian(0.6)), sampled(0.02, gaussian(1)),
                                  sampled(1e-3, gaussian(2)), sampled(0.05, laplace(0.7))}) {
    for (const double coin : {0.03, 0.4}) {
      for (const int count : {1, 12}) {
        const auto one = privacy_loss(kind)->laws()->law(Direction::remove);
        const auto coins =
            privacy_loss({"pure", {{"epsilon", coin}}, {}, {}, {}})->laws()->law(Direction::remove);
        const Composer both({{one, 1}, {coins, static_cast<double>(count)}});
        const double likely = 1 / (1 + std::exp(-coin));
        const auto truth = [&](double level) {
          double sum = 0, share = std::pow(1 - likely, count);
          for (int k = 0; k <= count; ++k) {
            sum += share * lost(*one, level - (2 * k - count) * coin);
            share *= (count - k) / (k + 1.0) * likely / (1 - likely);
          }
          return sum;
        };
        CAPTURE(kind.parts[0].mechanism.kind);
        CAPTURE(coin);
        CAPTURE(count);
        for (const double level : {0.0, 0.01, 0.2, 1.0, 2.5, 5.0}) {
          CAPTURE(level);
          const double right = truth(level);
          if (right < 1e-9) continue;
          for (const double gap : {1e-2, 1e-4}) {
            both.forget();
            const Bounds found = both.delta(level, gap);
            CHECK(found.lower <= right * (1 + 1e-6));
            CHECK(found.upper >= right * (1 - 1e-6));
            // Where more would take long, a thousandth is enough.
            CHECK(found.upper - found.lower <= std::max(gap, 1e-3) * found.upper);
          }
          const Bounds back = both.epsilon(right, 1e-4);
          CHECK(back.lower <= level * (1 + 1e-6) + 1e-7);
          CHECK(back.upper >= level * (1 - 1e-6) - 1e-7);
          if (level > 0) CHECK(back.upper - back.lower <= 1e-3 * back.upper);
        }
      }
    }
  }
}

TEST_CASE("samples beside other releases are as narrow as asked, in whatever way that is cheapest") {
  // Knots alone told the first to a quarter of a thousandth, and the second to a hundredth.
  const std::vector<std::pair<double, std::vector<Part>>> asked = {
      {1.5, {{sampled(0.0214, gaussian(1)), 20}, {laplace(1), 1}}},
      {7.7,
       {{sampled(0.0004, gaussian(8.283)), 88},
        {sampled(0.003, gaussian(1.129)), 1},
        {sampled(0.0007, gaussian(3.327)), 6}}},
      {0.034, {{sampled(0.0049, laplace(8.064)), 207}, {laplace(1.375), 1}}},
  };
  for (const auto& one : asked) {
    const double level = one.first;
    CAPTURE(level);
    const auto loss = privacy_loss(repeated(one.second));
    const Bounds found = Profile(*loss).delta(level), coarse = Profile(*loss, 1e-2).delta(level);
    CHECK(found.upper - found.lower <= 1e-4 * found.upper);
    CHECK(found.lower <= coarse.upper);
    CHECK(coarse.lower <= found.upper);
  }
}

TEST_CASE("a little Gaussian noise widens no interval, nor where only its tail is left") {
  // The largest loss of the added record is 29 log(1 + 1 / 30.7) = 0.93: beyond, this direction is the tail.
  const Description mixing{"gaussian-mixing", {{"gamma", 31.7}, {"sketchSize", 58}}, {}, {}, {}};
  const double mu = 1.5e-5;
  const Description finish{"gaussian", {{"sensitivity", mu}, {"sigma", 1}}, {}, {}, {}};
  const Description both{"composition", {}, {}, {}, {{mixing, 1}, {finish, 1}}};
  const auto alone = privacy_loss(mixing), together = privacy_loss(both);
  const Profile profile(*together);
  for (const double epsilon : {0.5, 0.95, 1.0, 2.0, 5.0, 20.0, -1.0}) {
    CAPTURE(epsilon);
    const Bounds found = profile.delta(epsilon);
    // No wider than a ten thousandth of delta, and of epsilon, is.
    const double slope =
        delta(*alone, epsilon).lower - delta(*alone, epsilon + 1e-4 * std::abs(epsilon)).upper;
    CHECK(found.lower >= (1 - 1e-4) * found.upper - slope);
    // More than the mixing alone; no more than it at an epsilon that is less by what the finish can take.
    CHECK(found.upper >= delta(*alone, epsilon).lower);
    CHECK(found.lower <= delta(*alone, epsilon - 40 * mu).upper + 1e-300);
  }
}

TEST_CASE("a law whose noise is tiny is not looked at where it has no mass, and loses none") {
  for (const double rate : {1e-3, 0.5, 0.999}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double mu = 1 / 0.0003;
      const auto law = privacy_loss(sampled(rate, gaussian(0.0003)))->laws()->law(direction);
      double nodes = 0, mass = 0;
      const double left_out = integrate(*law, -mu - 40, 40, 0, -120, [&](double, double weight) {
        ++nodes;
        mass += weight;
      });
      CAPTURE(rate);
      // Everywhere it would be eighty million.
      CHECK(nodes < 4e6);
      CHECK(std::abs(mass - 1) < 1e-8);
      CHECK(left_out < 1e-45);
    }
  }
}

TEST_CASE("between the losses of one and of two samples with tiny noise, both must be in the sample") {
  const double rate = 1e-3, sigma = 0.0003;
  const Bounds found = product({{sampled(rate, gaussian(sigma)), 2}}).delta(0.75 / (sigma * sigma), 1e-4);
  CHECK(found.lower <= rate * rate * (1 + 1e-12));
  CHECK(found.upper >= rate * rate * (1 - 1e-12));
  CHECK(found.lower >= (1 - 1e-4) * found.upper);
}

TEST_CASE("a law that reaches further than doubles tell its units apart is composed without harm") {
  for (const double scale : {1e-14, 1e-17, 1e-20, 1e-80}) {
    const Bounds found = product({{laplace(scale), 2}}).delta(1e5, 1e-4);
    CHECK(found.lower <= found.upper);
    CHECK(found.upper > 0.99);
  }
}

TEST_CASE(
    "beside a part that tells nearly everything others add no more than they cost, and an answer is close") {
  const double gap = 1e-5;
  const Description failing{"approximate", {{"epsilon", 0}, {"delta", 4e-20}}, {}, {}, {}};
  const std::pair<Description, double> others[] = {
      {laplace(1), 1}, {sampled(0.1, gaussian(2)), 0.5}, {failing, 0}};
  // On both sides of where one part's own answer is taken.
  for (const double sigma : {1e-3, 2.5e-5, 2e-5, 1e-6, 1e-7, 1e-9})
    for (const auto& pair : others) {
      const double most = pair.second;
      CAPTURE(sigma);
      CAPTURE(pair.first.kind);
      const auto alone = privacy_loss(gaussian(sigma));
      const auto all = privacy_loss(repeated({{gaussian(sigma), 1}, {pair.first, 1}}));
      const Profile profile(*all, gap);
      for (const double delta : {1e-12, 1e-6, 0.3}) {
        CAPTURE(delta);
        const Bounds one = Profile(*alone).epsilon(delta), found = profile.epsilon(delta);
        CHECK(found.lower <= (one.upper + most) * (1 + 1e-6));
        CHECK(found.upper >= one.lower * (1 - 1e-12));
        CHECK(found.upper - found.lower <= gap * found.upper);
      }
      const Bounds found = profile.delta(1);
      CHECK(found.lower >= Profile(*alone).delta(1).lower * (1 - 1e-12));
      CHECK(found.upper <= 1);
    }
  // Two of them are no part with nearly all of the loss.
  const auto twice = privacy_loss(repeated({{gaussian(1e-6), 1}, {gaussian(2e-6), 1}, {laplace(1), 1}}));
  const auto both = privacy_loss({"gdp", {{"mu", 1e6 * std::sqrt(1.25)}}, {}, {}, {}});
  const Bounds found = Profile(*twice, gap).epsilon(1e-6), truth = Profile(*both).epsilon(1e-6);
  CHECK(found.lower <= truth.upper + 1);
  CHECK(found.upper >= truth.lower);
}

}  // namespace epsilometer::compose_test
