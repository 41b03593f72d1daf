#include "core/report/personal/vote_loss.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/numerics/normal.h"
#include "core/release/price.h"

namespace epsilometer {
namespace {

// Beyond those orders no epsilon that anybody publishes is least.
constexpr double first_order = 1.25, last_order = 4096, next_order = 1.09;

// By how much sums of terms of that size may be off.
double slack(double size) { return rounding_margin * size; }

std::vector<std::vector<double>> rows_of(const VoteCounts& votes) {
  std::vector<std::vector<double>> rows(votes.questions(), std::vector<double>(votes.classes()));
  for (std::size_t question = 0; question < votes.questions(); ++question)
    for (std::size_t a_class = 0; a_class < votes.classes(); ++a_class)
      rows[question][a_class] = static_cast<double>(votes.of(question, a_class));
  return rows;
}

double plain_renyi(double rho, double order) { return rounded_up(rho * order); }

// The theorem holds for every mu2 > 1 and mu1 >= order with the divergences e1, e2 of those orders; the
// chosen ones are best for small q. Where rounding leaves open whether it holds, the upper end is infinite.
Bounds bound_by_upset(double q, double rho, double order) {
  constexpr Bounds none{HUGE_VAL, HUGE_VAL};
  const double log_q = std::log(q), t = order - 1;
  const double mu2 = std::sqrt(-log_q / rho), mu1 = mu2 + 1;
  if (!(mu2 > 1.001) || order > mu1) return none;
  const double e1 = plain_renyi(rho, mu1), e2 = plain_renyi(rho, mu2);
  const double allowed = (mu2 - 1) * e2 - mu2 * (std::log1p(1 / (mu1 - 1)) + std::log1p(1 / (mu2 - 1)));
  const double doubt = slack(std::abs(log_q) + mu2 * (e2 + 2));
  if (!(log_q - doubt <= allowed)) return none;
  const double power = (log_q + e2) * (mu2 - 1) / mu2;
  if (!(power < 0)) return none;
  const double gone = std::exp(power), usual = order * std::log1p(-q) - t * std::log1p(-gone);
  const double rare = log_q + t * (e1 - log_q / (mu1 - 1));
  const double sum = std::expm1(usual) + std::exp(rare);
  // What the two logarithms of the usual case cancel, and what the exponents were rounded by.
  const double sizes = order * q / (1 - q) + t * gone / (1 - gone) * (1 + std::abs(power)) +
                       std::exp(rare) * (1 + std::abs(log_q) + t * (e1 - log_q / (mu1 - 1)));
  const double off = 8 * slack(sizes) / (1 + sum);
  return {rounded_down((std::log1p(sum) - off) / t),
          log_q + doubt <= allowed ? (std::log1p(sum) + off) / t : HUGE_VAL};
}

// log delta <= t (D - epsilon) - t log(1 + 1/t) - log(1 + t), solved for epsilon: Canonne, Kamath and Steinke
// 2020, Proposition 12, which needs the divergence in one direction only.
double converted(double renyi, double order, double delta) {
  const double t = order - 1, gain = t * std::log1p(1 / t) + std::log1p(t), level = std::log(delta);
  return std::max(0.0, renyi - (level + gain) / t + slack(renyi + (gain - level) / t));
}

// The step of a grid, of which a standard deviation has many, in units of that.
double step_of(const Vote& vote) { return vote.is_on_grid ? 1 / fewest_steps : 0; }

// The logarithm of the probability of at least, or more than, `place` standard deviations of such noise,
// place >= 0. On a grid of step g each of its weights is at most the integral over the step towards 0, and at
// least the one over the step away from it, but for a factor that is 1 in doubles; and the noise is up to two
// steps wider.
Bounds log_tail(double place, double step) {
  // That of the place shows as the square of its size.
  const double margin = rounding_margin * (4 + place * place);
  return {log_normal_upper_tail(place + 2 * step) - margin,
          log_normal_upper_tail((place - step) / (1 + 2 * step)) + margin};
}

/// The logarithms of the probabilities that a test passes and that it fails.
struct Outcomes {
  Bounds passes, fails;
};

// Of noise that must be at least so many standard deviations.
Outcomes outcomes(double place, double step) {
  const Bounds rare = log_tail(std::abs(place), step),
               other{std::log1p(-std::exp(rare.upper)), std::log1p(-std::exp(rare.lower))};
  return place > 0 ? Outcomes{rare, other} : Outcomes{other, rare};
}

/// All that the divergence of one question depends on.
struct Question {
  double upset, most_votes;
};

// The test of the largest number, where there is one, is that zero-concentrated for every table.
double test_rho(const Vote& vote) { return vote.least ? 1 / (2 * vote.least->sigma * vote.least->sigma) : 0; }

// Of a winner, told behind a test where there is one.
double told(double winner, double most_votes, const Vote& vote, double order) {
  return vote.least ? tested_vote_renyi(winner, most_votes, vote, order) : winner;
}

double divergence(const std::vector<Question>& questions, const Vote& vote, double rho, double order) {
  double sum = 0;
  for (const auto& [upset, most_votes] : questions)
    sum += told(vote_renyi(upset, rho, order).upper, most_votes, vote, order);
  return rounded_up(sum, static_cast<double>(questions.size()) * unit_roundoff);
}

/// How upsets, and with them divergences, move along tables that are further and further away.
class Neighbourhood {
 public:
  Neighbourhood(const std::vector<Question>& questions, std::size_t classes, const Vote& vote, double order)
      : questions_(questions),
        vote_(vote),
        others_(static_cast<double>(classes) - 1),
        order_(order),
        rho_(winner_rho(vote, classes)) {
    for (const Question& question : questions)
      places_.push_back(normal_upper_quantile(std::clamp(question.upset / others_, 1e-300, 1 - 1e-16)));
  }

  /// max over distances of e^{-beta distance} times the largest change of all questions' divergences by one
  /// more voter there: more or less agreement, and with a test more or fewer votes for the class that has
  /// most.
  double smooth(double beta, const Progress& progress) const {
    std::vector<Ways> before = divergences(0, progress);
    const double most = static_cast<double>(places_.size()) * plain_renyi(rho_ + test_rho(vote_), order_);
    double best = 0;
    for (double d = 0; most * std::exp(-beta * d) > best && d < farthest; ++d) {
      std::vector<Ways> after = divergences(d + 1, progress);
      double change = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        double largest = 0;
        for (std::size_t way = 0; way < after[i].size(); ++way)
          largest = std::max(largest, std::abs(after[i][way] - before[i][way]));
        change += largest;
      }
      best = std::max(best, std::exp(-beta * d) * change);
      before = std::move(after);
    }
    return best;
  }

 private:
  static constexpr double farthest = 1e5;
  using Ways = std::array<double, 4>;

  // So many voters away, each way.
  std::vector<Ways> divergences(double distance, const Progress& progress) const {
    const double moved = (vote_.is_switched ? 2 : 1) / (std::sqrt(2.0) * vote_.sigma);
    std::vector<Ways> found(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (i % 4096 == 0) keep_going(progress, distance / farthest);
      for (const std::size_t agreeing : {0, 1}) {
        const double place = places_[i] + (agreeing ? 1 : -1) * distance * moved,
                     q = std::min(1.0, others_ * normal_upper_tail({place})),
                     winner = vote_renyi(q, rho_, order_).upper;
        for (const std::size_t more : {0, 1})
          found[i][2 * agreeing + more] =
              told(winner, questions_[i].most_votes + (more ? 1 : -1) * distance, vote_, order_);
      }
    }
    return found;
  }

  const std::vector<Question>& questions_;
  Vote vote_;
  double others_, order_, rho_;
  std::vector<double> places_;
};

// The release of the divergence with noise by its smooth sensitivity, that of the sensitivity's logarithm,
// and the winners: Redberg, Zhu and Wang 2023, Algorithm 6, with the parameters of its proof.
void test(VoteLoss& loss, const std::vector<Question>& questions, std::size_t classes, const Vote& vote,
          double delta, double spent, const Progress& progress) {
  const auto [order, width, beta] = vote_test(spent, delta);
  const double level = std::log(2 / delta), safe = std::sqrt(2 * std::log(4 / delta));
  loss.tested_order = order;
  loss.smooth_sensitivity = Neighbourhood(questions, classes, vote, order).smooth(beta, progress);
  const double renyi = divergence(questions, vote, winner_rho(vote, classes), order);
  const double bound = loss.smooth_sensitivity * std::exp(width * beta * safe);
  loss.tested_epsilon = renyi + width * safe * bound + level / (order - 1) + spent;
}

// Of all questions together, where every table is promised the same.
double promised(std::size_t questions, double rho, double delta) {
  const double mu = rounded_up(std::sqrt(2 * rho * static_cast<double>(questions)), 2 * rounding_margin);
  return epsilon(*privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}}), delta).upper;
}

}  // namespace

double winner_rho(const Vote& vote, std::size_t classes) {
  // What moves in the l2 norm, squared: two numbers, one, or of two classes only their gap, whose noise has
  // twice the variance.
  const double square = vote.is_switched ? 2 : classes == 2 ? 0.5 : 1;
  return rounded_up(square / (2 * vote.sigma * vote.sigma));
}

double upset(std::span<const double> votes, const Vote& vote) {
  const auto first = std::max_element(votes.begin(), votes.end());
  // On a grid a difference of two noises has the weights of noise of its own, of a step that is as long.
  const DoubleDouble root = square_root(DoubleDouble{2}) * DoubleDouble{vote.sigma},
                     step = root * DoubleDouble{step_of(vote)}, width = root + step + step;
  double sum = 0;
  for (auto other = votes.begin(); other != votes.end(); ++other) {
    if (other == first) continue;
    sum += normal_upper_tail((DoubleDouble{*first - *other} - step) / width);
  }
  return std::min(1.0, rounded_up(sum, rounding_margin + static_cast<double>(votes.size()) * unit_roundoff));
}

Bounds vote_renyi(double q, double rho, double order) {
  // Rho was rounded up.
  const Bounds plain{rounded_down(rho * order, 3 * rounding_margin), plain_renyi(rho, order)};
  if (q == 0) return {0, 0};
  if (!(q < 1)) return plain;
  const Bounds own = bound_by_upset(q, rho, order);
  return {std::min(plain.lower, own.lower), std::min(plain.upper, own.upper)};
}

double tested_vote_renyi(double winner, double most_votes, const Vote& vote, double order) {
  const double least = vote.least->votes, sigma = vote.least->sigma;
  const double step = step_of(vote), t = order - 1;
  const auto at = [&](double votes) { return outcomes((least - votes) / sigma, step); };
  const Outcomes here = at(most_votes);
  const double promised = rounded_up(winner + rounded_up(order / (2 * sigma * sigma)));
  double most = 0;
  for (const double moved : {1, -1}) {
    const Outcomes there = at(most_votes + moved);
    const auto part = [&](const Bounds& p, const Bounds& other) {
      return order * p.upper - t * other.lower + slack(order * (std::abs(p.upper) + std::abs(other.lower)));
    };
    const double passes = part(here.passes, there.passes) + t * winner, fails = part(here.fails, there.fails),
                 larger = std::max(passes, fails);
    const double sum = larger + std::log1p(std::exp(std::min(passes, fails) - larger));
    most = std::max(most, (sum + slack(std::abs(larger) + t * winner + 1)) / t);
  }
  return std::min(most, promised);
}

VoteTest vote_test(double spent, double delta) {
  const double order = 2 * std::log(2 / delta) / spent + 1;
  return {order, std::sqrt((3 * order + 2) / spent), 0.2 / order};
}

VoteLoss vote_loss(const VoteCounts& votes, const Vote& vote, double delta, double spent,
                   const Progress& progress) {
  in_range("scale", vote.sigma, 1e-3, 1e12);
  in_range("delta", delta, 1e-300, 0.5);
  in_range("testEpsilon", spent, 1e-3, 10);
  if (vote.least) {
    in_range("leastVotes", vote.least->votes, -0x1p53, 0x1p53);
    in_range("leastVotesScale", vote.least->sigma, 1e-3, 1e12);
  }
  const double rho = winner_rho(vote, votes.classes());
  std::vector<Question> questions;
  for (const auto& row : rows_of(votes))
    questions.push_back({upset(row, vote), *std::max_element(row.begin(), row.end())});
  VoteLoss loss{0, 0, HUGE_VAL, 0, 0, 0, 0};
  for (double order = first_order; order <= last_order; order *= next_order) {
    keep_going(progress, 0);
    const double renyi = divergence(questions, vote, rho, order);
    const double epsilon = converted(renyi, order, delta);
    if (epsilon < loss.epsilon) loss = {order, renyi, epsilon, 0, 0, 0, 0};
  }
  loss.plain_epsilon =
      promised(votes.questions(), rounded_up(rho + test_rho(vote), 2 * rounding_margin), delta);
  test(loss, questions, votes.classes(), vote, delta, spent, progress);
  return loss;
}

VoteLoss vote_loss(const PlannedRequest& run, std::span<const Records> table, double unit_rows, double delta,
                   double spent, const Progress& progress) {
  const auto vote = run.algorithm->vote();
  if (!vote)
    throw Refusal("unsupported", "algorithm", run.request.algorithm,
                  "must be noisy-voting with normal noise: of other winners nothing of the kind is known");
  if (unit_rows != 1)
    throw Refusal("unsupported", "unit.rows", shown(unit_rows),
                  "must be 1: what is known is of one vote in each question");
  VoteCounts votes = *run.algorithm->votes();
  for (const Records& piece : table) votes.add(piece);
  VoteLoss loss = vote_loss(votes, *vote, delta, spent, progress);
  const auto& numbers = run.request.numbers;
  const auto budget = numbers.find("epsilon");
  const Promise promise{budget == numbers.end() ? std::nullopt : std::optional(budget->second), delta, 1};
  loss.plain_epsilon = price(run.plan.description, promise).epsilon.upper;
  return loss;
}

}  // namespace epsilometer
