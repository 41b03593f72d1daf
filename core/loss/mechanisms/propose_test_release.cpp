// A release whose guarantee holds for some tables only, after a private test of whether the table at hand is
// one of them. The guarantee, as the profile of what is inside, is meant for this table as the one that made
// the output, against all its neighbours. With an (e', d')-private test that lets a table without it pass
// with probability f at most,
//   accept or reject: delta(e' + e) <= d' + max(delta_inside(e), f) for every e >= 0,
//   a released statistic, by which what is inside is chosen: d' + f + delta_inside(e).
// Dwork and Lei 2009, Proposition 4; generalised by Redberg, Zhu and Wang 2023 (Generalized PTR), Theorem 4,
// where the sum stands for both: a table without the guarantee has nothing else to lose where it only passes.
// The test may be any: below e' it counts as binary randomized response (Kairouz, Oh and Viswanath 2015). No
// Renyi divergence is stated: that of order a grows by p (p/q)^(a-1), with which bad tables pass, and f does
// not bound that.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/response_loss.h"
#include "core/numerics/constants.h"

namespace epsilometer::mechanisms {
namespace {

/// The test.
struct Test {
  double epsilon, delta;
  /// The probability with which it is wrong about a table without the guarantee.
  double failure;
  /// Whether it tells more than whether the table passed.
  bool releases;
};

class TestedCurve final : public ProfileCurve {
 public:
  TestedCurve(const ProfileCurve& inner, const Test& test)
      : inner_(inner), test_(test), response_(test.epsilon, 2, test.delta) {}

  Bounds delta(double epsilon) const override {
    // What the test leaves, rounded down.
    const DoubleDouble left = two_sum(epsilon, -test_.epsilon);
    const double rest = std::max(0.0, left.lo < 0 ? std::nextafter(left.hi, 0.0) : left.hi);
    const double inside = inner_.delta(rest).upper,
                 test = response_.delta(std::min(epsilon, test_.epsilon)).upper;
    const double passed = test_.releases ? sum(inside, test_.failure) : std::max(inside, test_.failure);
    // A test that every table passes changes nothing.
    const double lower = inner_.delta(epsilon).lower;
    return {lower, std::max(lower, std::min(1.0, sum(test, passed)))};
  }

  Bounds epsilon(double delta) const override {
    const double lower = inner_.epsilon(delta).lower;
    const double wrong = test_.delta + (test_.releases ? test_.failure : 0);
    // Where nothing is taken off, nothing is rounded.
    const double left = wrong == 0 ? delta : delta - rounded_up(wrong) - 2 * unit_roundoff * delta;
    if (left < 0 || (!test_.releases && left < test_.failure)) return {lower, infinite};
    const double inside = inner_.epsilon(left < 1e-300 ? 0 : left).upper;
    return {lower, std::max(lower, rounded_up(test_.epsilon + inside))};
  }

 private:
  // Rounded up, but for a sum with nothing.
  static double sum(double one, double other) {
    return one == 0 || other == 0 ? one + other : rounded_up(one + other);
  }

  const ProfileCurve& inner_;
  Test test_;
  ResponseLoss response_;
};

class TestedLoss final : public Knowing<AroundProfile, ClassBound> {
 public:
  TestedLoss(std::shared_ptr<const PrivacyLoss> inner, const Test& test)
      : inner_(std::move(inner)), test_(test) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return inner_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& inner) const override {
    return std::make_unique<TestedCurve>(inner, test_);
  }
  // A test that is never wrong is pure, as what it allows may be.
  double largest_loss() const override {
    if (test_.delta > 0 || test_.failure > 0 || inner_->infinite_mass() > 0) return infinite;
    return rounded_up(test_.epsilon + inner_->largest_loss());
  }
  bool reaches_largest_loss() const override { return false; }
  double renyi(double) const override { return largest_loss(); }
  bool symmetric() const override { return inner_->symmetric(); }
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    return composing_near(inner_, tilt);
  }

 private:
  std::shared_ptr<const PrivacyLoss> inner_;
  Test test_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> propose_test_release(const Description& description) {
  const std::string& test = description.text("test");
  if (test != "accept-reject" && test != "released") {
    throw Refusal("unknown", "test", test, "must be accept-reject or released");
  }
  const Test known{description.number("testEpsilon", 0, 1e100), description.number("testDelta", 0, 1),
                   description.number("failure", 0, 1), test == "released"};
  return std::make_shared<TestedLoss>(inner_loss(description.parts.at(0).mechanism, "of."), known);
}

}  // namespace epsilometer::mechanisms
