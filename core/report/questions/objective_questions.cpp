// Objective perturbation: its price in both directions, and what a minimum that came out told about one
// record of a table that was typed in. The numbers count as they are: no bound of a release is put on them.
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/objective_levels.h"
#include "core/loss/ramp.h"
#include "core/model/loss.h"
#include "core/numerics/certified_factor.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/normal.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

Interval up_to(double bound) { return {rounded_down(bound, 8 * rounding_margin), bound}; }
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

void add_deltas(InstanceAnswer& answer, const Price& price, double epsilon) {
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

void add_divergences(InstanceAnswer& answer, const Price& price, double order) {
  answer.numbers.emplace("closedRenyiAdd", up_to(price.adding.renyi(order)));
  answer.numbers.emplace("closedRenyiRemove", up_to(price.removing.renyi(order)));
  answer.numbers.emplace("gaussianRenyi", up_to(GaussianLoss(price.slope).renyi(order)));
  if (const auto published = price.published())
    answer.numbers.emplace("publishedRenyi", up_to(published->renyi(order)));
}

std::unique_ptr<const Loss> loss_of(const Description& question) {
  const std::string& name = question.text("loss");
  const double threshold = name == "huber" ? question.number("threshold", 1e-100, 1e100) : HUGE_VAL;
  return make_loss(name, {1e100, threshold});
}

double limit_of(const Description& question) {
  return maybe(question, "gradientBound", 1e-100, 1e100).value_or(HUGE_VAL);
}

// Of a record whose gradient is clipped to that length.
RecordSlope slope_of(const Loss& loss, std::span<const double> record, double label,
                     std::span<const double> coefficients, double bound) {
  const double norm = square_root(larger(dot(record, record), 0)).upper();
  const double limit = norm > 0 && std::isfinite(bound) ? bound / norm : HUGE_VAL;
  return slope_at(loss, record, label, coefficients, limit);
}

// The gradient and Hessian of the sum of losses + lambda |theta|^2 / 2 over a table.
struct Derivatives {
  std::vector<Interval> gradient, hessian;
};

Derivatives derivatives(const Description& question, const Loss& loss, const TypedTable& table,
                        std::span<const double> coefficients, Interval lambda) {
  const std::size_t d = table.dimension;
  Derivatives sum{std::vector<Interval>(d, 0), std::vector<Interval>(d * (d + 1) / 2, 0)};
  const double bound = limit_of(question);
  for (std::size_t i = 0; i < table.count(); ++i) {
    const auto x = table.row(i);
    const RecordSlope slope = slope_of(loss, x, table.labels[i], coefficients, bound);
    for (std::size_t row = 0, place = 0; row < d; ++row) {
      sum.gradient[row] = sum.gradient[row] + slope.first * Interval(x[row]);
      for (std::size_t column = 0; column <= row; ++column, ++place)
        sum.hessian[place] = sum.hessian[place] + slope.second * (Interval(x[row]) * Interval(x[column]));
    }
  }
  for (std::size_t row = 0; row < d; ++row)
    sum.gradient[row] = sum.gradient[row] + lambda * Interval(coefficients[row]);
  return sum;
}

CertifiedFactor factor_of(const std::vector<Interval>& hessian, std::size_t dimension, double lambda) {
  std::vector<double> middles;
  Interval squares = 0;
  for (const Interval& entry : hessian) {
    middles.push_back(entry.lower() + (entry.upper() - entry.lower()) / 2);
    squares = squares + Interval(2) * square(Interval(entry.upper()) - Interval(entry.lower()));
  }
  auto factor = CertifiedFactor::of(middles, dimension, lambda, square_root(squares).upper());
  if (factor) return std::move(*factor);
  throw Refusal("range", "lambda", shown(lambda), "must be larger: doubles cannot tell the leverages here");
}

void add_outcome(InstanceAnswer& answer, Direction direction, const RecordAtMinimum& at, double sigma) {
  const Interval variance = square(Interval(sigma)), first = at.slope.first;
  const Interval grown = at.slope.second * at.leverage;
  const double sign = direction == Direction::remove ? -1 : 1;
  answer.numbers.emplace("first", first);
  answer.numbers.emplace("second", at.slope.second);
  answer.numbers.emplace("leverage", at.leverage);
  answer.numbers.emplace("determinant", -log_one_plus(Interval(sign) * grown));
  answer.numbers.emplace("quadratic", square(first) * at.square / (Interval(2) * variance));
  answer.numbers.emplace("inner", Interval(sign) * first * at.pull / variance);
  answer.numbers.emplace("realised", realised_objective_loss(direction, at, sigma));
}

}  // namespace

InstanceAnswer objective(const Description& question) {
  const DoubleDouble slope =
      DoubleDouble{question.scale("lipschitz")} / DoubleDouble{question.scale("sigma")};
  const DoubleDouble kappa =
      DoubleDouble{question.scale("smoothness")} / DoubleDouble{question.scale("lambda")};
  const bool is_one_signed =
      question.texts.contains("derivative") && question.text("derivative") == "one-signed";
  const Price price{slope, kappa, log_one_plus(kappa), is_one_signed ? 1.0 : 2.0};
  InstanceAnswer answer;
  if (const auto epsilon = maybe(question, "epsilon", 0, 700)) add_deltas(answer, price, *epsilon);
  if (const auto order = maybe(question, "order", 1.000001, 1e6)) add_divergences(answer, price, *order);
  return answer;
}

InstanceAnswer objective_outcome(const Description& question) {
  const auto record = values(question, "record");
  const auto coefficients = values(question, "coefficients", record.size());
  const TypedTable table = table_of(question, record.size());
  const double label = question.number("label", -1e100, 1e100), lambda = question.scale("lambda"),
               sigma = question.scale("sigma");
  const Direction direction = direction_of(question);
  const auto loss = loss_of(question);
  const Derivatives found = derivatives(question, *loss, table, coefficients, lambda);
  Interval pull = 0;
  for (std::size_t i = 0; i < record.size(); ++i) pull = pull + Interval(record[i]) * found.gradient[i];
  const RecordAtMinimum at{slope_of(*loss, record, label, coefficients, limit_of(question)),
                           larger(dot(record, record), 0),
                           factor_of(found.hessian, record.size(), lambda).forms(record).once, pull};
  InstanceAnswer answer;
  add_outcome(answer, direction, at, sigma);
  answer.lists["gradient"] = found.gradient;
  // In one dimension the minimum is at most theta where -b is at most the gradient there.
  if (record.size() == 1) {
    const auto below = [&](double end) {
      return probability(normal_upper_tail({-end / sigma}),
                         4 * rounding_margin * (1 + end / sigma * end / sigma));
    };
    answer.numbers.emplace(
        "atMost", Interval(below(found.gradient[0].lower()).lower, below(found.gradient[0].upper()).upper));
  }
  if (const auto failure = maybe(question, "failure", 1e-300, 0.5)) {
    const PublicBound bound = public_objective_bound(direction, at.slope, record, lambda, sigma, *failure);
    answer.numbers.emplace("tight", up_to(bound.tight));
    if (bound.paper) answer.numbers.emplace("published", up_to(*bound.paper));
  }
  return answer;
}

InstanceAnswer slope(const Description& question) {
  const double prediction = question.number("prediction", -1e100, 1e100), one = 1;
  const double limit = maybe(question, "limit", 1e-100, 1e100).value_or(HUGE_VAL);
  const RecordSlope found = slope_at(*loss_of(question), {&one, 1}, question.number("label", -1e100, 1e100),
                                     {&prediction, 1}, limit);
  return {{{"first", found.first}, {"second", found.second}}, {}, {}};
}

}  // namespace epsilometer::questions
