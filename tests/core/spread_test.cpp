// What is said of the distance of coefficients, and of the price of several rows.
#include "core/noise/spread.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/accounting/group.h"
#include "core/numerics/student.h"
#include "core/release/price.h"
#include "tests/core/descriptions.h"

namespace epsilometer::spread_test {

TEST_CASE("quantiles of Student's law") {
  // mpmath, 16 digits: the t with an incomplete beta function of 0.95.
  const std::vector<std::pair<double, double>> known = {
      {1, 12.706204736174705},   {2, 4.302652729749464},    {3, 3.1824463052837095},
      {4, 2.7764451051977943},   {7, 2.3646242515927853},   {34, 2.032244509317719},
      {35, 2.0301079282503434},  {100, 1.9839715185235522}, {1001, 1.96233670528088},
      {1e5, 1.9599877075346097}, {1e8, 1.959963984540054},  {HUGE_VAL, 1.959963984540054},
  };
  double before = HUGE_VAL;
  for (const auto& [freedom, truth] : known) {
    const double found = student_within(0.95, freedom);
    CHECK(std::abs(found / truth - 1) < 1e-11);
    CHECK(found <= before);
    CHECK(student_within(0.99, freedom) > found);
    before = found;
  }
}

TEST_CASE("what sampling did is told in its own deviations") {
  const Spread spread{Spread::Law::exact, {1}, 7, 4};
  CHECK(std::abs(spread.deviations() / 2.3646242515927853 - 1) < 1e-11);
  CHECK(std::abs(*spread.sampling_deviations() / (2 * 1.959963984540054) - 1) < 1e-14);
  CHECK(!Spread{Spread::Law::exact, {1}}.sampling_deviations());
}

TEST_CASE("a price is for all rows of whoever is protected, and tells no more than was promised") {
  const Description noise = one("gaussian", {{"sigma", 4}, {"sensitivity", 1}});
  const Description many = repeated(sampled("poisson", 0.01, noise), 10);
  for (const Description& run : {noise, many, one("zcdp", {{"rho", 0.01}})}) {
    CAPTURE(run.kind);
    const auto loss = privacy_loss(run);
    for (const double rows : {1.0, 3.0}) {
      CAPTURE(rows);
      GroupPrivacy group(loss, rows, 1e-7);
      const Bounds truth = group.epsilon(1e-6);
      const Price told = price(run, {{}, 1e-6, rows});
      CHECK(told.epsilon.lower == truth.lower);
      CHECK(told.epsilon.upper == truth.upper);
      CHECK(told.certainty == group.certainty());
      // More than it costs is promised, and less: what is promised is told only where it is kept.
      const double generous = truth.upper * 1.5, mean = truth.lower * 0.9;
      const Price less = price(run, {mean, 1e-6, rows});
      const bool known = rows == 1 || GroupPrivacy(loss, 1, 1e-7).certainty() == Certainty::exact;
      if (known) {
        CHECK(price(run, {generous, 1e-6, rows}).epsilon.upper == truth.upper);
        CHECK(less.epsilon.upper == truth.upper);
        // Between both ends, where it is certified to be kept.
        const double between = truth.upper * (1 - 1e-15);
        const Price at = price(run, {between, 1e-6, rows});
        CHECK(at.epsilon.upper >= truth.lower);
        CHECK((at.epsilon.upper == truth.upper || group.delta(between).upper <= 1e-6));
      } else {
        // Kept by the noise that was found for it, which nobody asks again.
        CHECK(price(run, {generous, 1e-6, rows}).epsilon.upper == generous);
        CHECK(price(run, {generous, 1e-6, rows}).certainty == Certainty::bound);
      }
    }
  }
}

}  // namespace epsilometer::spread_test
