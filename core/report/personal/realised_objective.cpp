#include "core/report/personal/realised_objective.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {
namespace {

constexpr std::size_t rows_between_looks = 64;

// Each record adds z z^T, z its features times the root of the loss's second derivative: right to two
// roundings of each, and to what is not known of the derivative.
CertifiedFactor hessian_of(const BoundedRecords& records, const Loss& loss, double lambda,
                           std::span<const double> coefficients, const Progress& progress) {
  const std::size_t d = coefficients.size();
  ProductSum sum(d);
  std::vector<double> x(d);
  double unknown = 0;
  each_row(records.count(), rows_between_looks, progress, [&](std::size_t i) {
    const auto record = records.read(i, x);
    const Interval second = quick_slope_at(loss, x, record.label, coefficients, record.limit).second;
    unknown += (second.upper() - second.lower()) * record.norm * record.norm;
    const double root = std::sqrt(second.upper());
    for (double& one : x) one *= root;
    sum.add(x);
  });
  const std::vector<double> values = sum.values();
  const double count = static_cast<double>(records.count()),
               error = (sum.error() + 8 * unit_roundoff) * trace(values, d) + unknown;
  auto factor = CertifiedFactor::of(values, d, lambda, rounded_up(error, (count + 64) * unit_roundoff));
  if (factor) return std::move(*factor);
  throw Refusal("range", "lambda", shown(lambda),
                "must be larger: doubles cannot tell the leverages in this table");
}

std::vector<double> values_of(const Eigen::VectorXd& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

}  // namespace

RealisedObjective::RealisedObjective(const BoundedRecords& records, const Loss& loss, double lambda,
                                     double sigma, std::vector<double> coefficients, const Progress& progress)
    : loss_(loss), sigma_(in_range("sigma", sigma, 1e-100, 1e100)), coefficients_(std::move(coefficients)) {
  in_range("lambda", lambda, 1e-100, 1e100);
  if (coefficients_.size() != records.dimension())
    throw Refusal("range", "coefficients", shown(static_cast<double>(coefficients_.size())),
                  "must be as many as a record has features");
  in_range("coefficients", coefficients_, -1e100, 1e100);
  const std::vector<double> none(coefficients_.size());
  const auto theta = Eigen::Map<const Eigen::VectorXd>(coefficients_.data(),
                                                       static_cast<Eigen::Index>(coefficients_.size()));
  const CertifiedGradient found = Objective(records, lambda, none).gradient(theta, part_of(progress, 0, 0.5));
  gradient_ = values_of(found.value);
  gradient_error_ = found.error;
  factor_.push_back(hessian_of(records, loss, lambda, coefficients_, part_of(progress, 0.5, 1)));
}

std::vector<RealisedObjective::Told> RealisedObjective::of(const BoundedRecords& records, std::size_t from,
                                                           std::size_t count, Direction direction) const {
  const std::size_t d = coefficients_.size();
  std::vector<double> rows(count * d);
  std::vector<Told> told;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = std::span(rows).subspan(i * d, d);
    const auto record = records.read(from + i, x);
    const double off = rounded_up(record.norm * gradient_error_);
    const RecordSlope slope = quick_slope_at(loss_, x, record.label, coefficients_, record.limit);
    told.push_back({0, {slope, quick_square(x), 0, quick_dot(x, gradient_) + Interval(-off, off)}});
  }
  const auto forms = factor_.front().forms(rows, count, false);
  for (std::size_t i = 0; i < count; ++i) {
    RecordAtMinimum& at = told[i].at;
    at.leverage = forms[i].once;
    told[i].loss = realised_objective_loss(direction, at, sigma_);
  }
  return told;
}

}  // namespace epsilometer
