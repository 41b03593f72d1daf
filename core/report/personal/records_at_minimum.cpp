#include "core/report/personal/records_at_minimum.h"

#include <cmath>

#include "core/base/refusal.h"
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

RecordsAtMinimum::Seen RecordsAtMinimum::look(const BoundedRecords& records, std::size_t from,
                                              std::size_t count) const {
  const std::size_t d = coefficients_.size();
  Seen seen{std::vector<double>(count * d), {}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = std::span(seen.rows).subspan(i * d, d);
    const auto record = records.read(from + i, x);
    seen.norms.push_back(record.norm);
    seen.slopes.push_back(quick_slope_at(loss_, x, record.label, coefficients_, record.limit));
  }
  seen.forms = factor_->forms(seen.rows, count, false);
  return seen;
}

std::vector<RecordAtMinimum> RecordsAtMinimum::of(const BoundedRecords& records, std::size_t from,
                                                  std::size_t count) const {
  const Seen seen = look(records, from, count);
  std::vector<RecordAtMinimum> found;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = std::span(seen.rows).subspan(i * coefficients_.size(), coefficients_.size());
    const double off = rounded_up(seen.norms[i] * gradient_error_);
    found.push_back(
        {seen.slopes[i], quick_square(x), seen.forms[i].once, quick_dot(x, gradient_) + Interval(-off, off)});
  }
  return found;
}

std::vector<double> RecordsAtMinimum::shares(const BoundedRecords& records, std::size_t from,
                                             std::size_t count) const {
  const Seen seen = look(records, from, count);
  std::vector<double> found;
  for (std::size_t i = 0; i < count; ++i)
    found.push_back((seen.slopes[i].second * seen.forms[i].once).upper());
  return found;
}

}  // namespace epsilometer
