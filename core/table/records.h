// A table that is ready for a model: bounded rows of numbers and their labels.
#pragma once

#include <cstddef>
#include <span>

namespace epsilometer {

/// `count` rows of `dimension` features, row by row, and a label for each. Whoever makes them has done what
/// must be done to each row by itself: missing values, declared ranges, indicators, and the intercept as the
/// last feature when there is one. Norms and labels are bounded again by the algorithms, which trust nobody.
struct Records {
  std::size_t count, dimension;
  std::span<const double> features, labels;

  std::span<const double> row(std::size_t i) const { return features.subspan(i * dimension, dimension); }
  /// So many rows, from one on.
  Records part(std::size_t from, std::size_t rows) const {
    return {rows, dimension, features.subspan(from * dimension, rows * dimension),
            labels.subspan(from, rows)};
  }
};

/// A table, in as many pieces as it came in: one at least, and all but the last have equally many rows.
using Pieces = std::span<const Records>;

inline std::size_t row_count(Pieces table) {
  return table.front().count * (table.size() - 1) + table.back().count;
}

}  // namespace epsilometer
