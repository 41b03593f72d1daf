// Why a report holds bounds and not the realised losses themselves: those are exact functions of the table.
// An example that can be followed by hand: a mean, released as the minimum of sum (theta - y_i)^2 / 2 +
// lambda theta^2 / 2 + b theta with b ~ N(0, sigma^2), and the realised losses of two of its rows beside it.
#pragma once

#include <cmath>
#include <numeric>
#include <span>

#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {

/// What one row has published: its residual theta - y, which it knows, and its realised loss, exactly.
struct PublishedLoss {
  double residual, loss;
};

inline double sum_of(std::span<const double> labels) {
  return std::accumulate(labels.begin(), labels.end(), 0.0);
}

/// The released mean for that b.
inline double released_mean(std::span<const double> labels, double lambda, double b) {
  return (sum_of(labels) - b) / (static_cast<double>(labels.size()) + lambda);
}

/// log p(theta) / p'(theta) of the row with that label: of the table with it over the one without it.
inline PublishedLoss published_loss(std::span<const double> labels, double label, double mean, double lambda,
                                    double sigma) {
  const double curvature = static_cast<double>(labels.size()) + lambda;
  const double pull = curvature * mean - sum_of(labels), residual = mean - label;
  const RecordAtMinimum record{{residual, 1}, 1, Interval(1) / Interval(curvature), pull};
  const Interval loss = realised_objective_loss(Direction::remove, record, sigma);
  return {residual, (loss.lower() + loss.upper()) / 2};
}

/// How many rows the table has and what their labels add up to, up to rounding, from a released mean and two
/// published losses of different residuals: two equations in two unknowns. That a row was added is certain
/// then, and so is its label.
struct Reconstructed {
  double rows, sum;
};
inline Reconstructed reconstructed(double mean, const PublishedLoss& first, const PublishedLoss& second,
                                   double lambda, double sigma) {
  // loss = c + r^2 / (2 sigma^2) - r g / sigma^2 with c = -log(1 - 1 / (n + lambda)) and g = (n + lambda)
  // mean
  // - sum of labels, the same for every row.
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
