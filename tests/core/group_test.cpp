// What a group loses, against mechanisms whose groups are known in closed form.
#include "core/accounting/group.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "core/numerics/normal.h"
#include "tests/core/descriptions.h"
#include "tests/core/small_pairs.h"
#include "tests/core/tables.h"

namespace epsilometer::group_test {

namespace {

constexpr double gap = 1e-4;

std::shared_ptr<const PrivacyLoss> shifted(double mu) {
  return privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
}

std::shared_ptr<const PrivacyLoss> laplace(double ratio) {
  return privacy_loss({"laplace", {{"scale", 1}, {"sensitivity", ratio}}, {}, {}, {}});
}

// The same profile, of whose groups nothing else is known.
class Disguised final : public Knowing<KnownProfile> {
 public:
  explicit Disguised(std::shared_ptr<const PrivacyLoss> whole) : whole_(std::move(whole)) {}
  Bounds delta(double epsilon) const override { return whole_->profile()->delta(epsilon); }
  Bounds power(double false_positive) const override { return whole_->profile()->power(false_positive); }
  double renyi(double order) const override { return whole_->renyi(order); }
  double largest_loss() const override { return whole_->largest_loss(); }
  bool chains() const override { return true; }

 private:
  std::shared_ptr<const PrivacyLoss> whole_;
};

// A bound on something, by a profile of which no lower end is known; counts how often it is asked.
class Bounded final : public Knowing<KnownProfile> {
 public:
  explicit Bounded(std::shared_ptr<const PrivacyLoss> whole) : whole_(std::move(whole)) {}
  Bounds delta(double epsilon) const override {
    ++asked;
    return {0, whole_->profile()->delta(epsilon).upper};
  }
  Bounds power(double false_positive) const override {
    return {false_positive, whole_->profile()->power(false_positive).upper};
  }
  bool is_tight() const override { return false; }
  double renyi(double order) const override { return whole_->renyi(order); }

  mutable int asked = 0;

 private:
  std::shared_ptr<const PrivacyLoss> whole_;
};

Description sampled(double rate, double sigma) {
  return {"subsampled",
          {{"rate", rate}},
          {},
          {{"sampling", "poisson"}},
          {{{"gaussian", {{"sigma", sigma}, {"sensitivity", 1}}, {}, {}, {}}, 1}}};
}

std::shared_ptr<const PrivacyLoss> repeated(const std::vector<Part>& parts) {
  return privacy_loss({"composition", {}, {}, {}, parts});
}

// A loss whose groups are chained, whatever it knows of them.
class Chained final : public PrivacyLoss {
 public:
  explicit Chained(std::shared_ptr<const PrivacyLoss> whole) : whole_(std::move(whole)) {}
  std::vector<Repeated> parts() const override { return whole_->parts(); }
  bool symmetric() const override { return false; }
  bool composes() const override { return true; }
  double renyi(double order) const override { return whole_->renyi(order); }

 private:
  std::shared_ptr<const PrivacyLoss> whole_;
};

// Two Gaussian losses together, as of any composition of which nothing else is known: in fact one shift.
class TwoShifts final : public PrivacyLoss {
 public:
  std::vector<Repeated> parts() const override { return {{shifted(0.3), 1}, {shifted(0.4), 1}}; }
  bool composes() const override { return true; }
  double renyi(double order) const override { return shifted(0.5)->renyi(order); }
};

// Probabilities of the shifts of a mixture: how many of so many records join.
std::vector<double> binomial(int records, double rate) {
  std::vector<double> result{1};
  for (int i = 0; i < records; ++i) {
    result.push_back(0);
    for (int j = i + 1; j >= 0; --j) result[j] = result[j] * (1 - rate) + (j > 0 ? result[j - 1] * rate : 0);
  }
  return result;
}

// Likelihood ratio to N(0, 1), and the probability of more than x.
double ratio(const std::vector<double>& p, double shift, double x) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] * std::exp(j * shift * (x - j * shift / 2));
  return sum;
}
double tail(const std::vector<double>& p, double shift, double x) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] * normal_upper_tail({x - j * shift});
  return sum;
}

// delta(epsilon) of one release, of which the best test is a half-line; its place is halved so often.
double half_line(double mu, double rate, int ahead, int behind, double epsilon, int halvings = 60) {
  const auto p = binomial(ahead, rate), q = binomial(behind, rate);
  double low = -60, high = 60;
  for (int i = 0; i < halvings; ++i) {
    const double x = (low + high) / 2;
    (std::log(ratio(p, mu, x)) - std::log(ratio(q, -mu, x)) < epsilon ? low : high) = x;
  }
  return tail(p, mu, low) - std::exp(epsilon) * tail(q, -mu, low);
}

void check_holds(Bounds found, Bounds truth, double width) {
  CHECK(found.lower <= truth.upper * (1 + 1e-14));
  CHECK(found.upper >= truth.lower * (1 - 1e-14));
  CHECK(found.upper <= found.lower * (1 + width) + 1e-12);
}

}  // namespace

TEST_CASE("a group has no finite price at less than it fails with, by however little") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int turn = 0; turn < 60; ++turn) {
    const double failing = std::exp(-12 * unit(random) - 3);
    GroupPrivacy pair(privacy_loss({"approximate", {{"epsilon", 0}, {"delta", failing}}, {}, {}, {}}), 2,
                      gap);
    CHECK(std::isinf(pair.epsilon(std::nextafter(2 * failing, 0)).upper));
    CHECK(pair.epsilon(2 * failing * (1 + 1e-9)).upper < 1e-300);
  }
  // Of m records the first m - 1 weigh what e^epsilon makes of them, here computed to a few roundings.
  for (const double size : {2.0, 3.0, 7.0})
    for (const double epsilon : {1e-3, 0.5, 2.0})
      for (const double failing : {1e-12, 1e-8}) {
        const Description one{"approximate", {{"epsilon", epsilon}, {"delta", failing}}, {}, {}, {}};
        const double mass = failing * std::expm1(size * epsilon) / std::expm1(epsilon);
        GroupPrivacy group(privacy_loss(one), size, gap);
        CAPTURE(size);
        CAPTURE(epsilon);
        CHECK(std::isinf(group.epsilon(mass * (1 - 32 * unit_roundoff)).upper));
      }
}

TEST_CASE("a group of tested releases has a finite price where its failures allow one, and not below" *
          doctest::test_suite("long")) {
  for (const char* test : {"accept-reject", "released"})
    for (const Description& inside : {Description{"gaussian", {{"sigma", 3}, {"sensitivity", 1}}, {}, {}, {}},
                                      Description{"laplace", {{"scale", 3}, {"sensitivity", 1}}, {}, {}, {}},
                                      Description{"zcdp", {{"rho", 0.01}}, {}, {}, {}}}) {
      CAPTURE(test);
      CAPTURE(inside.kind);
      const Description tested{"propose-test-release",
                               {{"testEpsilon", 1.25}, {"testDelta", 5.5e-7}, {"failure", 6.6e-7}},
                               {},
                               {{"test", test}},
                               {{inside, 1}}};
      GroupPrivacy two(privacy_loss(tested), 2, gap);
      // What no epsilon is too small for.
      const double failing = two.delta(1e8).upper;
      CHECK(failing > 2 * 5.5e-7);
      CHECK(failing < 1e-4);
      for (const double share : {0.2, 0.6, 0.99}) CHECK(std::isinf(two.epsilon(share * failing).upper));
      CHECK(two.epsilon(1.3 * failing).upper < 20);
    }
}

TEST_CASE("the group of a log-concave noise is the noise at that many times the sensitivity") {
  // The best tests of a shift are half-lines, so chained curves are the curve of the whole shift.
  for (const double size : {2.0, 3.0, 7.0}) {
    CAPTURE(size);
    GroupPrivacy gaussians(std::make_shared<Disguised>(shifted(0.3)), size, gap);
    GroupPrivacy laplaces(std::make_shared<Disguised>(laplace(0.3)), size, gap);
    const auto whole = shifted(0.3 * size), far = laplace(0.3 * size);
    for (const double epsilon : {-1.0, 0.0, 0.2, 0.5, 1.0, 1.9}) {
      CAPTURE(epsilon);
      check_holds(gaussians.delta(epsilon), whole->profile()->delta(epsilon), 1e-3);
      check_holds(laplaces.delta(epsilon), far->profile()->delta(epsilon), 1e-3);
    }
    for (const double delta : {0.1, 1e-3, 1e-8, 1e-40}) {
      CAPTURE(delta);
      check_holds(gaussians.epsilon(delta), epsilon(*whole, delta), 1e-3);
      check_holds(laplaces.epsilon(delta), epsilon(*far, delta), 1e-3);
    }
    for (const double x : {1e-20, 1e-3, 0.1, 0.5, 0.9}) {
      CAPTURE(x);
      check_holds(gaussians.power(x), whole->profile()->power(x), 1e-3);
      check_holds(laplaces.power(x), far->profile()->power(x), 1e-3);
    }
  }
}

TEST_CASE("a group moves staircase noise by as much as one record after the other") {
  for (const auto& [whole_drop, share] :
       {std::pair(0.4, 0.3), {1.2, 0.5}, {2.0, 0.8}, {0.7, 0.0}, {0.7, 1.0}})
    for (const int size : {2, 3, 6}) {
      const double epsilon = whole_drop, gamma = share;
      CAPTURE(epsilon);
      CAPTURE(gamma);
      CAPTURE(size);
      // The density, but for a factor, at a distance in units of one move, and the pieces on which it is
      // even.
      const auto height = [&](double x) {
        const double far = std::abs(x), whole = std::floor(far);
        return std::exp(-epsilon * (whole + (far - whole >= gamma ? 1 : 0)));
      };
      const double first = std::min(gamma, 1 - gamma), second = std::max(gamma, 1 - gamma);
      std::vector<double> here, there;
      double sum = 0;
      for (int cell = -200; cell < 200 + size; ++cell)
        for (const auto& [from, to] : {std::pair(0.0, first), {first, second}, {second, 1.0}}) {
          const double middle = cell + (from + to) / 2;
          here.push_back((to - from) * height(middle - size));
          there.push_back((to - from) * height(middle));
          sum += there.back();
        }
      GroupPrivacy group(privacy_loss(one("staircase", {{"epsilon", epsilon}, {"gamma", gamma}})), size, gap);
      for (const double at : {0.0, 0.3, 1.0, size * epsilon - 0.1}) {
        CAPTURE(at);
        const double truth = hockey_stick(here, there, at) / sum;
        check_holds(group.delta(at), {truth * (1 - 1e-10), truth * (1 + 1e-10)}, 1e-3);
      }
    }
}

TEST_CASE("a group of scores that move further is a larger range" * doctest::test_suite("long")) {
  for (const double epsilon : {1e-3, 0.6, 4.0})
    for (const double size : {2.0, 5.0, 1000.0}) {
      CAPTURE(epsilon);
      CAPTURE(size);
      const auto loss = privacy_loss(one("exponential", {{"epsilon", epsilon}}));
      GroupPrivacy known(loss, size, gap), chained(std::make_shared<Disguised>(loss), size, gap);
      CHECK(known.certainty() == Certainty::exact);
      const auto meet = [](Bounds one, Bounds other) {
        CHECK(one.lower <= other.upper * (1 + 1e-12));
        CHECK(other.lower <= one.upper * (1 + 1e-12));
      };
      for (const double share : {0.0, 0.4, 0.9}) {
        const double at = share * size * epsilon;
        meet(chained.delta(at), known.delta(at));
      }
      for (const double rate : {1e-6, 0.1, 0.7}) meet(chained.power(rate), known.power(rate));
    }
}

TEST_CASE("a group that answers costs what as many answers do") {
  GroupPrivacy two(privacy_loss(one("randomized-response", {{"epsilon", 1}, {"categories", 2}})), 2, gap);
  // p^2 - (1 - p)^2 with p = e / (e + 1).
  check_holds(two.delta(0), {std::tanh(0.5), std::tanh(0.5)}, 1e-13);
  for (const double epsilon : {0.01, 1.0, 3.0})
    for (const double categories : {2.0, 4.0})
      for (const double size : {2.0, 7.0, 1000.0}) {
        CAPTURE(epsilon);
        CAPTURE(categories);
        CAPTURE(size);
        const Description answer =
            one("randomized-response", {{"epsilon", epsilon}, {"categories", categories}});
        const auto answers = repeated({{answer, size}});
        GroupPrivacy group(privacy_loss(answer), size, gap);
        CHECK(group.certainty() != Certainty::bound);
        const Profile together(*answers, gap);
        check_holds(group.epsilon(1e-6), together.epsilon(1e-6), 1e-3);
        check_holds(group.delta(epsilon), together.delta(epsilon), 1e-3);
        check_holds(group.power(0.01), power(*answers, 0.01), 1e-3);
      }
}

TEST_CASE("no lower end of a group is above the chance that one of its records is drawn" *
          doctest::test_suite("long")) {
  const std::vector<Description> bases{one("laplace", {{"scale", 0.3}, {"sensitivity", 1}}),
                                       one("discrete-laplace", {{"scale", 0.5}, {"sensitivity", 1}}),
                                       one("staircase", {{"epsilon", 3}, {"gamma", 0.3}}),
                                       one("pure", {{"epsilon", 4}}),
                                       one("gaussian", {{"sigma", 0.3}, {"sensitivity", 1}}),
                                       one("discrete-gaussian", {{"sigma", 0.5}, {"sensitivity", 1}}),
                                       one("skellam", {{"variance", 0.5}, {"sensitivity", 1}}),
                                       one("approximate", {{"epsilon", 3}, {"delta", 1e-3}})};
  int asked = 0;
  for (Description base : bases) {
    base.texts["neighbours"] = "add-remove";
    for (const char* neighbours : {"add-remove", "replace", "zero-out"})
      for (const double rate : {0.01, 0.3})
        for (const double size : {2.0, 5.0, 20.0}) {
          Description sample = epsilometer::sampled("poisson", rate, base);
          sample.texts["neighbours"] = neighbours;
          CAPTURE(base.kind);
          CAPTURE(neighbours);
          CAPTURE(rate);
          CAPTURE(size);
          if (!refused_field(sample).empty()) continue;
          GroupPrivacy group(privacy_loss(sample), size, gap);
          const double drawn = -std::expm1(size * std::log1p(-rate));
          CHECK(group.delta(0).lower <= drawn * (1 + 1e-12));
          CHECK(group.power(0.05).lower <= 0.05 + drawn * (1 + 1e-12));
          ++asked;
        }
  }
  CHECK(asked >= 100);
}

TEST_CASE("where no lower end is known, none is looked for between a group's ends") {
  const auto bounded = std::make_shared<Bounded>(shifted(0.7));
  GroupPrivacy two(bounded, 2, gap), known(std::make_shared<Disguised>(shifted(0.7)), 2, gap);
  for (int i = 1; i <= 40; ++i) {
    const double rate = std::exp(-0.5 * i);
    CAPTURE(rate);
    const Bounds found = two.power(rate), attained = known.power(rate);
    CHECK(found.lower == rate);
    CHECK(found.upper >= attained.lower);
    // Of two steps, each of which may be half a percent above the lowest line.
    CHECK(found.upper <= attained.upper * (1 + 1e-2));
  }
  // A search between 0 and the upper end takes 60 for each of two steps, and is slower the more are known.
  CHECK(bounded->asked < 40 * 60);
}

TEST_CASE("a Gaussian's group is exact") {
  GroupPrivacy group(shifted(0.5), 1000, gap);
  CHECK(group.certainty() == Certainty::exact);
  check_holds(group.delta(3), shifted(500)->profile()->delta(3), 1e-12);
}

TEST_CASE("a group never costs more than the textbook says, and not less than one") {
  // Dwork and Roth 2014, Theorem 2.2 for approximate losses.
  const auto loss = privacy_loss({"approximate", {{"epsilon", 0.5}, {"delta", 1e-8}}, {}, {}, {}});
  for (const double size : {2.0, 5.0}) {
    GroupPrivacy group(loss, size, gap);
    const Bounds found = group.delta(0.5 * size);
    CHECK(found.upper <= 1e-8 * std::expm1(0.5 * size) / std::expm1(0.5) * (1 + 1e-10));
    CHECK(found.lower >= 1e-8);
    CHECK(group.epsilon(1e-9).lower == std::numeric_limits<double>::infinity());
    CHECK(group.epsilon(1e-6).upper <= 0.5 * size * (1 + 1e-10));
    CHECK(group.epsilon(0.3).upper < group.epsilon(1e-6).lower);
  }
}

TEST_CASE("no test of two records gains what two tests of one cannot, where the directions differ") {
  const Description pure{"exponential", {{"epsilon", 1.77}}, {}, {{"neighbours", "replace"}}, {}};
  for (const Description& asked :
       {Description{"privacy-loss",
                    {{"infinite", 1e-3}},
                    {{"losses", {-1.2, 0.3, 1.1}}, {"masses", {0.1, 0.5, 0.399}}},
                    {{"rounded", "up"}, {"direction", "add"}, {"neighbours", "replace"}},
                    {}},
        Description{"subsampled",
                    {{"rate", 0.27}},
                    {},
                    {{"sampling", "without-replacement"}, {"neighbours", "add-remove"}},
                    {{pure, 1}}}}) {
    CAPTURE(asked.kind);
    const auto loss = privacy_loss(asked);
    const Profile profile(*loss, gap);
    TradeOff one(*loss, profile);
    for (const double rate : {0.02, 0.1, 0.18398, 0.27159, 0.5, 0.8}) {
      CAPTURE(rate);
      const double twice = one.power(one.power(rate).upper).upper;
      GroupPrivacy two(loss, 2, gap);
      CHECK(two.power(rate).lower <= twice * (1 + 1e-9));
      CHECK(two.power(rate).upper >= one.power(rate).lower);
    }
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
    GroupPrivacy group(loss, size, gap);
    const Bounds found = group.epsilon(1e-6);
    CHECK(found.lower <= found.upper);
    CHECK(found.lower >= (1 - 1e-4) * found.upper);
    CHECK(found.lower > before);
    before = found.upper;
  }
}

TEST_CASE("groups of sampled Gaussians cost what the worst tables of so many records show" *
          doctest::test_suite("long")) {
  // The digits of a second program, of 782 releases at rate 0.0064 with sigma 1.
  const auto loss = repeated({{sampled(0.0064, 1), 782}});
  const auto check = [&](double size, double remove, double add) {
    CAPTURE(size);
    GroupPrivacy group(loss, size, gap);
    CHECK(group.certainty() == Certainty::certified);
    check_holds(group.epsilon(1e-6), {remove, remove}, 2e-4);
    const auto pair = loss->group(static_cast<int>(size), 0);
    const Profile both(*pair, gap);
    const auto at = [&](std::size_t direction, double epsilon) { return both.delta(direction, epsilon); };
    CHECK(at(0, remove - 1e-8).upper >= 1e-6);
    CHECK(at(0, remove + 1e-8).lower <= 1e-6);
    CHECK(at(1, add - 1e-8).upper >= 1e-6);
    CHECK(at(1, add + 1e-8).lower <= 1e-6);
  };
  check(2, 2.53198089, 1.78825858);
  check(3, 3.93695901, 2.76716161);
  check(10, 15.4643451, 10.4973414);
}

TEST_CASE("one release of a group has the profile of half-lines, and two that of an integral over them" *
          doctest::test_suite("long")) {
  int asked = 0;
  for (const double mu : {0.05, 2.5})
    for (const double rate : {1e-6, 0.4, 0.97})
      for (const auto& split : {std::pair(1, 0), {0, 1}, {1, 1}, {1, 3}, {9, 4}}) {
        const int ahead = split.first, behind = split.second;
        CAPTURE(mu);
        CAPTURE(rate);
        CAPTURE(ahead);
        CAPTURE(behind);
        const Description one = sampled(rate, 1 / mu);
        const auto once = privacy_loss(one)->group(ahead, behind);
        const auto twice = repeated({{one, 2}})->group(ahead, behind);
        const Profile single(*once, 1e-5), pair(*twice, 1e-5);
        const auto p = binomial(ahead, rate), q = binomial(behind, rate);
        for (const double epsilon : {0.0, 3.0}) {
          CAPTURE(epsilon);
          const double truth = half_line(mu, rate, ahead, behind, epsilon);
          const Bounds found = single.delta(0, epsilon);
          CHECK(found.lower <= truth + 1e-13);
          CHECK(found.upper >= truth - 1e-13);
          CHECK(found.lower >= (1 - 1e-3) * found.upper - 1e-12);
          // By the trapezoidal rule; the integrand turns sharply where the loss nears a bound of its own,
          // which moves the rule by 1e-4 at most at this step.
          double sum = 0;
          const double step = 0.05;
          for (double x = -12 - behind * mu; x < 12 + ahead * mu; x += step) {
            const double density = normal_density({x}) * ratio(p, mu, x);
            if (!(density > 1e-300)) continue;
            const double left = epsilon - std::log(ratio(p, mu, x)) + std::log(ratio(q, -mu, x));
            // At its best place a test changes with the square of the distance from it.
            sum += step * density * half_line(mu, rate, ahead, behind, left, 30);
          }
          const Bounds both = pair.delta(0, epsilon);
          CHECK(both.lower <= sum * (1 + 1e-4) + 1e-9);
          CHECK(both.upper >= sum * (1 - 1e-4) - 1e-9);
          ++asked;
        }
      }
  CHECK(asked == 60);
}

TEST_CASE(
    "the loss of a group has a limit where no record of the other table can be seen, and nothing beyond it") {
  const double rate = 0.03, infinite = std::numeric_limits<double>::infinity();
  for (const auto& split : {std::pair(0, 2), {2, 0}, {1, 3}}) {
    const int ahead = split.first, behind = split.second;
    CAPTURE(ahead);
    const auto group = privacy_loss(sampled(rate, 0.7))->group(ahead, behind);
    const auto law = group->parts()[0].loss->laws()->law(Direction::remove);
    const double most = ahead > 0 ? infinite : -behind * std::log1p(-rate);
    const double least = behind > 0 ? -infinite : ahead * std::log1p(-rate);
    CHECK(law->loss(infinite) == most);
    CHECK(law->loss(-infinite) == least);
    // Where rounding is all that is left of the rest.
    if (ahead == 0) CHECK(std::abs(law->loss(60) - most) <= 1e-14 * most);
    if (behind == 0) CHECK(std::abs(law->loss(-60) - least) <= -1e-14 * least);
    if (ahead > 0) continue;
    const Profile profile(*group);
    CHECK(profile.delta(0, most * (1 + 1e-13)).upper <= 1e-300);
    CHECK(profile.delta(0, most * (1 - 1e-3)).lower > 0);
  }
}

TEST_CASE("no records of any directions tell more than those that push one way" *
          doctest::test_suite("long")) {
  // Two tables in the plane whose records are drawn by chance; the integral of (P - e^epsilon Q)_+ by cells.
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  double closest = 1;
  for (int i = 0; i < 120; ++i) {
    const int ahead = i % 4, behind = ahead == 0 ? 2 : i / 4 % 3;
    if (ahead + behind == 0) continue;
    const double mu = 0.3 + 2 * uniform(generator), rate = 0.05 + 0.9 * uniform(generator);
    using Shift = std::pair<double, double>;
    std::vector<std::pair<double, Shift>> tables[2];
    for (const int side : {0, 1}) {
      tables[side] = {{1, {0, 0}}};
      for (int record = 0; record < (side == 0 ? ahead : behind); ++record) {
        const double length = mu * (i % 3 > 0 ? 1 : std::sqrt(uniform(generator)));
        const double spread = i % 2 ? 6.3 : 0.5;
        const double angle = (side ? 3.14159265358979 : 0) + spread * (uniform(generator) - 0.5);
        auto with = tables[side];
        for (auto& [probability, shift] : with) {
          probability *= rate;
          shift = {shift.first + length * std::cos(angle), shift.second + length * std::sin(angle)};
        }
        for (auto& [probability, shift] : tables[side]) probability *= 1 - rate;
        tables[side].insert(tables[side].end(), with.begin(), with.end());
      }
    }
    const auto density = [&](int side, double x, double y) {
      double sum = 0;
      for (const auto& [probability, shift] : tables[side])
        sum += probability * normal_density({x - shift.first}) * normal_density({y - shift.second});
      return sum;
    };
    const double level = 2 * uniform(generator) - 0.5, step = 0.08;
    const double reach = 6 + mu * std::max(ahead, behind);
    double shown = 0;
    for (double x = -reach; x < reach; x += step)
      for (double y = -reach; y < reach; y += step)
        shown += step * step * std::max(0.0, density(0, x, y) - std::exp(level) * density(1, x, y));
    const double most = half_line(mu, rate, ahead, behind, level);
    // The rule is off by the square of the step where the integrand has its kink.
    CHECK(shown <= most + 2e-4);
    closest = std::min(closest, std::abs(most - shown) / most);
  }
  CHECK(closest < 1e-3);
}

TEST_CASE("a group that is known costs no more than its chain, and more records cost more" *
          doctest::test_suite("long")) {
  for (const double rate : {0.001, 0.3})
    for (const double sigma : {0.5, 3.0}) {
      const auto loss = repeated(
          {{sampled(rate, sigma), 20}, {{"gaussian", {{"sigma", 9}, {"sensitivity", 1}}, {}, {}, {}}, 1}});
      double before = 0;
      for (const double size : {1.0, 2.0, 3.0}) {
        CAPTURE(rate);
        CAPTURE(sigma);
        CAPTURE(size);
        GroupPrivacy known(loss, size, gap);
        const Bounds found = known.epsilon(1e-5);
        CHECK(found.lower <= found.upper);
        CHECK(found.upper > before);
        before = found.lower;
        if (size != 2) continue;
        GroupPrivacy chained(std::make_shared<Chained>(loss), size, gap);
        CHECK(found.lower <= chained.epsilon(1e-5).upper);
        CHECK(known.delta(1).lower <= chained.delta(1).upper);
        CHECK(known.power(0.01).lower <= chained.power(0.01).upper);
      }
    }
}

TEST_CASE("the epsilon of a group is one at which its delta is kept" * doctest::test_suite("long")) {
  // One of every kind, and bounds at single orders, where groups soon have no finite epsilon at all.
  std::vector<Description> descriptions;
  std::set<std::string> seen;
  for (const Question& question : tables())
    if (seen.insert(question.description.kind).second) descriptions.push_back(question.description);
  for (const double order : {1.5, 2.0, 8.0})
    for (const double bound : {1e-3, 1.0})
      descriptions.push_back({"rdp", {}, {{"orders", {order}}, {"epsilons", {bound}}}, {}, {}});
  descriptions.push_back(repeated(sampled("poisson", 0.1, one("pure", {{"epsilon", 1000}})), 2));
  int finite = 0;
  for (const Description& description : descriptions) {
    const auto loss = privacy_loss(description);
    for (const auto& [records, probability] : {std::pair(7.0, 1e-3), {2.0, 1e-60}}) {
      const double size = records, delta = probability;
      CAPTURE(description.kind);
      CAPTURE(size);
      CAPTURE(delta);
      GroupPrivacy group(loss, size, gap);
      const double found = group.epsilon(delta).upper;
      if (!std::isfinite(found)) continue;
      ++finite;
      // Both questions look for the best chain by themselves.
      CHECK(group.delta(found).upper <= delta * (1 + 1e-3));
    }
  }
  CHECK(finite >= 35);
}

TEST_CASE(
    "what a group has at a small epsilon it has at every larger one, and whichever is asked says the same") {
  const Description pure{"pure", {{"epsilon", 0.5}}, {}, {}, {}};
  const Description approximate{"approximate", {{"epsilon", 0.5}, {"delta", 1e-6}}, {}, {}, {}};
  const Description tested{"propose-test-release",
                           {{"testEpsilon", 0.5}, {"testDelta", 1e-6}, {"failure", 1e-6}},
                           {},
                           {{"test", "accept-reject"}},
                           {{pure, 1}}};
  const Description selected{
      "private-selection", {{"runs", 10}}, {}, {{"stopping", "geometric"}}, {{approximate, 1}}};
  for (const Description& asked : {approximate, tested, selected}) {
    CAPTURE(asked.kind);
    GroupPrivacy group(privacy_loss(asked), 2, gap);
    double before = 1;
    for (const double epsilon : {0.5, 1.0, 2.0, 3.5, 7.0, 20.0, 100.0, 1e4, 1e9}) {
      CAPTURE(epsilon);
      const double found = group.delta(epsilon).upper;
      CHECK(found <= before * (1 + 1e-3));
      before = std::min(before, found);
      if (found < 1e-2) CHECK(group.epsilon(found * (1 + 1e-3)).upper <= epsilon * (1 + 1e-6));
    }
    CHECK(before < 1e-3);
  }
}

TEST_CASE("no epsilon of a group is infinite where another question finds a finite one" *
          doctest::test_suite("long")) {
  // With so little delta the chain that is best for it spreads more than it should.
  const Description approximate{"approximate", {{"epsilon", 0.4}, {"delta", 1e-7}}, {}, {}, {}};
  GroupPrivacy group(
      privacy_loss({"private-selection", {{"runs", 5}}, {}, {{"stopping", "geometric"}}, {{approximate, 1}}}),
      3, gap);
  const double kept = group.delta(3.5).upper;
  CHECK(kept < 5e-6);
  CHECK(group.epsilon(5e-6).upper <= 3.5);
}

TEST_CASE("a group of a sum is told as finely as it is asked, and the same whatever was asked before") {
  for (const double size : {2.0, 3.0, 9.0}) {
    CAPTURE(size);
    GroupPrivacy group(std::make_shared<TwoShifts>(), size, 1e-7);
    const auto whole = shifted(0.5 * size);
    for (const double probability : {1e-3, 1e-9}) {
      CAPTURE(probability);
      const double found = group.epsilon(probability).upper;
      const Bounds truth = epsilon(*whole, probability);
      CHECK(found >= truth.lower);
      CHECK(found <= truth.upper * (1 + 1e-6));
      const double spent = group.delta(found).upper;
      CHECK(spent >= whole->profile()->delta(found).lower);
      CHECK(spent <= probability * (1 + 1e-4));
      group.forget();
      CHECK(group.epsilon(probability).upper == found);
      group.forget();
    }
  }
}

TEST_CASE("a group of a composition costs no more than its parts with that many times their shift") {
  const auto noise = [](double scale, double far) {
    return Description{"laplace", {{"scale", scale}, {"sensitivity", far}}, {}, {}, {}};
  };
  const auto normal = [](double sigma, double far) {
    return Description{"gaussian", {{"sigma", sigma}, {"sensitivity", far}}, {}, {}, {}};
  };
  // Neighbours two records away shift each of these by two: no mechanism of the description costs more.
  const std::pair<std::vector<Part>, std::vector<Part>> asked[] = {
      {{{noise(1, 1), 1}, {normal(1, 1), 1}}, {{noise(1, 2), 1}, {normal(1, 2), 1}}},
      {{{noise(0.5, 1), 1}, {normal(0.5, 1), 1}}, {{noise(0.5, 2), 1}, {normal(0.5, 2), 1}}},
      {{{noise(1, 1), 10}}, {{noise(1, 2), 10}}}};
  for (const auto& [parts, doubled] : asked) {
    const auto two = repeated(doubled);
    const Profile truth(*two, gap);
    const Bounds power = TradeOff(*two, truth).power(0.01);
    GroupPrivacy group(repeated(parts), 2, gap);
    for (const double delta : {0.1, 1e-5}) check_holds(group.epsilon(delta), truth.epsilon(delta), 2 * gap);
    check_holds(group.delta(1), truth.delta(1), 2 * gap);
    check_holds(group.power(0.01), power, 2 * gap);
  }
  // Of this part no rule is known, and the composition is one record after the other.
  std::vector<Part> ruled = asked[0].first;
  ruled.push_back({{"pure", {{"epsilon", 0.1}}, {}, {}, {}}, 1});
  const auto one = repeated(ruled);
  GroupPrivacy chained(one, 2, gap);
  const Profile single(*one, gap);
  for (const double delta : {0.1, 1e-5}) {
    const Bounds found = chained.epsilon(delta),
                 shown = Profile(*repeated(asked[0].second), gap).epsilon(delta);
    CHECK(found.lower <= shown.upper + 0.2);
    CHECK(found.upper >= shown.lower);
    CHECK(found.lower >= single.epsilon(delta).lower * (1 - 1e-3));
  }
  GroupPrivacy failing(
      repeated({{normal(0.5, 1), 1}, {{"approximate", {{"epsilon", 0}, {"delta", 1e-6}}, {}, {}, {}}, 1}}), 2,
      gap);
  CHECK(std::isfinite(failing.epsilon(1e-5).lower));
}

TEST_CASE("a group moves noise by as much as all of its records, which one record after the other costs") {
  const Description asked[] = {
      {"laplace", {{"scale", 1.7}, {"sensitivity", 1}}, {}, {}, {}},
      {"discrete-laplace", {{"scale", 1.7}, {"sensitivity", 1}}, {}, {}, {}},
      {"discrete-gaussian", {{"sigma", 1.5}, {"sensitivity", 1}}, {}, {}, {}},
      {"discrete-gaussian", {{"sigma", 0.4}, {"sensitivity", 2}}, {}, {}, {}},
      {"skellam", {{"variance", 3}, {"sensitivity", 1}}, {}, {}, {}},
      {"distributed-discrete-gaussian", {{"sigma", 0.5}, {"clients", 4}, {"sensitivity", 1}}, {}, {}, {}},
      {"distributed-discrete-gaussian", {{"sigma", 3}, {"clients", 4}, {"sensitivity", 2}}, {}, {}, {}}};
  for (const Description& description : asked)
    for (const double records : {2.0, 3.0, 7.0}) {
      const double size = records;
      CAPTURE(description.kind);
      CAPTURE(size);
      Description moved = description;
      const auto one = privacy_loss(moved);
      moved.numbers["sensitivity"] *= size;
      const auto further = privacy_loss(moved);
      GroupPrivacy group(one, size, gap), chained(std::make_shared<Disguised>(one), size, gap);
      REQUIRE(group.certainty() == Certainty::exact);
      for (const double epsilon : {-1.0, 0.0, 0.5, 2.0, 6.0}) {
        CAPTURE(epsilon);
        const Bounds found = group.delta(epsilon), truth = further->profile()->delta(epsilon);
        check_holds(found, truth, 1e-12);
        check_holds(truth, found, 1e-12);
        const Bounds chain = chained.delta(epsilon);
        CHECK(chain.lower <= found.upper);
        CHECK(chain.upper >= found.lower);
      }
      for (const double rate : {1e-9, 1e-3, 0.2, 0.7}) {
        CAPTURE(rate);
        const Bounds found = group.power(rate), chain = chained.power(rate);
        CHECK(chain.lower <= found.upper);
        CHECK(chain.upper >= found.lower);
        CHECK(chain.upper <= found.upper * (1 + 1e-3));
      }
      check_holds(group.epsilon(1e-4), Profile(*further, gap).epsilon(1e-4), 1e-9);
      CHECK(one->group(static_cast<int>(size), 0)->largest_loss() == further->largest_loss());
    }
  // As far as a kind itself may be asked; further out it is one record after the other.
  CHECK(
      privacy_loss({"discrete-laplace", {{"scale", 1e4}, {"sensitivity", 100}}, {}, {}, {}})->group(51, 50) ==
      nullptr);
}

TEST_CASE("zero-concentrated privacy costs a group the square of its size") {
  for (const double rho : {0.0, 1e-4, 0.1, 2.0})
    for (const double records : {2.0, 7.0, 100.0}) {
      const double size = records;
      CAPTURE(rho);
      CAPTURE(size);
      const auto one = privacy_loss({"zcdp", {{"rho", rho}}, {}, {}, {}});
      const auto all = privacy_loss({"zcdp", {{"rho", size * size * rho}}, {}, {}, {}});
      GroupPrivacy group(one, size, gap), gaussian(shifted(std::sqrt(2 * rho)), size, gap);
      for (const double delta : {0.1, 1e-3, 1e-6, 1e-60}) {
        const Bounds found = group.epsilon(delta), whole = Profile(*all, gap).epsilon(delta);
        CHECK(found.upper >= gaussian.epsilon(delta).lower);
        check_holds({found.upper, found.upper}, {whole.upper, whole.upper}, 1e-12);
        CHECK(found.lower <= gaussian.epsilon(delta).upper);
        if (size > 2 || rho != 0.1) continue;
        // One record after the other says the same, or hardly less.
        GroupPrivacy chained(std::make_shared<Chained>(one), size, gap);
        CHECK(std::abs(chained.epsilon(delta).upper - found.upper) <= 1e-3 + 3e-3 * found.upper);
      }
    }
}

TEST_CASE("a group is a whole number of records") {
  for (const double size : {0.0, -1.0, 1.5, 1001.0, std::nan("")}) {
    CHECK_THROWS_AS(GroupPrivacy(shifted(1), size, gap), Refusal);
  }
}

TEST_CASE("a Gaussian does not ask from which table the records of a group come") {
  const auto one = shifted(0.3);
  const auto three = one->group(3, 0), split = one->group(1, 2);
  REQUIRE(three);
  REQUIRE(split);
  CHECK(three->gaussian() == 3 * 0.3);
  CHECK(split->gaussian() == three->gaussian());
}

}  // namespace epsilometer::group_test
