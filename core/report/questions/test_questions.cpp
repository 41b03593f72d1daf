// What tests of a table, and models that are tested, are made of: thresholds, probabilities, noise.
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/above_threshold.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

constexpr Interval half = 0.5;

// Of Laplace noise of scale 1 to reach x.
double laplace_tail(double x) { return x >= 0 ? std::exp(-x) / 2 : 1 - std::exp(x) / 2; }

Interval laplace_tail(Interval x) {
  return {rounded_down(laplace_tail(x.upper())), std::min(1.0, rounded_up(laplace_tail(x.lower())))};
}

Interval minus_one(Interval exponent) {
  const auto off = [](double x) { return rounding_margin * std::abs(std::expm1(x)); };
  return {std::expm1(exponent.lower()) - off(exponent.lower()),
          std::expm1(exponent.upper()) + off(exponent.upper())};
}

// log(e^a + e^b), right where the sum is near 1, too.
Interval log_of_sum(Interval a, Interval b) {
  if (a.upper() < b.upper()) return log_of_sum(b, a);
  if (a.upper() < 1) return log_one_plus(minus_one(a) + exponential(b));
  return a + log_one_plus(exponential(b - a));
}

// A share of what may pass a test: so far from 1 that its complement is known.
double share_of(const Description& question, const char* name) {
  return question.number(name, 1e-300, 1 - 1e-12);
}

}  // namespace

// Dwork and Lei 2009: a release if the distance to the nearest bad table, with Laplace noise, is above the
// threshold. log(1/delta)/epsilon is often printed, and needlessly high.
NumbersAnswer classic_test(const Description& question) {
  const Interval epsilon(question.number("epsilon", 1e-6, 700)),
      tail = -logarithm(question.number("delta", 1e-300, 0.5)),
      distance(maybe(question, "distance", 0, 1e15).value_or(0));
  const Interval least = larger((tail - logarithm(2)) / epsilon, 0), printed = tail / epsilon;
  const auto passing = [&](Interval threshold) { return laplace_tail(epsilon * (threshold - distance)); };
  return {{{"threshold", least},
           {"passing", passing(least)},
           {"publishedThreshold", printed},
           {"publishedPassing", passing(printed)}},
          {},
          {}};
}

// Two outcomes: no release, with the complements of both probabilities of passing; or one of that divergence.
NumbersAnswer tested_divergence(const Description& question) {
  const Interval order(order_of(question)), above = order - Interval(1),
                                            divergence(question.number("renyi", 0, 1e6));
  const double here = share_of(question, "passing"), there = share_of(question, "otherPassing");
  const auto weight = [&](Interval here, Interval there) { return order * here - above * there; };
  const Interval refused = weight(log_one_plus(-here), log_one_plus(-there)),
                 passed = weight(logarithm(here), logarithm(there)) + above * divergence;
  return {{{"renyi", larger(log_of_sum(refused, passed) / above, 0)}}, {}, {}};
}

NumbersAnswer wrong_acceptance(const Description& question) {
  constexpr int cells = 1 << 16;
  const double threshold = question.scale("thresholdScale"), value = question.scale("valueScale"),
               gap = question.scale("gap");
  must_follow(question, "valueScale", value / threshold, 1e-3, 1e3, "valueScale / thresholdScale");
  must_follow(question, "gap", gap / value, 1e-6, 600, "gap / valueScale");
  const Bounds found = false_accept(threshold, value, gap, question.whole("values", 1, 1e6), cells);
  return {{{"probability", Interval(found.lower, found.upper)}}, {}, {}};
}

// Noise that can be taken back (Ligett, Neel, Roth, Waggoner and Wu 2017, Algorithm 1), from the widest on.
NumbersAnswer noise_path(const Description& question) {
  const auto& epsilons = question.list("epsilons", 1e-50, 1e50);
  const Interval sensitivity(question.number("sensitivity", 1e-50, 1e50));
  NumbersAnswer answer;
  // All of them are there, of a single level too.
  auto &scales = answer.lists["scales"], &variances = answer.lists["variances"];
  auto &kept = answer.lists["keeping"], &shared = answer.lists["covariances"];
  for (std::size_t t = 0; t < epsilons.size(); ++t) {
    if (t > 0 && epsilons[t] < epsilons[t - 1])
      throw Refusal("range", "epsilons", shown(epsilons[t]), "must not be less than the one before");
    scales.push_back(sensitivity / Interval(epsilons[t]));
    variances.push_back(Interval(2) * square(scales.back()));
    if (t == 0) continue;
    kept.push_back(square(Interval(epsilons[t - 1]) / Interval(epsilons[t])));
    // The path's later noise is part of the earlier one.
    shared.push_back(variances.back());
  }
  return answer;
}

// Of mean losses; |x| <= 1 in the l1 norm, |y| <= 1, one record replaced. `published`: the constants of
// Ligett et al. 2017, which hold too and are larger.
NumbersAnswer accuracy_first(const Description& question) {
  const Interval rows(question.whole("rows", 1, 1e12)), lambda(question.scale("lambda")),
      root = square_root(Interval(question.whole("dimension", 1, 1e6))),
      // W(1/e), Lambert's, to the nearest double.
      lambert = Interval::around(0.27846454276107380, 0x1p-54), ratio = rows / lambda,
      ridge = square_root(ratio) * half;
  const Interval risk(question.number("excessRisk", 1e-9, 1e9)),
      tests = Interval(16) * (logarithm(2) + logarithm(question.whole("levels", 1, 1e6)) -
                              logarithm(question.number("failure", 1e-9, 0.5)));
  const auto quadratic = [&](Interval radius) { return square(radius + Interval(1)) / rows; };
  const auto linear = [&](Interval radius) { return Interval(2) * radius / rows; };
  const Interval printed_ridge = Interval(2) * ridge, logistic = square_root(ratio * lambert),
                 printed_logistic = square_root(Interval(2) * logarithm(2) * ratio);
  const Interval gradient = Interval(2) * root / lambda;
  return {{{"ridgeRadius", ridge},
           {"publishedRidgeRadius", printed_ridge},
           {"ridgeSensitivity", quadratic(ridge)},
           {"publishedRidgeSensitivity", quadratic(printed_ridge)},
           {"publishedRidgeTests", tests * quadratic(printed_ridge) / risk},
           {"logisticRadius", logistic},
           {"publishedLogisticRadius", printed_logistic},
           {"logisticSensitivity", linear(logistic)},
           {"publishedLogisticSensitivity", linear(printed_logistic)},
           {"publishedLogisticTests", tests * linear(printed_logistic) / risk},
           {"covarianceScale", 4},
           {"logisticOutput", gradient},
           {"ridgeOutput", gradient * (ridge + Interval(1))},
           {"gradientRidgeOutput", gradient * (printed_ridge + Interval(1))},
           {"publishedRidgeOutput", root / square_root(lambda) * (printed_ridge + Interval(1))}},
          {},
          {}};
}

// Epsilon doubled until a model passes its test: what a run that ended in that round lost. The source's scale
// of the tests' noise is smaller than its own proof needs.
NumbersAnswer doubling(const Description& question) {
  const double rounds = question.whole("rounds", 1, 1e6),
               round = question.whole("round", 1, std::min(rounds, 1000.0));
  const Interval risk(question.scale("excessRisk")), sensitivity(question.scale("sensitivity")),
      tail = logarithm(rounds) - logarithm(question.number("failure", 1e-300, 0.5)),
      models = Interval(std::ldexp(1.0, static_cast<int>(round))) - Interval(1);
  const auto scale = [&](Interval logarithm) { return risk / (Interval(2) * logarithm); };
  const auto loss = [&](Interval scale) {
    return Interval(round) * sensitivity / scale + models * Interval(question.scale("firstEpsilon"));
  };
  const Interval enough = larger(tail - logarithm(2), 0), printed = scale(tail);
  NumbersAnswer answer{{{"publishedScale", printed}, {"publishedLoss", loss(printed)}}, {}, {}};
  if (enough.lower() > 0) {
    answer.numbers.emplace("scale", scale(enough));
    answer.numbers.emplace("loss", loss(scale(enough)));
  }
  return answer;
}

// By how much log(C_Y + C |theta|) of a ridge regression moves (Wang 2018, Lemma 12): it is the smaller
// table's eigenvalue that counts, which a record that leaves makes smaller by C^2 at most.
NumbersAnswer logarithm_sensitivity(const Description& question) {
  const Interval lambda(question.scale("lambda")), found(question.number("eigenvalue", 0, 1e100)),
      most = square(Interval(question.number("featureBound", 1e-50, 1e50)));
  const auto moved = [&](Interval eigenvalue) { return log_one_plus(most / (lambda + eigenvalue)); };
  return {{{"adding", moved(found)}, {"either", moved(larger(found - most, 0))}}, {}, {}};
}

}  // namespace epsilometer::questions
