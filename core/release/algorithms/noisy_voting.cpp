// Noisy voting: of each question only the class that has the most votes, every number of votes with noise of
// its own. With Laplace noise it is report-noisy-max (Dwork and Roth 2014, Section 3.3), with normal noise
// GNMax, and after a noisy test of the largest number Confident-GNMax (Papernot, Song, Mironov, Raghunathan,
// Talwar and Erlingsson 2018). One voter has one vote in each question, and all questions are paid for
// together: also one that nobody answers, or that the test leaves open, so that no table is refused.
//
// Normal noise: a voter moves all noisy numbers together by sqrt(T) votes in the l2 norm if she is added, by
// sqrt(2 T) if she votes otherwise, and the winners are a function of those numbers: exactly one Gaussian
// release, of which the Renyi bound a / sigma^2 that the source states is the divergence. Laplace noise: in
// each question one number moves by 1; a vote that goes from one class to another is one less and then one
// more, and chaining the trade-off curve of a shift gives that of the double shift. The largest number moves
// by at most one vote in either case. "paper": the noise that the sources' own bounds ask for.
//
// Of two classes the winner is the sign of the gap between their numbers, which alone gets noise. Normal:
// sqrt(2) sigma, as two noises have, but a voter who is added moves it by one vote, sqrt(2) times less in its
// noise. Laplace: the same scale, at which it costs what two noises do at most, and errs less often.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/release/algorithm.h"
#include "core/release/request.h"

namespace epsilometer::algorithms {
namespace {

// A vote is a whole number of steps: no step is longer than one. None is shorter than 2^-40, so that 2^21
// votes are no more than the largest sum.
int vote_exponent(double scale) { return std::clamp(default_exponent(scale), -40, 0); }

/// One law of noise at one scale. With Laplace noise votes beyond 2^61 steps, 2^31 at scale 1, are not told
/// apart.
class VoteNoise {
 public:
  VoteNoise(bool laplace, double scale) : laplace_(laplace), scale_(scale), exponent_(vote_exponent(scale)) {}

  /// Of numbers of which in each of so many questions some move, by so many votes in the l1 and l2 norm.
  Part guarantee(double votes, double distance, double questions, double numbers) const {
    const double vote = std::ldexp(1, -exponent_);
    if (!laplace_) {
      const double moved = rounded_up(vote * distance * std::sqrt(questions), 4 * unit_roundoff);
      return {GaussianNoise::of(scale_, exponent_).guarantee(moved, numbers), 1};
    }
    return {LaplaceNoise::of(scale_, exponent_).guarantee(static_cast<std::int64_t>(votes * vote), 1),
            questions};
  }

  std::vector<double> noisy(const IntegerSum& sum, Generator& generator) const {
    if (laplace_) return released(generator, sum, LaplaceNoise::of(scale_, exponent_));
    return released(generator, sum, GaussianNoise::of(scale_, exponent_));
  }

  int exponent() const { return exponent_; }

 private:
  bool laplace_;
  double scale_;
  int exponent_;
};

class NoisyVoting final : public Algorithm {
 public:
  explicit NoisyVoting(const FitRequest& asked)
      : request_(asked, {"dimension", "questions", "classes", "scale", "leastVotes", "leastVotesScale"},
                 {"votes", "noise", "neighbours"}, is_laplace(asked) ? Failure::never : Failure::may_happen),
        laplace_(request_.choice("noise", {"gaussian", "laplace"}) == "laplace"),
        switched_(request_.choice("neighbours", {"add-remove", "replace"}) == "replace"),
        form_(request_.choice("votes", {"ballots", "counts"}) == "ballots" ? VoteForm::ballots
                                                                           : VoteForm::counts),
        questions_(request_.whole("questions", 1, 0x1p20)),
        classes_(request_.whole("classes", 2, 0x1p20)) {
    if (request_.has("leastVotes") != request_.has("leastVotesScale"))
      throw Refusal("missing", request_.has("leastVotes") ? "leastVotesScale" : "leastVotes", "nothing",
                    "must be given beside the other one: a test needs both");
    const double wide = form_ == VoteForm::ballots ? questions_ : classes_;
    if (request_.has("dimension") && request_.whole("dimension", 1, 0x1p20) != wide)
      throw Refusal(
          "range", "dimension", shown(request_.number("dimension", 1, 0x1p20)),
          "must be " + shown(wide) + ": a number for each question of a ballot, or class of a question");
    votes();
    scale_ = request_.noise(
        "scale", [this](double value) { return described(value); },
        [this](double epsilon, double delta) { return printed(epsilon, delta); });
  }

  Plan plan() const override {
    Plan plan{described(scale_), {{"scale", scale_}, {"questions", questions_}, {"classes", classes_}}};
    if (has_test()) {
      plan.parameters["leastVotes"] = least_votes();
      plan.parameters["leastVotesScale"] = request_.scale("leastVotesScale");
    }
    plan.result = labels_type(static_cast<std::size_t>(questions_));
    plan.neighbours = switched_ ? "replace" : "add-remove";
    return plan;
  }

  std::optional<VoteCounts> votes() const override {
    return VoteCounts(static_cast<std::size_t>(questions_), static_cast<std::size_t>(classes_), form_);
  }

  std::optional<Vote> vote() const override {
    if (laplace_) return std::nullopt;
    Vote vote{scale_, switched_, true, {}};
    if (has_test()) vote.least = {least_votes(), request_.scale("leastVotesScale")};
    return vote;
  }

  Release fit(Pieces table, Generator& generator, const Progress&) const override {
    VoteCounts counts = *votes();
    for (const Records& piece : table) counts.add(piece);
    return fit(counts, generator);
  }

  Release fit(const VoteCounts& counts, Generator& generator) const override {
    Release release(plan());
    const VoteNoise noise = winners_noise(scale_);
    const IntegerSum steps = counts.steps(noise.exponent());
    std::vector<double> winners = is_gap() ? first_or_second(noise.noisy(gaps(steps), generator))
                                           : winners_of(noise.noisy(steps, generator));
    if (has_test()) leave_open(winners, counts, generator);
    release.add(labels_output(std::move(winners)));
    return release;
  }

 private:
  static bool is_laplace(const FitRequest& asked) {
    const auto noise = asked.texts.find("noise");
    return noise != asked.texts.end() && noise->second == "laplace";
  }

  bool has_test() const { return request_.has("leastVotes"); }
  double least_votes() const { return request_.number("leastVotes", -0x1p53, 0x1p53); }
  VoteNoise test_noise() const { return {laplace_, request_.scale("leastVotesScale")}; }

  bool is_gap() const { return classes_ == 2; }
  VoteNoise winners_noise(double scale) const {
    return {laplace_, is_gap() && !laplace_ ? rounded_up(std::sqrt(2.0) * scale, 4 * unit_roundoff) : scale};
  }

  Description described(double scale) const {
    const double votes = switched_ ? 2 : 1, numbers = is_gap() ? 1 : classes_;
    const Part winners = winners_noise(scale).guarantee(votes, is_gap() ? votes : std::sqrt(votes),
                                                        questions_, questions_ * numbers);
    if (has_test())
      return {"composition", {}, {}, {}, {test_noise().guarantee(1, 1, questions_, questions_), winners}};
    return winners.count == 1 ? winners.mechanism : Description{"composition", {}, {}, {}, {winners}};
  }

  // Normal noise: T a / sigma^2 converted by log(1 / delta) / (a - 1), at the best order. Laplace: one
  // epsilon for each question, of two numbers that move where a vote switches.
  double printed(double epsilon, double delta) const {
    if (has_test())
      throw Refusal("unsupported", "accounting", "paper", "has no noise for a vote with a test");
    if (laplace_) return (switched_ ? 2 : 1) * questions_ / epsilon;
    const double level = -std::log(delta);
    return std::sqrt(questions_) / (std::sqrt(level + epsilon) - std::sqrt(level));
  }

  // By how much the first of two classes leads.
  static IntegerSum gaps(const IntegerSum& steps) {
    std::vector<__int128> leads(steps.size() / 2);
    for (std::size_t question = 0; question < leads.size(); ++question)
      leads[question] = steps.wide_value(2 * question) - steps.wide_value(2 * question + 1);
    return IntegerSum(std::move(leads));
  }

  static std::vector<double> first_or_second(std::vector<double> leads) {
    for (double& lead : leads) lead = lead >= 0 ? 0 : 1;
    return leads;
  }

  // Of classes that are equally far in front the first: a function of the noisy numbers.
  std::vector<double> winners_of(const std::vector<double>& noisy) const {
    std::vector<double> winners(static_cast<std::size_t>(questions_));
    auto first = noisy.begin();
    for (double& winner : winners) {
      const auto end = first + static_cast<std::ptrdiff_t>(classes_);
      winner = static_cast<double>(std::max_element(first, end) - first);
      first = end;
    }
    return winners;
  }

  void leave_open(std::vector<double>& winners, const VoteCounts& counts, Generator& generator) const {
    const VoteNoise noise = test_noise();
    const IntegerSum steps = counts.steps(noise.exponent());
    std::vector<__int128> largest(winners.size());
    for (std::size_t place = 0; place < steps.size(); ++place) {
      __int128& most = largest[place / counts.classes()];
      most = std::max(most, steps.wide_value(place));
    }
    const std::vector<double> tested = noise.noisy(IntegerSum(std::move(largest)), generator);
    for (std::size_t question = 0; question < winners.size(); ++question)
      if (!(tested[question] >= least_votes())) winners[question] = no_label;
  }

  Request request_;
  bool laplace_, switched_;
  VoteForm form_;
  double questions_, classes_, scale_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> noisy_voting(const FitRequest& request) {
  return std::make_unique<NoisyVoting>(request);
}

}  // namespace epsilometer::algorithms
