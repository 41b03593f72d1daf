// What votes with noise are made of: how probable winners are, and what that tells.
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/largest_normal.h"
#include "core/numerics/normal.h"
#include "core/report/personal/vote_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

// Of the class that is behind and of the one that is ahead, each to win; Laplace noise of scale 1 on both
// numbers.
struct Race {
  Interval behind, ahead;
};
Race race(Interval lead) {
  if (lead.upper() < 0) {
    const Race other = race(-lead);
    return {other.ahead, other.behind};
  }
  const Interval lost = (Interval(2) + lead) * exponential(-lead) / Interval(4);
  return {lost, Interval(1) - lost};
}

// The larger size of the logarithm of what one outcome's probability is divided by.
Interval told(const Race& a, const Race& b) {
  return larger(absolute(logarithm(a.behind) - logarithm(b.behind)),
                absolute(log_one_plus(-a.behind) - log_one_plus(-b.behind)));
}

Interval hockey_stick(const Race& a, const Race& b, Interval growth) {
  return larger(a.behind - growth * b.behind, 0) + larger(a.ahead - growth * b.ahead, 0);
}

Interval tail(Interval place) {
  return {rounded_down(normal_upper_tail({place.upper()})),
          std::min(1.0, rounded_up(normal_upper_tail({place.lower()})))};
}

// What the bound on an upset becomes when one voter votes otherwise, in favour of it or against it (`step` 1
// or -1): of each other class's share, as the noise has it, the lead moves by 2.
Interval moved_upset(Interval upset, double others, double sigma, double step) {
  const Interval share = upset / Interval(others);
  const Interval place(quantile(std::min(share.upper(), 0.5)).lower(),
                       quantile(std::min(share.lower(), 0.5)).upper());
  const Interval moved = Interval(step) * square_root(2) / Interval(sigma);
  return larger(smaller(Interval(others) * tail(place - moved), 1), 0);
}

}  // namespace

NumbersAnswer two_class_vote(const Description& question) {
  const double lead = question.number("lead", 0, 1e15), scale = question.scale("scale");
  const auto in_scales = [&](double lead) { return Interval(lead) / Interval(scale); };
  must_follow(question, "lead", (lead + 1) / scale, 0, 600, "(lead + 1) / scale");
  const Race here = race(in_scales(lead));
  Interval loss = 0, delta = 0;
  for (const double other : {lead + 1, lead - 1}) {
    const Race there = race(in_scales(other));
    loss = larger(loss, told(here, there));
    if (const auto epsilon = maybe(question, "epsilon", 0, 700)) {
      const Interval growth = exponential(*epsilon);
      delta = larger(delta, larger(hockey_stick(here, there, growth), hockey_stick(there, here, growth)));
    }
  }
  NumbersAnswer answer{{{"losing", here.behind},
                        {"losingOfOneNoise", exponential(-in_scales(lead)) / Interval(2)},
                        {"loss", loss}},
                       {},
                       {}};
  if (has(question, "epsilon")) answer.numbers.emplace("delta", delta);
  return answer;
}

NumbersAnswer noisy_vote(const Description& question) {
  const auto& votes = question.list("votes", 0, 0x1p53);
  const double sigma = question.number("sigma", 1e-3, 1e12);
  if (votes.size() < 2 || votes.size() > 100)
    throw Refusal("range", "votes", shown(static_cast<double>(votes.size())), "must be 2 to 100 numbers");
  const double others = static_cast<double>(votes.size()) - 1, most = upset(votes, Vote{sigma});
  const double margin = 2 * (rounding_margin + (others + 1) * unit_roundoff);
  const Interval found(rounded_down(most, margin), most);
  NumbersAnswer answer{{{"upset", found}}, {{"winning", {}}}, {}};
  for (std::size_t i = 0; i < votes.size(); ++i)
    answer.lists["winning"].push_back(probability_of_largest(votes, sigma, i));
  // Where doubles hold what each other class has of it.
  if (found.lower() >= 1e-290) {
    answer.numbers.emplace("upsetUp", moved_upset(found, others, sigma, 1));
    answer.numbers.emplace("upsetDown", moved_upset(found, others, sigma, -1));
  }
  return answer;
}

NumbersAnswer vote_divergence(const Description& question) {
  const Vote vote{question.number("sigma", 1e-3, 1e12)};
  // Of more than two classes as of two: a vote switches.
  const Bounds found = vote_renyi(question.number("upset", 0, 1), winner_rho(vote, 2), order_of(question));
  return {{{"renyi", Interval(found.lower, found.upper)}}, {}, {}};
}

// Redberg, Zhu and Wang 2023, Algorithm 6.
NumbersAnswer vote_test(const Description& question) {
  const double epsilon = question.number("epsilon", 1e-3, 10);
  const auto [order, width, smoothness] =
      epsilometer::vote_test(epsilon, question.number("delta", 1e-300, 0.5));
  return {{{"order", rounded(order)},
           {"width", rounded(width)},
           {"smoothness", rounded(smoothness)},
           // log(2 / delta) / (order - 1).
           {"conversion", Interval(epsilon) / Interval(2)}},
          {},
          {}};
}

}  // namespace epsilometer::questions
