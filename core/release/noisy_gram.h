// The sum of x x^T over a table's records with noise, as what whitens them: core/release/whitening.h. It is
// released itself, so that it can be used again.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/model/bounded_records.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear_statistics.h"
#include "core/release/release.h"
#include "core/release/whitening.h"

namespace epsilometer {

class NoisyGram {
 public:
  /// Of records in those bounds. Where they have no intercept, a constant feature of half the longest record
  /// is put beside them, so that a number of rows is released.
  NoisyGram(std::size_t dimension, const RecordBounds& bounds, Change neighbours);

  /// Of the noise off the diagonal, when the matrix counts `mu` as Gaussian noise does: the sensitivity over
  /// the standard deviation.
  double width(double mu) const;

  /// What its release costs, and what it costs whoever has `records` rows whose squared norms add up to
  /// `squares`, the constant feature left out.
  Description guarantee(double width) const;
  Description guarantee(double width, double squares, double records) const;

  /// Adds "gram" and "rows" to the release, and answers what follows from them.
  Whitening released(const BoundedRecords& records, double width, Release& release, Generator& generator,
                     const Progress& progress) const;
  /// What follows from a release that has them.
  Whitening whitening(const Release& release, double width, const Progress& progress) const {
    return whitening(release.values("gram"), release.number("rows"), width, progress);
  }
  Whitening whitening(std::vector<double> matrix, double rows, double width, const Progress& progress) const;

  /// One record after the other, over the bound and whitened: no longer than 1 but for rounding; and its
  /// label.
  using Take = std::function<void(std::span<const float> row, double label)>;
  void whiten(const BoundedRecords& records, const Whitening& whitening, const Progress& progress,
              const Take& take) const;

  /// Of coefficients for whitened rows those for the table's.
  std::vector<double> coefficients(const Whitening& whitening, std::vector<double> whitened) const;

 private:
  bool counts_beside() const { return !(bounds_.intercept > 0); }
  std::size_t gram_dimension() const { return dimension_ + (counts_beside() ? 1 : 0); }
  double moved() const;
  Query query() const;
  OrthogonalNoise noise(double width) const;
  LinearStatistics products(const BoundedRecords& records, const Progress& progress) const;

  std::size_t dimension_;
  RecordBounds bounds_;
  Change neighbours_;
  // The feature whose squares are counted, and what no row of the matrix is longer than.
  double constant_;
  LinearBounds gram_bounds_;
};

/// The request of the same model for whitened rows: none is longer than 1, and none has an intercept. A bound
/// of gradients is the table's, typed or not, in the same unit.
FitRequest whitened_request(FitRequest request, const RecordBounds& table);

}  // namespace epsilometer
