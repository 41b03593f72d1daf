// The best of several runs: exact output laws of small mechanisms, which must never tell more than is stated.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "core/loss/stopping.h"
#include "tests/core/small_pairs.h"

namespace epsilometer::private_selection_test {

namespace {

struct Law {
  const char* name;
  double shape = 0;
};

// The probability that there is no run that does what a run does with that probability, from the laws of K
// themselves.
std::function<double(double)> none_of(const Law& law, double runs) {
  if (law.name == std::string("poisson")) return [=](double above) { return std::exp(-runs * above); };
  const double shape = law.name == std::string("geometric") ? 1 : law.shape;
  double low = 0, high = 300;
  for (int i = 0; i < 200; ++i) {
    const double x = (low + high) / 2;
    const double mean = std::expm1(x) * (shape == 0 ? 1 / x : shape / -std::expm1(-shape * x));
    (mean < runs ? low : high) = x;
  }
  return [shape, x = high](double above) {
    const double left = std::exp(-x) - std::expm1(-x) * above;
    return shape == 0 ? std::log(left) / -x : (std::pow(left, -shape) - 1) / std::expm1(shape * x);
  };
}

// The law of the best run, when outcomes are listed from the worst to the best.
Probabilities best_of(const Probabilities& run, const std::function<double(double)>& none_of) {
  Probabilities best{none_of(1)};
  double above = 0;
  for (auto mass = run.rbegin(); mass != run.rend(); ++mass) {
    const double with = std::min(1.0, above + *mass);
    best.push_back(none_of(above) - none_of(with));
    above = with;
  }
  return best;
}

SmallPair best_of(const SmallPair& run, const std::function<double(double)>& f) {
  return {best_of(run.with, f), best_of(run.without, f)};
}

// The same told less finely, which tells no more: outcomes of masses that rounding may change by 1e-10 of
// themselves are not told apart from the most likely one.
SmallPair without_rare(const SmallPair& pair) {
  const auto most = std::max_element(pair.without.begin(), pair.without.end()) - pair.without.begin();
  SmallPair result{{pair.with[most]}, {pair.without[most]}};
  for (std::ptrdiff_t i = 0; i < std::ssize(pair.with); ++i) {
    if (i == most) continue;
    if (std::min(pair.with[i], pair.without[i]) > 1e-6) {
      result.with.push_back(pair.with[i]);
      result.without.push_back(pair.without[i]);
    } else {
      result.with[0] += pair.with[i];
      result.without[0] += pair.without[i];
    }
  }
  return result;
}

Description selection(const Description& run, const Law& law, double runs) {
  Description result{"private-selection", {{"runs", runs}}, {}, {{"stopping", law.name}}, {{run, 1}}};
  if (law.name == std::string("negative-binomial")) result.numbers["shape"] = law.shape;
  return result;
}

Law shaped(double shape) { return {"negative-binomial", shape}; }
constexpr Law geometric{"geometric"}, logarithmic{"logarithmic"}, poisson{"poisson"};

Description gdp(double mu) { return {"gdp", {{"mu", mu}}, {}, {}, {}}; }

// Of N(0, 1) and N(mu, 1), in cells of equal width.
SmallPair cells(double mu, int count) {
  const auto mass = [&](double mean, double from, double to) {
    return (std::erfc((from - mean) / std::sqrt(2.0)) - std::erfc((to - mean) / std::sqrt(2.0))) / 2;
  };
  SmallPair pair;
  for (int i = 0; i < count; ++i) {
    const double from = i == 0 ? -40 : -6 + 12.0 * i / count,
                 to = i + 1 == count ? 40 : -6 + 12.0 * (i + 1) / count;
    pair.with.push_back(mass(mu / 2, from, to));
    pair.without.push_back(mass(-mu / 2, from, to));
  }
  return pair;
}

SmallPair in_order(const SmallPair& pair, const std::vector<std::size_t>& order) {
  SmallPair result;
  for (const std::size_t i : order) {
    result.with.push_back(pair.with[i]);
    result.without.push_back(pair.without[i]);
  }
  return result;
}

// The most that the best of normal runs tells by scores which put z <= a highest and z >= b next: whether it
// is in the second set. `beside`: the same of the worse of the two places beside the best a that are half a
// step away, where a = -share level / mu and the core tries shares that are an eighth, or a quarter of
// themselves, apart. One of those lies between these two places.
struct BestOfScores {
  double most, beside;
};
BestOfScores best_of_scores(double mu, const Law& law, double runs, double epsilon) {
  const auto f = none_of(law, runs);
  const auto tail = [](double z) { return std::erfc(z / std::sqrt(2.0)) / 2; };
  const auto told = [&](double a, double b) {
    const double first = tail(mu / 2 - a), other = tail(-mu / 2 - a);
    return f(first) - f(std::min(1.0, first + tail(b - mu / 2))) -
           std::exp(epsilon) * (f(other) - f(std::min(1.0, other + tail(b + mu / 2))));
  };
  const auto largest = [](double from, double to, int count, const auto& value) {
    double place = from;
    for (int i = 1; i <= count; ++i)
      if (const double x = from + (to - from) * i / count; value(x) > value(place)) place = x;
    for (double step = (to - from) / count / 2; step > 1e-9 * (to - from); step /= 2)
      for (const double x : {place - step, place + step})
        if (x >= from && x <= to && value(x) > value(place)) place = x;
    return place;
  };
  const auto at = [&](double a) {
    return told(a, largest(std::max(a, 0.0), epsilon / mu, 60, [&](double b) { return told(a, b); }));
  };
  double level = 0;
  for (double step = 1; step > 1e-12; step /= 2) {
    const auto run = [&](double e) { return tail(e / mu - mu / 2) - std::exp(e) * tail(e / mu + mu / 2); };
    while (run(level + step) > 0.25 / runs) level += step;
  }
  const double best = largest(0, 12, 96, [&](double share) { return at(-share * level / mu); });
  const double half = std::max(1.0 / 16, best / 8);
  return {at(-best * level / mu), std::min(at(-(best - half) * level / mu), at(-(best + half) * level / mu))};
}

// What can be said of a run: its largest loss, one point of its profile, a few Renyi divergences.
Description stated(const SmallPair& pair, std::mt19937_64& random) {
  constexpr double up = 1 + 1e-12;
  double largest = 0;
  for (std::size_t i = 0; i < pair.with.size(); ++i)
    largest = std::max(largest, std::abs(std::log(pair.with[i] / pair.without[i])));
  switch (random() % 3) {
    case 0:
      return {"pure", {{"epsilon", largest * up}}, {}, {}, {}};
    case 1: {
      const double epsilon = largest * std::uniform_real_distribution<double>()(random);
      return {"approximate", {{"epsilon", epsilon}, {"delta", delta_of(pair, epsilon) * up}}, {}, {}, {}};
    }
    default:
      const std::vector<double> orders{1.5, 3, 10};
      std::vector<double> epsilons;
      for (const double order : orders) epsilons.push_back(renyi_of(pair, order) * up + 1e-12);
      return {"rdp", {}, {{"orders", orders}, {"epsilons", epsilons}}, {}, {}};
  }
}

const Law laws[] = {geometric, logarithmic, poisson, shaped(-0.9), shaped(-0.5), shaped(0.5), shaped(2)};

}  // namespace

TEST_CASE("the best of several runs of a small mechanism never tells more than is stated" *
          doctest::test_suite("long")) {
  std::mt19937_64 random(11);
  double nearest = 0;
  for (int i = 0; i < 1000; ++i) {
    const SmallPair run = random_pair(random);
    const Law& law = laws[random() % std::size(laws)];
    const double runs = 1.05 + std::pow(10, 3 * std::uniform_real_distribution<double>()(random));
    const auto loss = privacy_loss(selection(stated(run, random), law, runs));
    const Profile profile(*loss);
    const SmallPair best = best_of(run, none_of(law, runs));
    CAPTURE(i);
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0, 5.0}) {
      const double truth = delta_of(best, epsilon), upper = profile.delta(epsilon).upper;
      CHECK(truth <= upper * (1 + 1e-9) + 1e-12);
      if (truth > 1e-6) nearest = std::max(nearest, truth / upper);
    }
    if (std::isfinite(loss->renyi(2)))
      CHECK(renyi_of(without_rare(best), 2) <= loss->renyi(2) * (1 + 1e-9) + 1e-9);
  }
  // Nine tenths of what is stated would be too little.
  CHECK(nearest > 0.9);
}

TEST_CASE(
    "the best of several normal runs, in orders of all kinds, stays below the upper end and reaches the "
    "lower one") {
  constexpr int count = 240;
  std::mt19937_64 random(5);
  for (const Law& law : laws) {
    const double mu = 0.3, runs = 10, epsilon = 1.4;
    const SmallPair run = cells(mu, count);
    const auto f = none_of(law, runs);
    const Bounds bounds = delta(*privacy_loss(selection(gdp(mu), law, runs)), epsilon);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      worst = std::max(worst, delta_of(best_of(in_order(run, order), f), epsilon));
    }
    // The likelier the record makes an outcome, the later it stands in the list of cells.
    for (int highest = 0; highest < count / 2; highest += 4) {
      for (int second = 4; highest + second < count; second += 4) {
        const int rest = count - highest - second;
        for (int i = 0; i < count; ++i)
          order[i] = (i < rest ? highest + i : i < rest + second ? i + highest : count - 1 - i);
        worst = std::max(worst, delta_of(best_of(in_order(run, order), f), epsilon));
      }
    }
    CAPTURE(law.name);
    CAPTURE(law.shape);
    CHECK(worst <= bounds.upper);
    CHECK(bounds.lower <= bounds.upper);
    const auto [most, beside] = best_of_scores(mu, law, runs, epsilon);
    CHECK(bounds.lower <= most * (1 + 1e-9));
    CHECK(bounds.lower >= beside * (1 - 1e-6));
  }
}

TEST_CASE(
    "the best of several runs costs what the truth is where it is known, and no more than any theorem") {
  const auto price = [](const Description& run, const Law& law, double runs, double delta) {
    return epsilon(*privacy_loss(selection(run, law, runs)), delta);
  };
  // One run.
  CHECK(price(gdp(0.3), geometric, 1, 1e-6).upper == epsilon(*privacy_loss(gdp(0.3)), 1e-6).upper);
  for (const double mu : {0.1, 0.3, 1.0}) {
    const Bounds found = price(gdp(mu), geometric, 600, 1e-6);
    // Liu and Talwar 2019, Theorem 3.4, with half of delta for each of its parts, is never below.
    const double length = 600 * std::log(2 / 5e-7), point = std::pow(5e-7 / length, 2) / 2;
    const double claimed = 3 * epsilon(*privacy_loss(gdp(mu)), point).upper + 3 * std::sqrt(2 * point);
    CHECK(claimed > found.upper);
    CHECK(best_of_scores(mu, geometric, 600, found.lower).most >= 1e-6 * (1 - 1e-9));
    CHECK(best_of_scores(mu, geometric, 600, found.lower * (1 + 1e-6)).beside <= 1e-6);
  }
}

TEST_CASE("the ends of the best of very many runs, or hardly more than one, do not contradict each other") {
  std::vector<Law> all(std::begin(laws), std::end(laws));
  for (const double shape : {-0.95, -1e-300, 1000.0}) all.push_back(shaped(shape));
  for (const Law& law : all) {
    for (const double runs : {1 + 0x1p-52, 30.0, 3e3, 3e4, 1e6}) {
      for (const Description& run : {gdp(1e-90), gdp(0.5), gdp(5)}) {
        CAPTURE(law.name);
        CAPTURE(law.shape);
        CAPTURE(runs);
        CAPTURE(run.numbers.at("mu"));
        const auto loss = privacy_loss(selection(run, law, runs));
        for (const double delta : {1e-2, 1e-4, 1e-10}) {
          const Bounds found = epsilon(*loss, delta);
          CHECK(std::isfinite(found.upper));
          CHECK(found.lower <= found.upper);
          if (found.lower > 0)
            CHECK(epsilometer::delta(*loss, found.lower * (1 - 1e-9)).upper >= delta * (1 - 1e-9));
          for (const double level : {0.5 * found.upper, found.upper}) {
            const Bounds there = epsilometer::delta(*loss, level);
            CHECK(there.lower <= there.upper);
            CHECK(there.upper <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("no epsilon is above where the stated profile falls to delta, however large that is") {
  for (const Law& law : laws)
    for (const double runs : {1.05, 4.0, 50.0})
      for (const double mu : {0.01, 0.3, 2.0})
        for (const double delta : {1e-9, 1e-3, 0.02, 0.1, 0.3, 0.9, 0.999}) {
          CAPTURE(law.name);
          CAPTURE(law.shape);
          CAPTURE(runs);
          CAPTURE(mu);
          CAPTURE(delta);
          const auto loss = privacy_loss(selection(gdp(mu), law, runs));
          const Bounds found = epsilon(*loss, delta);
          CHECK(found.lower <= found.upper);
          CHECK(epsilometer::delta(*loss, found.upper * (1 + 1e-12)).upper <= delta * (1 + 1e-9));
          if (found.upper > 1e-9)
            CHECK(epsilometer::delta(*loss, found.upper * (1 - 1e-6)).upper > delta * (1 - 1e-9));
        }
}

TEST_CASE("shapes of a negative binomial number of runs are in order, and those of other names among them") {
  for (const double mu : {0.1, 1.0}) {
    for (const double runs : {1.5, 40.0, 1e5}) {
      const auto price = [&](const Law& law) {
        return epsilon(*privacy_loss(selection(gdp(mu), law, runs)), 1e-6);
      };
      double before = 0;
      for (const double shape : {-0.95, -0.5, -1e-3, 1e-3, 0.3, 0.999, 1.001, 3.0, 50.0, 1000.0}) {
        CAPTURE(shape);
        const double upper = price(shaped(shape)).upper;
        CHECK(upper > before * (1 + 1e-9));
        const Law& named = shape > 0.5 ? geometric : logarithmic;
        const double there = shape > 0.5 ? 1 : 0;
        if (shape < there) CHECK(upper < price(named).upper);
        if (shape > there) CHECK(upper > price(named).upper);
        before = upper;
      }
      CHECK(price(shaped(1)).upper == price(geometric).upper);
      for (const double shape : {-1e-13, -1e-300, 1e-300, 1e-13}) {
        const Bounds found = price(shaped(shape)), limit = price(logarithmic);
        CHECK(found.lower == doctest::Approx(limit.lower).epsilon(1e-11));
        CHECK(found.upper == doctest::Approx(limit.upper).epsilon(1e-11));
      }
    }
  }
}

TEST_CASE("Renyi divergences of the best of several runs grow with the order, as those of one do") {
  std::vector<Description> all{{"laplace", {{"scale", 67.5}, {"sensitivity", 1}}, {}, {}, {}},
                               {"pure", {{"epsilon", 1}}, {}, {}, {}},
                               {"exponential", {{"epsilon", 700}}, {}, {}, {}},
                               {"staircase", {{"epsilon", 1}, {"gamma", 0.25}}, {}, {}, {}},
                               {"randomized-response", {{"epsilon", 1.5}, {"categories", 5}}, {}, {}, {}},
                               gdp(1)};
  for (const std::size_t i : {1u, 4u, 5u})
    for (const char* sampling : {"poisson", "without-replacement"})
      all.push_back({"subsampled", {{"rate", 0.1}}, {}, {{"sampling", sampling}}, {{all[i], 1}}});
  for (const Description& run : all)
    for (const Law& law : laws)
      for (const double runs : {1.05, 4.0, 300.0}) {
        CAPTURE(run.kind);
        CAPTURE(law.name);
        CAPTURE(law.shape);
        CAPTURE(runs);
        const auto loss = privacy_loss(selection(run, law, runs));
        double before = 0;
        for (const double order : {1.0001, 1.01, 1.1, 1.5, 2.0, 3.0, 5.0, 8.0, 10.0, 30.0, 100.0, 1e3, 1e5}) {
          CAPTURE(order);
          const double bound = loss->renyi(order);
          // Between two orders that are tried the bounds may turn once more.
          CHECK(bound >= before * (1 - 1e-3));
          before = bound;
        }
      }
}

TEST_CASE("what of many runs the best is in is as near to the truth as is said, for any shape") {
  const auto loss = privacy_loss(gdp(1));
  double farthest = 0;
  for (const long double shape : {-0.95L, -0.9L, -0.5L, 0.5L, 2.0L, 1000.0L}) {
    for (const double runs : {1.0001, 3.0, 600.0, 1e6}) {
      const Law law = shaped(static_cast<double>(shape));
      const auto stopping = stopping_of(selection(gdp(1), law, runs), *loss);
      const long double eta = law.shape;
      const auto below = [&](long double w) { return -std::expm1(-eta * w) / eta; };
      long double low = 0, high = 300;
      for (int i = 0; i < 200; ++i) {
        const long double x = (low + high) / 2;
        (std::expm1(x) < runs * below(x) ? low : high) = x;
      }
      const long double against = std::expm1(high);
      for (const double above : {0.0, 1e-60, 1e-9, 1e-3, 0.3}) {
        for (const double set : {0.0 + above, 3 * above, 0.5}) {
          if (set == 0) continue;
          const long double before = std::log1p(against * above),
                            after = std::log1p(against * (static_cast<long double>(above) + set));
          const long double truth = std::exp(-eta * before) * below(after - before) / below(high);
          if (truth < 1e-300L) continue;
          const double off = std::abs(static_cast<double>(stopping->chosen(above, set) / truth - 1));
          CAPTURE(law.shape);
          CAPTURE(runs);
          CAPTURE(above);
          CAPTURE(set);
          CHECK(off <= stopping->margin());
          farthest = std::max(farthest, off);
        }
      }
    }
  }
  // More than 64 roundings would allow.
  CHECK(farthest > 1e-14);
}

TEST_CASE("a law of the number of runs is refused by what is wrong with it") {
  const auto refused = [](const Description& description) {
    try {
      privacy_loss(description);
    } catch (const Refusal& refusal) {
      return refusal.kind + " " + refusal.field + " " + refusal.value + " " + refusal.rule;
    }
    return std::string("answered");
  };
  Description shapeless = selection(gdp(1), shaped(1), 10);
  shapeless.numbers.erase("shape");
  CHECK(refused(shapeless) == "missing shape nothing must be given");
  for (const double shape : {-1.0, -0.95 - 1e-15, 1000.5, std::nan("")})
    CHECK(refused(selection(gdp(1), shaped(shape), 10)).starts_with("range shape "));
  CHECK(refused(selection(gdp(1), Law{"fixed"}, 10)) ==
        "unknown stopping fixed must be geometric, logarithmic, negative-binomial or poisson");
  CHECK(refused(selection(gdp(1), shaped(-0.95), 1)) == "answered");
}

TEST_CASE("what is around a mechanism can be around anything that has a price") {
  const Description steps{
      "composition",
      {},
      {},
      {},
      {{{"subsampled", {{"rate", 0.01}}, {}, {{"sampling", "poisson"}}, {{gdp(1), 1}}}, 1000}}};
  const Description zcdp{"zcdp", {{"rho", 0.05}}, {}, {}, {}};
  for (const Description& run : {steps, zcdp, selection(gdp(0.1), logarithmic, 3)}) {
    const double alone = epsilon(*privacy_loss(run), 1e-6).upper;
    const auto loss = privacy_loss(selection(run, geometric, 20));
    const Bounds found = epsilon(*loss, 1e-6);
    CAPTURE(run.kind);
    CHECK(found.upper > alone);
    CHECK(found.upper < 3 * alone);
    const Bounds power = epsilometer::power(*loss, 0.01);
    CHECK(power.lower >= 0.01);
    CHECK(power.upper < 1);
    CHECK(power.upper <= (0.01 * std::exp(found.upper) + 1e-6) * (1 + 1e-12));
    // Twice: the sum of the divergences.
    const Description twice{"composition", {}, {}, {}, {{selection(run, geometric, 20), 2}}};
    CHECK(epsilon(*privacy_loss(twice), 1e-6).upper > found.upper);
  }
}

}  // namespace epsilometer::private_selection_test
