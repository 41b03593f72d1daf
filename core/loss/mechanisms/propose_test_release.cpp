// A release whose guarantee holds for some tables only, after a private test of whether the table at hand is
// one of them. The guarantee, as the profile of what is inside, is meant for this table as the one that made
// the output, against all its neighbours. With an (e', d')-private test that lets a table without it pass
// with probability f at most,
//   accept or reject: delta(e' + e) <= d' + max(delta_inside(e), f) for every e >= 0,
//   a released statistic, by which what is inside is chosen: d' + f + delta_inside(e).
// Dwork and Lei 2009, Proposition 4; generalised by Redberg, Zhu and Wang 2023 (Generalized PTR), Theorem 4,
// where the sum stands for both: a table without the guarantee has nothing else to lose where it only passes.
// The test may be any: below e' it counts as binary randomized response (Kairouz, Oh and Viswanath 2015). Of
// a table without the guarantee nothing else is known, or that the mechanism keeps rho-zCDP on every table.
// Then there are Renyi divergences, if d' = 0: with p and q the probabilities of passing on this table and on
// its neighbour, e^((a-1) D_a) is (1-p)^a (1-q)^(1-a) + p^a q^(1-a) e^((a-1) D), where D is the divergence of
// what is inside, or, if p <= f, rho a. Both terms are convex in (p, q), so that the most is at a corner of
// what an e'-private test allows.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/response_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"

namespace epsilometer::mechanisms {
namespace {

/// The test.
struct Test {
  double epsilon, delta;
  /// The probability with which it is wrong about a table without the guarantee.
  double failure;
  /// Whether it tells more than whether the table passed.
  bool releases;
  /// What the mechanism keeps on every table: its divergence of order a is rho a at most. Infinite where
  /// nothing is known.
  double rho;
};

/// What may be seen: with which probability, by which logarithm of its ratio to that of the other table, and
/// what the mechanism adds there to the logarithm of the moment.
struct Seen {
  double probability, ratio, inside;
};

/// The logarithm of the sum of probability ratio^power e^inside, rounded up.
double log_moment(double power, const std::vector<Seen>& all) {
  double highest = -infinite, size = 1, sum = 0;
  const auto exponent = [&](const Seen& one) {
    return std::log(one.probability) + power * one.ratio + one.inside;
  };
  for (const Seen& one : all) {
    if (one.probability == 0) continue;
    highest = std::max(highest, exponent(one));
    size = std::max(size, std::abs(std::log(one.probability)) + power * std::abs(one.ratio) + one.inside);
  }
  for (const Seen& one : all)
    if (one.probability > 0) sum += std::exp(exponent(one) - highest);
  return highest + std::log(sum) + 16 * unit_roundoff * size;
}

/// The largest divergence of a tested release where that of the mechanism is `good` on a table with the
/// guarantee, and `bad`, no less, on one without.
double tested_renyi(const Test& test, double order, double good, double bad) {
  const double e = test.epsilon, power = order - 1, above = power * good, worst = power * bad;
  if (std::isinf(good) || (test.failure > 0 && std::isinf(bad))) return infinite;
  // Simpler, and hardly more.
  if (e > 700) return rounded_up(e + (test.failure > 0 ? bad : good));
  // The answers of randomized response.
  const double likely = 1 / (1 + std::exp(-e)), rare = 1 / (1 + std::exp(e)), f = test.failure;
  double most = 0;
  const auto corner = [&](const std::vector<Seen>& seen) { most = std::max(most, log_moment(power, seen)); };
  if (test.releases) {
    // Each ratio is at an end of its range, and tables without the guarantee are missed where that counts
    // most.
    const double up = std::min(f, likely), down = std::min(f - up, rare);
    corner({{up, e, worst}, {likely - up, e, above}, {down, -e, worst}, {rare - down, -e, above}});
    return rounded_up(most / power);
  }
  // With the guarantee any share may pass; without it f at most, which both tables share as unevenly as they
  // may, in either order.
  corner({{1, 0, above}});
  corner({{likely, e, above}, {rare, -e, 0}});
  if (f > rare) corner({{rare, -e, worst}, {likely, e, 0}});
  if (f > likely) {
    corner({{likely, e, worst}, {rare, -e, 0}});
    const double other = rounded_down(1 - rounded_up((1 - f) * std::exp(e)));
    corner({{f, other > 0 ? std::min(e, std::log(f / other)) : e, worst}, {1 - f, -e, 0}});
  } else if (f > 0) {
    corner({{f, e, worst}, {1 - f, std::log1p(-f) - std::log1p(-f * std::exp(-e)), 0}});
  }
  if (f > rare) {
    corner({{f, std::log(f) - std::log1p((f - 1) * std::exp(-e)), worst}, {1 - f, e, 0}});
  } else if (f > 0) {
    const double other = 1 - rounded_up(f * std::exp(e));
    corner({{f, -e, worst}, {1 - f, other > 0 ? std::min(e, std::log((1 - f) / other)) : e, 0}});
  }
  return rounded_up(most / power);
}

class TestedCurve final : public ProfileCurve {
 public:
  /// `is_member`: whether some mechanism of the description costs what is inside.
  TestedCurve(const ProfileCurve& inner, const Test& test, bool is_member)
      : inner_(inner), test_(test), is_member_(is_member), response_(test.epsilon, 2, test.delta) {}

  double delta_upper(double epsilon) const override {
    const double rest = std::max(0.0, less(epsilon, test_.epsilon));
    const double inside = inner_.delta_upper(rest),
                 test = response_.delta(std::min(epsilon, test_.epsilon)).upper;
    const double passed = test_.releases ? sum(inside, test_.failure) : std::max(inside, test_.failure);
    return std::min(1.0, sum(test, passed));
  }

  Bounds delta(double epsilon) const override {
    // A test that every table passes changes nothing.
    const double lower = is_member_ ? inner_.delta(epsilon).lower : 0;
    return {lower, std::max(lower, delta_upper(epsilon))};
  }

  Bounds epsilon(double delta) const override {
    const double lower = is_member_ ? inner_.epsilon(delta).lower : 0;
    const double without_test = less(delta, test_.delta);
    const double left = test_.releases ? less(without_test, test_.failure) : without_test;
    if (left < 0 || (!test_.releases && left < test_.failure)) return {lower, infinite};
    const double inside = inner_.epsilon(left < 1e-300 ? 0 : left).upper;
    double upper = rounded_up(test_.epsilon + inside);
    // Below that the profile of the test itself falls to what is left.
    if (inside == 0 && test_.epsilon > 0)
      upper = std::min(upper, crossing([this](double e) { return delta_upper(e); }, delta, upper).above);
    return {lower, std::max(lower, upper)};
  }

 private:
  // A double where that is one; otherwise the next one on the side where nothing is understated.
  static double sum(double one, double other) { return upward(two_sum(one, other)); }
  static double less(double from, double what) {
    const DoubleDouble left = two_sum(from, -what);
    return left.lo < 0 ? std::nextafter(left.hi, -infinite) : left.hi;
  }

  const ProfileCurve& inner_;
  Test test_;
  bool is_member_;
  ResponseLoss response_;
};

class TestedLoss final : public Knowing<AroundProfile, ClassBound> {
 public:
  TestedLoss(std::shared_ptr<const PrivacyLoss> inner, const Test& test)
      : inner_(std::move(inner)), test_(test) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return inner_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& inner) const override {
    return std::make_unique<TestedCurve>(inner, test_, is_member());
  }
  // A test that is never wrong is pure, as what it allows may be.
  double largest_loss() const override {
    if (test_.delta > 0 || test_.failure > 0 || inner_->infinite_mass() > 0) return infinite;
    return rounded_up(test_.epsilon + inner_->largest_loss());
  }
  bool reaches_largest_loss() const override { return false; }
  double renyi(double order) const override {
    const double largest = largest_loss();
    if (test_.delta > 0) return largest;
    const double bad = rounded_up(test_.rho * order), good = std::min(inner_->renyi(order), bad);
    return std::min(largest, tested_renyi(test_, order, good, bad));
  }
  double largest_order() const override { return inner_->largest_order(); }
  std::vector<double> stated_orders() const override { return inner_->stated_orders(); }
  bool symmetric() const override { return inner_->symmetric(); }
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    return is_member() ? composing_near(inner_, tilt) : nullptr;
  }

 private:
  // What is inside costs no more on this table than is known of every table.
  bool is_member() const {
    const auto rho = inner_->concentrated();
    return std::isinf(test_.rho) || (rho && *rho <= test_.rho);
  }

  std::shared_ptr<const PrivacyLoss> inner_;
  Test test_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> propose_test_release(const Description& description) {
  const std::string& test = description.text("test");
  if (test != "accept-reject" && test != "released") {
    throw Refusal("unknown", "test", test, "must be accept-reject or released");
  }
  const auto told = description.texts.find("otherwise");
  const bool keeps = told != description.texts.end() && told->second == "zcdp";
  if (!keeps && told != description.texts.end() && told->second != "unknown") {
    throw Refusal("unknown", "otherwise", told->second, "must be unknown or zcdp");
  }
  const Test known{description.number("testEpsilon", 0, 1e100), description.number("testDelta", 0, 1),
                   description.number("failure", 0, 1), test == "released",
                   keeps ? description.number("otherwiseRho", 0, 1e100) : infinite};
  return std::make_shared<TestedLoss>(inner_loss(description.parts.at(0).mechanism, "of."), known);
}

}  // namespace epsilometer::mechanisms
