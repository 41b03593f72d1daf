// One sample of a ridge regression's posterior, N(theta, sigma^2 H^{-1}) with H = X^T X + lambda I, for
// tables of at most N records.
#pragma once

#include <limits>
#include <vector>

#include "core/noise/finish.h"
#include "core/release/linear_statistics.h"
#include "core/release/noisy_output.h"
#include "core/release/record_facts.h"

namespace epsilometer {

/// What a sample with that noise costs the record of those facts, without the finish. Pairs of smaller
/// leverage are post-processings of one with a larger residual
/// (core/release/algorithms/posterior_sampling.cpp), which is how an interval of leverages is answered for.
/// Refuses a record whose leverage or residual is too large for accounting.
Description personal_sample(const RecordFacts& facts, double sigma);

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

  /// What is released as "coefficients", of a table whose products count `weight`.
  NoisyOutput noisy_output(double sigma, double weight) const;

  /// Of at most so many records; refuses what doubles cannot solve, which no table within the bounds is where
  /// lambda is not too small (is_solvable).
  std::vector<double> released(NormalEquations equations, double sigma, Generator& generator) const;

 private:
  double deviates() const;
  double largest_norm() const;

  std::size_t dimension_;
  LinearBounds bounds_;
  double rows_, lambda_, floor_;
  double residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace epsilometer
