// Attacks on releases: what the best test between two neighbouring tables finds in 200 000 runs each must be
// what the stated profile allows, and the same attack must catch noise that is a fifth too small.
#include <doctest/doctest.h>

#include <cmath>

#include "core/noise/noise.h"
#include "core/noise/symmetric_matrix.h"
#include "tests/audit/attack.h"

namespace epsilometer::audit_test {

namespace {

/// One coordinate that the record moves by `radius` steps; the noise is multiplied by `share`.
template <class Noise>
Run sum_of_one(TestRng& rng, const Noise& noise, std::int64_t radius, double share) {
  return [&rng, noise, radius, share](bool with_record) {
    IntegerSum sum(1);
    if (with_record) sum.add(std::vector<std::int64_t>{radius});
    const double centre = std::ldexp(static_cast<double>(sum.value(0)), noise.exponent);
    return centre + share * (released(rng, sum, noise)[0] - centre);
  };
}

}  // namespace

TEST_CASE("Gaussian noise keeps its profile, and a fifth less does not") {
  TestRng rng(20261203);
  const GaussianNoise noise = GaussianNoise::of(0.8);
  const Truncation truncation(1, Norm::l2, noise.exponent);
  const Description stated = noise.guarantee(static_cast<double>(truncation.radius()), 1);
  const auto threshold = [](double epsilon) { return epsilon * 0.64 + 0.5; };
  CHECK(certain_excess(sum_of_one(rng, noise, truncation.radius(), 1), threshold, stated) <= 0);
  CHECK(certain_excess(sum_of_one(rng, noise, truncation.radius(), 0.8), threshold, stated) > 0.01);
}

TEST_CASE("Laplace noise keeps its profile, and a fifth less does not") {
  TestRng rng(20261204);
  const LaplaceNoise noise = LaplaceNoise::of(0.8);
  const Truncation truncation(1, Norm::l1, noise.exponent);
  const Description stated = noise.guarantee(truncation.radius(), 1);
  // The loss grows from -1/0.8 to 1/0.8 between the centres.
  const auto threshold = [](double epsilon) { return std::min(0.5 + epsilon * 0.4, 1.0); };
  CHECK(certain_excess(sum_of_one(rng, noise, truncation.radius(), 1), threshold, stated) <= 0);
  CHECK(certain_excess(sum_of_one(rng, noise, truncation.radius(), 0.8), threshold, stated) > 0.01);
}

TEST_CASE("several coordinates keep their profile, and a fifth less noise does not") {
  TestRng rng(20261205);
  const GaussianNoise noise = GaussianNoise::of(1);
  const Truncation truncation(1, Norm::l2, noise.exponent);
  std::vector<std::int64_t> record(3);
  truncation.apply(std::vector<double>{2, -1, 2}, record);
  const Description stated = noise.guarantee(static_cast<double>(truncation.radius()), 3);
  for (const double share : {1.0, 0.8}) {
    const Run run = [&](bool with_record) {
      IntegerSum sum(3);
      if (with_record) sum.add(record);
      const auto values = released(rng, sum, noise);
      const double along = (2 * values[0] - values[1] + 2 * values[2]) / 3, centre = with_record;
      return centre + share * (along - centre);
    };
    const double excess = certain_excess(
        run, [](double epsilon) { return epsilon + 0.5; }, stated);
    CAPTURE(share);
    CHECK((share == 1 ? excess <= 0 : excess > 0.01));
  }
}

TEST_CASE("a matrix keeps its profile on every kind of record, and broken ones do not") {
  TestRng rng(20261206);
  const OrthogonalNoise noise = OrthogonalNoise::of(0.7, -40);
  OuterProducts outer(1, -20, 2);
  const Description stated = noise.guarantee(outer.contributions().sensitivity(Change::add_or_remove), 2);
  enum class Fault { none, small, even_diagonal };
  for (const auto& x : std::vector<std::vector<double>>{{1, 0}, {std::sqrt(0.5), std::sqrt(0.5)}})
    for (const Fault fault : {Fault::none, Fault::small, Fault::even_diagonal}) {
      const auto product = outer.of(x);
      const Run run = [&](bool with_record) {
        // tr(x x^T M) carries all the evidence.
        const auto statistic = [&x](const std::vector<double>& m) {
          return x[0] * x[0] * m[0] + 2 * x[0] * x[1] * m[1] + x[1] * x[1] * m[2];
        };
        IntegerSum sum(3);
        if (with_record) sum.add(product);
        std::vector<double> values = released(rng, sum, noise);
        for (std::size_t place = 0; place < 3; ++place) {
          const double centre = std::ldexp(static_cast<double>(sum.value(place)), noise.exponent);
          const bool diagonal = place != 1;
          const double share = fault == Fault::small                       ? 0.8
                               : fault == Fault::even_diagonal && diagonal ? std::sqrt(0.5)
                                                                           : 1;
          values[place] = centre + share * (values[place] - centre);
        }
        return statistic(values);
      };
      // The statistic is N(0 or 1, 2 sigma^2).
      const double excess = certain_excess(
          run, [](double epsilon) { return epsilon * 2 * 0.49 + 0.5; }, stated);
      CAPTURE(x[1]);
      CAPTURE(static_cast<int>(fault));
      CHECK((fault == Fault::none ? excess <= 0 : excess > 0.01));
    }
}

TEST_CASE("the trap of the other normalisation is caught") {
  // Pricing |D|_F / sqrt(2) against noise whose off-diagonal variance is sigma^2 / 2.
  TestRng rng(20261207);
  const OrthogonalNoise noise = OrthogonalNoise::of(0.7 / std::sqrt(2.0), -40);
  const Description claimed = OrthogonalNoise::of(0.7, -40).guarantee(0x1p40, 1);
  const Run run = [&](bool with_record) {
    IntegerSum sum(1);
    if (with_record) sum.add(std::vector<std::int64_t>{std::int64_t{1} << 40});
    return released(rng, sum, noise)[0];
  };
  CHECK(certain_excess(
            run, [](double epsilon) { return epsilon * 2 * 0.49 + 0.5; }, claimed) > 0.01);
}

}  // namespace epsilometer::audit_test
