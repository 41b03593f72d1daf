// A report evaluated on one person's record.
#include <algorithm>
#include <cmath>

#include "core/numerics/quick_sum.h"
#include "core/report/published/privacy_report.h"

namespace epsilometer {
namespace {

double derivative_of(const PreciseLossAt& free, double limit, double sign) {
  const PreciseLossAt at = within(free, limit);
  const double end = at.first.hi + sign * (at.error + 2 * unit_roundoff * std::abs(at.first.hi));
  return std::clamp(end, -limit, limit);
}

// Whether the loss is linear at every u of the interval: clipped throughout, or beyond the threshold of
// Huber's. Rounding of u - label and of the derivative is left room for.
bool is_linear_within(const Loss& loss, const std::string& name, double label, Interval u, double limit) {
  if (name != "huber" && limit >= loss.steepness()) return false;
  const Interval wider = u + Interval::around(0, 0x1p-50 * (u.magnitude() + std::abs(label)));
  const auto side = [&](double end) {
    const LossAt at = loss.at(end, label);
    const bool is_beyond = std::abs(at.first) > limit * (1 + 0x1p-40) || (name == "huber" && at.second == 0);
    return !is_beyond ? 0 : at.first > 0 ? 1 : -1;
  };
  return side(wider.lower()) != 0 && side(wider.lower()) == side(wider.upper());
}

// The largest second derivative on the interval. That of the logistic and the Poisson loss changes by a
// factor e^{+-du} at most; that of others is 1 or 0.
double largest_second(const Loss& loss, const std::string& name, double label, Interval u, double limit,
                      double at_ends) {
  if (is_linear_within(loss, name, label, u, limit)) return 0;
  const double steep = std::min(limit, loss.steepness());
  double second = std::isfinite(steep) || name == "squared" ? loss.curvature(steep) : HUGE_VAL;
  if (name == "logistic" || name == "poisson")
    second = std::min(second, rounded_up(at_ends * std::exp(u.upper() - u.lower())));
  return second;
}

// The first derivative rises with u.
RecordSlope slope_within(const Loss& loss, const std::string& name, double label, Interval u, double limit) {
  const PreciseLossAt low = loss.quick_at(u.lower(), label), high = loss.quick_at(u.upper(), label);
  return {{derivative_of(low, limit, -1), derivative_of(high, limit, 1)},
          {0, largest_second(loss, name, label, u, limit, std::max(low.second, high.second))}};
}

// The published Hessian is that of the losses.
std::optional<InverseForms> leverages(const PrivacyReport& report) {
  if (!report.material.hessian) return {};
  const std::size_t d = report.coefficients.size();
  std::vector<double> matrix = report.material.hessian->values;
  for (std::size_t row = 0; row < d; ++row) matrix[row * (row + 3) / 2] += report.model.lambda;
  return InverseForms(matrix, d, report.spectrum, report.floor);
}

double own_mu(const PrivacyReport& report, const RecordSlope& slope, Interval square) {
  const ReportMaterial& material = report.material;
  const double gradient =
                   (absolute(slope.first) * square_root(square) / Interval(report.model.lipschitz)).upper(),
               curvature = (slope.second * square).upper();
  const double smoothness = report.model.smoothness;
  const auto share = [](double part) { return std::min(1.0, std::max(0.0, part)); };
  double sum = 0;
  const auto add = [&sum](double mu) { sum += mu * mu; };
  if (material.gradient) add(material.gradient->mu * share(gradient));
  if (material.hessian) add(material.hessian->mu * share(curvature / smoothness));
  if (material.eigenvalue)
    add(material.eigenvalue->mu * share((curvature + 2 * material.eigenvalue->error) / smoothness));
  // What discrete noise costs beyond its share of mu.
  return rounded_up(std::sqrt(sum)) + 0x1p-70;
}

// What hides the minimum, added to both sides (docs/privacy-report.md, "A minimum that stays hidden").
RealisedBound with_slack(RealisedBound bound, double slack) {
  if (slack == 0) return bound;
  const double low = std::min(bound.loss.lower(), 0.0), high = std::max(bound.loss.upper(), 0.0);
  bound.loss = Interval(low, high) + Interval(-slack, slack);
  bound.misfit = std::max(0.0, bound.size() - bound.leverage - bound.before);
  return bound;
}

}  // namespace

ReportReader::ReportReader(PrivacyReport report)
    : report_(std::move(report)),
      loss_(make_loss(report_.model.loss, report_.model.numbers)),
      leverages_(leverages(report_)) {}

// x^T H^{-1} x at most, at the minimum.
double ReportReader::largest_leverage(std::span<const double> x, Interval square) const {
  if (leverages_) return rounded_up(leverages_->of(x).upper * report_.growth);
  if (!report_.material.eigenvalue) return Interval::infinity;
  return rounded_up((square / Interval(report_.floor)).upper() * report_.growth);
}

Evidence ReportReader::evidence_for(std::span<const double> x, Interval square, double before) const {
  const ReportedModel& model = report_.model;
  const double norm = square_root(square).upper();
  double noise = report_.noise * norm;
  if (report_.noise_entry) {
    double sizes = 0;
    for (const double value : x) sizes += std::abs(value);
    noise = std::min(noise,
                     *report_.noise_entry * sizes * (1 + 2 * static_cast<double>(x.size()) * unit_roundoff));
  }
  Evidence evidence{model.sigma,   model.lambda, rounded_up(noise), {}, largest_leverage(x, square),
                    model.hidden()};
  evidence.before = before;
  evidence.chance_before = rounded_up(before * report_.noise * discreteness);
  if (report_.material.gradient)
    evidence.pull = dot(x, report_.material.gradient->values) +
                    Interval(model.lambda) * dot(x, report_.coefficients) +
                    Interval::around(0, rounded_up(report_.gradient_margin * norm));
  return evidence;
}

PersonalBound ReportReader::of(std::span<const double> features, double label, Direction direction,
                               double before) const {
  const Records one{1, report_.coefficients.size(), features, std::span(&label, 1)};
  const BoundedRecords::Several read = BoundedRecords(one, *loss_, report_.model.bounds).read(0, 1);
  return of(read.features, read.records[0], quick_square(read.features),
            quick_dot(read.features, report_.coefficients), direction, before);
}

PersonalBound ReportReader::of(std::span<const double> x, const BoundedRecords::Record& record,
                               Interval square, Interval prediction, Direction direction,
                               double before) const {
  PersonalBound bound{{}, 0, 0, report_.promise.failure};
  // Zeros move no sum but one of whitened rows.
  const bool is_nothing = std::all_of(x.begin(), x.end(), [](double value) { return value == 0; });
  if (!is_nothing || before > 0) {
    const double away = rounded_up(square_root(square).upper() * report_.distance);
    const RecordSlope slope = slope_within(*loss_, report_.model.loss, record.label,
                                           prediction + Interval(-away, away), record.limit);
    bound.model = realised_bound(direction, slope, square, evidence_for(x, square, before));
    if (!report_.material.empty()) {
      bound.material_mu = own_mu(report_, slope, square);
      const double deviation = report_.material_deviation * discreteness;
      bound.material = rounded_up(bound.material_mu * (bound.material_mu / 2 + deviation));
    }
  }
  bound.model = with_slack(bound.model, report_.slack);
  return bound;
}

PersonalBound evaluated(const PrivacyReport& report, std::span<const double> features, double label,
                        Direction direction) {
  return ReportReader(report).of(features, label, direction);
}

}  // namespace epsilometer
