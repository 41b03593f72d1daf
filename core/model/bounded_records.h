// A table's records as a model sees them: each bounded by itself, its gradient clipped.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/model/loss.h"
#include "core/table/records.h"

namespace epsilometer {

/// Truncated to 26 significant bits: products of two such numbers are exact.
inline double short_number(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= ~((std::uint64_t{1} << 27) - 1);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

/// Bounds on a record, which follow from nothing but itself and public numbers.
struct RecordBounds {
  /// Of the l2 norm of its features, the intercept not counted.
  double features;
  /// The public value that stands in the last place of every record, whatever is there; 0: there is none.
  double intercept;
  /// Of the l2 norm of its gradient; infinity: no clipping.
  double gradient;

  /// Of the l2 norm of the whole record. Rounded up.
  double norm() const;
};

/// Features count with 26 significant bits, truncated, so that a product with another such number is exact; a
/// record that is not finite throughout counts as zeros. All of it is a function of the record alone.
class BoundedRecords {
 public:
  /// What `table` refers to and `loss` must outlive it. Refuses sizes that do not fit together.
  BoundedRecords(Pieces table, const Loss& loss, const RecordBounds& bounds);
  BoundedRecords(const Records& table, const Loss& loss, const RecordBounds& bounds)
      : BoundedRecords(Pieces(&table, 1), loss, bounds) {}

  std::size_t count() const { return row_count(table_); }
  std::size_t dimension() const { return table_.front().dimension; }

  struct Record {
    double label;
    /// At least |x|.
    double norm;
    /// The first derivative is clipped to this in size.
    double limit;
  };
  /// Fills x, which has the size of the dimension.
  Record read(std::size_t i, std::span<double> x) const;

  /// Some of them, with their features one after the other.
  struct Several {
    std::size_t dimension;
    std::vector<double> features;
    std::vector<Record> records;

    std::size_t size() const { return records.size(); }
    std::span<const double> row(std::size_t i) const {
      return std::span(features).subspan(i * dimension, dimension);
    }
    std::span<double> row(std::size_t i) { return std::span(features).subspan(i * dimension, dimension); }
  };
  /// So many from one on, bit for bit as one by one; faster where they are `strip` or more.
  Several read(std::size_t from, std::size_t count) const;
  /// How many rows are best read together.
  static constexpr std::size_t strip = 8;
  /// Calls `some` for all of them in order, `strip` of them or fewer at a time, and asks whether to go on
  /// before each block of so many.
  void in_strips(std::size_t block, const Progress& progress,
                 const std::function<void(std::size_t first, Several& records)>& some) const;

  /// Its gradient at those coefficients, as doubles make it, in place of x, which read() filled: always by
  /// the same operations.
  void to_gradient(const Record& record, std::span<const double> theta, std::span<double> x) const {
    double u = 0;
    for (std::size_t j = 0; j < x.size(); ++j) u += x[j] * theta[j];
    const double slope = at(record, u).first;
    for (double& value : x) value *= slope;
  }

  LossAt at(const Record& record, double u) const { return clipped(loss_, u, record.label, record.limit); }
  PreciseLossAt at(const Record& record, DoubleDouble u, double doubt) const {
    return clipped(loss_, u, record.label, record.limit, doubt);
  }

 private:
  // In place of what `found` held.
  void read(std::size_t from, std::size_t count, Several& found) const;
  // `squares`: the sum of those of its features, the intercept not counted.
  Record bounded(std::span<const double> row, double y, double squares, std::span<double> x) const;

  std::vector<Records> table_;
  const Loss& loss_;
  RecordBounds bounds_;
};

}  // namespace epsilometer
