// Noisy voting: what it counts, what it costs, and how its winners fall.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/fit_session.h"
#include "core/release/price.h"

namespace epsilometer::voting_test {

namespace {

constexpr double none = -1;

FitRequest asked(std::map<std::string, double> numbers, std::map<std::string, std::string> texts = {}) {
  const double questions = numbers.insert({"questions", 1}).first->second;
  numbers.insert({"classes", 2});
  numbers.insert({"dimension", questions});
  return {"noisy-voting", std::move(numbers), std::move(texts)};
}

VoteCounts counted(VoteForm form, std::size_t questions, std::size_t classes,
                   const std::vector<double>& features, const std::vector<double>& labels) {
  VoteCounts counts(questions, classes, form);
  counts.add({labels.size(), features.size() / labels.size(), features, labels});
  return counts;
}

// The chance that a number of `lead` fewer votes wins by Laplace noise of scale 1 on the gap.
double overtaken(double lead) { return lead < 0 ? 1 - overtaken(-lead) : std::exp(-lead) / 2; }

}  // namespace

TEST_CASE("a ballot counts once in each question, and what is no class not at all") {
  const auto votes = counted(VoteForm::ballots, 2, 3, {0, 2, 1, none, 3, 0.5, NAN, INFINITY, 2, 2, -0.0, 0},
                             {0, 0, 0, 0, 0, 0});
  CHECK(votes.of(0, 0) == 2);
  CHECK(votes.of(0, 1) == 1);
  CHECK(votes.of(0, 2) == 1);
  CHECK(votes.of(1, 0) == 1);
  CHECK(votes.of(1, 1) == 0);
  CHECK(votes.of(1, 2) == 2);
}

TEST_CASE("numbers of votes are rounded down and never negative, and an unknown question is none") {
  const auto votes =
      counted(VoteForm::counts, 2, 2, {3.9, -4, NAN, INFINITY, 1e300, 5, 7, 7, 1, 1}, {0, 0, 1, 2, 0.5});
  CHECK(votes.of(0, 0) == 3);
  CHECK(votes.of(0, 1) == 0);
  CHECK(votes.of(1, 0) == std::int64_t{1} << 53);
  CHECK(votes.of(1, 1) == 5);
}

TEST_CASE("one more vote moves one number by one step of the noise, wherever the vote is") {
  for (const double before : {0.0, 0.99, 1.0, 17.5, 0x1p52})
    for (const double after : {before + 1, before - 1}) {
      const auto a = counted(VoteForm::counts, 1, 2, {before, 3}, {0}).steps(-5);
      const auto b = counted(VoteForm::counts, 1, 2, {after, 3}, {0}).steps(-5);
      CHECK(std::abs(a.value(0) - b.value(0)) <= 32);
      CHECK(a.value(1) == b.value(1));
    }
}

TEST_CASE("the price is that of the noisy numbers: one Gaussian, or Laplace once for each question") {
  for (const std::string neighbours : {"add-remove", "replace"})
    for (const double questions : {1.0, 7.0, 1000.0})
      for (const double scale : {0.5, 3.0, 40.0, 1e9}) {
        CAPTURE(neighbours);
        CAPTURE(questions);
        CAPTURE(scale);
        const double moved = neighbours == "replace" ? 2 : 1;
        const Plan normal = plan(asked({{"questions", questions}, {"classes", 5}, {"scale", scale}},
                                       {{"neighbours", neighbours}}));
        const double mu = *privacy_loss(normal.description)->gaussian();
        // The grid has 2^20 steps at least, to which the noise is rounded up, and of which the guarantee
        // takes off a few.
        CHECK(std::abs(mu * scale / std::sqrt(moved * questions) - 1) <= 0x1p-18);
        CHECK(normal.neighbours == neighbours);
        CHECK(normal.result.shape == std::vector<std::size_t>{std::size_t(questions)});
        // Of two classes the gap alone gets noise, and moves by all votes.
        const Plan two =
            plan(asked({{"questions", questions}, {"scale", scale}}, {{"neighbours", neighbours}}));
        const double gap = *privacy_loss(two.description)->gaussian();
        CHECK(std::abs(gap * scale / (moved * std::sqrt(questions / 2)) - 1) <= 0x1p-18);
        CHECK(gap <= mu * (1 + 0x1p-18));
        const Plan laplace = plan(asked({{"questions", questions}, {"scale", scale}},
                                        {{"neighbours", neighbours}, {"noise", "laplace"}}));
        const double largest = privacy_loss(laplace.description)->largest_loss();
        CHECK(std::abs(largest * scale / (moved * questions) - 1) <= 0x1p-18);
      }
}

TEST_CASE("a budget is kept, with a test and for several rows of a person too") {
  struct Case {
    const char* noise;
    double questions;
    bool tested;
    double rows;
  };
  for (const Case& one : {Case{"gaussian", 20, false, 1}, Case{"gaussian", 20, true, 1},
                          Case{"gaussian", 20, true, 3}, Case{"laplace", 1, false, 1}}) {
    std::map<std::string, double> numbers{
        {"questions", one.questions}, {"epsilon", 2}, {"delta", 1e-5}, {"unitRows", one.rows}};
    if (one.tested) numbers.insert({{"leastVotes", 50}, {"leastVotesScale", 400}});
    const Plan planned = plan(asked(numbers, {{"noise", one.noise}}));
    const Price found = price(planned.description, {2, 1e-5, one.rows});
    CAPTURE(one.noise);
    CAPTURE(one.tested);
    CAPTURE(one.rows);
    CHECK(found.epsilon.upper <= 2);
    CHECK(found.epsilon.upper > 1.99);
    CHECK(planned.parameters.contains("leastVotes") == one.tested);
  }
  const Plan pure = plan(asked({{"questions", 4}, {"epsilon", 1}, {"delta", 0}}, {{"noise", "laplace"}}));
  CHECK(pure.parameters.at("scale") == doctest::Approx(4).epsilon(1e-6));
}

TEST_CASE("the noise of the sources is never less than ours") {
  struct Case {
    const char* noise;
    double questions;
  };
  for (const Case& one : {Case{"gaussian", 1}, Case{"gaussian", 100}, Case{"laplace", 1}})
    for (const char* neighbours : {"add-remove", "replace"}) {
      const auto scale = [&](const char* accounting) {
        return plan(asked({{"questions", one.questions}, {"epsilon", 1}, {"delta", 1e-5}},
                          {{"noise", one.noise}, {"neighbours", neighbours}, {"accounting", accounting}}))
            .parameters.at("scale");
      };
      CHECK(scale("tight") < scale("paper"));
    }
}

TEST_CASE("winners are right where noise is small, and fall by the law of the noise where it is not" *
          doctest::test_suite("long")) {
  TestRng rng(20261201);
  const std::vector<double> features{0, 2, 1, 2, 1, 0, 1, none}, labels{0, 0, 0, 0};
  const Release sure = fit(asked({{"questions", 2}, {"classes", 3}, {"scale", 0.01}}),
                           Records{4, 2, features, labels}, rng, {});
  CHECK(sure.values("winners") == std::vector<double>{1, 2});
  constexpr int runs = 40000;
  for (const std::string noise : {"laplace", "gaussian"}) {
    const auto voting =
        algorithm(asked({{"dimension", 2}, {"scale", 1}}, {{"noise", noise}, {"votes", "counts"}}));
    for (const double lead : {-2.0, 0.0, 1.0, 3.0}) {
      CAPTURE(noise);
      CAPTURE(lead);
      const std::vector<double> votes{5 + lead, 5}, question{0};
      int lost = 0;
      for (int i = 0; i < runs; ++i)
        lost += voting->fit(Records{1, 2, votes, question}, rng, {}).number("winners") == 1;
      const double p = noise == "laplace" ? overtaken(lead) : std::erfc(lead / 2) / 2;
      // Five standard deviations.
      CHECK(std::abs(lost - runs * p) < 5 * std::sqrt(runs * p * (1 - p)));
    }
  }
}

TEST_CASE("a question stays open where too few vote for any class, and every table has an answer") {
  TestRng rng(20261202);
  const FitRequest request = asked({{"questions", 2},
                                    {"classes", 2},
                                    {"scale", 0.1},
                                    {"leastVotes", 3},
                                    {"leastVotesScale", 0.1},
                                    {"dimension", 2}},
                                   {{"votes", "counts"}});
  const std::vector<double> votes{9, 1, 1, 1}, questions{0, 1};
  CHECK(fit(request, Records{2, 2, votes, questions}, rng, {}).values("winners") ==
        std::vector<double>{0, no_label});
  const Release empty = fit(request, Records{0, 2, {}, {}}, rng, {});
  CHECK(empty.values("winners") == std::vector<double>{no_label, no_label});
  const Release nobody =
      fit(asked({{"questions", 3}, {"classes", 4}, {"scale", 2}}), Records{0, 3, {}, {}}, rng, {});
  CHECK(nobody.values("winners").size() == 3);
}

TEST_CASE("votes that come in parts are those that come at once") {
  const FitRequest request = asked({{"classes", 3}, {"scale", 5}});
  const std::vector<double> features{0, 1, 2, 2, 1, 2, 2}, labels(7);
  TestRng first(7), second(7);
  FitSession session(request);
  session.add(std::span(features).first(3), std::span(labels).first(3));
  session.add(std::span(features).subspan(3), std::span(labels).subspan(3));
  CHECK(session.run(first, {}).values("winners") ==
        fit(request, Records{7, 1, features, labels}, second, {}).values("winners"));
}

TEST_CASE("what cannot be voted on is refused by name") {
  const auto refused = [](const FitRequest& request, const char* field) {
    try {
      plan(request);
    } catch (const Refusal& refusal) {
      CHECK(refusal.field == field);
      return;
    }
    FAIL_CHECK(field);
  };
  refused(asked({{"classes", 1}, {"scale", 1}}), "classes");
  refused(asked({{"questions", 0x1p11}, {"classes", 0x1p10}, {"scale", 1}}), "questions");
  refused(asked({{"scale", 1}, {"leastVotes", 3}}), "leastVotesScale");
  refused(asked({{"scale", 1}, {"leastVotesScale", 3}}), "leastVotes");
  refused(asked({{"scale", 1}}, {{"noise", "uniform"}}), "noise");
  refused(asked({{"scale", 1}}, {{"neighbours", "zero-out"}}), "neighbours");
  refused(asked({{"scale", 1e-9}}), "scale");
  refused(asked({{"epsilon", 1}, {"delta", 0}}), "delta");
}

TEST_CASE("a table of another width is refused before there is one") {
  for (const char* form : {"ballots", "counts"}) {
    FitRequest wrong =
        asked({{"questions", 3}, {"classes", 4}, {"dimension", 7}, {"scale", 1}}, {{"votes", form}});
    try {
      plan(wrong);
      FAIL("accepted");
    } catch (const Refusal& refusal) {
      CHECK(refusal.field == "dimension");
    }
    wrong.numbers["dimension"] = std::string(form) == "ballots" ? 3 : 4;
    CHECK(plan(wrong).result.kind == OutputKind::labels);
  }
}

}  // namespace epsilometer::voting_test
