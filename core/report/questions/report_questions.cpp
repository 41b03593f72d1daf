// What a report says of published numbers, and people taken together.
#include <cmath>
#include <limits>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/report/personal/people_summary.h"
#include "core/report/published/privacy_report_bound.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

// What was published, and what its noise may do to it.
struct Published {
  std::span<const double> record, gradient;
  std::vector<double> hessian;
  Interval first, second, norm, sigma, lambda, floor, spectrum, deviation, gradient_sigma;
  Direction direction;
};

Published published_in(const Description& question) {
  const auto record = values(question, "record");
  const double lambda = question.scale("lambda");
  return {record,
          values(question, "gradient", record.size()),
          triangle_of(question, "hessian", record.size()),
          question.number("first", -1e100, 1e100),
          question.number("second", 0, 1e100),
          square_root(larger(dot(record, record), 0)),
          question.scale("sigma"),
          lambda,
          question.number("floor", lambda, 1e100),
          Interval(question.number("spectrum", 0, 1e100)) * Interval(question.scale("hessianSigma")),
          quantile(question.number("failure", 1e-290, 0.5) / 2),
          question.scale("gradientSigma"),
          direction_of(question)};
}

// Redberg 2023 (thesis), Algorithms 2 and 9, corrected: what record^T (Hessian)^{-1} record is at most.
Interval leverage_of(const Published& told) {
  const bool is_regularised = told.floor.upper() < 2 * told.spectrum.lower();
  const double shift = is_regularised ? told.spectrum.upper() : 0;
  const Interval square = epsilometer::square(told.norm);
  const Interval least = told.direction == Direction::remove
                             ? larger(told.floor, told.lambda + told.second * square)
                             : told.floor;
  const Interval cap = square / least;
  const auto factor = CertifiedFactor::of(told.hessian, told.record.size(), shift,
                                          told.spectrum.upper() - told.spectrum.lower());
  // Where doubles cannot tell whether it is positive definite, it may be anything up to the cap.
  if (!factor) return Cholesky::of(told.hessian, told.record.size(), shift) ? Interval(0, cap.upper()) : cap;
  const Interval grown = told.floor + Interval(is_regularised ? 2 : 1) * told.spectrum;
  return smaller(grown / told.floor * factor->forms(told.record).once, cap);
}

// The size of the loss as the thesis bounds it.
Interval thesis_loss(const Published& told, Interval leverage, Interval pull) {
  const Interval variance = square(told.sigma), grown = told.second * leverage;
  const Interval own = square(told.first * told.norm) / (Interval(2) * variance), noise = pull / variance;
  if (told.direction == Direction::remove) return -log_one_plus(-grown) + own + noise;
  return noise + larger(own, log_one_plus(grown) - own);
}

Interval pull_of(const Published& told, Interval product) {
  const Interval steep = absolute(told.first) * told.norm * told.deviation;
  return smaller(absolute(told.first * product) + steep * told.gradient_sigma, steep * told.sigma);
}

// What the published material costs that record: one Gaussian release.
Interval material_distance(const Description& question, const Published& told) {
  const Interval bend = told.second * square(told.norm), slope = told.first * told.norm / told.gradient_sigma;
  Interval squares = square(slope) + square(bend / Interval(question.scale("hessianSigma"))) / Interval(2);
  if (const auto sigma = maybe(question, "eigenvalueSigma", 1e-100, 1e100))
    squares = squares + square(bend / Interval(*sigma));
  return square_root(squares);
}

const std::vector<double>& losses_in(const Description& question, const char* name) {
  const auto found = question.lists.find(name);
  if (found != question.lists.end()) return found->second;
  throw Refusal("missing", name, "nothing", "must be a list of numbers");
}

// What a mean of so many terms was rounded up by, and each exponential by its exponent.
// Where one of them is more than doubles hold, the mean is at least that one's share.
Interval mean_of(const PeopleSummary& summary, double mean, double exponent) {
  const double share = std::numeric_limits<double>::max() / static_cast<double>(summary.count()),
               least = std::isinf(mean) ? share : mean;
  const double margin = 2 * (static_cast<double>(summary.count()) + 8) * unit_roundoff + 4 * rounding_margin;
  return {rounded_down(least, margin + 16 * unit_roundoff * exponent), mean};
}

Interval growth_of(const PeopleSummary& summary) {
  return mean_of(summary, summary.exponential_moment(1), summary.largest());
}

// The bound that is told, and what rounding took of it.
Interval gap_of(Interval grown, Interval other, double delta, double most) {
  const Interval least = Interval(grown.lower()) * Interval(other.lower()) - Interval(1) +
                         Interval(delta) * (Interval(1) + Interval(grown.lower()));
  return {std::clamp(least.lower(), 0.0, most), most};
}

}  // namespace

NumbersAnswer report_bound(const Description& question) {
  const Published told = published_in(question);
  const Interval leverage = leverage_of(told), product = dot(told.record, told.gradient),
                 pull = pull_of(told, product), distance = material_distance(question, told);
  const Interval doubt = told.norm * told.gradient_sigma * told.deviation;
  const Evidence evidence{told.sigma.upper(),
                          told.lambda.upper(),
                          (told.norm * told.deviation).upper(),
                          Interval((product - doubt).lower(), (product + doubt).upper()),
                          leverage.upper(),
                          false};
  const RealisedBound own =
      realised_bound(told.direction, {told.first, told.second}, square(told.norm), evidence);
  return {{{"leverage", leverage},
           {"pull", pull},
           {"published", thesis_loss(told, leverage, pull)},
           {"realised", own.loss},
           {"distance", distance}},
          {},
          {{"material", shifted(distance)}}};
}

NumbersAnswer people(const Description& question) {
  const PeopleSummary summary(losses_in(question, "losses"));
  const Interval grown = growth_of(summary);
  NumbersAnswer answer{
      {{"exponential", grown},
       {"squaredExponential", mean_of(summary, summary.exponential_moment(2), 2 * summary.largest())},
       {"median", summary.quantile(0.5)},
       {"largest", summary.largest()}},
      {},
      {}};
  std::vector<Interval>& moments = answer.lists["moments"];
  for (int power = 1; power <= 4; ++power) moments.push_back(mean_of(summary, summary.moment(power), 0));
  if (const auto delta = maybe(question, "delta", 0, 1)) {
    answer.numbers.emplace("generalisation",
                           gap_of(grown, grown, *delta, generalisation_gap(summary, *delta)));
    if (question.lists.contains("others")) {
      const PeopleSummary others(losses_in(question, "others"));
      answer.numbers.emplace("otherGeneralisation", gap_of(grown, growth_of(others), *delta,
                                                           generalisation_gap(summary, others, *delta)));
    }
  }
  return answer;
}

}  // namespace epsilometer::questions
