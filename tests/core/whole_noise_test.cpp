// Relations that noise on the whole numbers keeps, tables of losses, and what noise in steps and permute and
// flip tell by their definitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "core/accounting/group.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/descriptions.h"

namespace epsilometer::whole_noise_test {

namespace {

Description clients(double sigma, double count, double sensitivity = 1) {
  return one("distributed-discrete-gaussian",
             {{"sigma", sigma}, {"clients", count}, {"sensitivity", sensitivity}});
}

Description skellam(double variance, double sensitivity = 1) {
  return one("skellam", {{"variance", variance}, {"sensitivity", sensitivity}});
}

Description table(std::vector<double> losses, std::vector<double> masses, double infinite,
                  const char* rounded, const char* direction) {
  return {"privacy-loss",
          {{"infinite", infinite}},
          {{"losses", std::move(losses)}, {"masses", std::move(masses)}},
          {{"rounded", rounded}, {"direction", direction}},
          {}};
}

constexpr double epsilons[] = {-1, 0, 0.2, 0.7, 1.5, 3};

// By definition the worst that a table dominates in both directions: its profile over a = e^epsilon is the
// least chord over the smaller of the table's and of its mirror image's; between two corners of either both
// are lines.
class WorstBothWays {
 public:
  explicit WorstBothWays(const Description& table)
      : losses_(table.lists.at("losses")), masses_(table.lists.at("masses")) {
    infinite_ = back_ = table.numbers.at("infinite");
    long double rest = 1;
    std::set<long double> levels{0, 1};
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const long double ratio = std::exp(static_cast<long double>(losses_[i]));
      rest -= masses_[i] / ratio;
      levels.insert({ratio, 1 / ratio});
    }
    back_ = std::max(0.0L, rest);
    // From there on both are level.
    levels.insert(2 * *levels.rbegin());
    levels_.assign(levels.begin(), levels.end());
  }

  long double delta(long double epsilon) const { return at(std::exp(epsilon)); }

  long double power(long double rate) const {
    long double least = 1;
    for (const long double a : levels_) least = std::min(least, at(a) + a * rate);
    return least;
  }

  // By how much the slope changes at each corner above 1; below it is the mirror image, and the rest tells
  // nothing.
  Description pair() const {
    const long double infinite = least(levels_.back());
    std::map<double, double> atoms;
    long double rest = 1 - infinite;
    for (std::size_t i = levels_.size() - 1; levels_[i - 1] > 1; --i) {
      const long double a = levels_[i - 1], before = levels_[i - 2];
      const long double fall = (at(before) - at(a)) / (a - before);
      const long double after = i + 1 == levels_.size() ? 0 : (at(a) - at(levels_[i])) / (levels_[i] - a);
      const long double mass = a * (fall - after);
      // Rounding of a level at which the slope does not change: no loss is there.
      if (mass < 1e-15L) continue;
      atoms[static_cast<double>(std::log(a))] = static_cast<double>(mass);
      atoms[-static_cast<double>(std::log(a))] = static_cast<double>(mass / a);
      rest -= mass + mass / a;
    }
    atoms[0] = static_cast<double>(std::max(0.0L, rest));
    std::vector<double> losses, masses;
    for (const auto& [loss, mass] : atoms) losses.push_back(loss), masses.push_back(mass);
    return table(losses, masses, static_cast<double>(infinite), "up", "both");
  }

 private:
  long double least(long double a) const {
    long double own = infinite_, mirror = back_;
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      const long double ratio = std::exp(-static_cast<long double>(losses_[i]));
      own += masses_[i] * std::max(0.0L, 1 - a * ratio);
      mirror += masses_[i] * std::max(0.0L, ratio - a);
    }
    return std::min(own, mirror);
  }

  long double at(long double a) const {
    long double most = least(a);
    for (const long double from : levels_)
      for (const long double to : levels_)
        if (from < a && a < to)
          most = std::min(most, (least(from) * (to - a) + least(to) * (a - from)) / (to - from));
    return most;
  }

  std::vector<double> losses_, masses_;
  long double infinite_, back_;
  std::vector<long double> levels_;
};

std::vector<Description> tables_for_both() {
  std::vector<Description> tables{
      table({0.773575724669345}, {0.75}, 0.25, "up", "both"),
      table({-1, 0, 1}, {0.1, 0.5, 0.4}, 0, "up", "both"), table({-2, 3}, {0.1, 0.9}, 0, "up", "both"),
      table({0.5}, {1 - 1e-6}, 1e-6, "up", "both"),
      // The mirror image has less of what the table loses for certain, and none
      // of its largest loss.
      table({-0.5, 0.2}, {0.5, 0.1}, 0.4, "up", "both"),
      table({-1, 0.5, 2}, {0.25326277127037655, 0.4467372287296234, 0.3}, 0, "up", "both")};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  while (tables.size() < 24) {
    std::vector<double> losses, masses;
    for (int i = 0; i < 4; ++i) losses.push_back((i ? losses.back() : -1) + 0.1 + 2 * share(random));
    for (int i = 0; i < 4; ++i) masses.push_back((i < 2 ? 0.02 : 0.1) + share(random));
    const double infinite = share(random) < 0.5 ? 0 : 0.1 * share(random);
    const double sum = std::accumulate(masses.begin(), masses.end(), 0.0) / (1 - infinite);
    double ratio = 0;
    for (std::size_t i = 0; i < 4; ++i) ratio += (masses[i] /= sum) * std::exp(-losses[i]);
    if (ratio < 1) tables.push_back(table(losses, masses, infinite, "up", "both"));
  }
  return tables;
}

}  // namespace

TEST_CASE("the lower end of a table for both directions is what the worst costs that keeps both") {
  for (const Description& asked : tables_for_both()) {
    const auto loss = privacy_loss(asked);
    const Profile profile(*loss);
    TradeOff trade_off(*loss, profile);
    const WorstBothWays worst(asked);
    const auto holds = [](const Bounds& found, long double truth) {
      CHECK(found.lower <= truth * (1 + 1e-14L) + 1e-17L);
      CHECK(found.lower >= truth * (1 - 1e-12L) - 1e-15L);
      CHECK(found.upper >= truth * (1 - 1e-14L));
    };
    CHECK(profile.certainty() == Certainty::bound);
    for (const double epsilon : {-3.0, -0.5, -0.05, 0.0, 0.05, 0.5, 1.1, 2.5, 6.0, 12.0}) {
      CAPTURE(epsilon);
      holds(profile.delta(epsilon), worst.delta(epsilon));
      // As the table itself costs.
      Description stated = asked;
      stated.texts["direction"] = "remove";
      stated.texts["rounded"] = "exact";
      const auto pair = privacy_loss(stated);
      const double own = epsilon >= 0 && epsilon >= asked.lists.at("losses").back()
                             ? asked.numbers.at("infinite")
                             : delta(*pair, epsilon).upper;
      CHECK(profile.delta(epsilon).upper <= own);
    }
    for (const double rate : {0.0, 1e-3, 0.1, 0.5, 0.9}) holds(trade_off.power(rate), worst.power(rate));
    for (const double target : {1e-9, 0.01, 0.3}) {
      const Bounds found = profile.epsilon(target);
      CHECK(found.lower <= found.upper);
      const double least = std::isinf(found.lower) ? 600 : found.lower * (1 - 1e-12);
      if (found.lower > 0) CHECK(worst.delta(least) >= target * (1 - 1e-9L));
      if (found.lower < 600) CHECK(worst.delta(found.lower * (1 + 1e-9) + 1e-12) <= target * (1 + 1e-9L));
    }
    CHECK(worst.delta(profile.epsilon(0).lower * (1 - 1e-9)) > 0);
  }
}

TEST_CASE("whatever is made of a table for both directions has the lower end of what keeps both" *
          doctest::test_suite("long")) {
  const auto wrapped = [](const char* kind, std::map<std::string, double> numbers,
                          std::map<std::string, std::string> texts) {
    return [=](const Description& inner) { return Description{kind, numbers, {}, texts, {{inner, 1}}}; };
  };
  const auto beside = [](Description other) {
    return [other](const Description& inner) {
      return Description{"composition", {}, {}, {}, {{inner, 2}, {other, 1}}};
    };
  };
  const std::function<Description(const Description&)> ways[] = {
      [](const Description& inner) { return inner; },
      [](const Description& inner) { return repeated(inner, 3); },
      beside(one("gaussian", {{"sigma", 2}, {"sensitivity", 1}})),
      beside(table({-0.3, 0.2, 1.5}, {0.2, 0.5, 0.26}, 0.04, "up", "remove")),
      wrapped("subsampled", {{"epochs", 2}}, {{"sampling", "fixed-order"}, {"neighbours", "zero-out"}}),
      wrapped("private-selection", {{"runs", 3}}, {{"stopping", "geometric"}}),
      wrapped("propose-test-release", {{"testEpsilon", 0.1}, {"testDelta", 1e-6}, {"failure", 1e-5}},
              {{"test", "accept-reject"}})};
  std::vector<Description> tables = tables_for_both();
  tables.resize(6);
  for (const Description& asked : tables) {
    const Description worst = WorstBothWays(asked).pair();
    for (const auto& way : ways) {
      const auto loss = privacy_loss(way(asked)), known = privacy_loss(way(worst));
      const Profile profile(*loss), most(*known);
      CAPTURE(way(asked).kind);
      for (const double epsilon : {0.0, 2.0, 60.0}) {
        CAPTURE(epsilon);
        CHECK(profile.delta(epsilon).lower <= most.delta(epsilon).upper * (1 + 1e-9) + 1e-12);
      }
      for (const double target : {0.0, 1e-9, 0.2}) {
        CAPTURE(target);
        CHECK(profile.epsilon(target).lower <= most.epsilon(target).upper * (1 + 1e-6) + 1e-9);
      }
      TradeOff trade_off(*loss, profile), best(*known, most);
      for (const double rate : {0.0, 0.1}) {
        CAPTURE(rate);
        CHECK(trade_off.power(rate).lower <= best.power(rate).upper * (1 + 1e-9) + 1e-12);
      }
      GroupPrivacy group(loss, 2, 1e-4), groups(known, 2, 1e-4);
      CHECK(group.delta(1).lower <= groups.delta(1).upper * (1 + 1e-9));
      for (const double target : {0.0, 1e-6, 0.2})
        CHECK(group.epsilon(target).lower <= groups.epsilon(target).upper * (1 + 1e-6) + 1e-9);
      for (const double rate : {0.0, 0.1})
        CHECK(group.power(rate).lower <= groups.power(rate).upper * (1 + 1e-9) + 1e-12);
    }
  }
}

TEST_CASE("both ends of a table that is its own mirror image are one number") {
  for (const double tail : {0.0, 0x1p-7, 1e-5}) {
    std::vector<double> losses, masses;
    double sum = 0;
    for (int i = -400; i <= 400; ++i) {
      losses.push_back(i / 64.0);
      masses.push_back(std::exp(i / 128.0 - i * i / 5e4));
      sum += masses.back();
    }
    for (double& mass : masses) mass *= (1 - tail) / sum;
    const auto loss = privacy_loss(table(losses, masses, tail, "up", "both"));
    for (const double epsilon : {-2.0, 0.0, 0.01, 1.0, 4.0, 6.2}) {
      const Bounds found = delta(*loss, epsilon);
      CHECK(found.upper - found.lower <= 1e-12 * found.upper);
    }
    CHECK(loss->reaches_largest_loss());
  }
}

TEST_CASE("tables that were rounded up for other directions do not tell everything at once") {
  const Description there = table({-1, 0.5}, {0.1, 0.8}, 0.1, "up", "remove"),
                    back = table({-1, 0.5}, {0.1, 0.8}, 0.1, "up", "add");
  const auto exact = [](Description one) {
    one.texts["rounded"] = "exact";
    return one;
  };
  const auto bound = together({{there, 1}, {back, 1}}),
             known = together({{exact(there), 1}, {exact(back), 1}});
  for (const double epsilon : {1.1, 5.0}) CHECK(delta(*bound, epsilon).lower <= delta(*known, epsilon).upper);
  const double most = power(*known, 0).upper;
  CHECK(power(*bound, 0).lower <= most);
  CHECK(std::isfinite(epsilon(*bound, most * (1 + 1e-9)).lower));
}

TEST_CASE("more noise costs no more" * doctest::test_suite("long")) {
  for (const double level : epsilons) {
    CAPTURE(level);
    double before = 1;
    for (double variance = 0.01; variance < 2000; variance *= 1.37) {
      CAPTURE(variance);
      const Bounds found = delta(*privacy_loss(skellam(variance, 2)), level);
      CHECK(found.lower <= before);
      before = found.upper;
    }
    for (const double sigma : {0.3, 0.8, 1.7, 2.6}) {
      before = 1;
      for (double count = 1; count <= 40; ++count) {
        const Bounds found = delta(*privacy_loss(clients(sigma, count, 2)), level);
        CHECK(found.lower <= before);
        before = found.upper;
      }
    }
  }
}

TEST_CASE("the noise of one client is discrete Gaussian, and so is that of many with much noise") {
  for (const double sigma : {0.3, 1.0, 2.49, 2.5, 7.0})
    for (const double level : epsilons) {
      const Bounds single = delta(*privacy_loss(clients(sigma, 1)), level);
      const Bounds known =
          delta(*privacy_loss(one("discrete-gaussian", {{"sigma", sigma}, {"sensitivity", 1}})), level);
      CHECK(single.lower <= known.upper);
      CHECK(single.upper >= known.lower);
      CHECK(single.upper - single.lower <= 1e-12 * single.upper);
    }
  // On both sides of where the ripple is left out it is below the rounding.
  for (const double level : {0.1, 1.0}) {
    const Bounds below = delta(*privacy_loss(clients(std::nextafter(2.5, 0), 16, 3)), level);
    const Bounds above = delta(*privacy_loss(clients(2.5, 16, 3)), level);
    CHECK(below.upper >= above.lower);
    CHECK(above.upper * (1 + 1e-13) >= below.lower);
  }
}

TEST_CASE("Renyi divergences of whole noise grow with the order, below the largest and above the least") {
  for (const Description& noise : {skellam(3, 2), skellam(900), clients(0.5, 9), clients(3, 5, 4)}) {
    const auto loss = privacy_loss(noise);
    double before = 0;
    for (const double order : {1.000001, 1.01, 1.5, 2.0, 7.0, 40.0, 1e3, 1e5}) {
      const double found = loss->renyi(order);
      CHECK(found >= before);
      CHECK(std::isfinite(found));
      before = found;
    }
    // Near 1 it is the mean of the loss.
    double mean = 0;
    for (const Atom& atom : loss->laws()->law(Direction::remove)->atoms()) mean += atom.loss * atom.mass;
    CHECK(loss->renyi(1.000001) == doctest::Approx(mean).epsilon(1e-5));
  }
}

TEST_CASE("probabilities of whole noise add up, for variances that are no squares") {
  for (const Description& noise :
       {skellam(0.01), skellam(0.3), skellam(50), clients(0.7, 3), clients(1.3, 50)}) {
    double sum = 0, variance = 0, back = 0;
    const auto atoms = privacy_loss(noise)->laws()->law(Direction::remove)->atoms();
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const double x = static_cast<double>(i) - static_cast<double>(atoms.size() - 1) / 2;
      sum += atoms[i].mass;
      variance += x * x * atoms[i].mass;
      back += atoms[i].mass * std::exp(-atoms[i].loss);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-13));
    CHECK(back == doctest::Approx(1).epsilon(1e-12));
    if (noise.kind == "skellam")
      CHECK(variance == doctest::Approx(noise.numbers.at("variance")).epsilon(1e-12));
  }
}

TEST_CASE("clients that are too many for the exact law are refused by that name") {
  CHECK(refused_field(clients(0.1, 21)) == "clients");
  CHECK(refused_field(clients(2.4, 1001)) == "clients");
  CHECK(refused_field(clients(100, 10001)) == "clients");
  CHECK(refused_field(clients(100, 10000)).empty());
}

TEST_CASE("a table of losses costs what the mechanism costs whose table it is") {
  const auto response = privacy_loss(one("pure", {{"epsilon", 1}}));
  const double lie = 1 / (1 + std::exp(1.0));
  const Description exact = table({-1, 1}, {lie, 1 - lie}, 0, "exact", "remove");
  for (const double level : {-2.0, -0.3, 0.0, 0.4, 0.9}) {
    const Bounds found = delta(*privacy_loss(exact), level), known = delta(*response, level);
    CHECK(found.upper == doctest::Approx(known.upper).epsilon(1e-13));
    const Bounds five = delta(*privacy_loss(repeated(exact, 5)), level);
    CHECK(five.upper ==
          doctest::Approx(delta(*privacy_loss(repeated(one("pure", {{"epsilon", 1}}), 5)), level).upper)
              .epsilon(1e-10));
  }
  // Both directions of one pair cost the same, whichever was stated.
  const double back = 0.75 * std::exp(-1.0), forth = 0.25 * std::exp(1.0), rest = 1 - back - forth;
  const auto stated = privacy_loss(table({-1, 1}, {0.25, 0.75}, 0, "exact", "remove")),
             mirror = privacy_loss(table({-1, 1}, {back, forth}, rest, "exact", "add"));
  CHECK(stated->infinite_mass() == doctest::Approx(rest).epsilon(1e-13));
  for (const double level : {-0.6, 0.0, 0.3, 0.8, 2.0})
    CHECK(delta(*stated, level).upper == doctest::Approx(delta(*mirror, level).upper).epsilon(1e-13));
  for (const Direction direction : {Direction::remove, Direction::add})
    CHECK(stated->laws()->law(direction)->infinite_mass() ==
          doctest::Approx(mirror->laws()->law(direction)->infinite_mass()).epsilon(1e-13));
}

TEST_CASE("a table that was rounded up is a bound, alone and in compositions, whose worst is the table") {
  const Description up = table({-1, 0, 1}, {0.125, 0.5, 0.365}, 0.01, "up", "remove"),
                    exact = table({-1, 0, 1}, {0.125, 0.5, 0.365}, 0.01, "exact", "remove");
  for (const double level : {0.0, 0.5, 3.0}) {
    for (const double count : {1.0, 3.0}) {
      const auto bound = privacy_loss(count == 1 ? up : repeated(up, count)),
                 known = privacy_loss(count == 1 ? exact : repeated(exact, count));
      const Profile profile(*bound);
      CHECK(profile.certainty() == Certainty::bound);
      CHECK(profile.delta(level).upper >= delta(*known, level).lower);
      CHECK(profile.delta(level).lower <= delta(*known, level).upper);
    }
  }
}

TEST_CASE("a table that no two laws have is refused by the name of its field") {
  CHECK(refused_field(table({-1, 1}, {0.5, 0.5}, 0, "up", "remove")) == "losses");
  CHECK(refused_field(table({-1, 1}, {0.1, 0.8}, 0, "up", "remove")) == "masses");
  CHECK(refused_field(table({-1, 1}, {0.1, 0.9}, 0.1, "up", "remove")) == "masses");
  CHECK(refused_field(table({1, -1}, {0.1, 0.9}, 0, "up", "remove")) == "losses");
  CHECK(refused_field(table({-1, 1}, {0.1, 0.4, 0.5}, 0, "up", "remove")) == "masses");
  CHECK(refused_field(table({-1, 1}, {0.25, 0.75}, 0, "exact", "both")) == "direction");
  CHECK(refused_field(table({-1, 1}, {0.25, 0.75}, 0, "down", "remove")) == "rounded");
}

// By its definition: candidates in every order, each taken with a probability of its own.
std::vector<double> permuted_and_flipped(const std::vector<double>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<double> wins(scores.size(), 0);
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  double orders = 0;
  do {
    double left = 1;
    for (const std::size_t i : order) {
      const double taken = std::exp(scores[i] - best);
      wins[i] += left * taken;
      left *= 1 - taken;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& one : wins) one /= orders;
  return wins;
}

TEST_CASE("no candidates of permute-and-flip tell more than two of them, which tell all that is stated") {
  std::mt19937 random(20261130);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double epsilon : {1e-3, 0.2, 1.0, 4.0, 30.0}) {
    CAPTURE(epsilon);
    const auto loss = privacy_loss(one("permute-and-flip", {{"epsilon", epsilon}}));
    for (int i = 0; i < 200; ++i) {
      std::vector<double> without(2 + i % 4), with;
      for (double& score : without) score = std::round(uniform(random)) * 2 * (epsilon + 1) * uniform(random);
      // Each by half of epsilon at most, and most often by all of that.
      for (const double score : without)
        with.push_back(score + epsilon / 2 * std::clamp(4 * uniform(random) - 2, -1.0, 1.0));
      const auto p = permuted_and_flipped(with), q = permuted_and_flipped(without);
      for (const double share : {-0.5, 0.0, 0.3, 0.9}) {
        double told = 0;
        for (std::size_t j = 0; j < p.size(); ++j)
          told += std::max(0.0, p[j] - std::exp(share * epsilon) * q[j]);
        CHECK(told <= delta(*loss, share * epsilon).upper + 1e-13);
      }
      CHECK(p[0] <= power(*loss, q[0]).upper + 1e-13);
    }
    // Three records move every score three times as far.
    if (epsilon < 10) {
      const auto thrice = privacy_loss(one("permute-and-flip", {{"epsilon", 3 * epsilon}}));
      GroupPrivacy group(loss, 3, 1e-4);
      for (const double share : {-0.5, 0.0, 0.5, 2.0, 2.9})
        CHECK(group.delta(share * epsilon).upper ==
              doctest::Approx(delta(*thrice, share * epsilon).upper).epsilon(1e-12));
    }
    for (const double share : {-0.9, -0.5, 0.0, 0.3, 0.9}) {
      const double gap = (1 + share) * epsilon / 2;
      const auto q = permuted_and_flipped({-gap, 0}), p = permuted_and_flipped({epsilon - gap, 0});
      const Bounds found = delta(*loss, share * epsilon);
      CHECK(found.upper == doctest::Approx(p[0] - std::exp(share * epsilon) * q[0]).epsilon(1e-11));
      CHECK(found.lower == doctest::Approx(found.upper).epsilon(1e-13));
    }
  }
}

// From its definition, piece by piece: the density falls by e^-epsilon at gamma, 1 + gamma, ... on both
// sides. With the probability `rate` the noise is moved by one of the two, and otherwise by nothing.
struct Steps {
  double epsilon, gamma;

  double density(double x) const {
    const double shrink = std::exp(-epsilon);
    return std::pow(shrink, std::abs(x) < gamma ? 0 : std::floor(std::abs(x) - gamma) + 1) / 2 /
           (gamma + shrink / (1 - shrink));
  }

  double leak(double rate, double moved, double other, double level) const {
    std::vector<double> places;
    for (int k = 0; k < 40 / epsilon + 3; ++k)
      for (const double drop : {k + gamma, -k - gamma})
        for (const double by : {0.0, moved, other}) places.push_back(drop + by);
    std::sort(places.begin(), places.end());
    double sum = 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
      const double middle = (places[i - 1] + places[i]) / 2;
      const auto drawn = [&](double by) {
        return (1 - rate) * density(middle) + rate * density(middle - by);
      };
      sum += (places[i] - places[i - 1]) * std::max(0.0, drawn(moved) - std::exp(level) * drawn(other));
    }
    return sum;
  }
};

TEST_CASE(
    "no smaller move of staircase noise tells more than that by the whole sensitivity, sampled or not") {
  std::mt19937 random(20261129);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 40; ++i) {
    const double epsilon = std::pow(10, 2 * uniform(random) - 0.5), rate = 0.01 + 0.98 * uniform(random);
    const double gamma = i % 4 == 0 ? (i % 8) / 8.0 : std::pow(uniform(random), i % 3 + 1.0);
    const Steps steps{epsilon, gamma};
    CAPTURE(epsilon);
    CAPTURE(gamma);
    CAPTURE(rate);
    Description noise = one("staircase", {{"epsilon", epsilon}, {"gamma", gamma}});
    noise.texts["neighbours"] = "add-remove";
    const auto drawn = [&](const char* neighbours) {
      Description sample = sampled("poisson", rate, noise);
      sample.texts["neighbours"] = neighbours;
      return privacy_loss(sample);
    };
    const auto alone = privacy_loss(noise), added = drawn("add-remove"), replaced = drawn("replace");
    for (const double share : {-1.2, -0.5, 0.0, 0.1, 0.3, 0.9, 0.999}) {
      const double level = share * epsilon;
      CAPTURE(share);
      // The tails that are left out have less than e^-40, and a place is off by a rounding of its own.
      const auto attained = [&](const PrivacyLoss& loss, double truth) {
        const Bounds found = delta(loss, level);
        CHECK(found.lower <= truth + 1e-11);
        CHECK(found.upper >= truth - 1e-11);
        CHECK(found.upper - found.lower <= 1e-11);
      };
      attained(*alone, steps.leak(1, 1, 0, level));
      attained(*added, std::max(steps.leak(rate, 1, 0, level), steps.leak(rate, 0, 1, level)));
      attained(*replaced, steps.leak(rate, 1, -1, level));
      for (int j = 0; j < 5; ++j) {
        const double by = uniform(random), other = 2 * uniform(random) - 1;
        CHECK(steps.leak(1, by, 0, level) <= delta(*alone, level).upper + 1e-11);
        CHECK(steps.leak(rate, by, 0, level) <= delta(*added, level).upper + 1e-11);
        CHECK(steps.leak(rate, 0, by, level) <= delta(*added, level).upper + 1e-11);
        CHECK(steps.leak(rate, by, other, level) <= delta(*replaced, level).upper + 1e-11);
        CHECK(steps.leak(rate, other, by, level) <= delta(*replaced, level).upper + 1e-11);
      }
    }
  }
}

// Loss is convex in the noise's position: no divergence is below that of order 1, and none above the loss of
// the furthest outcome; between orders the products (order - 1) D are convex and D grows.
TEST_CASE(
    "Renyi divergences of extreme orders are numbers, grow, and never fall below that of fewer outcomes" *
    doctest::test_suite("long")) {
  std::vector<Description> all;
  for (const double sensitivity : {1.0, 10.0, 1e4}) {
    for (const double variance : {1e-3, 1.0, 100.0, 1e6}) all.push_back(skellam(variance, sensitivity));
    for (const double sigma : {0.1, 0.5, 2.0, 2.6, 1e4})
      for (const double count : {1.0, 10.0}) {
        if (sigma < 1000 || count == 1) all.push_back(clients(sigma, count, sensitivity));
      }
  }
  for (const Description& asked : all) {
    const auto loss = privacy_loss(asked);
    double before = 0;
    for (double power = -9; power < 100; power += power < 20 ? 3 : 40) {
      const double order = 1 + std::pow(10, power), divergence = loss->renyi(order);
      CAPTURE(asked.kind);
      CAPTURE(order);
      REQUIRE(std::isfinite(divergence));
      CHECK(divergence >= before * (1 - 1e-9));
      before = divergence;
      // Of two outcomes alone: no test tells more than all of them do.
      const Bounds hit = loss->profile()->power(1e-3);
      const double p = hit.lower, q = 1e-3, t = order - 1;
      CHECK(divergence >= (order * std::log(p) - t * std::log(q)) / t - 1e-9);
    }
  }
}

TEST_CASE("what a table leaves to the other side is rounded up, with and without a loss beside it") {
  // 1 - e^-loss in two doubles, of mpmath with 60 digits.
  struct Row {
    double loss, rest, more;
  };
  constexpr Row rows[] = {
      {0.551, 0.4236268510511229, -1.5972088514390587e-17},
      {1.84, 0.8411825738930793, 5.151263553438843e-17},
      {3.15, 0.9571478731329598, 2.407163484511015e-17},
      {14.0, 0.9999991684712809, -5.982239931730457e-19},
      {1.8, 0.8347011117784134, 2.863210152614795e-17},
      {11.4, 0.9999888045151574, 3.8948416417938865e-17},
      {0.00134, 0.0013391026008830287, -9.748540656543817e-20},
      {0.112, 0.10595574249964275, -4.743084164482979e-18},
      {14.2, 0.9999993192018656, 2.4932390076620057e-17},
      {0.717, 0.5117852946949677, -2.2254664448870112e-17},
      {9.2, 0.9998989605981629, 5.0682421823929287e-17},
      {0.00315, 0.0031450439552127498, -2.117179501344648e-19},
  };
  for (const Row& row : rows)
    for (const char* rounded : {"up", "exact"})
      for (const char* direction : {"remove", "add"}) {
        const double loss = row.loss, rest = row.rest;
        CAPTURE(loss);
        const auto made = privacy_loss(table({loss}, {1}, 0, rounded, direction));
        const double least = row.more > 0 ? std::nextafter(rest, 1.0) : rest;
        for (const double level : {loss, 2 * loss, 23.0, 1e6}) {
          const Bounds found = delta(*made, level);
          CHECK(found.upper >= least);
          CHECK(found.upper <= std::nextafter(rest, 1.0));
          CHECK(found.lower <= std::nextafter(least, 0.0));
          CHECK(found.lower >= rest * (1 - 1e-13));
        }
        // Of what is more than that for certain, and less.
        CHECK(epsilon(*made, std::min(1.0, rest * (1 + 1e-13))).upper <= loss * (1 + 1e-13));
        CHECK(std::isinf(epsilon(*made, rest * (1 - 1e-13)).lower));
        CHECK(std::isinf(epsilon(*made, std::nextafter(rest, 0.0)).upper));
        CHECK(made->least_infinite_mass() >= made->infinite_mass() * (1 - 1e-14));
      }
}

}  // namespace epsilometer::whole_noise_test
