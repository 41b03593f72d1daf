// Sums of few large losses among many tiny ones: the laws on uneven knots enclose what they stand for, and no
// interval is useless.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/accounting/composition/compose.h"
#include "core/accounting/composition/uneven_sum.h"
#include "core/accounting/profile.h"
#include "core/loss/laws/gaussian_law.h"
#include "core/numerics/normal.h"
#include "tests/core/descriptions.h"

namespace epsilometer::uneven_test {

namespace {

Description gaussian(double sigma) {
  return {"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}};
}
Description sampled(double rate, double sigma) {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {{gaussian(sigma), 1}}};
}
TiltedPart whole(const std::shared_ptr<const Law>& law, double count, double from, double to) {
  return {law, count, law->loss(from), law->loss(to), from, to, 0};
}

}  // namespace

TEST_CASE("an uneven sum of Gaussians holds the Gaussian that it is, for every count and number of cells") {
  std::mt19937_64 stream(20261122);
  std::uniform_real_distribution<double> uniform(0, 1);
  int compared = 0;
  double widest = 0;
  for (const double count : {1.0, 2.0, 3.0, 5.0, 8.0, 100.0, 1023.0}) {
    for (int i = 0; i < 6; ++i) {
      const double mu = std::exp(4 * uniform(stream) - 3) / std::sqrt(count);
      const std::size_t cells = i < 3 ? 24 : 96;
      const auto law = std::make_shared<GaussianLaw>(mu);
      const auto exact = privacy_loss(gaussian(1 / (mu * std::sqrt(count))));
      const double middle = count * mu * mu / 2 + 3 * mu * std::sqrt(count);
      const auto sum = UnevenSum::of({whole(law, count, -9, 9)}, {middle, middle, -10, cells, nullptr});
      REQUIRE(sum);
      for (int j = 0; j < 12; ++j) {
        const double epsilon = middle * 2 * uniform(stream);
        const Bounds truth = exact->profile()->delta(epsilon);
        CAPTURE(count);
        CAPTURE(mu);
        CAPTURE(epsilon);
        CHECK(sum->lower(epsilon) <= truth.upper);
        CHECK(sum->upper(epsilon) >= truth.lower);
        ++compared;
      }
      if (i >= 3) widest = std::max(widest, sum->upper(middle) / sum->lower(middle));
    }
  }
  CHECK(compared == 7 * 6 * 12);
  // Enclosing everything would be no art.
  CHECK(widest < 1.5);
}

TEST_CASE("an uneven law of one sampled release holds its profile in both directions") {
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const double rate = std::pow(10, -8 * uniform(stream)), sigma = 0.1 * std::pow(100, uniform(stream));
    const auto loss = privacy_loss(sampled(rate, sigma));
    std::vector<UnevenSum> sums;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto law = loss->laws()->law(direction);
      const double aim = std::log1p(rate * std::expm1(3 * uniform(stream) / sigma));
      const auto sum = UnevenSum::of({whole(law, 1, -12, 12 + 1 / sigma)}, {aim, aim, -40, 48, nullptr});
      REQUIRE(sum);
      sums.push_back(*sum);
    }
    for (int j = 0; j < 10; ++j) {
      const double epsilon = std::log1p(rate * std::expm1(6 * uniform(stream) / sigma));
      const Bounds truth = loss->profile()->delta(epsilon);
      CAPTURE(rate);
      CAPTURE(sigma);
      CAPTURE(epsilon);
      const double lower = std::max(sums[0].lower(epsilon), sums[1].lower(epsilon));
      const double upper = std::max(sums[0].upper(epsilon), sums[1].upper(epsilon));
      CHECK(lower <= truth.upper * (1 + 1e-12));
      CHECK(upper >= truth.lower * (1 - 1e-12));
      ++compared;
    }
  }
  CHECK(compared == 600);
}

TEST_CASE("two skewed releases cost what a quadrature in 40 digits says") {
  struct Known {
    double rate, sigma, epsilon, delta;
  };
  const Known known[] = {{1e-6, 1, 5.28813e-5, 1.00000356819401111e-10},
                         {0.00317, 1.83, 0.83254, 9.9999279496389983e-31},
                         {0.00317, 1.83, 0.832487549, 1.00184466041671293e-30}};
  for (const Known& one : known) {
    CAPTURE(one.epsilon);
    const auto law = privacy_loss(sampled(one.rate, one.sigma))->laws()->law(Direction::remove);
    const Bounds found = Composer({{law, 2}}).delta(one.epsilon, 1e-4);
    CHECK(found.lower <= one.delta * (1 + 1e-13));
    CHECK(found.upper >= one.delta * (1 - 1e-13));
    CHECK(found.lower >= (1 - 1e-4) * found.upper);
  }
}

TEST_CASE("few skewed releases are known as narrowly as many are" * doctest::test_suite("long")) {
  for (const double sigma : {0.5, 0.8, 2.0, 5.0}) {
    for (const double rate : {1e-3, 0.01, 0.1}) {
      for (const double count : {2.0, 10.0, 100.0, 1000.0}) {
        CAPTURE(sigma);
        CAPTURE(rate);
        CAPTURE(count);
        const auto loss = privacy_loss({"composition", {}, {}, {}, {{sampled(rate, sigma), count}}});
        const Profile profile(*loss, 1e-4), finer(*loss, 3e-6);
        const Bounds found = profile.epsilon(1e-6), closer = finer.epsilon(1e-6);
        CHECK(found.lower >= (1 - 1e-4) * found.upper);
        CHECK(closer.lower <= found.upper);
        CHECK(closer.upper >= found.lower);
        // The same from the other side.
        CHECK(profile.delta(found.upper).lower <= 1e-6);
        if (found.lower > 0) CHECK(profile.delta(found.lower).upper >= 1e-6);
      }
    }
  }
}

TEST_CASE("at epsilon 0 a sum of sampled Gaussians is aimed at as well") {
  for (const double sigma : {0.7, 1.0, 3.0}) {
    CAPTURE(sigma);
    const auto law = privacy_loss(sampled(1e-3, sigma))->laws()->law(Direction::remove);
    const Bounds found = Composer({{law, 3}}).delta(0, 1e-4);
    CHECK(found.lower > 0);
    CHECK(found.lower >= (1 - 2e-3) * found.upper);
  }
}

TEST_CASE("rare losses beside others are neither lost nor drowned" * doctest::test_suite("long")) {
  const Description rare = sampled(1e-6, 1);
  const Description others[] = {
      sampled(1e-5, 2),
      {"pure", {{"epsilon", 1e-5}}, {}, {}, {}},
      {"approximate", {{"epsilon", 3e-5}, {"delta", 1e-12}}, {}, {}, {}},
      {"randomized-response", {{"epsilon", 2e-5}, {"categories", 4}}, {}, {}, {}},
  };
  for (const Description& other : others) {
    CAPTURE(other.kind);
    const auto alone = privacy_loss(repeated(rare, 2)), beside = privacy_loss(other);
    const auto both = privacy_loss({"composition", {}, {}, {}, {{rare, 2}, {other, 1}}});
    const Bounds found = epsilon(*both, 1e-10);
    CHECK(found.upper >= epsilon(*alone, 1e-10).lower);
    // The budgets of the parts add up.
    CHECK(found.lower <= epsilon(*alone, 0.98e-10).upper + epsilon(*beside, 0.019e-10).upper);
    CHECK(found.lower >= (1 - 5e-3) * found.upper);
    const Bounds back = delta(*both, found.upper);
    CHECK(back.lower <= 1e-10);
    CHECK(back.upper >= 1e-10 * (1 - 1e-2));
    CHECK(back.lower >= (1 - 0.02) * back.upper);
  }
}

TEST_CASE("the rarer a sample, the smaller epsilon in proportion, and no interval widens") {
  // With x = e^l - 1 below 2, losses log(1 + q x) are q x to 1e-6, and P is Q to 2e-6: delta / q depends on
  // epsilon / q alone, but for as much.
  for (const double count : {2.0, 10.0}) {
    for (const double scaled : {1e-30, 1.5e-115}) {
      const auto at = [&](double rate) {
        const auto law = privacy_loss(sampled(rate, 30))->laws()->law(Direction::remove);
        return Composer({{law, count}}).epsilon(scaled * rate, 1e-4);
      };
      const Bounds likelier = at(1e-6);
      for (const double rate : {1e-8, 2e-9, 1e-10}) {
        CAPTURE(count);
        CAPTURE(scaled);
        CAPTURE(rate);
        const Bounds found = at(rate);
        CHECK(found.lower >= (1 - 1e-3) * found.upper);
        CHECK(found.lower / rate <= likelier.upper / 1e-6 * (1 + 1e-5));
        CHECK(found.upper / rate >= likelier.lower / 1e-6 * (1 - 1e-5));
      }
    }
  }
}

TEST_CASE("a largest loss that is a point mass widens no interval, however small delta is" *
          doctest::test_suite("long")) {
  const auto law = [](const Description& one) { return privacy_loss(one)->laws()->law(Direction::remove); };
  const auto rare = law(sampled(0.00363, 4.59));
  const auto sampled_laplace = [&](double rate, double scale) {
    const Description base{"laplace", {{"scale", scale}, {"sensitivity", 1}}, {}, {}, {}};
    return law({"subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {{base, 1}}});
  };
  // Of the last two, the place of the largest loss is rounded down.
  const std::shared_ptr<const Law> others[] = {
      law({"pure", {{"epsilon", 2e-4}}, {}, {}, {}}),
      law({"approximate", {{"epsilon", 3e-4}, {"delta", 1e-255}}, {}, {}, {}}),
      law({"randomized-response", {{"epsilon", 1e-3}, {"categories", 40}}, {}, {}, {}}),
      law({"subsampled",
           {{"rate", 1e-3}},
           {},
           {{"sampling", "poisson"}},
           {{{"pure", {{"epsilon", 0.1}}, {}, {}, {}}, 1}}}),
      law({"laplace", {{"scale", 1000}, {"sensitivity", 1}}, {}, {}, {}}),
      sampled_laplace(0.22532420364565395, 1.1837586346593507),
      sampled_laplace(0.0021324953285132894, 16.65923583108909)};
  const Composer alone({{rare, 2}});
  for (const auto& other : others) {
    const std::vector<Atom> atoms = other->atoms();
    double most = 0;
    for (const Atom& atom : atoms) most = std::max(most, atom.loss * (1 + 1e-12));
    CAPTURE(most);
    const Composer both({{rare, 2}, {other, 1}});
    for (const double delta : {1e-20, 1e-250}) {
      CAPTURE(delta);
      const Bounds found = both.epsilon(delta, 1e-4), less = alone.epsilon(delta, 1e-4);
      CHECK(found.lower >= (1 - 1e-3) * found.upper);
      CHECK(found.upper >= less.lower);
      CHECK(found.lower <= less.upper + most + (other->infinite_mass() > 0 ? 1e-4 * less.upper : 0));
      if (other->has_density()) continue;
      // delta of the sum is the mean of delta at what each atom leaves.
      Bounds at_upper{other->infinite_mass(), 0}, at_lower{0, other->infinite_mass()};
      for (const Atom& atom : atoms) {
        at_upper.lower += atom.mass * alone.delta(found.upper - atom.loss, 1e-4).lower;
        at_lower.upper += atom.mass * alone.delta(found.lower - atom.loss, 1e-4).upper;
      }
      CHECK(at_upper.lower <= delta * (1 + 1e-12));
      CHECK(at_lower.upper >= delta * (1 - 1e-12));
    }
  }
  // Largest losses whose sum is rounded, up and down.
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    const auto pure = [&](double loss) { return law({"pure", {{"epsilon", loss}}, {}, {}, {}}); };
    const Composer sum({{pure(1e-4 * (7.3 + i)), 1}, {pure(1e-4 * (1.1 + 0.3 * i)), 1}, {rare, 2}});
    const Bounds found = sum.epsilon(1e-250, 1e-4);
    CHECK(found.lower >= (1 - 1e-3) * found.upper);
  }
}

TEST_CASE("no interval of sampled Gaussians is useless, however rare, skewed or many they are" *
          doctest::test_suite("long")) {
  struct Asked {
    double rate, sigma, count, delta;
  };
  std::vector<Asked> all = {{1.024e-5, 0.1, 976563, 1e-5}, {1e-6, 1, 2, 1e-10},
                            {0.00317, 1.83, 2, 1e-30},     {0.31, 0.18, 1e6, 1.87e-11},
                            {0.01, 0.375, 1e6, 6.29e-82},  {4.77e-7, 0.753, 10, 4.46e-58},
                            {0.0139, 6.33, 4, 2.26e-200}};
  std::mt19937_64 stream(20261124);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double counts[] = {2, 3, 4, 5, 10, 100, 1e4};
  for (int i = 0; i < 14; ++i)
    all.push_back({std::pow(10, -8 * uniform(stream)), 0.1 * std::pow(100, uniform(stream)), counts[i % 7],
                   0.01 * std::pow(1e-60, uniform(stream))});
  int narrow = 0;
  for (const Asked& one : all) {
    CAPTURE(one.rate);
    CAPTURE(one.sigma);
    CAPTURE(one.count);
    CAPTURE(one.delta);
    const auto loss = privacy_loss(repeated(sampled(one.rate, one.sigma), one.count));
    const Profile profile(*loss);
    const Bounds found = profile.epsilon(one.delta);
    CHECK(found.lower <= found.upper);
    CHECK(found.lower >= (1 - 0.01) * found.upper);
    if (found.lower >= (1 - 1e-3) * found.upper) ++narrow;
    // The same question from the other side.
    if (found.upper > 0) CHECK(profile.delta(found.upper).lower <= one.delta * (1 + 1e-9));
    if (found.lower > 0) CHECK(profile.delta(found.lower).upper >= one.delta * (1 - 1e-9));
  }
  CHECK(narrow >= static_cast<int>(all.size()) - 1);
}

}  // namespace epsilometer::uneven_test
