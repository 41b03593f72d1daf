// The winner of a noisy vote against what small tables of votes show: every table, both neighbours, every
// event.
#include <doctest/doctest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "core/accounting/profile.h"
#include "core/loss/privacy_loss.h"
#include "tests/core/table_lines.h"

namespace epsilometer::noisy_max_test {

namespace {

using Votes = std::vector<double>;

Description winner(const char* noise, const char* vote, double classes, double scale) {
  return {"report-noisy-max",
          {{"classes", classes}, {"scale", scale}},
          {},
          {{"noise", noise}, {"vote", vote}},
          {}};
}

double density(bool laplace, double x) {
  return laplace ? std::exp(-std::abs(x)) / 2 : std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
}
double below(bool laplace, double x) {
  if (!laplace) return std::erfc(-x / std::sqrt(2.0)) / 2;
  return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2;
}

// The steepest slope of that density: where x = 1 of normal noise, beside the kink of Laplace noise.
double steepest(bool laplace) { return laplace ? 0.5 : density(false, 1); }
// The same of the difference of two such deviates. Its density is phi(x / sqrt 2) / sqrt 2, or
// (1 + |x|) e^-|x| / 4, whose slope is x e^-x / 4.
double steepest_difference(bool laplace) { return laplace ? std::exp(-1) / 4 : density(false, 1) / 2; }

// How much less is told beside the best place than there, at most: delta is p - e^epsilon q there or 1 - q -
// e^epsilon (1 - p), both probabilities have such a slope of the slope at most, and at the best place none.
double lost(double epsilon, double steepest, double beside) {
  return (1 + std::exp(epsilon)) * steepest * beside * beside / 2;
}

// The probability of one class to win, by quadrature between the kinks of the densities.
double probability_of(std::size_t i, bool laplace, double scale, const Votes& votes, double far = 38) {
  const auto wins = [&](double x) {
    double all = density(laplace, (x - votes[i]) / scale) / scale;
    for (std::size_t j = 0; j < votes.size(); ++j)
      if (j != i) all *= below(laplace, (x - votes[j]) / scale);
    return all;
  };
  Votes ends = votes;
  for (double x = -far; x <= far; ++x) ends.push_back(votes[i] + x * scale);
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    sum += boost::math::quadrature::gauss<double, 15>::integrate(wins, ends[k], ends[k + 1]);
  return sum;
}

std::vector<double> probabilities(bool laplace, double scale, const Votes& votes, double far = 38) {
  std::vector<double> found;
  for (std::size_t i = 0; i < votes.size(); ++i)
    found.push_back(probability_of(i, laplace, scale, votes, far));
  return found;
}

// The most telling event: all outcomes that are likelier by e^epsilon.
double told(const std::vector<double>& p, const std::vector<double>& q, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return sum;
}

// The most that any table of up to `most` votes for each class tells of one vote.
double most_told(bool laplace, bool switched, std::size_t classes, double scale, double epsilon, int most) {
  double best = 0;
  Votes votes(classes);
  for (;;) {
    const auto here = probabilities(laplace, scale, votes);
    for (std::size_t to = 0; to < classes; ++to)
      for (std::size_t from = 0; from < (switched ? classes : 1); ++from) {
        if (switched && (from == to || votes[from] == 0)) continue;
        Votes other = votes;
        ++other[to];
        if (switched) --other[from];
        const auto there = probabilities(laplace, scale, other);
        best = std::max({best, told(here, there, epsilon), told(there, here, epsilon)});
      }
    std::size_t i = 0;
    for (; i < classes && votes[i] == most; ++i) votes[i] = 0;
    if (i == classes) return best;
    ++votes[i];
  }
}

}  // namespace

TEST_CASE("no small table of votes tells more than the winner is said to cost") {
  for (const bool laplace : {true, false})
    for (const bool switched : {true, false})
      for (const std::size_t classes : {2, 3})
        for (const double epsilon : {0.0, 0.2, 0.6}) {
          const double scale = 1.5;
          const auto loss = privacy_loss(winner(laplace ? "laplace" : "gaussian",
                                                switched ? "switched" : "added", double(classes), scale));
          const Bounds found = delta(*loss, epsilon);
          const double tried = most_told(laplace, switched, classes, scale, epsilon, classes == 2 ? 7 : 2);
          CAPTURE(laplace);
          CAPTURE(switched);
          CAPTURE(classes);
          CAPTURE(epsilon);
          // The quadrature is right to 1e-13.
          CHECK(tried <= found.upper + 1e-12);
          // Of two classes some whole gap is half a vote at most beside the best one. At 0.6 that of Laplace
          // noise is 15.
          if (classes == 2 && (!laplace || epsilon < 0.6))
            CHECK(tried >= found.lower - lost(epsilon, steepest_difference(laplace), 0.5 / scale) - 1e-12);
        }
}

TEST_CASE("no leads of several classes tell more than the winner costs, and level others the lower end") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> lead(-4, 4);
  for (const bool laplace : {true, false})
    for (const std::size_t classes : {3, 5})
      for (const double scale : {0.4, 2.0}) {
        const auto loss =
            privacy_loss(winner(laplace ? "laplace" : "gaussian", "added", double(classes), scale));
        for (const double share : {0.0, 0.3, 0.9}) {
          const double epsilon = share / scale;
          const Bounds found = delta(*loss, epsilon);
          CAPTURE(laplace);
          CAPTURE(classes);
          CAPTURE(scale);
          CAPTURE(share);
          for (int turn = 0; turn < 4; ++turn) {
            Votes votes(classes);
            for (double& vote : votes) vote = scale * lead(random);
            const auto here = probabilities(laplace, scale, votes);
            ++votes[0];
            const auto there = probabilities(laplace, scale, votes);
            CHECK(std::max(told(here, there, epsilon), told(there, here, epsilon)) <= found.upper + 1e-12);
          }
          double best = 0;
          for (std::size_t others = 2; others <= classes; ++others) {
            double most = 0, place = 0;
            const auto look = [&](double x) {
              Votes votes(others, scale * x);
              votes[0] = 0;
              const double q = probability_of(0, laplace, scale, votes);
              votes[0] = 1;
              const double p = probability_of(0, laplace, scale, votes);
              const double here =
                  std::max(told({p, 1 - p}, {q, 1 - q}, epsilon), told({q, 1 - q}, {p, 1 - p}, epsilon));
              if (here > most) most = here, place = x;
            };
            for (double x = -4; x <= 6; x += 0.25) look(x);
            for (double step = 0.125; step >= 0x1p-9; step /= 2) {
              const double middle = place;
              for (const double x : {middle - step, middle + step}) look(x);
            }
            best = std::max(best, most);
          }
          CHECK(best <= found.upper + 1e-12);
          CHECK(best >= found.lower - lost(epsilon, steepest(laplace), 0x1p-9) - 1e-12);
        }
      }
}

TEST_CASE("level others tell no more than many classes cost, and normal noise no less, to 1e-3 of epsilon") {
  int asked = 0;
  for (const auto& line : table_lines("release/crowd.ndjson")) {
    const std::string& noise = line["noise"];
    const auto loss = privacy_loss(winner(noise.c_str(), "added", line["classes"], line["scale"]));
    const double asked_at = line["epsilon"];
    const Bounds found = delta(*loss, asked_at);
    CAPTURE(line.dump());
    CHECK(found.upper >= truth(line));
    const Bounds back = epsilon(*loss, truth(line));
    // Of Laplace noise fewer level others may tell more, and others that are not level.
    // In units of the largest loss, or of epsilon. Of Laplace noise both ends come from different arguments,
    // and the bound is denser than any level numbers but at one quantile: this is how far apart they were
    // seen.
    const double unit = noise == "laplace" ? 1 / double(line["scale"]) : back.upper;
    const double wide = noise == "laplace" ? 0.03 * unit : 1e-3 * unit + 1e-4;
    CHECK(back.upper - asked_at <= wide);
    // The best place is searched to 2^-15 of itself, and what is told is flat there.
    if (noise == "laplace")
      CHECK(found.lower >= truth(line) * (1 - 1e-5));
    else
      CHECK(found.lower <= truth(line));
    CHECK(back.upper - back.lower <= wide);
    ++asked;
  }
  CHECK(asked == 15);
}

// Uphill from some leads, one number after the other, with steps that are halved where none leads further up.
double most_found(const std::function<double(const Votes&)>& tell, Votes votes) {
  double best = tell(votes);
  for (double step = 2; step > 0.05;) {
    bool found = false;
    for (double& vote : votes)
      for (const double by : {step, -step}) {
        const double before = vote;
        vote += by;
        const double here = tell(votes);
        found = found || here > best;
        if (here > best)
          best = here;
        else
          vote = before;
      }
    if (!found) step /= 2;
  }
  return best;
}

TEST_CASE("no leads that a search finds tell more than Laplace noise on several classes costs" *
          doctest::test_suite("long")) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> lead(-3, 3);
  for (const bool switched : {false, true})
    for (const std::size_t classes : {3, 6})
      for (const double shift : {0.2, 1.5})
        for (const double share : {0.5, 0.85}) {
          const double epsilon = share * shift * (switched ? 2 : 1);
          const auto loss =
              privacy_loss(winner("laplace", switched ? "switched" : "added", double(classes), 1 / shift));
          const Bounds found = delta(*loss, epsilon);
          const auto tell = [&](const Votes& votes) {
            Votes other = votes;
            other[0] += shift;
            if (switched) other[1] -= shift;
            const auto here = probabilities(true, 1, votes, 16), there = probabilities(true, 1, other, 16);
            const double both = std::max(told(here, there, epsilon), told(there, here, epsilon));
            // Where nothing is told yet: how far the class is from winning that much more often.
            return both > 0 ? both : std::log(there[0] / here[0]) - epsilon;
          };
          Votes votes(classes);
          for (double& vote : votes) vote = lead(random);
          const double best = most_found(tell, votes);
          CAPTURE(switched);
          CAPTURE(classes);
          CAPTURE(shift);
          CAPTURE(share);
          // Beyond 16 scales a number has e^-16.
          CHECK(best <= found.upper + 1e-6);
          // A search by steps of 1/16 stops short of the best leads; one that finds nothing would test
          // nothing.
          CHECK(best >= 0.8 * found.lower);
        }
}

TEST_CASE("two winners together tell no more than their composition costs") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> lead(-2, 2);
  for (const bool switched : {false, true})
    for (const double scale : {0.7, 3.0}) {
      const Description one = winner("laplace", switched ? "switched" : "added", 4, scale);
      const auto both = privacy_loss({"composition", {}, {}, {}, {{one, 2}}});
      const Profile profile(*both);
      for (const double share : {0.3, 0.8, 1.5}) {
        const double epsilon = share / scale;
        const Bounds found = profile.delta(epsilon);
        CAPTURE(switched);
        CAPTURE(scale);
        CAPTURE(share);
        double best = 0;
        for (int turn = 0; turn < 6; ++turn) {
          std::vector<double> p{1}, q{1};
          for (int release = 0; release < 2; ++release) {
            Votes votes(4);
            for (double& vote : votes) vote = scale * lead(random);
            Votes other = votes;
            ++other[0];
            if (switched) --other[1];
            const auto here = probabilities(true, scale, votes), there = probabilities(true, scale, other);
            std::vector<double> more_p, more_q;
            for (std::size_t i = 0; i < p.size(); ++i)
              for (std::size_t j = 0; j < 4; ++j) {
                more_p.push_back(p[i] * there[j]);
                more_q.push_back(q[i] * here[j]);
              }
            p = more_p, q = more_q;
          }
          best = std::max({best, told(p, q, epsilon), told(q, p, epsilon)});
        }
        CHECK(best <= found.upper + 1e-12);
        CHECK(found.lower <= found.upper);
      }
    }
}

TEST_CASE("gaps of any size are found by trying them") {
  const auto above = [](double x) {
    return x >= 0 ? (2 + x) * std::exp(-x) / 4 : 1 - (2 - x) * std::exp(x) / 4;
  };
  for (const double scale : {0.3, 1.0, 7.0})
    for (const bool switched : {false, true})
      for (const double share : {0.0, 0.2, 0.7, 0.95}) {
        const double shift = (switched ? 2 : 1) / scale, epsilon = share * shift;
        double best = 0;
        for (double x = -3; x < 60; x += 1e-3)
          best = std::max(best, above(x - shift) - std::exp(epsilon) * above(x));
        const auto loss = privacy_loss(winner("laplace", switched ? "switched" : "added", 2, scale));
        const Bounds found = delta(*loss, epsilon);
        CHECK(best <= found.upper * (1 + 1e-13) + 1e-15);
        // Half a step away from the best place, where the slope is 0 and the second derivative below 1.
        CHECK(best >= found.lower - 2.5e-7);
      }
}

TEST_CASE("more noise, fewer classes and a smaller move cost no more") {
  for (const char* noise : {"laplace", "gaussian"})
    for (const double epsilon : {0.0, 0.1, 0.8}) {
      double before = 1;
      for (double scale = 0.2; scale < 50; scale *= 1.2) {
        const double added = delta(*privacy_loss(winner(noise, "added", 2, scale)), epsilon).upper;
        CHECK(added <= before * (1 + 1e-14));
        CHECK(added <= delta(*privacy_loss(winner(noise, "added", 9, scale)), epsilon).upper);
        CHECK(added <= delta(*privacy_loss(winner(noise, "switched", 2, scale)), epsilon).upper);
        for (const char* vote : {"added", "switched"}) {
          const double order = 1.5 + 10 * epsilon,
                       two = privacy_loss(winner(noise, vote, 2, scale))->renyi(order);
          CHECK(two <= privacy_loss(winner(noise, vote, 9, scale))->renyi(order) * (1 + 1e-12));
        }
        before = added;
      }
    }
}

TEST_CASE("a composition of winners lies between its two proven ends") {
  for (const char* noise : {"laplace", "gaussian"})
    for (const char* vote : {"added", "switched"}) {
      const auto loss = privacy_loss({"composition", {}, {}, {}, {{winner(noise, vote, 2, 4), 30}}});
      const auto one = privacy_loss(winner(noise, vote, 2, 4));
      const Bounds all = delta(*loss, 1), single = delta(*one, 1);
      CHECK(all.lower > single.upper);
      CHECK(all.upper >= all.lower);
      CHECK(Profile(*loss).certainty() == Certainty::bound);
    }
}

}  // namespace epsilometer::noisy_max_test
