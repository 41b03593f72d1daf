// Sums of z z^T over rows z: what a table's Gram matrix and Hessians are made of, and where most of the time
// of a pass over it goes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace epsilometer {

/// Rows of so many numbers that wait until there are enough of them to be summed together.
class RowProducts {
 public:
  /// How many wait at most.
  static constexpr std::size_t most = 32;

  explicit RowProducts(std::size_t width);

  /// Where the next row is to be put, `width` numbers; it waits then. Not when is_full().
  std::span<double> next();
  std::size_t waiting() const { return count_; }
  bool is_full() const { return count_ == most; }

  /// Adds what waits to a lower triangle, row by row: the sum of each entry's products, one after the other
  /// in the order of the rows.
  void add_to(std::span<double> sums) const;
  void clear() { count_ = 0; }

 private:
  std::size_t width_, stride_, count_ = 0;
  // One after the other, each with zeros behind it.
  std::vector<double> rows_;
};

}  // namespace epsilometer
