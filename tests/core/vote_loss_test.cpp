// What a vote told of its own voters against 20-digit truths, and against the price for everybody.
#include "core/report/personal/vote_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "tests/core/table_lines.h"

using namespace epsilometer;

namespace {

VoteCounts votes_of(const std::vector<std::vector<double>>& rows) {
  VoteCounts votes(rows.size(), rows[0].size(), VoteForm::counts);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> label{static_cast<double>(i)};
    votes.add({1, rows[i].size(), rows[i], label});
  }
  return votes;
}

}  // namespace

TEST_CASE("the chance of an upset and the theorem's divergence are rounded up, by no more than 1e-10") {
  int asked = 0;
  for (const auto& line : table_lines("report/votes.ndjson")) {
    if (line["ask"] == "divergence") continue;
    CAPTURE(line.dump());
    const double found = line["ask"] == "upset"
                             ? upset(line["votes"].get<std::vector<double>>(), line["sigma"])
                             : vote_renyi(line["q"], line["sigma"], line["order"]).upper;
    ++asked;
    CHECK(found >= truth(line) * (1 - 1e-15));
    // 512 half ulps of an exponent, which is up to 1000 here.
    CHECK(found <= truth(line) * (1 + 1e-10));
  }
  CHECK(asked > 15);
}

TEST_CASE("the divergence of small votes, by integrals, is no more than what is said") {
  int asked = 0;
  for (const auto& line : table_lines("report/votes.ndjson", "divergence")) {
    CAPTURE(line.dump());
    const double q = upset(line["votes"].get<std::vector<double>>(), line["sigma"]);
    CHECK(truth(line) <= vote_renyi(q, line["sigma"], line["order"]).upper);
    ++asked;
  }
  CHECK(asked == 5);
}

TEST_CASE("more agreement never costs more, and nothing costs more than the bound for every table") {
  std::mt19937_64 stream(20261204);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double sigma = std::exp(6 * uniform(stream)), order = 1 + std::exp(5 * uniform(stream) - 1);
    const double q = std::exp(-60 * uniform(stream));
    const Bounds less = vote_renyi(q * uniform(stream), sigma, order), more = vote_renyi(q, sigma, order);
    CAPTURE(q);
    CAPTURE(sigma);
    CAPTURE(order);
    // The bound grows with q, and both intervals hold it.
    CHECK(less.lower <= more.upper);
    CHECK(more.upper <= rounded_up(order / (sigma * sigma)));
  }
}

// Of so many questions of one upset, by the least over orders that are `apart` as factors: Canonne, Kamath
// and Steinke 2020, Proposition 12.
double converted(double questions, double q, double sigma, double delta, double apart) {
  double least = HUGE_VAL;
  for (double order = 1.25; order <= 4096; order *= apart) {
    const double t = order - 1;
    least = std::min(least, questions * vote_renyi(q, sigma, order).upper -
                                (std::log(delta) + t * std::log1p(1 / t) + std::log1p(t)) / t);
  }
  return least;
}

TEST_CASE("where nearly all agree the votes cost less than is promised, where they do not they do not") {
  const std::vector<double> clear{390, 5, 5}, open{140, 130, 130};
  const VoteLoss agreed = vote_loss(votes_of(std::vector(200, clear)), 40, 1e-5, 0.5);
  CHECK(agreed.epsilon < agreed.plain_epsilon);
  const VoteLoss split = vote_loss(votes_of(std::vector(50, open)), 40, 1e-5, 0.5);
  // The same bound, by a Renyi divergence and not exactly.
  CHECK(split.epsilon > split.plain_epsilon);
  // The best of the orders that are asked, to what both round: 200 sums of terms below 1, a few ulp each.
  CHECK(std::abs(agreed.epsilon - converted(200, upset(clear, 40), 40, 1e-5, 1.09)) < 1e-12);
  CHECK(std::abs(split.epsilon - converted(50, upset(open, 40), 40, 1e-5, 1.09)) < 1e-12);
  // With D the divergence over the order, D order + C/(order - 1) is least at t = order - 1 = sqrt(C/D). C,
  // which falls by less than a logarithm of t, is -log delta at least. Orders that are within a factor of
  // sqrt(1.09) of that have t within 1.05 of it, and t/best + best/t is at most 2.0025 there.
  CHECK(split.epsilon <= 1.00125 * converted(50, upset(open, 40), 40, 1e-5, 1.0001));
  // To release it costs more than it saves: docs/adaptive-releases.md.
  CHECK(agreed.tested_epsilon > agreed.plain_epsilon);
}

TEST_CASE("the parameters of the test are those of its proof") {
  const VoteLoss loss = vote_loss(votes_of({{300, 60, 40}}), 20, 1e-5, 0.5);
  CHECK(loss.tested_order == doctest::Approx(49.824290582120696).epsilon(1e-14));
}

TEST_CASE("what makes no vote is refused by name") {
  const VoteCounts votes = votes_of({{3, 2}});
  const auto refused = [&](double scale, double delta, double test_epsilon) -> std::string {
    try {
      vote_loss(votes, scale, delta, test_epsilon);
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return "nothing";
  };
  CHECK(refused(0, 1e-5, 0.5) == "scale");
  CHECK(refused(1, 0, 0.5) == "delta");
  CHECK(refused(1, 1e-5, 0) == "testEpsilon");
}
