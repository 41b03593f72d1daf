// What sources compute from a few numbers on the way to their guarantees: one order of a Renyi curve, the
// best of several runs, and the noise of AdaOPS.
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/numerics/invert.h"
#include "core/report/personal/normal_pair.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

// Where delta, falling in sigma, is at most `level`.
Interval least_sigma(const std::function<Interval(double)>& delta, double level) {
  const auto most = [&](double sigma) { return sigma == 0 ? 1.0 : delta(sigma).upper(); };
  const auto least = [&](double sigma) { return sigma == 0 ? 1.0 : delta(sigma).lower(); };
  return {crossing(least, level, 1e100).below, crossing(most, level, 1e100).above};
}

Interval shift_delta(double sigma, double epsilon) {
  const Bounds delta = GaussianLoss(DoubleDouble{1} / DoubleDouble{sigma}).delta(epsilon);
  return {delta.lower, delta.upper};
}

// Of a sample with noise sigma: a record that joins, with the leverage and the residual that are given, and
// one that leaves, whose leverage and residual these are in the table with it.
Interval sample_delta(double sigma, double epsilon, Interval leverage, Interval joining, Interval leaving) {
  const Interval rest = Interval(1) - leverage, noise(sigma);
  // Then nothing is hidden.
  if (!((larger(joining, leaving) / rest / noise).upper() <= 1e95)) return {next_below(1), 1};
  return larger(
      normal_pair_delta(posterior_pair(Direction::add, leverage, joining / noise), epsilon),
      normal_pair_delta(posterior_pair(Direction::remove, leverage / rest, leaving / rest / noise), epsilon));
}

}  // namespace

// Wang 2019, Algorithm 1 and Proposition 17, corrected: epsilon halved, delta in three parts. `precision` is
// the largest at which the largest leverage with the largest residual keeps its part; a smaller leverage can
// cost more at the same residual, and a residual sqrt(1 + leverage) as large dominates them all
// (core/release/algorithms/posterior_sampling.cpp), which is `provenPrecision`.
NumbersAnswer ada_ops(const Description& question) {
  const Interval rows(question.whole("rows", 1, 1e15)),
      floor = rows / (Interval(question.whole("dimension", 1, 1e6)) * Interval(question.scale("spread")));
  if (!(floor.lower() >= 1.001))
    throw Refusal("range", "spread", shown(question.scale("spread")),
                  "must be smaller: rows / (dimension spread) must be at least 1.001");
  must_follow(question, "spread", floor.upper(), 1.001, 1e50, "rows / (dimension spread)");
  const double epsilon = question.number("epsilon", 1e-6, 700) / 2;
  const double part = question.number("delta", 1e-290, 0.5) / 3,
               found = question.number("eigenvalue", -1e100, 1e100);
  const Interval sigma = least_sigma([&](double at) { return shift_delta(at, epsilon); }, part),
                 offset = sigma * quantile(part), leverage = Interval(1) / floor,
                 residual = Interval(1) + square_root(rows / floor);
  const auto precision = [&](Interval joining) {
    const auto delta = [&](double at) { return sample_delta(at, epsilon, leverage, joining, residual); };
    const Interval noise = least_sigma(delta, part);
    if (std::isfinite(noise.upper())) return Interval(1) / square(noise);
    throw Refusal("unreachable", "spread", shown(question.scale("spread")),
                  "must be smaller: at this leverage no noise keeps half of epsilon at a third of delta");
  };
  return {{{"floor", floor},
           {"eigenvalueSigma", sigma},
           {"offset", offset},
           {"lambda", larger(floor - Interval(found) + offset, 0)},
           {"residual", residual},
           {"precision", precision(residual)},
           {"provenPrecision", precision(residual * square_root(Interval(1) + leverage))}},
          {},
          {}};
}

// Mironov 2017, Proposition 3, and the sharper one of Canonne, Kamath and Steinke 2020, Proposition 12.
NumbersAnswer renyi_order(const Description& question) {
  const Interval divergence(question.number("renyi", 0, 1e6)), order(order_of(question)),
      above = order - Interval(1), share = log_one_plus(-(Interval(1) / order));
  NumbersAnswer answer;
  if (const auto delta = maybe(question, "delta", 1e-300, 0.5)) {
    const Interval tail = logarithm(*delta);
    answer.numbers.emplace("mironov", divergence - tail / above);
    answer.numbers.emplace("epsilon",
                           larger(divergence + share - (tail + logarithm(order.lower())) / above, 0));
  }
  if (const auto epsilon = maybe(question, "epsilon", 0, 700))
    answer.numbers.emplace(
        "delta", smaller(exponential(above * (divergence - Interval(*epsilon) + share)) / order, 1));
  return answer;
}

// Papernot and Steinke 2022, Theorem 6: the best of a Poisson number of runs, at one order. `failure`: delta
// of a run at the level that is answered. Without any run nothing comes out; `renyi` counts that, too.
NumbersAnswer poisson_selection(const Description& question) {
  const Interval divergence(question.number("renyi", 0, 1e6)),
      above = Interval(order_of(question)) - Interval(1);
  const double mean = question.number("mean", 1e-6, 700);
  const Interval loss = divergence + Interval(mean) * Interval(question.number("failure", 0, 1)),
                 size = logarithm(mean), none = exponential(-(Interval(mean) + size + above * loss));
  NumbersAnswer answer{
      {{"level", log_one_plus(Interval(1) / above)}, {"renyi", loss + (size + log_one_plus(none)) / above}},
      {},
      {}};
  // Below one run in the mean what was published may be negative, which no divergence is.
  if (mean >= 1) answer.numbers.emplace("published", loss + size / above);
  return answer;
}

}  // namespace epsilometer::questions
