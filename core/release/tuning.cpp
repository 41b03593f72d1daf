#include "core/release/tuning.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <optional>
#include <utility>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/softmax.h"
#include "core/release/candidates.h"
#include "core/release/random_stopping.h"
#include "core/release/request.h"
#include "core/release/score.h"

namespace epsilometer {
namespace {

// The budget of a run may be less than the most: 2^-20 of it.
constexpr int budget_bits = 20;

// How wide an interval of what all runs cost is; and of their budget, half of what is left at most: that
// where every candidate runs the same, more where a table dominates them, which costs about that itself. How
// often it is tried.
constexpr double price_gap = 3e-5, table_rest = 1e-3;
constexpr int most_models = 8;
// What all runs cost grows a little less than the budget of a run.
constexpr double caution = 1.05;

// Of what a run may fail, what its candidate's own noise may: all but what rounding takes.
constexpr double own_failure = 1 - 0x1p-20;

Request budget_of(const FitRequest& request) {
  FitRequest asked{request.algorithm, {}, {}};
  for (const char* name : {"epsilon", "delta", "unitRows"})
    if (const auto found = request.numbers.find(name); found != request.numbers.end())
      asked.numbers.insert(*found);
  return Request(asked, {}, {}, Failure::never);
}

Score score_of(const FitRequest& request) {
  const Description numbers{request.algorithm, request.numbers, {}, {}, {}};
  const auto loss = request.texts.find("loss");
  const bool is_count = loss != request.texts.end() && loss->second == "poisson";
  const bool is_of_classes = request.numbers.contains("classes");
  if (request.tuning->score == "misclassified")
    return {Score::Kind::misclassified, 1, false,
            is_of_classes ? static_cast<std::size_t>(numbers.whole("classes", 3, most_classes)) : 1};
  if (is_of_classes)
    throw Refusal("unsupported", "tune.score", request.tuning->score,
                  "is not for several classes: must be misclassified");
  if (request.tuning->score == "squared-error")
    return {Score::Kind::squared_error, numbers.number("labelBound", 1e-9, 1e9), is_count};
  throw Refusal("unknown", "tune.score", request.tuning->score, "must be misclassified or squared-error");
}

double expected_runs(const FitRequest& request) {
  const Description runs{"tune", {{"tune.expectedRuns", request.tuning->expected_runs}}, {}, {}, {}};
  return runs.whole("tune.expectedRuns", 1, 1e6);
}

// What one run may do, and what it costs.
struct RunPlan {
  Target budget;
  Score::Noise noise;
  Description base;
};

// Whatever keeps the budget.
Description keeping(const Target& budget) {
  if (budget.delta == 0) return {"pure", {{"epsilon", budget.epsilon}}, {}, {}, {}};
  return {"approximate", {{"epsilon", budget.epsilon}, {"delta", budget.delta}}, {}, {}, {}};
}

class Tuned final : public Algorithm {
 public:
  explicit Tuned(const FitRequest& request)
      : candidates_(request),
        score_(score_of(request)),
        expected_runs_(expected_runs(request)),
        score_share_(in_range("tune.scoreShare", request.tuning->score_share, 0.001, 0.9)),
        target_(budget_of(request).budget()),
        aim_(budget_of(request).aim()),
        replaces_(request.texts.contains("neighbours") && request.texts.at("neighbours") == "replace") {
    choose();
  }

  Plan plan() const override {
    Plan plan = planned_.front().plan;
    plan.description = whole(run_.base);
    plan.parameters = parameters();
    plan.needs_sums_only = false;
    return plan;
  }

  FactsNeeded facts_needed(const Release&) const override {
    throw Refusal("unsupported", "tune", "several candidates",
                  "has no rule for what the choice among them costs one record alone");
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    Sums sums;
    // How many runs there are stays hidden.
    const Progress without_share = [&](double) { return !progress || progress(hidden_share); };
    auto best = best_run(generator, static_cast<std::uint64_t>(expected_runs_),
                         [&] { return ran(table, sums, generator, without_share); });
    if (best) return told(std::move(*best));
    throw Refusal("unreachable", "tune", "every run", "came to nothing; the budget is spent");
  }

 private:
  struct Run {
    std::size_t candidate;
    double score;
    Release release;
  };
  // Of algorithms that need no more, by the bounds that they put on records.
  using Sums = std::list<LinearStatistics>;

  Target budget(double epsilon) const {
    return {epsilon, rounded_down(own_failure * target_.delta / expected_runs_)};
  }

  Description whole(const Description& base) const {
    return {"private-selection", {{"runs", expected_runs_}}, {}, {{"stopping", "geometric"}}, {{base, 1}}};
  }

  Description about_neighbours(Description description) const {
    if (replaces_) description.texts["neighbours"] = "replace";
    return description;
  }

  double score_to_model() const { return std::sqrt(score_share_ / (1 - score_share_)); }

  // The model, and beside it the normal noise of a score, with its share of what the budget is to a Gaussian.
  RunPlan scored(const Target& own, const Description& model) const {
    const GaussianNoise noise = GaussianNoise::of(score_.bound() / (gaussian_limit(own) * score_to_model()));
    Description both{"composition", {}, {}, {}, {{model, 1}}};
    if (model.kind == both.kind) both = model;
    both.parts.push_back({score_.guarantee(noise), 1});
    for (Part& part : both.parts) part.mechanism = about_neighbours(std::move(part.mechanism));
    return {own, noise, std::move(both)};
  }

  // Of Gaussian noise, model and score together. Where no more is known of a candidate than its budget,
  // Laplace noise makes the best of what is left for the score.
  RunPlan priced(bool gaussian, double epsilon) const {
    const Target own = budget(epsilon);
    if (gaussian) return scored(own, {"gdp", {{"mu", gaussian_limit(own)}}, {}, {}, {}});
    const LaplaceNoise noise = LaplaceNoise::of(score_.bound() / (epsilon * score_to_model()));
    const double scored = privacy_loss(score_.guarantee(noise))->largest_loss();
    return {own, noise, about_neighbours(keeping({rounded_up(epsilon + scored), own.delta}))};
  }

  // The largest budget of a run with which all of them together keep the target.
  RunPlan planned(bool gaussian) const {
    const auto cost = [&](double epsilon) {
      return share_of_budget(*privacy_loss(whole(priced(gaussian, epsilon).base)), target_);
    };
    const Parameter parameter{"epsilon of a run", 1e-6, target_.epsilon, false, false};
    const double start = target_.epsilon / 4;
    return priced(gaussian, least_private(cost, parameter, start, 1, aim_, budget_bits).value);
  }

  // By what dominates the candidates, as far as that is known and allows a run more than whatever keeps its
  // budget, which is allowed `least`.
  void choose_by_profile(double least) {
    const double rest = run_alike(planned_) ? price_gap : table_rest;
    double epsilon = 2 * least;
    for (int i = 0; i < most_models; ++i) {
      epsilon = std::min(epsilon, target_.epsilon);
      if (!(epsilon > least)) return;
      const Target own = budget(epsilon);
      auto planned = candidates_.within(own);
      const auto model = dominating(planned, own.delta);
      if (!model) return;
      RunPlan run = scored(own, *model);
      const auto loss = privacy_loss(whole(run.base));
      const double share = Profile(*loss, price_gap).epsilon(target_.delta).upper / target_.epsilon;
      if (share <= 1 && epsilon > run_.budget.epsilon) {
        run_ = std::move(run);
        planned_ = std::move(planned);
        if (share >= 1 - 2 * rest || epsilon == target_.epsilon) return;
      }
      epsilon *= std::pow((1 - rest) / share, caution);
    }
  }

  // What a run may do, and each candidate with noise for that. Whether all of them are Gaussian shows at any
  // budget first.
  void choose() {
    const Target any = budget(target_.epsilon / 4);
    if (any.delta > 0 && candidates_.are_gaussian(any)) {
      run_ = planned(true);
      planned_ = candidates_.within(run_.budget);
      if (all_gaussian(planned_, gaussian_limit(run_.budget))) return;
    }
    run_ = planned(false);
    planned_ = candidates_.within(run_.budget);
    if (any.delta == 0) return;
    try {
      choose_by_profile(run_.budget.epsilon);
    } catch (const Refusal&) {
      // What keeps its budget may have no price beyond that.
    }
  }

  std::optional<Run> ran(Pieces table, Sums& sums, Generator& generator, const Progress& progress) const {
    const auto candidate = static_cast<std::size_t>(exact::uniform_below(generator, candidates_.size()));
    try {
      Release release = released(*planned_[candidate].algorithm, table, sums, generator, progress);
      if (release.outcome == Outcome::refused_by_test) return std::nullopt;
      const double score = score_.released(table, release.values(release.result.name), run_.noise, generator);
      return Run{candidate, score, std::move(release)};
    } catch (const Refusal& refusal) {
      if (!is_spent(refusal)) throw;
      return std::nullopt;
    }
  }

  static Release released(const Algorithm& algorithm, Pieces table, Sums& sums, Generator& generator,
                          const Progress& progress) {
    std::optional<LinearStatistics> empty = algorithm.statistics();
    if (!empty) return algorithm.fit(table, generator, progress);
    const auto known = std::find_if(sums.begin(), sums.end(), [&](const LinearStatistics& one) {
      return one.bounds() == empty->bounds();
    });
    if (known != sums.end()) return algorithm.fit(*known, generator);
    for (const Records& piece : table) empty->add(piece, progress);
    return algorithm.fit(sums.emplace_back(std::move(*empty)), generator);
  }

  Release told(Run run) const {
    Release release = std::move(run.release);
    release.description = whole(run_.base);
    release.parameters.merge(parameters());
    release.needs_sums_only = false;
    // The law of the best of several is not that of one.
    release.spread = UnknownSpread::not_told;
    release.add(number_output("score", run.score));
    release.add(number_output("candidate", static_cast<double>(run.candidate), OutputKind::parameter));
    return release;
  }

  std::map<std::string, double> parameters() const {
    return {{"expectedRuns", expected_runs_},
            {"runEpsilon", run_.budget.epsilon},
            {"runDelta", run_.budget.delta},
            {"scoreNoise", std::visit(
                               [](const auto& noise) {
                                 return std::ldexp(static_cast<double>(noise.steps), noise.exponent);
                               },
                               run_.noise)}};
  }

  Candidates candidates_;
  Score score_;
  double expected_runs_, score_share_;
  Target target_;
  Aim aim_;
  bool replaces_;
  RunPlan run_;
  std::vector<Candidates::Planned> planned_;
};

}  // namespace

std::unique_ptr<const Algorithm> tuned(const FitRequest& request) { return std::make_unique<Tuned>(request); }

void must_not_be_tuned(const FitRequest& request) {
  if (request.tuning)
    throw Refusal(
        "unsupported", "tune", "several candidates",
        "must be left out: what is known of the algorithm is not known of a choice among candidates");
}

}  // namespace epsilometer
