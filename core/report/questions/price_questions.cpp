// What objective perturbation costs, in both directions, and what its sources chose by formula.
#include <cmath>

#include "core/accounting/composition/compose.h"
#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/objective_divergence.h"
#include "core/loss/objective_levels.h"
#include "core/loss/ramp.h"
#include "core/numerics/invert.h"
#include "core/numerics/logarithm.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

// Of several releases together.
constexpr double gap = 1e-8;

Interval within(Bounds bounds) { return {bounds.lower, bounds.upper}; }

struct Price {
  DoubleDouble slope, kappa, log_growth;
  double sides;
  Ramp adding{{0}, slope, sides}, removing{log_growth, slope, 1};

  // Redberg 2023 (thesis), Theorem 4.3.1, with its sign corrected: nothing where lambda is not above beta.
  std::optional<Ramp> published() const {
    if (!(kappa.hi < 1)) return std::nullopt;
    return Ramp(DoubleDouble{0} - log_one_plus(DoubleDouble{0} - kappa), slope, 2);
  }
};

// Several releases, each direction by itself.
void add_sums(NumbersAnswer& answer, const Price& price, double epsilon, double count) {
  const auto sum = [&](const Ramp& ramp) {
    return within(Composer({{ramp.law(), count}}).delta(epsilon, gap));
  };
  answer.numbers.emplace("closedDeltaAdd", sum(price.adding));
  answer.numbers.emplace("closedDeltaRemove", sum(price.removing));
  if (const auto published = price.published()) answer.numbers.emplace("publishedDelta", sum(*published));
}

void add_deltas(NumbersAnswer& answer, const Price& price, double epsilon) {
  const Bounds gaussian = GaussianLoss(price.slope).delta(epsilon);
  answer.numbers.emplace("closedDeltaAdd", up_to(price.adding.delta(epsilon)));
  answer.numbers.emplace("closedDeltaRemove", up_to(price.removing.delta(epsilon)));
  answer.numbers.emplace("gaussianDelta", within(gaussian));
  if (const auto published = price.published())
    answer.numbers.emplace("publishedDelta", up_to(published->delta(epsilon)));
  // Where levels are made to be accurate.
  const bool is_searched = price.slope.hi >= 1e-8 && price.slope.hi <= 1e3 && price.kappa.hi >= 1e-8 &&
                           price.kappa.hi <= 1e8 && gaussian.lower >= smallest_accurate;
  if (!is_searched) return;
  const ObjectiveLevels levels(epsilon, price.slope, price.kappa.hi, price.log_growth);
  answer.numbers.emplace("deltaAdd", within(levels.adding(price.sides == 1)));
  answer.numbers.emplace("deltaRemove", within(levels.removing(price.sides == 1)));
}

void add_divergences(NumbersAnswer& answer, const Price& price, double order) {
  answer.numbers.emplace("closedRenyiAdd", up_to(price.adding.renyi(order)));
  answer.numbers.emplace("closedRenyiRemove", up_to(price.removing.renyi(order)));
  answer.numbers.emplace("gaussianRenyi", up_to(GaussianLoss(price.slope).renyi(order)));
  if (const auto published = price.published())
    answer.numbers.emplace("publishedRenyi", up_to(published->renyi(order)));
  // Maps in one direction only are no smaller a class that was searched.
  const double slope = price.slope.hi, kappa = price.kappa.hi;
  const bool is_searched = slope >= 1e-8 && slope <= 1e3 && kappa >= 1e-8 && kappa <= 1e8;
  if (price.sides == 1 || !is_searched) return;
  const ObjectiveDivergences found = objective_divergences(order, slope, kappa);
  const auto tell = [&](const char* name, const Bounds& divergence, const Ramp& closed) {
    const double upper = std::min(divergence.upper, closed.renyi(order));
    answer.numbers.emplace(name, Interval(std::min(divergence.lower, upper), upper));
  };
  tell("renyiAdd", found.adding, price.adding);
  tell("renyiRemove", found.removing, price.removing);
}

DoubleDouble kappa_of(const Description& question, double lambda) {
  return DoubleDouble{question.scale("smoothness")} / DoubleDouble{lambda};
}

Price price_of(const Description& question, DoubleDouble kappa) {
  const DoubleDouble slope =
      DoubleDouble{question.scale("lipschitz")} / DoubleDouble{question.scale("sigma")};
  const bool is_one_signed =
      question.texts.contains("derivative") && question.text("derivative") == "one-signed";
  return {slope, kappa, log_one_plus(kappa), is_one_signed ? 1.0 : 2.0};
}

Price price_of(const Description& question) {
  return price_of(question, kappa_of(question, question.scale("lambda")));
}

// The least lambda at which a bound keeps delta; nothing where none does.
std::optional<Interval> least_lambda(const Description& question, double epsilon, double delta,
                                     std::optional<double> (*bound)(const Price&, double)) {
  const auto cost = [&](double lambda) {
    if (lambda == 0) return 1.0;
    return bound(price_of(question, kappa_of(question, lambda)), epsilon).value_or(1);
  };
  const double most = crossing(cost, delta, 1e100).above;
  if (!std::isfinite(most)) return std::nullopt;
  const auto surely = [&](double lambda) { return up_to(cost(lambda)).lower(); };
  return Interval(crossing(surely, delta, 1e100).below, most);
}

std::optional<double> closed_delta(const Price& price, double epsilon) {
  return std::max(price.adding.delta(epsilon), price.removing.delta(epsilon));
}

std::optional<double> published_delta(const Price& price, double epsilon) {
  const auto ramp = price.published();
  return ramp ? std::optional(ramp->delta(epsilon)) : std::nullopt;
}

// log E e^{t chi}, chi the length of d standard normal numbers, t > 0: the even and the odd terms of the
// series sum t^k E chi^k / k!, each from the one before: all positive, so that every step rounds by a few
// units, as does the product that starts the odd ones.
Interval log_moment_of_length(double t, double d) {
  // E chi = sqrt(2) Gamma((d + 1) / 2) / Gamma(d / 2).
  double mean = std::fmod(d, 2) == 1 ? std::sqrt(2 / M_PI) : std::sqrt(M_PI / 2);
  for (double k = 2 - std::fmod(d, 2); k < d; k += 2) mean *= (k + 1) / k;
  constexpr double part = 0x1p-600;
  double even = 1, odd = t * mean, sum = even + odd, taken = 0, k = 0;
  for (;; k += 2) {
    const double growth = t * t * (d + k) / ((k + 1) * (k + 2)),
                 odd_growth = t * t * (d + k + 1) / ((k + 2) * (k + 3));
    even *= growth, odd *= odd_growth, sum += even + odd;
    if (sum > 1 / part) even *= part, odd *= part, sum *= part, ++taken;
    // From here on both fall by half or more.
    if (growth < 0.5 && odd_growth < 0.5 && even + odd < unit_roundoff * sum) break;
  }
  const Interval found = logarithm(sum) + Interval(600 * taken) * logarithm(2);
  return found + Interval(-1, 1) * Interval((8 * k + 4 * d + 64) * unit_roundoff);
}

}  // namespace

NumbersAnswer objective(const Description& question) {
  const Price price = price_of(question);
  const double count = maybe(question, "count", 1, 1e6).value_or(1);
  NumbersAnswer answer;
  if (const auto epsilon = maybe(question, "epsilon", 0, 700)) {
    if (count > 1)
      add_sums(answer, price, *epsilon, question.whole("count", 1, 1e6));
    else
      add_deltas(answer, price, *epsilon);
  }
  if (has(question, "order")) add_divergences(answer, price, order_of(question));
  for (auto& [name, number] : answer.numbers)
    if (name.find("enyi") != std::string::npos) number = Interval(count) * number;
  return answer;
}

// The minimum is found to a gradient of `gradientTolerance` at most, and released with normal noise: both
// divergences add up.
NumbersAnswer approximate_minima(const Description& question) {
  const Price price = price_of(question);
  const double order = order_of(question);
  const Interval distance = Interval(2) * Interval(question.number("gradientTolerance", 0, 1e100)) /
                            (Interval(question.scale("lambda")) * Interval(question.scale("outputSigma")));
  const Interval output = Interval(order) * square(distance) / Interval(2);
  NumbersAnswer answer{
      {{"outputRenyi", output},
       {"closedRenyi", output + larger(up_to(price.adding.renyi(order)), up_to(price.removing.renyi(order)))},
       {"gaussianRenyi", output + up_to(GaussianLoss(price.slope).renyi(order))}},
      {},
      {}};
  if (const auto published = price.published())
    answer.numbers.emplace("publishedRenyi", output + up_to(published->renyi(order)));
  return answer;
}

// Smooth convex losses that are not of one linear predictor: a record's Hessian has d eigenvalues, and its
// gradient may lie along all of the noise. Redberg 2023 (thesis), Theorem C.5.1, with L^2; the determinant is
// that of the larger table's Hessian over the smaller one's, which has log(1 + kappa) for -log(1 - kappa).
NumbersAnswer general_objective(const Description& question) {
  const Price price = price_of(question);
  const double t = order_of(question) - 1, d = question.whole("dimension", 1, 1e6);
  const Interval slope = Interval(question.scale("lipschitz")) / Interval(question.scale("sigma"));
  const Interval steps(t * slope.upper());
  must_follow(question, "order", steps.upper(), 1e-100, 1e3, "(order - 1) lipschitz / sigma");
  const Interval moment = log_moment_of_length(steps.upper(), d);
  const auto whole = [&](Interval determinant) {
    return Interval(d) * determinant + square(slope) / Interval(2) + moment / Interval(t);
  };
  const Interval kappa = Interval(question.scale("smoothness")) / Interval(question.scale("lambda"));
  NumbersAnswer answer{{{"logMoment", moment}, {"renyi", whole(log_one_plus(kappa))}}, {}, {}};
  if (price.published()) answer.numbers.emplace("publishedRenyi", whole(-log_one_plus(-kappa)));
  return answer;
}

// Kifer, Smith and Thakurta 2012 as Redberg 2023 (thesis), Theorem 4.2.8, has it; and the least lambda for a
// given sigma.
NumbersAnswer objective_parameters(const Description& question) {
  const double epsilon = question.number("epsilon", 1e-100, 700),
               delta = question.number("delta", 1e-300, 0.5);
  const Interval level(epsilon), lipschitz(question.scale("lipschitz"));
  const Interval tail = Interval(8) * (logarithm(2) - logarithm(delta)) + Interval(4) * level;
  NumbersAnswer answer{{{"lambda", Interval(2) * Interval(question.scale("smoothness")) / level},
                        {"sigma", lipschitz / level * square_root(tail)}},
                       {},
                       {}};
  if (!has(question, "sigma")) return answer;
  if (const auto found = least_lambda(question, epsilon, delta, closed_delta))
    answer.numbers.emplace("closedLambda", *found);
  if (const auto found = least_lambda(question, epsilon, delta, published_delta))
    answer.numbers.emplace("publishedLambda", *found);
  return answer;
}

// Redberg 2023 (thesis), Theorem C.8.1: the mean of the sum of the losses above its least value.
NumbersAnswer excess_risk(const Description& question) {
  const Interval rows(question.whole("rows", 0, 1e15)), d(question.whole("dimension", 1, 1e6)),
      lambda(question.scale("lambda"));
  const Interval moved = Interval(question.number("gradientTolerance", 0, 1e100)) / lambda +
                         Interval(question.number("outputSigma", 0, 1e100)) * square_root(d);
  const Interval tilted = d * square(Interval(question.scale("sigma"))) / (Interval(2) * lambda);
  const Interval held = lambda * square(Interval(question.number("length", 0, 1e100))) / Interval(2);
  return {{{"excess", rows * Interval(question.scale("lipschitz")) * moved + tilted + held}}, {}, {}};
}

}  // namespace epsilometer::questions
