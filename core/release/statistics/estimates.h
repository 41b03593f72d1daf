// What noisy sums say of a table: means, covariances, correlations, eigenvalues. Nothing of it costs more.
// Each comes with an interval that contains the table's own number with a probability of 0.95 at least, one
// number at a time, whatever the rows are; eigenvalues all at once.
#pragma once

#include <span>
#include <vector>

namespace epsilometer {

/// A number with its interval.
struct IntervalEstimate {
  double value, lower, upper;
};

/// How far noisy numbers may be from the true ones: standard deviations of normal noise.
struct SumNoise {
  double count, sum, square, product;
};

/// A number of rows below four standard deviations of its noise, or below 1, says nothing to divide by.
bool is_enough(double rows, double deviation);

/// Where a quotient lies, by the law of independent normal noise (Fieller 1954). `below` is enough.
IntervalEstimate quotient(double above, double above_deviation, double below, double below_deviation);

/// Noisy sums over rows of numbers from -1 to 1, of which the last `indicators` are 0 or 1: how many rows,
/// the sums, and the lower triangle of the sums of products, by rows.
struct NoisyMoments {
  double rows;
  std::vector<double> sums, products;
  SumNoise noise;
  std::size_t indicators = 0;

  std::size_t dimension() const { return sums.size(); }
  /// Of some of the coordinates alone, each once, in increasing order.
  NoisyMoments among(std::span<const std::size_t> places) const;

  std::vector<IntervalEstimate> means() const;
  /// Lower triangles, by rows.
  std::vector<IntervalEstimate> covariances() const;
  std::vector<IntervalEstimate> correlations() const;
  /// Of the covariance matrix, from the largest to the smallest.
  std::vector<IntervalEstimate> eigenvalues() const;
  /// Of the correlation matrix, likewise. They are those of the table where every coordinate varies in it.
  std::vector<IntervalEstimate> correlation_eigenvalues() const;

 private:
  bool is_indicator(std::size_t i) const { return i + indicators >= dimension(); }
  // How far a coordinate can vary: the standard deviation of any numbers in its range.
  double largest_deviation(std::size_t i) const { return is_indicator(i) ? 0.5 : 1; }
};

}  // namespace epsilometer
