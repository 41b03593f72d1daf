#include "core/report/personal/records_at_minimum.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {
namespace {

constexpr std::size_t rows_between_looks = 64;

}  // namespace

// Derivatives of convex functions rise: one of both ends of u has the largest size.
RowCause cause_of(const Loss& loss, const BoundedRecords::Record& record, Interval u,
                  const RecordSlope& known, std::size_t dimension, double share) {
  const double misfit = record.limit >= loss.steepness()
                            ? known.first.magnitude()
                            : std::max(std::abs(loss.at(u.lower(), record.label).first),
                                       std::abs(loss.at(u.upper(), record.label).first)),
               slope = std::min(misfit, record.limit),
               margin = (static_cast<double>(dimension) + 64) * unit_roundoff;
  return {share, rounded_up(misfit, margin), rounded_up(slope * record.norm, margin)};
}

// Each record adds z z^T to the Hessian, z its features times the root of the loss's second derivative: right
// to two roundings of each, and to what is not known of the derivative. To the gradient it adds x times the
// middle of what is known of the first derivative.
RecordsAtMinimum::RecordsAtMinimum(const BoundedRecords& records, const Loss& loss, double lambda,
                                   std::vector<double> coefficients, const Progress& progress,
                                   std::vector<RowCause>* causes)
    : loss_(loss), lambda_(lambda), coefficients_(std::move(coefficients)) {
  in_range("lambda", lambda, 0, 1e100);
  if (coefficients_.size() != records.dimension())
    throw Refusal("range", "coefficients", shown(static_cast<double>(coefficients_.size())),
                  "must be as many as a record has features");
  in_range("coefficients", coefficients_, -1e100, 1e100);
  const std::size_t d = coefficients_.size();
  ProductSum hessian(d);
  BlockSums gradient(d);
  double unknown = 0, unknown_pull = 0, pulls = 0;
  const double unclipped = loss_.one_signed() ? loss_.steepness() : infinite;
  if (causes) causes->reserve(records.count());
  const auto add = [&](const BoundedRecords::Record& record, std::span<const double> x) {
    const Interval u = quick_dot(x, coefficients_);
    const RecordSlope slope = quick_slope_at(loss_, u, record.label, record.limit);
    if (causes) causes->push_back(cause_of(loss_, record, u, slope, d, slope.second.upper()));
    const double half = (slope.first.upper() - slope.first.lower()) / 2, pull = slope.first.lower() + half;
    const std::span<double> block = gradient.block();
    for (std::size_t j = 0; j < d; ++j) block[j] += pull * x[j];
    gradient.end_rows(1);
    longest_ = std::max(longest_, record.norm);
    may_jump_ |= record.limit < unclipped || std::isinf(unclipped);
    bend_ = std::max(bend_, loss_.bend(pull) * record.norm);
    pulls += std::abs(pull) * record.norm;
    unknown_pull += (half + 2 * unit_roundoff * std::abs(pull)) * record.norm;
    unknown += (slope.second.upper() - slope.second.lower()) * record.norm * record.norm;
    hessian.add(x, std::sqrt(slope.second.upper()));
  };
  records.in_strips(rows_between_looks, progress, [&](std::size_t, const BoundedRecords::Several& rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) add(rows.records[k], rows.row(k));
  });
  const double margin = (static_cast<double>(records.count()) + 64) * unit_roundoff;
  const std::vector<double>& values = hessian.values();
  const double whole = epsilometer::trace(values, d),
               error = (hessian.error() + 8 * unit_roundoff) * whole + unknown;
  trace_ = rounded_up(whole + error, margin);
  factor_ = CertifiedFactor::of(values, d, lambda, rounded_up(error, margin));
  gradient_ = gradient.values();
  double sizes = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double regularised = lambda * coefficients_[j];
    gradient_[j] += regularised;
    sizes += std::abs(regularised) + std::abs(gradient_[j]);
  }
  // The last term is for products too small for doubles.
  gradient_error_ =
      rounded_up(gradient.error() * pulls + unknown_pull + 2 * unit_roundoff * sizes + 0x1p-1000,
                 margin + 8 * static_cast<double>(d) * unit_roundoff);
}

double RecordsAtMinimum::distance() const {
  double squares = 0;
  for (const double one : gradient_) squares += one * one;
  const double margin = (static_cast<double>(gradient_.size()) + 64) * unit_roundoff;
  return lambda_ > 0 ? rounded_up((std::sqrt(squares) + gradient_error_) / lambda_, margin) : infinite;
}

// Hessian times step is the gradient, but for what is not known of either; and what a third derivative of at
// most the second makes of the step t = x.step of a record is at most t^2 e^|t| / 2 of its second one times
// |x|, which adds up to no more than the longest |x| / 2 times step.Hessian step.
RecordsAtMinimum::Place RecordsAtMinimum::nearer() const {
  const CertifiedFactor::Solution step = factor_->solve(gradient_);
  const double margin = (static_cast<double>(gradient_.size()) + 64) * unit_roundoff;
  Place place{coefficients_, infinite};
  double squares = 0, gradient = 0, reach = 0;
  for (std::size_t j = 0; j < gradient_.size(); ++j) {
    place.coefficients[j] -= step.values[j];
    squares += step.values[j] * step.values[j];
    gradient += gradient_[j] * gradient_[j];
    reach += place.coefficients[j] * place.coefficients[j];
  }
  const double length = std::sqrt(squares), whole = lambda_ + trace_, growth = 1 + 2 * longest_ * length,
               left = whole * (step.error + growth * 2 * unit_roundoff * std::sqrt(reach)) +
                      growth / 2 * longest_ * length * (std::sqrt(gradient) + whole * step.error);
  if (lambda_ > 0 && growth < 1.25)
    place.distance = rounded_up((gradient_error_ + left) / lambda_, margin) + 0x1p-1000;
  return place;
}

std::vector<RecordAtMinimum> RecordsAtMinimum::of(const BoundedRecords::Several& records) const {
  const auto forms = factor_->forms(records.features, records.size(), false);
  std::vector<RecordAtMinimum> found;
  found.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto x = records.row(i);
    const BoundedRecords::Record& record = records.records[i];
    const double off = rounded_up(record.norm * gradient_error_);
    const Interval u = quick_dot(x, coefficients_);
    found.push_back({quick_slope_at(loss_, u, record.label, record.limit), quick_square(x), forms[i].once,
                     quick_dot(x, gradient_) + Interval(-off, off), u});
  }
  return found;
}

std::vector<RowCause> RecordsAtMinimum::with_leverages(std::span<const RowCause> causes,
                                                       const BoundedRecords::Several& records) const {
  const auto forms = factor_->forms(records.features, records.size(), false);
  std::vector<RowCause> found(causes.begin(), causes.begin() + static_cast<std::ptrdiff_t>(records.size()));
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i].share = (Interval(found[i].share) * forms[i].once).upper();
  return found;
}

}  // namespace epsilometer
