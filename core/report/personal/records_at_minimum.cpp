#include "core/report/personal/records_at_minimum.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {
namespace {

constexpr std::size_t rows_between_looks = 64;

}  // namespace

// Each record adds z z^T to the Hessian, z its features times the root of the loss's second derivative: right
// to two roundings of each, and to what is not known of the derivative. To the gradient it adds x times the
// middle of what is known of the first derivative.
RecordsAtMinimum::RecordsAtMinimum(const BoundedRecords& records, const Loss& loss, double lambda,
                                   std::vector<double> coefficients, const Progress& progress)
    : loss_(loss), coefficients_(std::move(coefficients)) {
  in_range("lambda", lambda, 0, 1e100);
  if (coefficients_.size() != records.dimension())
    throw Refusal("range", "coefficients", shown(static_cast<double>(coefficients_.size())),
                  "must be as many as a record has features");
  in_range("coefficients", coefficients_, -1e100, 1e100);
  const std::size_t d = coefficients_.size();
  ProductSum hessian(d);
  BlockSums gradient(d);
  std::vector<double> x(d);
  double unknown = 0, unknown_pull = 0, pulls = 0;
  each_row(records.count(), rows_between_looks, progress, [&](std::size_t i) {
    const auto record = records.read(i, x);
    const RecordSlope slope = quick_slope_at(loss_, x, record.label, coefficients_, record.limit);
    const double half = (slope.first.upper() - slope.first.lower()) / 2, pull = slope.first.lower() + half;
    const std::span<double> block = gradient.block();
    for (std::size_t j = 0; j < d; ++j) block[j] += pull * x[j];
    gradient.end_rows(1);
    pulls += std::abs(pull) * record.norm;
    unknown_pull += (half + 2 * unit_roundoff * std::abs(pull)) * record.norm;
    unknown += (slope.second.upper() - slope.second.lower()) * record.norm * record.norm;
    const double root = std::sqrt(slope.second.upper());
    for (double& one : x) one *= root;
    hessian.add(x);
  });
  const double margin = (static_cast<double>(records.count()) + 64) * unit_roundoff;
  const std::vector<double>& values = hessian.values();
  const double error = (hessian.error() + 8 * unit_roundoff) * trace(values, d) + unknown;
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

RecordSlope RecordsAtMinimum::slope_of(const BoundedRecords::Several& records, std::size_t i) const {
  const BoundedRecords::Record& record = records.records[i];
  return quick_slope_at(loss_, records.row(i), record.label, coefficients_, record.limit);
}

std::vector<RecordAtMinimum> RecordsAtMinimum::of(const BoundedRecords::Several& records) const {
  const auto forms = factor_->forms(records.features, records.size(), false);
  std::vector<RecordAtMinimum> found;
  found.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto x = records.row(i);
    const double off = rounded_up(records.records[i].norm * gradient_error_);
    found.push_back({slope_of(records, i), quick_square(x), forms[i].once,
                     quick_dot(x, gradient_) + Interval(-off, off)});
  }
  return found;
}

std::vector<double> RecordsAtMinimum::shares(const BoundedRecords::Several& records) const {
  const auto forms = factor_->forms(records.features, records.size(), false);
  std::vector<double> found;
  for (std::size_t i = 0; i < records.size(); ++i)
    found.push_back((slope_of(records, i).second * forms[i].once).upper());
  return found;
}

}  // namespace epsilometer
