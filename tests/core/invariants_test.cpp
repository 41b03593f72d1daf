// What holds for every loss, whatever it is: tried on every description of the reference tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/accounting/calibrate.h"
#include "core/accounting/closed_form.h"
#include "core/accounting/compare.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "tests/core/tables.h"

namespace epsilometer::invariants_test {

namespace {

template <class Check>
void for_every_loss(const Check& check) {
  std::string before;
  for (const Question& question : tables()) {
    const std::string text = question.text.substr(question.text.find("description"));
    const std::string about = text.substr(0, text.rfind("},\""));
    if (about == before) continue;
    before = about;
    CAPTURE(question.text);
    check(*privacy_loss(question.description));
  }
}

std::vector<double> levels(const PrivacyLoss& loss) {
  std::vector<double> result{0, 1e-9, 1e-3, 0.1, 0.5, 1, 2.5, 7, 20, 90, 400, 1000};
  const double largest = loss.largest_loss();
  if (std::isfinite(largest)) {
    for (const double share : {0.1, 0.5, 0.999999, 1.0, 1.5}) result.push_back(share * largest);
    result.push_back(std::nextafter(largest, 0.0));
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

TEST_CASE("a profile is a probability that falls with epsilon" * doctest::test_suite("long")) {
  for_every_loss([](const PrivacyLoss& loss) {
    double lowest_upper = 1;
    for (const double level : levels(loss)) {
      CAPTURE(level);
      const Bounds bounds = delta(loss, level);
      CHECK(bounds.lower >= 0);
      CHECK(bounds.lower <= bounds.upper);
      CHECK(bounds.upper <= 1);
      // Falling, up to the width of the interval itself.
      CHECK(bounds.lower <= lowest_upper);
      lowest_upper = std::min(lowest_upper, bounds.upper);
    }
  });
}

TEST_CASE("a profile is convex in e^epsilon") {
  for_every_loss([](const PrivacyLoss& loss) {
    for (const double level : {0.01, 0.3, 1.0, 3.0}) {
      const double left = level / 2, right = 1.5 * level;
      const double share = std::expm1(level - left) / std::expm1(right - left);
      const double chord = (1 - share) * delta(loss, left).upper + share * delta(loss, right).upper;
      CHECK(delta(loss, level).lower <= chord * (1 + 1e-12) + 1e-300);
    }
  });
}

TEST_CASE("epsilon inverts delta on the safe side" * doctest::test_suite("long")) {
  int closed = 0, composed = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    // Delta and epsilon of a composition, or around another profile, are certified each by itself: all that
    // is known is that both hold the truth.
    if (!loss.profile() && (!loss.parts().empty() || loss.around_profile())) {
      const Profile profile(loss);
      const Bounds found = profile.epsilon(1e-3);
      if (std::isinf(found.upper)) return;
      ++composed;
      CHECK(found.lower <= found.upper);
      CHECK(profile.delta(found.upper).lower <= 1e-3);
      if (found.lower > 0) CHECK(profile.delta(found.lower).upper >= 1e-3);
      if (!loss.around_profile()) return;
      // Nothing is left to pay where delta(0) is allowed.
      for (const double target : {1e-3, 0.2, 0.9, 1.0})
        if (profile.delta(0).upper <= target) CHECK(profile.epsilon(target).upper == 0);
      return;
    }
    ++closed;
    for (const double target : {1e-300, 1e-60, 1e-9, 1e-3, 0.2, 0.9}) {
      CAPTURE(target);
      const Bounds found = epsilon(loss, target);
      CHECK(found.lower <= found.upper);
      if (std::isinf(found.upper)) {
        CHECK(loss.infinite_mass() > target);
        continue;
      }
      CHECK(delta(loss, found.upper).upper <= target);
      if (found.lower > 0) CHECK(delta(loss, found.lower).lower > target);
    }
  });
  CHECK(closed >= 130);
  CHECK(composed >= 22);
}

TEST_CASE("at a delta of almost 1 no end of a closed form is called exact that doubles cannot tell") {
  int wide = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    const Profile profile(loss);
    for (const double target : {1e-6, 0.5, 1 - 1e-9, 1 - unit_roundoff}) {
      const Bounds found = profile.epsilon(target);
      const Certainty certainty = certainty_of(found, profile.certainty());
      CHECK(certainty >= profile.certainty());
      const bool is_close = std::isfinite(found.upper) && found.upper - found.lower <= 1e-9 * found.upper;
      if (found.lower == found.upper || is_close) {
        CHECK(certainty == profile.certainty());
      } else {
        CHECK(certainty != Certainty::exact);
        wide += profile.certainty() == Certainty::exact;
      }
    }
  });
  CHECK(wide > 0);
}

TEST_CASE("negative levels obey the symmetry of an exact pair without infinite losses") {
  int asked = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    if (!(Profile(loss).certainty() == Certainty::exact) || loss.infinite_mass() > 0) return;
    ++asked;
    for (const double level : {0.01, 0.7, 3.0, 30.0}) {
      // Two intervals around the same truth must meet; the mirroring itself loses at most 20u.
      const Bounds direct = delta(loss, -level), other = delta(loss, level);
      const auto mirrored = [&](double value) { return -std::expm1(-level) + std::exp(-level) * value; };
      CHECK(direct.lower <= mirrored(other.upper) * (1 + 20 * unit_roundoff));
      CHECK(direct.upper >= mirrored(other.lower) * (1 - 20 * unit_roundoff));
    }
  });
  CHECK(asked >= 85);
}

TEST_CASE("power grows with the false-positive rate, and every profile point bounds it" *
          doctest::test_suite("long")) {
  for_every_loss([](const PrivacyLoss& loss) {
    std::vector<std::pair<double, double>> profile;
    for (const double level : {0.0, 0.5, 3.0})
      profile.emplace_back(std::exp(level), delta(loss, level).upper);
    double before = 0;
    for (const double x : {0.0, 1e-300, 1e-40, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0}) {
      CAPTURE(x);
      const Bounds bounds = power(loss, x);
      CHECK(bounds.lower >= before * (1 - 1e-11));
      CHECK(bounds.upper >= x * (1 - 1e-12));
      CHECK(bounds.upper <= 1);
      before = bounds.lower;
      // P(E) <= e^epsilon Q(E) + delta.
      for (const auto& [factor, delta] : profile) CHECK(bounds.lower <= (factor * x + delta) * (1 + 1e-12));
    }
  });
}

TEST_CASE("Renyi divergence grows with the order and its conversion never beats the exact profile" *
          doctest::test_suite("long")) {
  int converted = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    double before = 0;
    for (const double order : {1.000001, 1.01, 1.7, 2.0, 3.3, 8.0, 64.0, 1e3, 1e5, 1e8, 1e12, 1e30}) {
      CAPTURE(order);
      const double divergence = loss.renyi(order);
      CHECK(divergence >= before * (1 - 1e-9));
      CHECK(divergence <= (loss.infinite_mass() > 0 ? HUGE_VAL : loss.largest_loss() * (1 + 1e-12)));
      before = divergence;
    }
    if (!(Profile(loss).certainty() == Certainty::exact) || std::isinf(loss.renyi(2))) return;
    ++converted;
    for (const double level : {0.0, 0.1, 1.0, 5.0})
      CHECK(renyi_curve_delta(loss, level) >= delta(loss, level).lower);
  });
  CHECK(converted >= 82);
}

TEST_CASE("a concentrated bound holds at every order") {
  int concentrated = 0, gaussian = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    const auto rho = loss.concentrated();
    if (!rho) return;
    ++concentrated;
    for (const double order : {1.001, 1.5, 2.0, 7.0, 100.0, 1e5}) {
      // renyi() is rounded up, rho * order is the truth's bound.
      CHECK(loss.renyi(order) <= *rho * order * (1 + 1e-9));
      // Of Gaussian noise it is the divergence itself.
      if (loss.gaussian()) CHECK(loss.renyi(order) >= *rho * order * (1 - 1e-14) - 1e-300);
    }
    gaussian += loss.gaussian().has_value();
  });
  CHECK(concentrated >= 78);
  CHECK(gaussian >= 21);
}

TEST_CASE("the textbook breaks its promise at epsilon = 10 and keeps it at 1") {
  Description gaussian{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}};
  const Parameter sigma{"sigma", 1e-100, 1e100, false, true};
  const auto textbook = [&](double level) { return compare(gaussian, sigma, {level, 1e-5}).back(); };
  CHECK(textbook(10).accountant == "textbook");
  CHECK(textbook(10).broken);
  CHECK(std::abs(textbook(10).actual.upper - 10.39) < 0.005);
  CHECK(std::abs(*textbook(10).value - 0.4845) < 0.0001);
  CHECK(!textbook(1).broken);
  CHECK(std::abs(textbook(1).actual.upper - 0.751) < 0.0005);
}

TEST_CASE("only the textbook can break a promise") {
  for (const Question& question : tables()) {
    if (question.ask != "epsilon" || question.at <= 0 || question.at >= 1) continue;
    CAPTURE(question.text);
    for (const Comparison& row : compare(question.description, question.at)) {
      if (row.accountant != "textbook") CHECK(!row.broken);
    }
  }
}

TEST_CASE("a delta that is positive is never said to be nothing") {
  int unbounded = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    if (!std::isinf(loss.largest_loss()) || !loss.profile()) return;
    ++unbounded;
    for (const double level : {1e3, 1e6, 1e12, 1e100, 1e300}) {
      CAPTURE(level);
      CHECK(delta(loss, level).upper > 0);
    }
  });
  CHECK(unbounded > 40);
}

TEST_CASE("the laws of both directions are each other's, weighed by the loss") {
  int asked = 0, atoms = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    // A supremum over pairs may have another pair in each direction.
    if (!loss.laws() || (loss.profile() && !loss.profile()->is_tight())) return;
    const auto removing = loss.laws()->law(Direction::remove), adding = loss.laws()->law(Direction::add);
    for (const double level : {-5.0, -1.0, -0.3, -0.1, -0.01, 1e-3, 0.02, 0.15, 0.6, 2.0, 7.0, 30.0}) {
      const double x = removing->x_at(level), there = removing->loss(x), y = adding->x_at(-there);
      const auto inside = [](const Law& law, double place) {
        return law.lowest_x() < place && place < law.highest_x();
      };
      if (!inside(*removing, x) || !inside(*adding, y)) continue;
      // Places are found by inversion, and densities are entire: nearby losses have nearby densities.
      const double off = std::abs(adding->loss(y) + there) + std::abs(there - level);
      if (!(off < 1e-9)) continue;
      CAPTURE(level);
      const double left = removing->log_density(x) - std::log(removing->slope(x)) - there;
      const double right = adding->log_density(y) - std::log(adding->slope(y));
      if (left < -600) continue;
      ++asked;
      CHECK(std::abs(left - right) <= 1e-6 * (1 + std::abs(left)));
    }
    const auto there = removing->atoms(), here = adding->atoms();
    const double error = removing->atom_error() + adding->atom_error();
    double mass = 0, weighed = 0;
    for (const Atom& atom : there)
      if (std::abs(atom.loss) < 600) weighed += atom.mass * std::exp(-atom.loss);
    for (const Atom& atom : here)
      if (std::abs(atom.loss) < 600) mass += atom.mass;
    if (there.empty() || removing->infinite_mass() > 0 || adding->infinite_mass() > 0) return;
    ++atoms;
    CHECK(std::abs(mass - weighed) <= 1e-9 + 4 * error);
  });
  CHECK(asked > 300);
  CHECK(atoms > 30);
}

TEST_CASE("the mechanism that keeps a stated bound keeps it at every order") {
  int witnesses = 0;
  for_every_loss([&](const PrivacyLoss& loss) {
    const auto witness = witness_of(loss);
    if (!witness || std::isinf(loss.renyi(std::min(2.0, loss.largest_order())))) return;
    ++witnesses;
    for (const double order : {1.001, 1.5, 2.0, 3.0, 8.0, 32.0, 100.0, 1e4})
      if (order <= loss.largest_order())
        CHECK(witness->renyi(order) <= loss.renyi(order) * (1 + 4 * rounding_margin));
  });
  CHECK(witnesses > 10);
}

TEST_CASE("a tiny loss costs the order times half its square") {
  const double tiny = 0x1p-320;
  struct Case {
    Description description;
    double share;
  };
  const std::vector<Case> cases{
      {{"laplace", {{"scale", 1}, {"sensitivity", tiny}}, {}, {}, {}}, 1},
      {{"discrete-laplace", {{"scale", 0x1p320}, {"sensitivity", 1}}, {}, {}, {}}, 1},
      {{"randomized-response", {{"epsilon", tiny}, {"categories", 2}}, {}, {}, {}}, 1},
      {{"pure", {{"epsilon", tiny}}, {}, {}, {}}, 1},
      {{"exponential", {{"epsilon", tiny}}, {}, {}, {}}, 0.25}};
  for (const Case& one : cases) {
    CAPTURE(one.description.kind);
    for (const double order : {1.5, 2.0, 17.0, 1e5}) {
      const double truth = order * one.share * tiny * tiny / 2;
      const double found = privacy_loss(one.description)->renyi(order);
      CHECK(found >= truth);
      CHECK(found <= truth * (1 + 4 * rounding_margin));
    }
  }
}

TEST_CASE("a composition costs no less than what is in it, anywhere" * doctest::test_suite("long")) {
  const Description wide{"gaussian", {{"sigma", 10}, {"sensitivity", 1}}, {}, {}, {}};
  const Description narrow{"gaussian", {{"sigma", 100}, {"sensitivity", 1}}, {}, {}, {}};
  const Description laplace{"laplace", {{"scale", 1}, {"sensitivity", 1}}, {}, {}, {}};
  const Description small{"laplace", {{"scale", 1000}, {"sensitivity", 1}}, {}, {}, {}};
  struct Case {
    Part gaussian, other;
  };
  for (const Case& one : {Case{{wide, 1}, {small, 1}},
                          {{wide, 10000}, {small, 1}},
                          {{narrow, 1}, {laplace, 10}},
                          {{wide, 4}, {small, 3000}}}) {
    const auto gaussian = privacy_loss({"composition", {}, {}, {}, {one.gaussian}});
    const auto other = privacy_loss({"composition", {}, {}, {}, {one.other}});
    const auto whole = privacy_loss({"composition", {}, {}, {}, {one.gaussian, one.other}});
    const Profile of_gaussian(*gaussian), of_other(*other), of_whole(*whole);
    for (const double level : {0.05, 0.3, 0.8, 1.4, 2.2, 3.1, 5.0, 9.0, 30.0, 60.0, 100.0, 200.0}) {
      CAPTURE(level);
      const double found = of_whole.delta(level).upper;
      CHECK(found >= of_gaussian.delta(level).lower);
      CHECK(found >= of_other.delta(level).lower);
    }
  }
}

TEST_CASE("an interval around a probability holds probabilities") {
  for (const double value : {0.0, 1e-310, 0.5, 1 - 0x1p-53, 1.0}) {
    const Bounds found = probability(value);
    CHECK(found.lower >= 0);
    CHECK(found.lower <= value);
    CHECK(found.upper >= value);
    CHECK(found.upper <= 1);
  }
}

TEST_CASE("where a Gaussian's place is in doubt both sides of it count") {
  // epsilon / mu - mu / 2 is 0 and -40 exactly, but not known to be.
  const double mu = 0x1p53;
  const auto loss = privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
  const Bounds middle = delta(*loss, 0x1p105), certain = delta(*loss, 0x1p105 - 40 * mu);
  // delta is 1/2 - 0.4 / mu, and above 1 - 1e-300.
  CHECK(middle.lower < 0.5 - 0.5 / mu);
  CHECK(middle.upper >= 0.5);
  CHECK(middle.upper - middle.lower < 1e-8);
  CHECK(certain.lower >= 1 - 2 * rounding_margin);
  CHECK(certain.upper == 1);
}

}  // namespace epsilometer::invariants_test
