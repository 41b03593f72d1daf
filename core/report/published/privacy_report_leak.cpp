#include "core/report/published/privacy_report_leak.h"

#include <cmath>
#include <numeric>

#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

double sum_of(std::span<const double> labels) { return std::accumulate(labels.begin(), labels.end(), 0.0); }

double middle(Interval interval) { return (interval.lower() + interval.upper()) / 2; }

}  // namespace

double released_mean(std::span<const double> labels, double lambda, double b) {
  return (sum_of(labels) - b) / (static_cast<double>(labels.size()) + lambda);
}

PublishedLoss published_loss(std::span<const double> labels, double label, double mean, double lambda,
                             double sigma) {
  const double curvature = static_cast<double>(labels.size()) + lambda;
  const double pull = curvature * mean - sum_of(labels), residual = mean - label;
  const RecordAtMinimum record{{residual, 1}, 1, Interval(1) / Interval(curvature), pull};
  return {residual, middle(realised_objective_loss(Direction::remove, record, sigma))};
}

// loss = c + r^2 / (2 sigma^2) - r g / sigma^2 with c = -log(1 - 1 / (n + lambda)) and g = (n + lambda) mean
// - sum of labels, the same for every row.
Reconstructed reconstructed(double mean, const PublishedLoss& first, const PublishedLoss& second,
                            double lambda, double sigma) {
  if (first.residual == second.residual)
    throw Refusal("range", "residual", shown(first.residual), "must differ between both rows");
  const double variance = sigma * sigma;
  const auto without_square = [=](const PublishedLoss& row) {
    return row.loss - row.residual * row.residual / (2 * variance);
  };
  const double slope = (without_square(first) - without_square(second)) / (first.residual - second.residual);
  const double constant = without_square(first) - slope * first.residual;
  const double curvature = -1 / std::expm1(-constant);
  return {curvature - lambda, curvature * mean + slope * variance};
}

}  // namespace epsilometer
