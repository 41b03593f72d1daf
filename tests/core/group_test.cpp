// What a group loses, against mechanisms whose groups are known in closed form.
#include "core/accounting/group.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"

using namespace epsilometer;

namespace {

constexpr double gap = 1e-4;

std::shared_ptr<const PrivacyLoss> shifted(double mu) {
  return privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
}

std::shared_ptr<const PrivacyLoss> laplace(double ratio) {
  return privacy_loss({"laplace", {{"scale", 1}, {"sensitivity", ratio}}, {}, {}, {}});
}

// The same profile, without the closed form for groups of Gaussians.
class Disguised final : public PrivacyLoss {
 public:
  explicit Disguised(double mu) : gaussian_(shifted(mu)) {}
  std::optional<Bounds> delta(double epsilon) const override { return gaussian_->delta(epsilon); }
  double renyi(double order) const override { return gaussian_->renyi(order); }

 private:
  std::shared_ptr<const PrivacyLoss> gaussian_;
};

void check_holds(Bounds found, Bounds truth, double width) {
  CHECK(found.lower <= truth.upper * (1 + 1e-14));
  CHECK(found.upper >= truth.lower * (1 - 1e-14));
  CHECK(found.upper <= found.lower * (1 + width) + 1e-12);
}

}  // namespace

TEST_CASE("the group of a log-concave noise is the noise at that many times the sensitivity") {
  // The best tests of a shift are half-lines, so chained curves are the curve of the whole shift.
  for (const double size : {2.0, 3.0, 7.0}) {
    CAPTURE(size);
    Group gaussians(std::make_shared<Disguised>(0.3), size, gap), laplaces(laplace(0.3), size, gap);
    const auto whole = shifted(0.3 * size), far = laplace(0.3 * size);
    for (const double epsilon : {-1.0, 0.0, 0.2, 0.5, 1.0, 1.9}) {
      CAPTURE(epsilon);
      check_holds(gaussians.delta(epsilon), *whole->delta(epsilon), 1e-3);
      check_holds(laplaces.delta(epsilon), *far->delta(epsilon), 1e-3);
    }
    for (const double delta : {0.1, 1e-3, 1e-8, 1e-40}) {
      CAPTURE(delta);
      check_holds(gaussians.epsilon(delta), epsilon(*whole, delta), 1e-3);
      check_holds(laplaces.epsilon(delta), epsilon(*far, delta), 1e-3);
    }
    for (const double x : {1e-20, 1e-3, 0.1, 0.5, 0.9}) {
      CAPTURE(x);
      check_holds(gaussians.power(x), *whole->power(x), 1e-3);
      check_holds(laplaces.power(x), *far->power(x), 1e-3);
    }
  }
}

TEST_CASE("a Gaussian's group is exact") {
  Group group(shifted(0.5), 1000, gap);
  CHECK(group.certainty() == Certainty::exact);
  check_holds(group.delta(3), *shifted(500)->delta(3), 1e-12);
}

TEST_CASE("a group never costs more than the textbook says, and not less than one") {
  // Dwork and Roth 2014, Theorem 2.2 for approximate losses.
  const auto loss = privacy_loss({"approximate", {{"epsilon", 0.5}, {"delta", 1e-8}}, {}, {}, {}});
  for (const double size : {2.0, 5.0}) {
    Group group(loss, size, gap);
    const Bounds found = group.delta(0.5 * size);
    CHECK(found.upper <= 1e-8 * std::expm1(0.5 * size) / std::expm1(0.5) * (1 + 1e-10));
    CHECK(found.lower >= 1e-8);
    CHECK(group.epsilon(1e-9).lower == std::numeric_limits<double>::infinity());
    CHECK(group.epsilon(1e-6).upper <= 0.5 * size * (1 + 1e-10));
    CHECK(group.epsilon(0.3).upper < group.epsilon(1e-6).lower);
  }
}

TEST_CASE("a group of a composition brackets, and grows with its size") {
  const Description one{"subsampled",
                        {{"rate", 0.02}},
                        {},
                        {{"sampling", "poisson"}},
                        {{{"gaussian", {{"sigma", 1.5}, {"sensitivity", 1}}, {}, {}, {}}, 1}}};
  const auto loss = privacy_loss({"composition", {}, {}, {}, {{one, 100}}});
  double before = 0;
  for (const double size : {1.0, 2.0, 4.0}) {
    Group group(loss, size, gap);
    const Bounds found = group.epsilon(1e-6);
    CHECK(found.lower <= found.upper);
    CHECK(found.upper <= 1.01 * found.lower);
    CHECK(found.lower > before);
    before = found.upper;
  }
}

TEST_CASE("a group is a whole number of records") {
  for (const double size : {0.0, -1.0, 1.5, 1001.0, std::nan("")}) {
    CHECK_THROWS_AS(Group(shifted(1), size, gap), Refusal);
  }
}
