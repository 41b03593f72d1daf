// Attacks on a private vote: one voter who votes for the one class or the other, or not at all.
#include <doctest/doctest.h>

#include "core/release/algorithm.h"
#include "tests/audit/attack.h"

namespace epsilometer::voting_audit_test {

namespace {

FitRequest vote(const char* neighbours, std::map<std::string, double> numbers,
                const char* noise = "gaussian") {
  numbers.insert({{"dimension", 1}, {"questions", 1}, {"classes", 2}});
  return {"noisy-voting", std::move(numbers), {{"neighbours", neighbours}, {"noise", noise}}};
}

/// The best test of `told` about which of two tables was voted on; stated by another request.
double excess(const FitRequest& run, const FitRequest& stated, const std::vector<double>& first,
              const std::vector<double>& second, const std::function<bool(double winner)>& told) {
  TestRng rng(20261203);
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(run);
  const std::vector<double> labels(std::max(first.size(), second.size()));
  const Run statistic = [&](bool is_first) {
    const std::vector<double>& votes = is_first ? first : second;
    const Records table{votes.size(), 1, votes, std::span(labels).first(votes.size())};
    return told(algorithm->fit(table, rng, {}).number("winners")) ? 1.0 : 0.0;
  };
  return certain_excess(
      statistic, [](double) { return 0.5; }, deltas(plan(stated).description));
}

}  // namespace

// With two classes the winner is the best test there is between a gap of one vote and of minus one.
TEST_CASE("the winner of a vote tells no more than is stated, and less noise is seen") {
  const auto first_wins = [](double winner) { return winner == 0; };
  for (const char* noise : {"gaussian", "laplace"}) {
    CAPTURE(noise);
    const FitRequest stated = vote("replace", {{"scale", 1}}, noise),
                     less = vote("replace", {{"scale", 0.8}}, noise);
    CHECK(excess(stated, stated, {0}, {1}, first_wins) <= 0);
    CHECK(excess(less, stated, {0}, {1}, first_wins) > 0);
  }
}

// Between gaps of none and of minus one, where the winner is nearly the best test there is.
TEST_CASE("so does that of a voter who takes part or not") {
  const auto first_wins = [](double winner) { return winner == 0; };
  for (const char* noise : {"gaussian", "laplace"}) {
    CAPTURE(noise);
    const FitRequest stated = vote("add-remove", {{"scale", 1}}, noise),
                     less = vote("add-remove", {{"scale", 0.8}}, noise);
    CHECK(excess(stated, stated, {0, 1}, {1}, first_wins) <= 0);
    CHECK(excess(less, stated, {0, 1}, {1}, first_wins) > 0);
  }
}

// The winner has so much noise that it tells nothing: what is told is whether the question stays open.
TEST_CASE("whether a question stays open tells no more than is stated, and less noise is seen") {
  const auto is_answered = [](double winner) { return winner != no_label; };
  const auto tested = [](double scale) {
    return vote("add-remove", {{"scale", 1e6}, {"leastVotes", 0.5}, {"leastVotesScale", scale}});
  };
  CHECK(excess(tested(1), tested(1), {0}, {}, is_answered) <= 0);
  CHECK(excess(tested(0.8), tested(1), {0}, {}, is_answered) > 0);
}

}  // namespace epsilometer::voting_audit_test
