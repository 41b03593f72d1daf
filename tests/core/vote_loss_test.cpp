// What a vote told of its own voters against 20-digit truths, and against the price for everybody.
#include "core/report/personal/vote_loss.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "tests/core/linear_request.h"
#include "tests/core/table_lines.h"

namespace epsilometer::vote_loss_test {

namespace {

VoteCounts votes_of(const std::vector<std::vector<double>>& rows) {
  VoteCounts votes(rows.size(), rows[0].size(), VoteForm::counts);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> label{static_cast<double>(i)};
    votes.add({1, rows[i].size(), rows[i], label});
  }
  return votes;
}

double rho(double sigma) { return winner_rho(Vote{sigma}, 3); }

Vote tested(const nlohmann::json& line) {
  return {line.contains("sigma") ? line["sigma"].get<double>() : 1, true, false,
          Vote::Least{line["least"]["votes"], line["least"]["sigma"]}};
}

}  // namespace

TEST_CASE("the chance of an upset and the theorem's divergence are rounded up, by no more than 1e-10") {
  int asked = 0;
  for (const auto& line : table_lines("report/votes.ndjson")) {
    if (line["ask"] == "divergence" || line["ask"] == "tested") continue;
    CAPTURE(line.dump());
    const double found =
        line["ask"] == "testedBound"
            ? tested_vote_renyi(line["winner"], line["mostVotes"], tested(line), line["order"])
        : line["ask"] == "upset"
            ? upset(line["votes"].get<std::vector<double>>(), Vote{line["sigma"].get<double>()})
            : vote_renyi(line["q"], rho(line["sigma"]), line["order"]).upper;
    ++asked;
    CHECK(found >= truth(line) * (1 - 1e-15));
    // 512 half ulps of an exponent, which is up to 1000 here; and of a test the logarithms of probabilities,
    // right to 2^-47 (4 + place^2) with places below 10, twice.
    CHECK(found <= truth(line) * (1 + 1e-10) + (line["ask"] == "testedBound" ? 2e-12 : 0));
  }
  CHECK(asked > 22);
}

TEST_CASE("the divergence of small votes, by integrals, is no more than what is said") {
  int asked = 0;
  for (const auto& line : table_lines("report/votes.ndjson", "divergence")) {
    CAPTURE(line.dump());
    const double q = upset(line["votes"].get<std::vector<double>>(), Vote{line["sigma"].get<double>()});
    CHECK(truth(line) <= vote_renyi(q, rho(line["sigma"]), line["order"]).upper);
    ++asked;
  }
  CHECK(asked == 5);
}

TEST_CASE("so is that of small votes behind a test, and no more than of both for every table") {
  int asked = 0;
  for (const auto& line : table_lines("report/votes.ndjson", "tested")) {
    CAPTURE(line.dump());
    const auto votes = line["votes"].get<std::vector<double>>();
    const double order = line["order"], own = rho(line["sigma"]), least = line["least"]["sigma"];
    const double winner = vote_renyi(upset(votes, Vote{line["sigma"].get<double>()}), own, order).upper;
    const double found = tested_vote_renyi(winner, votes[0], tested(line), order);
    CHECK(truth(line) <= found);
    CHECK(found <= rounded_up(winner + order / (2 * least * least), 4 * rounding_margin));
    ++asked;
  }
  CHECK(asked == 4);
}

TEST_CASE(
    "a question that stays open for sure costs nothing, and one that passes for sure what its winner costs") {
  const Vote vote{20, true, false, Vote::Least{1000, 10}};
  CHECK(tested_vote_renyi(0.3, 300, vote, 8) < 1e-12);
  CHECK(tested_vote_renyi(0.3, 1700, vote, 8) == doctest::Approx(0.3).epsilon(1e-12));
  // In between, and on a grid no less.
  double before = 0;
  for (double most = 900; most <= 1100; most += 10) {
    Vote discrete = vote;
    discrete.is_on_grid = true;
    const double found = tested_vote_renyi(0.3, most, vote, 8),
                 gridded = tested_vote_renyi(0.3, most, discrete, 8);
    CAPTURE(most);
    CHECK(found <= gridded);
    CHECK(gridded <= found + 1e-4);
    before = std::max(before, found);
  }
  CHECK(before > 0.3);
}

TEST_CASE("discrete noise upsets no more than is said, and hardly less" * doctest::test_suite("long")) {
  // On the coarsest grid, and as wide as such noise may be; the difference of two has the weights of one.
  const double steps = 0x1p20, width = std::sqrt(2.0) * (steps + 2);
  const auto weight = [&](double z) {
    return std::exp(-static_cast<long double>(z) * z / (2 * width * width));
  };
  // What is at each place and beyond it, the smallest weights first.
  std::map<double, long double> beyond;
  long double sum = 0;
  for (double z = std::floor(12 * width); z >= 0; --z) {
    sum += weight(z);
    if (std::fmod(z, steps / 2) == 0) beyond[z / steps] = sum;
  }
  const long double all = 2 * sum - weight(0);
  for (const double lead : {0.0, 1.0, 2.5, 6.0}) {
    const double truth = static_cast<double>(beyond.at(lead) / all),
                 said = upset(std::vector{lead, 0.0}, {1, true, true, {}});
    CAPTURE(lead);
    CHECK(truth <= said);
    CHECK(said <= truth * (1 + 1e-4));
  }
}

TEST_CASE("of two classes a voter who takes part moves the gap by one vote, in noise of sqrt(2) sigma") {
  CHECK(winner_rho(Vote{3}, 2) == doctest::Approx(1.0 / 9).epsilon(1e-13));
  CHECK(winner_rho(Vote{3}, 5) == doctest::Approx(1.0 / 9).epsilon(1e-13));
  CHECK(winner_rho(Vote{3, false, false, {}}, 5) == doctest::Approx(1.0 / 18).epsilon(1e-13));
  CHECK(winner_rho(Vote{3, false, false, {}}, 2) == doctest::Approx(1.0 / 36).epsilon(1e-13));
}

TEST_CASE("more agreement never costs more, and nothing costs more than the bound for every table") {
  std::mt19937_64 stream(20261204);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 2000; ++i) {
    const double sigma = std::exp(6 * uniform(stream)), order = 1 + std::exp(5 * uniform(stream) - 1);
    const double q = std::exp(-60 * uniform(stream));
    const Bounds less = vote_renyi(q * uniform(stream), rho(sigma), order),
                 more = vote_renyi(q, rho(sigma), order);
    CAPTURE(q);
    CAPTURE(sigma);
    CAPTURE(order);
    // The bound grows with q, and both intervals hold it.
    CHECK(less.lower <= more.upper);
    CHECK(more.upper <= rounded_up(rho(sigma) * order));
  }
}

// Of so many questions of one upset, by the least over orders that are `apart` as factors: Canonne, Kamath
// and Steinke 2020, Proposition 12.
double converted(double questions, double q, double sigma, double delta, double apart) {
  double least = HUGE_VAL;
  for (double order = 1.25; order <= 4096; order *= apart) {
    const double t = order - 1;
    least = std::min(least, questions * vote_renyi(q, rho(sigma), order).upper -
                                (std::log(delta) + t * std::log1p(1 / t) + std::log1p(t)) / t);
  }
  return least;
}

TEST_CASE("where nearly all agree the votes cost less than is promised, where they do not they do not") {
  const std::vector<double> clear{390, 5, 5}, open{140, 130, 130};
  const VoteLoss agreed = vote_loss(votes_of(std::vector(200, clear)), Vote{40}, 1e-5, 0.5);
  CHECK(agreed.epsilon < agreed.plain_epsilon);
  const VoteLoss split = vote_loss(votes_of(std::vector(50, open)), Vote{40}, 1e-5, 0.5);
  // The same bound, by a Renyi divergence and not exactly.
  CHECK(split.epsilon > split.plain_epsilon);
  // The best of the orders that are asked, to what both round: 200 sums of terms below 1, a few ulp each.
  CHECK(std::abs(agreed.epsilon - converted(200, upset(clear, Vote{40}), 40, 1e-5, 1.09)) < 1e-12);
  CHECK(std::abs(split.epsilon - converted(50, upset(open, Vote{40}), 40, 1e-5, 1.09)) < 1e-12);
  // With D the divergence over the order, D order + C/(order - 1) is least at t = order - 1 = sqrt(C/D). C,
  // which falls by less than a logarithm of t, is -log delta at least. Orders that are within a factor of
  // sqrt(1.09) of that have t within 1.05 of it, and t/best + best/t is at most 2.0025 there.
  CHECK(split.epsilon <= 1.00125 * converted(50, upset(open, Vote{40}), 40, 1e-5, 1.0001));
  // To release it costs more than it saves: docs/adaptive-releases.md.
  CHECK(agreed.tested_epsilon > agreed.plain_epsilon);
}

TEST_CASE("the parameters of the test are those of its proof") {
  const VoteLoss loss = vote_loss(votes_of({{300, 60, 40}}), Vote{20}, 1e-5, 0.5);
  CHECK(loss.tested_order == doctest::Approx(49.824290582120696).epsilon(1e-14));
}

TEST_CASE("what makes no vote is refused by name") {
  const VoteCounts votes = votes_of({{3, 2}});
  const auto refused = [&](double scale, double delta, double test_epsilon) -> std::string {
    try {
      vote_loss(votes, Vote{scale}, delta, test_epsilon);
    } catch (const Refusal& refusal) {
      return refusal.field;
    }
    return "nothing";
  };
  CHECK(refused(0, 1e-5, 0.5) == "scale");
  CHECK(refused(1, 0, 0.5) == "delta");
  CHECK(refused(1, 1e-5, 0) == "testEpsilon");
}

TEST_CASE(
    "a release is asked of as its votes are: its noise, its neighbours, its test; other noise is refused") {
  const std::vector<double> counts{300, 60, 40, 130, 140, 130}, labels{0, 1};
  const Records table{2, 3, counts, labels};
  const auto of = [&](std::map<std::string, double> more, std::map<std::string, std::string> texts) {
    more.insert({{"dimension", 3}, {"questions", 2}, {"classes", 3}, {"scale", 20}});
    texts["votes"] = "counts";
    const PlannedRequest run({"noisy-voting", std::move(more), std::move(texts)});
    return vote_loss(run, std::span(&table, 1), 1, 1e-5, 0.5, {});
  };
  const VoteCounts votes = votes_of({{300, 60, 40}, {130, 140, 130}});
  const auto same = [](const VoteLoss& found, const VoteLoss& expected) {
    CHECK(found.epsilon == expected.epsilon);
    // What the release is promised is rounded up less.
    CHECK(found.plain_epsilon <= expected.plain_epsilon);
    CHECK(found.plain_epsilon >= expected.plain_epsilon * (1 - 1e-6));
    CHECK(found.tested_epsilon == expected.tested_epsilon);
  };
  same(of({}, {}), vote_loss(votes, {20, false, true, {}}, 1e-5, 0.5));
  same(of({}, {{"neighbours", "replace"}}), vote_loss(votes, {20, true, true, {}}, 1e-5, 0.5));
  same(of({{"leastVotes", 200}, {"leastVotesScale", 30}}, {}),
       vote_loss(votes, {20, false, true, Vote::Least{200, 30}}, 1e-5, 0.5));
  CHECK_THROWS_AS(of({}, {{"noise", "laplace"}}), Refusal);
  const PlannedRequest other(request("ada-ssp", {{"sigma", 1}}));
  CHECK_THROWS_AS(vote_loss(other, std::span(&table, 1), 1, 1e-5, 0.5, {}), Refusal);
  const PlannedRequest several({"noisy-voting",
                                {{"dimension", 3}, {"questions", 2}, {"classes", 3}, {"scale", 20}},
                                {{"votes", "counts"}}});
  CHECK_THROWS_AS(vote_loss(several, std::span(&table, 1), 2, 1e-5, 0.5, {}), Refusal);
}

TEST_CASE("what is promised to every table is what the release is promised, and a test costs beside it") {
  const VoteCounts votes = votes_of({{300, 60, 40}});
  for (const bool switched : {true, false}) {
    const Vote plain{20, switched, true, {}}, tested{20, switched, true, Vote::Least{200, 30}};
    const double alone = vote_loss(votes, plain, 1e-5, 0.5).plain_epsilon,
                 both = vote_loss(votes, tested, 1e-5, 0.5).plain_epsilon;
    const std::map<std::string, std::string> texts{{"votes", "counts"},
                                                   {"neighbours", switched ? "replace" : "add-remove"}};
    std::map<std::string, double> numbers{{"dimension", 3}, {"questions", 1}, {"classes", 3}, {"scale", 20}};
    const auto price = [&] {
      return epsilon(*privacy_loss(plan({"noisy-voting", numbers, texts}).description), 1e-5).upper;
    };
    CHECK(alone == doctest::Approx(price()).epsilon(1e-6));
    CHECK(alone >= price());
    numbers.insert({{"leastVotes", 200}, {"leastVotesScale", 30}});
    CHECK(both == doctest::Approx(price()).epsilon(1e-6));
    CHECK(both >= price());
    CHECK(both > alone);
  }
}

}  // namespace epsilometer::vote_loss_test
