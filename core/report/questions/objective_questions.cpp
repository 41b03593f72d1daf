// What a minimum of objective perturbation that came out told about one record of a table that was typed in.
// The numbers count as they are: no bound of a release is put on them.
#include <cmath>

#include "core/base/refusal.h"
#include "core/model/loss.h"
#include "core/numerics/certified_factor.h"
#include "core/numerics/normal.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

double limit_of(const Description& question) {
  return maybe(question, "gradientBound", 1e-100, 1e100).value_or(HUGE_VAL);
}

// What holds the one and the other.
Interval both(Interval a, Interval b) {
  return {std::min(a.lower(), b.lower()), std::max(a.upper(), b.upper())};
}

// Of a record whose gradient is clipped to that length: the limit of its derivative is a quotient, and a
// derivative that is clipped at it lies between those that are clipped below and above it.
RecordSlope slope_of(const Loss& loss, std::span<const double> record, double label,
                     std::span<const double> coefficients, double bound) {
  const Interval norm = square_root(larger(dot(record, record), 0));
  if (!(norm.upper() > 0) || !std::isfinite(bound))
    return slope_at(loss, record, label, coefficients, HUGE_VAL);
  const Interval limit = Interval(bound) / norm;
  const auto at = [&](double limit) { return slope_at(loss, record, label, coefficients, limit); };
  const RecordSlope least = at(std::max(limit.lower(), 0.0)), most = at(limit.upper());
  return {both(least.first, most.first), both(least.second, most.second)};
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
    const double label = label_for(loss, "labels." + std::to_string(i), table.labels[i]);
    const RecordSlope slope = slope_of(loss, x, label, coefficients, bound);
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

void add_outcome(NumbersAnswer& answer, Direction direction, const RecordAtMinimum& at, double sigma) {
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

void add_bound(NumbersAnswer& answer, const PublicBound& bound) {
  answer.numbers.emplace("tight", up_to(bound.tight));
  if (bound.paper) answer.numbers.emplace("published", up_to(*bound.paper));
}

// log(1 + e^-margin) where its derivative is at most `limit` in size, and from there on the tangent, as steep
// as that, which touches at the margin log(1 / limit - 1).
Interval logistic_value(double margin, double limit, bool is_steep) {
  if (is_steep)
    return -log_one_plus(-Interval(limit)) +
           Interval(limit) * (log_one_plus((Interval(1) - Interval(2) * Interval(limit)) / Interval(limit)) -
                              Interval(margin));
  const Interval rest = log_one_plus(exponential(-std::abs(margin)));
  return margin < 0 ? Interval(-margin) + rest : rest;
}

// e^u - y u up to where e^u is y + limit or y - limit.
Interval poisson_value(double u, double label, double limit, double sign) {
  if (sign == 0) return exponential(u) - Interval(label) * Interval(u);
  const Interval steepness(sign * limit), turn = Interval(label) + steepness;
  const Interval at(logarithm(turn.lower()).lower(), logarithm(turn.upper()).upper());
  return turn - Interval(label) * at + steepness * (Interval(u) - at);
}

// Nothing where e^u is more than doubles hold. Where they cannot tell on which side of a limit the derivative
// is, the value is one of both.
std::optional<Interval> value_of(const Description& question, double u, double label, double limit,
                                 Interval first) {
  const std::string& name = question.text("loss");
  const bool is_logistic = name == "logistic";
  if (is_logistic || name == "poisson") {
    // No derivative of the one is as large as 1; of the other none is as far below 0 as the label.
    const bool may_rise = first.upper() >= limit && !(is_logistic && limit >= 1),
               may_fall = first.lower() <= -limit && limit < (is_logistic ? 1 : label);
    std::optional<Interval> found;
    for (const double sign : {-1.0, 0.0, 1.0}) {
      const bool is_within = absolute(first).lower() < limit || !(may_rise || may_fall);
      if (!(sign < 0 ? may_fall : sign > 0 ? may_rise : is_within)) continue;
      if (!is_logistic && sign == 0 && u > 709.7) return std::nullopt;
      const Interval value =
          is_logistic ? logistic_value(label * u, limit, sign != 0) : poisson_value(u, label, limit, sign);
      found = found ? both(*found, value) : value;
    }
    return found;
  }
  const double turn = name == "huber" ? std::min(limit, question.number("threshold", 1e-100, 1e100)) : limit;
  const Interval off = Interval(u) - Interval(label);
  if (off.magnitude() <= turn) return square(off) / Interval(2);
  return Interval(turn) * (absolute(off) - Interval(turn) / Interval(2));
}

}  // namespace

NumbersAnswer objective_outcome(const Description& question) {
  const auto record = values(question, "record");
  const auto coefficients = values(question, "coefficients", record.size());
  const TypedTable table = table_of(question, record.size());
  const double lambda = question.scale("lambda"), sigma = question.scale("sigma");
  const Direction direction = direction_of(question);
  const auto loss = loss_of(question);
  const double label = label_for(*loss, "label", question.number("label", -1e100, 1e100));
  const Derivatives found = derivatives(question, *loss, table, coefficients, lambda);
  Interval pull = 0;
  for (std::size_t i = 0; i < record.size(); ++i) pull = pull + Interval(record[i]) * found.gradient[i];
  const RecordAtMinimum at{slope_of(*loss, record, label, coefficients, limit_of(question)),
                           larger(dot(record, record), 0),
                           factor_of(found.hessian, record.size(), lambda).forms(record).once, pull};
  if (direction == Direction::remove && (at.slope.second * at.leverage).lower() >= 1)
    throw Refusal("range", "direction", "remove",
                  "must be add: no table that holds this record has such coefficients");
  NumbersAnswer answer;
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
  if (const auto failure = maybe(question, "failure", 1e-299, 0.5)) {
    const PublicBound bound = public_objective_bound(direction, at.slope, record, lambda, sigma, *failure);
    add_bound(answer, bound);
  }
  return answer;
}

// Any smooth loss: what came out told by both Hessians, and what may be told by the eigenvalues of the
// record's.
NumbersAnswer smooth_outcome(const Description& question) {
  const auto record = values(question, "recordGradient");
  const std::size_t d = record.size();
  const double sigma = question.scale("sigma");
  const Direction direction = direction_of(question);
  NumbersAnswer answer;
  if (question.lists.contains("hessian")) {
    const std::vector<double> used = triangle_of(question, "hessian", d),
                              own = triangle_of(question, "recordHessian", d);
    std::vector<double> other = used;
    const double sign = direction == Direction::remove ? -1 : 1;
    double squares = 0;
    for (std::size_t i = 0; i < other.size(); ++i) {
      other[i] += sign * own[i];
      squares += 2 * std::pow(unit_roundoff * other[i], 2);
    }
    const Interval determinant =
        log_determinant(used, d) - log_determinant(other, d, rounded_up(std::sqrt(squares)));
    const Interval square = dot(record, record), pull = dot(record, values(question, "gradient", d)),
                   variance = epsilometer::square(Interval(sigma));
    answer.numbers = {{"determinant", determinant},
                      {"quadratic", square / (Interval(2) * variance)},
                      {"inner", Interval(sign) * pull / variance},
                      {"realised", realised_objective_loss(direction, determinant, square, pull, sigma)}};
  }
  if (const auto failure = maybe(question, "failure", 1e-299, 0.5)) {
    const PublicBound bound = public_objective_bound(direction, record, values(question, "curvatures"),
                                                     question.scale("lambda"), sigma, *failure);
    add_bound(answer, bound);
  }
  return answer;
}

// The loss itself: beyond the limit of its derivative the tangent at the last point within.
NumbersAnswer slope(const Description& question) {
  const auto loss = loss_of(question);
  const double prediction = question.number("prediction", -1e100, 1e100), one = 1;
  const double label = label_for(*loss, "label", question.number("label", -1e100, 1e100));
  const double limit = maybe(question, "limit", 1e-100, 1e100).value_or(HUGE_VAL);
  const RecordSlope found = slope_at(*loss, {&one, 1}, label, {&prediction, 1}, limit);
  NumbersAnswer answer{{{"first", found.first}, {"second", found.second}}, {}, {}};
  if (const auto value = value_of(question, prediction, label, limit, found.first))
    answer.numbers.emplace("value", *value);
  return answer;
}

}  // namespace epsilometer::questions
