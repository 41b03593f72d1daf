// The sparse vector against streams of queries whose outcomes are integrated over the threshold's noise.
#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/loss/known_threshold.h"
#include "core/loss/privacy_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::sparse_vector_test {

namespace {

Description sparse(double threshold, double query, double answers, bool monotone) {
  return {"sparse-vector",
          {{"thresholdScale", threshold}, {"queryScale", query}, {"sensitivity", 1}, {"answers", answers}},
          {},
          {{"queries", monotone ? "monotone" : "any"}},
          {}};
}

/// So many queries at one level above the public threshold, which move by `move` in the neighbouring table.
struct Queries {
  double level, move, number;
};

/// That noise of that scale exceeds x.
double above(double x, double scale) {
  return x > 0 ? std::exp(-x / scale) / 2 : 1 - std::exp(x / scale) / 2;
}

/// The probability of an outcome: of the stream's queries, those named are all above and all others below.
/// The integrand's kinks are at 0 and at levels; between, it is smooth at the smaller scale.
double seen(const std::vector<Queries>& stream, const std::vector<bool>& are_above, double threshold,
            double query, bool moved) {
  std::vector<double> ends{0, -45 * threshold, 45 * threshold};
  for (const auto& [level, move, number] : stream) ends.push_back(level + (moved ? move : 0));
  std::sort(ends.begin(), ends.end());
  const auto density = [&](double r) {
    double logarithm = -std::abs(r) / threshold;
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const double p = above(r - stream[i].level - (moved ? stream[i].move : 0), query);
      logarithm += stream[i].number * (are_above[i] ? std::log(p) : std::log1p(-p));
    }
    return std::exp(logarithm) / (2 * threshold);
  };
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double parts = std::ceil((ends[i + 1] - ends[i]) / (2 * std::min(threshold, query)));
    for (double part = 0; part < parts; ++part) {
      const double width = (ends[i + 1] - ends[i]) / parts, from = ends[i] + part * width;
      sum += boost::math::quadrature::gauss<double, 20>::integrate(density, from, from + width);
    }
  }
  return sum;
}

double most(const Description& description, double epsilon) {
  return delta(*privacy_loss(description), epsilon).upper;
}

/// delta(epsilon) of outcomes with these probabilities in the one table and in the other, in whichever
/// direction it is larger.
double told_either_way(const std::vector<std::pair<double, double>>& outcomes, double epsilon) {
  double there = 0, back = 0;
  for (const auto& [p, q] : outcomes) {
    there += std::max(0.0, p - std::exp(epsilon) * q);
    back += std::max(0.0, q - std::exp(epsilon) * p);
  }
  return std::max(there, back);
}

}  // namespace

TEST_CASE("no stream of queries tells more than the sparse vector is said to cost") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform;
  for (int turn = 0; turn < 24; ++turn) {
    const double threshold = std::exp(3 * uniform(random) - 1), query = std::exp(3 * uniform(random) - 1);
    const bool monotone = turn % 2;
    const double direction = turn % 4 < 2 ? 1 : -1;
    std::vector<Queries> stream;
    for (int i = 0; i < 6; ++i) {
      const double low = turn % 3 == 0 ? 0 : -query * std::log(10.0) * 2;
      stream.push_back({low + query * (4 * uniform(random) - 2),
                        direction * (monotone ? std::round(uniform(random))
                                     : i % 2  ? -1
                                              : 1),
                        i % 2 ? 1 : std::ceil(turn % 3 == 0 ? 5 * uniform(random) : 300 * uniform(random))});
    }
    // A block of many is told to be below throughout; where one of it is not, nothing is counted.
    for (const std::size_t answers : {1, 2}) {
      std::vector<std::pair<double, double>> outcomes;
      for (std::size_t last = 1; last < 6; last += 2)
        for (std::size_t before = 1; before < (answers == 1 ? 2 : last); before += 2) {
          std::vector<bool> are_above(last + 1);
          are_above[last] = true;
          if (answers == 2) are_above[before] = true;
          const std::vector<Queries> asked(stream.begin(), stream.begin() + long(last) + 1);
          outcomes.emplace_back(seen(asked, are_above, threshold, query, false),
                                seen(asked, are_above, threshold, query, true));
        }
      const Description description = sparse(threshold, query, double(answers), monotone);
      for (const double share : {0.0, 0.3, 0.7, 0.9, 1.0}) {
        const double epsilon = share * privacy_loss(description)->largest_loss();
        CAPTURE(turn);
        CAPTURE(answers);
        CAPTURE(share);
        CHECK(told_either_way(outcomes, epsilon) <= most(description, epsilon) + 1e-12);
      }
      // With what no outcome says as another one.
      std::pair<double, double> rest{1, 1};
      for (const auto& [p, q] : outcomes) rest = {rest.first - p, rest.second - q};
      outcomes.push_back(rest);
      for (const double order : {1.5, 4.0, 12.0, 50.0}) {
        double there = 0, back = 0;
        for (const auto& [p, q] : outcomes) {
          if (!(p > 1e-12 && q > 1e-12)) continue;
          there += p * std::pow(p / q, order - 1);
          back += q * std::pow(q / p, order - 1);
        }
        CAPTURE(order);
        CHECK(std::log(std::max(there, back)) / (order - 1) <=
              privacy_loss(description)->renyi(order) + 1e-9);
      }
    }
  }
}

// Of one answer and a threshold that is known: queries at one level that move up or down, chosen by how much
// is left to be told. In units of the query's noise; answers below move what is left by the same, up or down.
TEST_CASE("where the threshold has hardly any noise, streams tell nearly what the queries' noise allows") {
  for (const double move : {0.02, 0.3, 1.0, 3.0}) {
    const auto loss = privacy_loss(sparse(1e-12 / move, 1 / move, 1, false));
    for (const double level : {0.0, 0.5, 0.75, 0.9, 1.0, 1.5}) {
      const double rare = above(level * move, 1), likely = above((level - 1) * move, 1);
      const double step = std::log1p(-rare) - std::log1p(-likely);
      // What is told at epsilon = i step.
      constexpr int reach = 60;
      std::vector<double> told;
      for (int i = -reach; i <= reach; ++i) told.push_back(std::max(0.0, -std::expm1(i * step)));
      for (int queries = 0; queries < 300; ++queries) {
        const std::vector<double> before = told;
        for (int i = 1; i < 2 * reach; ++i) {
          const auto at = static_cast<std::size_t>(i);
          const double grown = std::exp((i - reach) * step);
          told[at] = std::max({before[at], (1 - rare) * before[at - 1] + std::max(0.0, rare - grown * likely),
                               (1 - likely) * before[at + 1] + std::max(0.0, likely - grown * rare)});
        }
      }
      for (int i = 0; i < reach / 2; i += 3) {
        CAPTURE(move);
        CAPTURE(level);
        CAPTURE(i);
        const double most = delta(*loss, i * step).upper, found = told[static_cast<std::size_t>(i + reach)];
        CHECK(found <= most * (1 + 1e-9));
        if (level == 0.75) CHECK(found >= 0.85 * most);
      }
    }
  }
}

// Of several answers and a threshold that is known, by the definition: every way in which a stream can end.
TEST_CASE("no stream tells more than the queries' noise allows with a threshold that is known") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform;
  for (int turn = 0; turn < 60; ++turn) {
    const double move = std::exp(4 * uniform(random) - 3);
    const int answers = 1 + turn % 3;
    std::vector<std::pair<double, double>> queries;
    for (int i = 0; i < 12; ++i) {
      const double level = move * (2 * uniform(random) - 0.5), moved = level - move;
      const std::pair one{above(level, 1), above(moved, 1)};
      queries.push_back(uniform(random) < 0.5 + 0.4 * (i < 6) ? one : std::pair{one.second, one.first});
    }
    struct Outcome {
      double p, q;
      int above;
    };
    std::vector<Outcome> open{{1, 1, 0}}, all;
    for (const auto& [p, q] : queries) {
      std::vector<Outcome> next;
      for (const Outcome& one : open) {
        next.push_back({one.p * (1 - p), one.q * (1 - q), one.above});
        const Outcome hit{one.p * p, one.q * q, one.above + 1};
        (hit.above == answers ? all : next).push_back(hit);
      }
      open = next;
    }
    all.insert(all.end(), open.begin(), open.end());
    const auto loss = privacy_loss(sparse(1e-12 / move, 1 / move, answers, false));
    for (const double epsilon : {0.0, 0.1 * move, move, 3 * move, 8 * move}) {
      double there = 0, back = 0;
      for (const Outcome& one : all) {
        there += std::max(0.0, one.p - std::exp(epsilon) * one.q);
        back += std::max(0.0, one.q - std::exp(epsilon) * one.p);
      }
      CHECK(std::max(there, back) <= delta(*loss, epsilon).upper * (1 + 1e-9));
    }
    for (const double order : {1.1, 1.5, 3.0}) {
      double there = 0, back = 0;
      for (const Outcome& one : all) {
        there += one.p * std::pow(one.p / one.q, order - 1);
        back += one.q * std::pow(one.q / one.p, order - 1);
      }
      CHECK(std::log(std::max(there, back)) / (order - 1) <= loss->renyi(order) * (1 + 1e-9));
    }
  }
}

// The step of the induction from which all of it follows: whatever is asked next, at whatever epsilon.
TEST_CASE("no query tells more than was left to be told, where the threshold is known") {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform;
  for (const double move : {1e-6, 0.004, 0.05, 0.3, 1.0, 3.0, 9.0})
    for (const double answers : {1, 2, 3, 7, 40})
      for (const bool one_way : {false, true}) {
        const double further = one_way ? 0 : move;
        const KnownThreshold now(move, further, answers), then(move, further, std::max(1.0, answers - 1));
        const auto left = [&](double epsilon) {
          return answers == 1 ? std::max(0.0, -std::expm1(epsilon)) : then.delta(epsilon);
        };
        REQUIRE(now.is_known());
        double least = 2;
        for (int turn = 0; turn < 400; ++turn) {
          const double level = turn % 2 ? move * (2 * uniform(random) - 0.5) : 12 * uniform(random) - 6;
          const double moved = move * (turn % 3 ? 1 : uniform(random));
          double a = above(level, 1), b = above(level - moved, 1);
          if (!one_way && uniform(random) < 0.5) std::swap(a, b);
          const double first = (one_way ? 0 : -1) * move,
                       epsilon = first + (turn % 4 ? 2 : 2 * answers) * 5 * move * uniform(random);
          const double below = epsilon + std::log1p(-b) - std::log1p(-a);
          // In one direction that is what is told from 0 on.
          if (one_way && below < 0) continue;
          const double next = (1 - a) * now.delta(below) + a * left(epsilon + std::log(b / a));
          CAPTURE(move);
          CAPTURE(answers);
          CAPTURE(epsilon / move);
          CHECK(next <= now.delta(epsilon) * (1 + 1e-9));
          least = std::min(least, 1 - next / now.delta(epsilon));
        }
        // Some queries hardly give anything away.
        CHECK(least < 2e-3);
      }
}

// Whatever is done before and after, a query and what follows it cost no more than one answer's moment.
TEST_CASE("no query has a larger moment than an answer is said to have, and some have nearly as large ones") {
  std::mt19937 random(10);
  std::uniform_real_distribution<double> uniform;
  for (const double nearer : {1e-3, 0.1, 1.0, 4.0})
    for (const double share : {0.0, 0.5, 1.0, 3.0, 15.0}) {
      const double further = share * nearer;
      const KnownThreshold queries(nearer, further, 3);
      for (const double part : {1e-3, 0.1, 0.5, 0.9}) {
        const double power = part * queries.power_end(), most = queries.log_moment(power);
        double found = 0;
        for (int turn = 0; turn < 2000; ++turn) {
          const bool comes_nearer = turn % 2;
          const double move = comes_nearer ? nearer : further;
          const double level = turn % 4 < 2 ? move * (2 * uniform(random) - 0.5) : 8 * uniform(random) - 4;
          double a = above(level, 1), b = above(level - move, 1);
          if (!comes_nearer) std::swap(a, b);
          const double rest = std::expm1(std::log1p(-a) + power * (std::log1p(-a) - std::log1p(-b)));
          if (!(rest < 0)) continue;
          found = std::max(found, 3 * (std::log(a) + power * std::log(a / b) - std::log(-rest)));
        }
        CAPTURE(nearer);
        CAPTURE(further);
        CAPTURE(part);
        CHECK(found <= most * (1 + 1e-9) + 1e-12);
        CHECK(found >= 0.6 * most - 1e-9);
      }
      CHECK(std::isinf(queries.log_moment(queries.power_end())));
    }
}

// The best stream for two or three answers, searched for from the last query back: in steps of what an answer
// below moves epsilon by at one level, and with epsilon rounded up where one is above.
TEST_CASE("with a threshold that is known streams of several answers tell nearly what is said") {
  constexpr int fine = 16, reach = 60 * fine;
  for (const bool one_way : {false, true})
    for (const double move : {0.02, 0.3, 1.0}) {
      const double rare = above(0.75 * move, 1), likely = above(-0.25 * move, 1);
      const double step = (std::log1p(-rare) - std::log1p(-likely)) / fine;
      const int jump = static_cast<int>(std::ceil(std::log(likely / rare) / step));
      std::vector<double> left;
      for (int i = -reach; i <= reach; ++i) left.push_back(std::max(0.0, -std::expm1(i * step)));
      const std::vector<double> none = left;
      for (const int answers : {1, 2, 3}) {
        std::vector<double> now = none;
        const auto at = [reach = reach](const std::vector<double>& told, int i) {
          return i > 2 * reach ? 0.0 : told[static_cast<std::size_t>(std::max(i, 0))];
        };
        for (int queries = 0; queries < 400; ++queries)
          for (int i = fine; i <= 2 * reach; ++i) {
            double best = std::max(at(now, i), (1 - rare) * at(now, i - fine) + rare * at(left, i + jump));
            if (!one_way)
              best = std::max(best, (1 - likely) * at(now, i + fine) + likely * at(left, i - jump + 1));
            now[static_cast<std::size_t>(i)] = best;
          }
        left = now;
        const KnownThreshold queries(move, one_way ? 0 : move, answers);
        for (int i = 0; i < reach / 2; i += 5 * fine) {
          CAPTURE(one_way);
          CAPTURE(move);
          CAPTURE(answers);
          CAPTURE(i / fine);
          const double most = queries.delta(i * step), found = at(now, i + reach);
          CHECK(found <= most * (1 + 1e-9));
          CHECK(found >= 0.7 * most);
        }
      }
    }
}

TEST_CASE(
    "sparse vectors together cost what streams of each show at least, and less than their largest losses") {
  for (const bool monotone : {false, true}) {
    const auto one = privacy_loss(sparse(2, 4, 1, monotone));
    const std::vector<Queries> stream{{-8, 1, 60}, {0, monotone ? 0.0 : -1.0, 1}, {2, 1, 10}, {3, 0, 1}};
    std::vector<std::pair<double, double>> outcomes;
    std::pair<double, double> rest{1, 1};
    for (const std::size_t last : {1, 3}) {
      std::vector<bool> are_above(last + 1);
      are_above[last] = true;
      const std::vector<Queries> asked(stream.begin(), stream.begin() + long(last) + 1);
      outcomes.emplace_back(seen(asked, are_above, 2, 4, false), seen(asked, are_above, 2, 4, true));
      rest = {rest.first - outcomes.back().first, rest.second - outcomes.back().second};
    }
    outcomes.push_back(rest);
    std::vector<std::pair<double, double>> all{{1, 1}};
    for (int run = 1; run <= 4; ++run) {
      std::vector<std::pair<double, double>> next;
      for (const auto& [p, q] : all)
        for (const auto& [r, s] : outcomes) next.emplace_back(p * r, q * s);
      all = next;
      if (run == 1) continue;
      const auto whole = together({{one, double(run)}});
      const Profile profile(*whole);
      for (const double epsilon : {0.0, 0.2, 0.5, 1.0, 2.0}) {
        CAPTURE(monotone);
        CAPTURE(run);
        CAPTURE(epsilon);
        CHECK(told_either_way(all, epsilon) <= profile.delta(epsilon).upper);
      }
    }
    const Bounds found = Profile(*together({{one, 10}})).epsilon(1e-6);
    CHECK(found.lower >= 4 * Profile(*one).epsilon(1e-6).lower);
    CHECK(found.upper < 0.75 * 10 * one->largest_loss());
  }
}

// A test errs as the profile allows: the least of all lines that bound its power.
TEST_CASE(
    "no test of a sparse vector has more power than any of its deltas allows, and the bound is as good as "
    "they are") {
  for (const double threshold : {0.5, 4.0})
    for (const double answers : {1.0, 5.0}) {
      const auto loss = privacy_loss(sparse(threshold, 20, answers, false));
      std::vector<std::pair<double, double>> profile;
      for (double epsilon = -3; epsilon < 3; epsilon += 2e-3)
        profile.emplace_back(std::exp(epsilon), delta(*loss, epsilon).upper);
      for (const double rate : {0.0, 1e-6, 1e-3, 0.1, 0.5, 0.9, 1.0}) {
        double least = 1;
        for (const auto& [grown, told] : profile) least = std::min(least, told + grown * rate);
        const double found = loss->profile()->power(rate).upper;
        CAPTURE(rate);
        CHECK(found <= least * (1 + 1e-3) + 1e-15);
        CHECK(found >= least * (1 - 1e-3));
        CHECK(found >= rate);
      }
    }
}

// Where the threshold's noise is neither little nor much, neither it nor that of queries alone tells enough.
TEST_CASE("what both noises of a sparse vector hide together is less than what either hides") {
  CHECK(Profile(*privacy_loss(sparse(2, 20, 5, false))).epsilon(1e-6).upper < 0.9);
  CHECK(Profile(*privacy_loss(sparse(2, 40, 10, false))).epsilon(1e-6).upper < 0.66);
  CHECK(Profile(*privacy_loss(sparse(2, 20, 5, true))).epsilon(1e-6).upper < 0.69);
  CHECK(Profile(*privacy_loss(sparse(4, 4, 1, true))).epsilon(0.1).upper < 0.02);
  CHECK(privacy_loss(sparse(2, 40, 10, false))->renyi(8) <
        0.3 * privacy_loss(sparse(2, 40, 10, false))->largest_loss());
}

TEST_CASE("a stream attains what a sparse vector is said to cost at least" * doctest::test_suite("long")) {
  // One try of the stream that the lower end is derived from, of finitely many queries.
  for (const bool monotone : {false, true})
    for (const double threshold : {2.0, 10.0})
      for (const double answers : {1, 2, 3}) {
        const double query = 4;
        const auto loss = privacy_loss(sparse(threshold, query, answers, monotone));
        const double largest = loss->largest_loss();
        for (const double gap : {1e-6, 1e-3, 1e-2}) {
          const double epsilon = largest * (1 - gap), least = delta(*loss, epsilon).lower;
          double best = 0;
          for (double x = 1; x < 40; x += 1) {
            const double number = 1e7, low = -query * std::log(number / (2 * x));
            double told = 0;
            std::vector<Queries> stream;
            std::vector<bool> are_above;
            const double apart = -query * std::log(0.02 * gap * largest);
            for (int turn = 0; turn < 3; ++turn) {
              const double level = turn * apart;
              // Lower thresholds are ruled out anew, by as many queries as make up for those before.
              stream.push_back({low + level, 1, turn == 0 ? number : number * -std::expm1(-apart / query)});
              are_above.push_back(false);
              stream.push_back({level, monotone ? 0.0 : -1.0, answers});
              are_above.push_back(true);
              told += std::max(0.0, seen(stream, are_above, threshold, query, false) -
                                        std::exp(epsilon) * seen(stream, are_above, threshold, query, true));
              stream.back().number = 1;
              are_above.back() = false;
            }
            best = std::max(best, told);
          }
          CAPTURE(answers);
          CAPTURE(gap);
          CAPTURE(threshold);
          // Further off counts of answers tell more.
          if (gap < 1e-2) CHECK(best > least * 0.9);
          CHECK(best <= delta(*loss, epsilon).upper);
        }
      }
}

TEST_CASE("the price of a sparse vector is known closely where delta is small") {
  for (const bool monotone : {false, true})
    for (const auto& [threshold, query] : {std::pair(2.0, 4.0), {10.0, 1.0}, {0.3, 0.2}}) {
      const Bounds found = Profile(*privacy_loss(sparse(threshold, query, 1, monotone))).epsilon(1e-9);
      CHECK(found.lower > found.upper * (1 - 1e-3));
    }
}

// The streams of the lower end: queries that move up, of which few are above, and then others that move down,
// of which many are. Each outcome is integrated over the threshold's noise.
TEST_CASE("counts of answers above attain what a sparse vector is said to cost at least, and hardly more") {
  using boost::math::binomial;
  const auto told = [](int first, int others, int few, int many, double threshold, double query, double down,
                       bool with) {
    const double side = with ? 0.5 : -0.5;
    const auto density = [&](double r) {
      const binomial before(first, above(r + side, query)), after(others, above(r - down * side, query));
      const double those = many == 0 ? 1 : cdf(complement(after, many - 1));
      return (few < first ? cdf(before, few) : 1) * those * std::exp(-std::abs(r) / threshold) /
             (2 * threshold);
    };
    const double ends[] = {-40 * threshold, -4 * threshold, -0.5, 0, 0.5, 4 * threshold, 40 * threshold};
    double sum = 0;
    for (int i = 0; i < 6; ++i)
      for (int part = 0; part < 4; ++part) {
        const double width = (ends[i + 1] - ends[i]) / 4, from = ends[i] + part * width;
        sum += boost::math::quadrature::gauss<double, 20>::integrate(density, from, from + width);
      }
    return sum;
  };
  struct Case {
    double threshold, query;
    int answers;
  };
  for (const bool monotone : {false, true})
    for (const Case& one : {Case{2, 12, 3}, {2, 20, 5}, {0.5, 3, 2}}) {
      const double threshold = one.threshold, query = one.query;
      const int answers = one.answers;
      struct Told {
        double with, without;
      };
      std::vector<Told> all;
      for (int first = 1; first <= 4 * answers + 30; first += 1 + first / 12)
        for (int few = 0; few < answers; ++few)
          for (const int many : {answers - few, (answers - few) / 2}) {
            const auto at = [&](bool with) {
              return told(first, answers, few, many, threshold, query, monotone ? 0 : 1, with);
            };
            all.push_back({at(true), at(false)});
          }
      const auto loss = privacy_loss(sparse(threshold, query, answers, monotone));
      for (const double share : {0.3, 0.5, 0.6}) {
        const double epsilon = share * loss->largest_loss();
        // What chords give away is less than a 50th of the largest loss.
        double best = 0, near = 0;
        for (const Told& seen : all) {
          best = std::max(best, seen.with - std::exp(epsilon) * seen.without);
          near = std::max(near,
                          0.99 * seen.with - std::exp(epsilon + 0.02 * loss->largest_loss()) * seen.without);
        }
        CAPTURE(monotone);
        CAPTURE(answers);
        CAPTURE(share);
        CHECK(near > 0);
        const Bounds found = delta(*loss, epsilon);
        CHECK(best <= found.upper);
        CHECK(found.lower >= near);
        // Of few answers one query, or tries, may tell more.
        if (answers > 2) CHECK(found.lower <= best * (1 + 1e-9));
        // The same event in two of them, which is what both cost at least.
        double twice = 0;
        for (const Told& seen : all) {
          const double p = seen.with, q = seen.without;
          twice = std::max(twice, told_either_way({{p * p, q * q},
                                                   {p * (1 - p), q * (1 - q)},
                                                   {(1 - p) * p, (1 - q) * q},
                                                   {(1 - p) * (1 - p), (1 - q) * (1 - q)}},
                                                  epsilon));
        }
        const Bounds together_found = Profile(*together({{loss, 2}})).delta(epsilon);
        CHECK(together_found.lower <= std::max(twice, found.lower) * (1 + 1e-9));
        CHECK(twice <= together_found.upper);
      }
    }
  for (const auto& [answers, least] :
       {std::pair(2.0, 0.98), {4.0, 0.78}, {5.0, 0.72}, {10.0, 0.5}, {50.0, 0.21}})
    CHECK(Profile(*privacy_loss(sparse(2, 4 * answers, answers, false))).epsilon(1e-6).lower > least);
}

// Whatever the scales are, and where doubles come to their ends.
TEST_CASE("the lower end of a sparse vector is never above the upper one") {
  for (const double threshold : {1e-100, 1e-3, 1.0, 1e3, 1e100})
    for (const double query : {1e-100, 1e-2, 1.0, 1e2, 1e100})
      for (const double answers : {1.0, 7.0, 1e9}) {
        const auto loss = privacy_loss(sparse(threshold, query, answers, false));
        for (const double epsilon : {-2.0, 0.0, 1e-3, 1.0, 30.0}) {
          const Bounds found = delta(*loss, epsilon);
          CAPTURE(threshold);
          CAPTURE(query);
          CAPTURE(epsilon);
          CHECK(found.lower >= 0);
          CHECK(found.lower <= found.upper);
        }
      }
}

TEST_CASE("the profile of a sparse vector is answered at any epsilon, whatever its scales are") {
  for (const double threshold : {1e-100, 1e-3, 1.0, 1e50, 1e95})
    for (const double query : {1e-2, 1.0, 1e60})
      for (const double answers : {1.0, 13.0})
        for (const char* queries : {"any", "monotone"})
          for (const double size : {1e3, 1e100, 1e300}) {
            CAPTURE(threshold);
            CAPTURE(query);
            const auto loss = privacy_loss({"sparse-vector",
                                            {{"thresholdScale", threshold},
                                             {"queryScale", query},
                                             {"sensitivity", 1},
                                             {"answers", answers}},
                                            {},
                                            {{"queries", queries}},
                                            {}});
            const Bounds below = delta(*loss, -size), above = delta(*loss, size);
            CHECK(below.lower >= 1 - 1e-12);
            CHECK(below.upper <= 1);
            CHECK(above.lower <= above.upper);
            CHECK(above.upper <= 1);
          }
}

}  // namespace epsilometer::sparse_vector_test
