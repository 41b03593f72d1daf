// What must know how many records a table has at most: prices that grow with it, and what doubles can hold.
// Refusing a table of one record more would tell it from its neighbour, and leaving out what is beyond N
// would turn one record more into another record. So the number is released with noise, is paid for, and a
// bound follows from it to which everything after it is fitted: no table is refused.
//
// The bound is below the true number with probability at most `failure`, whatever the table. It is a function
// of the noisy number alone, so neighbouring tables have it in common: where it holds for the larger one of
// them, it holds for both, and what follows has its price, given the bound. So delta of the composition grows
// by no more than the probability that it does not hold, at every epsilon.
#pragma once

#include <limits>
#include <vector>

#include "core/noise/noise.h"
#include "core/release/linear_statistics.h"
#include "core/release/noisy_output.h"
#include "core/release/release.h"
#include "core/release/request.h"

namespace epsilometer {

class RowCount {
 public:
  /// `sigma`: of the noise, in records.
  RowCount(double sigma, double failure);

  /// What it costs, besides what follows, whoever has so many records.
  std::vector<Description> guarantee(double records = 1) const;
  /// The same behind what other releases cost.
  std::vector<Description> behind(std::vector<Description> others) const;

  /// At least `count` except with that probability, and at least 1. Adds the noisy number to the release as
  /// "rows".
  double bounded(double count, Release& release, Generator& generator) const;

  /// That number, as bounded() released it, and the bound that followed from it.
  NoisyOutput noisy_output(const Release& run) const;

  struct Counted {
    /// The bound, at least 1, times the weight.
    double most;
    /// Those of the table times the weight, or of no records where the bound does not hold.
    NormalEquations equations;
    /// What all products of records were multiplied by, so that they are no more than `limit` of them are: at
    /// most 1, and a power of 4, so that no double is rounded. Records are then as many times shorter as its
    /// root says, and so within their bounds.
    double weight;
  };
  Counted counted(const LinearStatistics& statistics, Release& release, Generator& generator,
                  double limit = std::numeric_limits<double>::infinity()) const;

  /// That weight where `most` is the bound.
  static double weight(double most, double limit);

 private:
  double bound(double noisy) const;

  GaussianNoise noise_;
  double failure_, margin_;
};

/// Where a price is for tables of `rows` records, and other ones must have as much more regularisation: a
/// count whose own share of the privacy and whose margin cost the least together. One record costs about `mu`
/// as Gaussian noise would.
RowCount priced_count(double rows, double mu, double failure);

/// A probability that a budget of that delta does not notice, and that no table of a lifetime meets.
double unnoticed_failure(double delta);

/// That of the request's budget, where it has one.
double unnoticed_failure(const Request& request);

}  // namespace epsilometer
