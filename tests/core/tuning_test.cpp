// Honest tuning: one profile that every candidate keeps, a price within the budget, and a release that holds
// the winner and nothing of the others.
#include "core/release/tuning.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/fit_session.h"
#include "core/release/price.h"
#include "core/release/score.h"
#include "tests/core/linear_request.h"
#include "tests/core/statistics.h"

namespace epsilometer::tuning_test {

namespace {

using Candidates = std::vector<Tuning::Candidate>;

FitRequest tuned(const std::string& algorithm, Candidates candidates, const Numbers& numbers = {},
                 double expected_runs = 4) {
  FitRequest asked{
      algorithm,
      {{"dimension", 2}, {"featureBound", 1}, {"labelBound", 1}, {"epsilon", 1}, {"delta", 1e-5}},
      {},
      Tuning{std::move(candidates), expected_runs, "squared-error", 0.1}};
  for (const auto& [name, value] : numbers) asked.numbers[name] = value;
  return asked;
}

FitRequest tuned_classes(const std::string& algorithm, Candidates candidates, const Numbers& numbers = {},
                         double expected_runs = 4) {
  FitRequest asked = tuned(algorithm, std::move(candidates), numbers, expected_runs);
  asked.texts["loss"] = "logistic";
  asked.tuning->score = "misclassified";
  return asked;
}

FitRequest tuned_softmax(Candidates candidates, const Numbers& numbers = {}, double expected_runs = 4) {
  FitRequest asked = tuned("noisy-newton", std::move(candidates), numbers, expected_runs);
  asked.numbers.erase("labelBound");
  asked.numbers["classes"] = 3;
  asked.texts["loss"] = "softmax";
  asked.tuning->score = "misclassified";
  return asked;
}

Tuning::Candidate with(const char* name, double value) { return {{{name, value}}, {}}; }

// Classes by the sign of the first feature, which two rows of a hundred have wrong.
struct Table {
  std::vector<double> features, labels;

  explicit Table(std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = std::sin(static_cast<double>(i) * 12.9898);
      features.insert(features.end(), {0.9 * x, 0.3});
      labels.push_back((x > 0) == (i % 50 > 0) ? 1 : -1);
    }
  }
  Records records() const { return {labels.size(), 2, features, labels}; }
};

// One run of the request, with the number of its candidate.
Plan run_of(FitRequest asked, const Plan& whole, std::size_t candidate) {
  for (const auto& [name, value] : asked.tuning->candidates[candidate].numbers) asked.numbers[name] = value;
  for (const auto& [name, value] : asked.tuning->candidates[candidate].texts) asked.texts[name] = value;
  asked.numbers["epsilon"] = whole.parameters.at("runEpsilon");
  asked.numbers["delta"] = whole.parameters.at("runDelta");
  asked.tuning.reset();
  return plan(asked);
}

const Description& base_of(const Plan& plan) { return plan.description.parts.at(0).mechanism; }

// A run and its score, of which a record changes no more than `bound`, as two releases.
Description with_score(const Description& run, const Plan& whole, double bound, bool gaussian) {
  const Description score{
      gaussian ? "gaussian" : "laplace",
      {{gaussian ? "sigma" : "scale", whole.parameters.at("scoreNoise")}, {"sensitivity", bound}},
      {},
      {},
      {}};
  return {"composition", {}, {}, {}, {{run, 1}, {score, 1}}};
}

}  // namespace

TEST_CASE("every candidate keeps the one profile that is priced, and all runs together keep the budget" *
          doctest::test_suite("long")) {
  struct Case {
    FitRequest asked;
    // What stands for the candidates, beside a score with normal noise; or for both.
    const char* profile;
    // How much of epsilon may be left over.
    double left;
  };
  const Numbers classes{{"rows", 1000}}, sampled{{"rows", 1000}, {"rate", 0.25}, {"steps", 8}};
  const Candidates lambdas{with("lambda", 1), with("lambda", 100)};
  const Candidates norms{{{}, {{"norm", "l1"}}}, {{}, {{"norm", "l2"}}}};
  for (const Case& one :
       {Case{tuned_classes("dp-sgd", {with("steps", 2), with("steps", 9), with("gradientBound", 0.1)},
                           classes),
             "gdp", 1e-4},
        Case{tuned_classes("output-perturbation", lambdas), "gdp", 1e-4},
        Case{tuned_softmax({with("steps", 3), with("steps", 20), with("gramShare", 0.2)}), "gdp", 1e-4},
        Case{tuned_classes("dp-sgd", {with("learningRate", 1), with("learningRate", 8)}, sampled),
             "subsampled", 1e-4},
        Case{tuned_classes("dp-sgd", {with("rate", 0.125), with("rate", 0.5)}, sampled), "privacy-loss",
             0.01},
        Case{tuned_classes("approximate-minima-perturbation", lambdas), "privacy-loss", 0.01},
        Case{tuned("gaussian-mixing", {with("sketchSize", 40), with("sketchSize", 90)}), "privacy-loss",
             0.01},
        Case{tuned("output-perturbation-ridge", lambdas, {{"rows", 50}}), "privacy-loss", 0.01},
        Case{tuned("covariance-laplace", {with("lambda", 1), with("lambda", 9)}), "pure", 1e-4},
        Case{tuned("covariance-laplace", norms, {{"delta", 0}}), "pure", 1e-4}}) {
    CAPTURE(one.asked.algorithm);
    const Plan whole = plan(one.asked);
    const Description& base = base_of(whole);
    const bool is_gaussian = !base.parts.empty();
    const Description& common = is_gaussian ? base.parts[0].mechanism : base;
    CHECK(common.kind == one.profile);
    const bool is_alone = !is_gaussian || common.kind == "gdp" || common.kind == "privacy-loss";
    const auto stated = privacy_loss(common), stated_with_score = privacy_loss(base);
    const double bound = one.asked.tuning->score == "squared-error" ? 4 : 1;
    for (std::size_t i = 0; i < one.asked.tuning->candidates.size(); ++i) {
      const Description run = run_of(one.asked, whole, i).description;
      const auto loss = privacy_loss(run), scored = privacy_loss(with_score(run, whole, bound, is_gaussian));
      // As much as a run may cost by itself, and a little more.
      for (const double epsilon : {0.0, 0.05, 0.2, 0.6, 1.05 * whole.parameters.at("runEpsilon")}) {
        CAPTURE(i);
        CAPTURE(epsilon);
        CHECK(delta(*scored, epsilon).lower <= delta(*stated_with_score, epsilon).upper);
        if (is_alone) CHECK(delta(*loss, epsilon).lower <= delta(*stated, epsilon).upper);
      }
    }
    const double most = one.asked.numbers.at("delta");
    const auto price = privacy_loss(whole.description);
    CHECK(Profile(*price, fine_gap).delta(1).upper <= most);
    const double cost = epsilon(*price, most).upper;
    CHECK(cost >= 1 - one.left);
    CHECK(cost >= epsilon(*stated_with_score, most).lower);
    // What is known of candidates beside their budget makes all runs cheaper than those budgets do, though
    // the score counts too.
    Description by_budget = whole.description;
    by_budget.parts[0].mechanism = {
        "approximate",
        {{"epsilon", whole.parameters.at("runEpsilon")}, {"delta", whole.parameters.at("runDelta")}},
        {},
        {},
        {}};
    if (is_gaussian && common.kind != "pure")
      CHECK(cost < 0.75 * epsilon(*privacy_loss(by_budget), most).upper);
  }
}

TEST_CASE("a law above several profiles is above each of them, and not far above the largest") {
  const Description sampled{"subsampled",
                            {{"rate", 0.1}},
                            {},
                            {{"sampling", "poisson"}},
                            {{{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}}, 1}}};
  const Description pure{"pure", {{"epsilon", 0.3}}, {}, {}, {}},
      failing{"approximate", {{"epsilon", 0.1}, {"delta", 1e-7}}, {}, {}, {}};
  std::vector<std::shared_ptr<const PrivacyLoss>> losses;
  std::vector<Profile> profiles;
  std::vector<const Profile*> asked;
  for (const Description& one : {sampled, pure, failing}) losses.push_back(privacy_loss(one));
  for (const auto& one : losses) profiles.emplace_back(*one);
  for (const Profile& one : profiles) asked.push_back(&one);
  const auto law = law_above(asked, 1e-12);
  REQUIRE(law != nullptr);
  for (double at = -3; at <= 6; at += 0.0625) {
    double most = 0, found = law->infinite_mass();
    for (const Profile& one : profiles) most = std::max(most, one.delta(at).lower);
    for (const Atom& atom : law->atoms()) found += atom.mass * std::max(0.0, -std::expm1(at - atom.loss));
    CAPTURE(at);
    // Sums of some hundred positive numbers.
    CHECK(found >= most * (1 - 1e-13));
    CHECK(found <= 1.1 * most + 1e-12);
  }
}

// 30 digits, by quadrature of both laws of the sum of the losses, from the densities: the least over e of 2 e
// plus the level at which 6 delta(e) is 1e-5, where delta(e) <= (e^e - 1) / 5.
TEST_CASE("runs with one description are priced by the profile of that with its score") {
  const Description sampled{"subsampled",
                            {{"rate", 0.25}},
                            {},
                            {{"sampling", "poisson"}},
                            {{{"gaussian", {{"sigma", 2}, {"sensitivity", 1}}, {}, {}, {}}, 1}}};
  const Description run{"composition",
                        {},
                        {},
                        {},
                        {{sampled, 1}, {{"gaussian", {{"sigma", 9}, {"sensitivity", 1}}, {}, {}, {}}, 1}}};
  const auto price =
      privacy_loss({"private-selection", {{"runs", 6}}, {}, {{"stopping", "geometric"}}, {{run, 1}}});
  const double found = Profile(*price, fine_gap).epsilon(1e-5).upper, truth = 1.3104470868754365;
  CHECK(found >= truth);
  CHECK(found <= truth * (1 + 2 * fine_gap));
}

TEST_CASE("a tuned release is that of one candidate, with its score, and tells of no other run") {
  const Table table(2000);
  const FitRequest asked =
      tuned_classes("output-perturbation", {with("lambda", 1e-3), with("lambda", 10)}, {{"epsilon", 20}}, 16);
  const auto algorithm = epsilometer::algorithm(asked);
  const Plan planned = algorithm->plan();
  TestRng rng(5);
  int better = 0;
  for (int i = 0; i < 20; ++i) {
    const Release release = algorithm->fit(table.records(), rng, {});
    CHECK(release.description == planned.description);
    REQUIRE(release.outputs.size() == 3);
    const auto candidate = static_cast<std::size_t>(release.number("candidate"));
    const Plan run = run_of(asked, planned, candidate);
    std::map<std::string, double> parameters = run.parameters;
    parameters.insert(planned.parameters.begin(), planned.parameters.end());
    CHECK(release.parameters == parameters);
    CHECK(std::holds_alternative<UnknownSpread>(release.spread));
    if (candidate != 1) continue;
    ++better;
    // 40 rows are wrong whatever the model; noise of the coefficients is wrong about few others.
    CHECK(release.number("score") == doctest::Approx(40).epsilon(0.5));
  }
  // The better one is missed when every run draws the other: 1 of 17 times.
  CHECK(better >= 14);
}

// Of one run there is no choice: its score is right but for the noise.
TEST_CASE("a released score has the noise that is priced, normal or Laplace's") {
  const Table table(60);
  const struct {
    FitRequest asked;
    Score score;
    std::function<double(double)> distribution;
  } all[] = {{tuned_classes("output-perturbation", {with("lambda", 30)}, {}, 1),
              {Score::Kind::misclassified, 1, false},
              standard_normal},
             {tuned("covariance-laplace", {with("lambda", 30)}, {{"delta", 0}}, 1),
              {Score::Kind::squared_error, 1, false},
              [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }}};
  for (const auto& one : all) {
    CAPTURE(one.asked.algorithm);
    const auto algorithm = epsilometer::algorithm(one.asked);
    const double width = algorithm->plan().parameters.at("scoreNoise");
    TestRng rng(21);
    std::vector<double> noise;
    for (std::size_t i = 0; i < 4000 / share; ++i) {
      const Release release = algorithm->fit(table.records(), rng, {});
      double truth = 0;
      for (std::size_t k = 0; k < table.labels.size(); ++k)
        truth += one.score.of(std::span(table.features).subspan(2 * k, 2), table.labels[k],
                              release.coefficients());
      noise.push_back((release.number("score") - truth) / width);
    }
    CHECK(kolmogorov(noise, one.distribution) > 1e-4);
  }
}

TEST_CASE("of several classes the run with the fewest wrong ones is released") {
  Table table(500);
  // The third class is in the middle.
  for (std::size_t i = 0; i < table.labels.size(); ++i)
    table.labels[i] = std::abs(table.features[2 * i]) < 0.3 ? 2 : table.features[2 * i] > 0 ? 1 : 0;
  const FitRequest asked = tuned_softmax({with("gramShare", 0.01), with("steps", 20)}, {{"epsilon", 50}}, 16);
  const auto algorithm = epsilometer::algorithm(asked);
  TestRng rng(11);
  int won = 0;
  for (int i = 0; i < 10; ++i) {
    const Release release = algorithm->fit(table.records(), rng, {});
    REQUIRE(release.find("coefficients") != nullptr);
    CHECK(release.find("coefficients")->kind == OutputKind::class_coefficients);
    CHECK(release.values("coefficients").size() == 6);
    const Score score(Score::Kind::misclassified, 1, false, 3);
    double wrong = 0;
    for (std::size_t k = 0; k < table.labels.size(); ++k)
      wrong += score.of(std::span(table.features).subspan(2 * k, 2), table.labels[k],
                        release.values("coefficients"));
    // The noise of the score, five times.
    CHECK(std::abs(release.number("score") - wrong) < 5 * release.parameters.at("scoreNoise"));
    won += release.number("candidate") == 1;
  }
  CHECK(won > 0);
}

TEST_CASE("algorithms that need sums run on sums, made once for each of their bounds") {
  const Table table(500);
  const FitRequest asked =
      tuned("covariance-laplace", {{{}, {{"norm", "l1"}}}, {{}, {{"norm", "l2"}}}, with("lambda", 5)},
            {{"delta", 0}, {"epsilon", 50}}, 12);
  TestRng rng(6);
  FitSession session(asked);
  session.add(table.features, table.labels);
  const Release release = session.run(rng, {});
  CHECK(release.coefficients().size() == 2);
  CHECK(!release.needs_sums_only);
  CHECK_THROWS_AS(session.add(IntegerSum(6), 1), Refusal);
}

TEST_CASE("whoever stops it gets nothing, and does not hear how many runs there are") {
  const Table table(100);
  const FitRequest asked = tuned_classes("dp-sgd", {with("steps", 3)}, {{"rows", 100}});
  TestRng rng(7);
  std::set<double> told;
  fit(asked, table.records(), rng, [&](double share) { return told.insert(share), true; });
  CHECK(told == std::set{hidden_share});
  CHECK_THROWS_AS(fit(asked, table.records(), rng, [](double) { return false; }), Refusal);
}

TEST_CASE("what cannot be tuned is refused by the name of its field") {
  const auto base = [](Candidates candidates) { return tuned_classes("output-perturbation", candidates); };
  CHECK(refused_field(base({with("lambda", 1)})) == "");
  CHECK(refused_field(base({})) == "tune.candidates");
  CHECK(refused_field(base({with("lambda", 1), with("lambda", -1)})) == "tune.candidates.1.lambda");
  CHECK(refused_field(base({with("lambda", 1), with("lambada", 1)})) == "tune.candidates.1.lambada");
  CHECK(refused_field(base({{{{"sigma", 1}, {"lambda", 1}}, {}}})) == "tune.candidates.0.sigma");
  for (const char* name : {"epsilon", "delta", "unitRows", "dimension", "featureBound", "labelBound"})
    CHECK(refused_field(base({with(name, 1)})) == "tune.candidates.0." + std::string(name));
  CHECK(refused_field(base({{{}, {{"neighbours", "replace"}}}})) == "tune.candidates.0.neighbours");
  FitRequest asked = base({with("lambda", 1)});
  asked.tuning->expected_runs = 1.5;
  CHECK(refused_field(asked) == "tune.expectedRuns");
  asked = base({with("lambda", 1)});
  asked.tuning->score_share = 1;
  CHECK(refused_field(asked) == "tune.scoreShare");
  asked = base({with("lambda", 1)});
  asked.tuning->score = "accuracy";
  CHECK(refused_field(asked) == "tune.score");
  asked = base({with("lambda", 1)});
  asked.numbers.erase("epsilon");
  CHECK(refused_field(asked) == "epsilon");
  asked = base({with("lambda", 1)});
  asked.numbers["delta"] = 0;
  CHECK(refused_field(asked) == "delta");
}

TEST_CASE("what is promised about replaced records is priced about them") {
  FitRequest asked = tuned_classes("output-perturbation", {with("lambda", 1)});
  asked.texts["neighbours"] = "replace";
  const Plan replaced = plan(asked);
  CHECK(replaced.neighbours == "replace");
  for (const Part& part : base_of(replaced).parts) CHECK(part.mechanism.texts.at("neighbours") == "replace");
}

TEST_CASE("what is known of an algorithm is not said of a choice among candidates") {
  const FitRequest asked = tuned_classes("output-perturbation", {with("lambda", 1)});
  CHECK_THROWS_AS(algorithm(asked)->facts_needed({}), Refusal);
  CHECK_THROWS_AS(must_not_be_tuned(asked), Refusal);
}

TEST_CASE("a run that its own test refuses comes to nothing, and never wins") {
  const auto algorithm =
      epsilometer::algorithm(tuned("ops-ptr", {with("lambda", 1e-3), with("lambda", 400)}));
  TestRng rng(17);
  int released = 0, refused = 0;
  for (const std::size_t rows : {1, 60})
    for (int i = 0; i < 15; ++i) {
      const Table data(rows);
      try {
        const Release release = algorithm->fit(data.records(), rng, {});
        CHECK(release.outcome == Outcome{});
        CHECK(release.coefficients().size() == 2);
        ++released;
      } catch (const Refusal& refusal) {
        CHECK(refusal.kind == "unreachable");
        CHECK(refusal.field == "tune");
        ++refused;
      }
    }
  CHECK(released >= 15);
  CHECK(refused >= 1);
}

}  // namespace epsilometer::tuning_test
