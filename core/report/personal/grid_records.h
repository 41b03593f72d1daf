// Records as linear statistics have them: clipped, and truncated to the grid on which sums are exact.
#pragma once

#include "core/noise/grid.h"
#include "core/release/linear_statistics.h"

namespace epsilometer {

/// Records in doubles, which hold every point of the grid.
struct GridRecords {
  std::size_t dimension = 0;
  std::vector<double> features, labels;

  std::size_t size() const { return labels.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(features).subspan(i * dimension, dimension);
  }
  Records all() const { return {size(), dimension, features, labels}; }
};

/// How records get there.
class RecordGrid {
 public:
  RecordGrid(std::size_t dimension, const LinearBounds& bounds);

  /// So many of them from the one with that number on, in place of what `found` held. Refuses records of
  /// another dimension.
  void read(const Records& records, std::size_t first, std::size_t count, GridRecords& found) const;

 private:
  std::size_t dimension_;
  // What a step is, a power of two: products with it are exact.
  double step_, label_step_;
  Truncation features_, label_;
};

}  // namespace epsilometer
