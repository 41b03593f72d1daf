// One sample of a ridge regression's posterior, N(theta, sigma^2 H^{-1}) with H = X^T X + lambda I, for
// tables of at most N records.
#pragma once

#include <limits>
#include <vector>

#include "core/release/finish.h"
#include "core/release/linear_statistics.h"

namespace epsilometer {

class PosteriorSample {
 public:
  PosteriorSample(std::size_t dimension, const LinearBounds& bounds, double rows, double lambda)
      : dimension_(dimension), bounds_(bounds), rows_(rows), lambda_(lambda), floor_(lambda) {}

  /// No |y - x^T theta| is larger, whoever's.
  double largest_residual() const;

  /// For tables in which no eigenvalue of H is below `floor`, if that is at least lambda, nor a residual
  /// above `residual`.
  void tighten(double floor, double residual);

  Finish finish(double sigma) const;

  /// Refuses a table of more records, and what doubles cannot solve, both of which are answers about the
  /// data.
  std::vector<double> released(const LinearStatistics& statistics, double sigma, Generator& generator) const;

 private:
  double deviates() const;
  double largest_norm() const;

  std::size_t dimension_;
  LinearBounds bounds_;
  double rows_, lambda_, floor_;
  double residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace epsilometer
