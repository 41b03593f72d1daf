#include "core/report/personal/table_sums.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

// Rows that are summed in doubles before their sum joins the others in two doubles.
constexpr double rows_at_once = 64;
// Between two questions whether to go on.
constexpr std::size_t stride = 64;

}  // namespace

ProductSum::ProductSum(std::size_t width)
    : block_(triangle(width)), high_(triangle(width)), low_(triangle(width)) {}

void ProductSum::add(std::span<const double> z) {
  double* place = block_.data();
  for (std::size_t row = 0; row < z.size(); place += ++row)
    for (std::size_t column = 0; column <= row; ++column) place[column] += z[row] * z[column];
  if (std::fmod(++count_, rows_at_once) == 0) end_block();
}

void ProductSum::end_block() {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const DoubleDouble sum = DoubleDouble{high_[i], low_[i]} + DoubleDouble{block_[i]};
    high_[i] = sum.hi, low_[i] = sum.lo;
  }
  std::fill(block_.begin(), block_.end(), 0.0);
}

std::vector<double> ProductSum::values() {
  end_block();
  return high_;
}

// A product and `rows_at_once` sums of it, the sum of the blocks, and its rounding to one double.
double ProductSum::error() const { return (rows_at_once + 4) * unit_roundoff + count_ * 0x1p-104; }

void must_be_finite(std::span<const double> features, double label, std::size_t dimension) {
  if (features.size() != dimension)
    throw Refusal("range", "dimension", shown(static_cast<double>(features.size())),
                  "must be " + shown(static_cast<double>(dimension)) + " features in each record");
  in_range("label", label, -1e100, 1e100);
  in_range("features", features, -1e100, 1e100);
}

TableSums table_sums(const Records& records, const Progress& progress) {
  const std::size_t d = records.dimension, width = d + 1;
  in_range("dimension", static_cast<double>(d), 1, 0x1p14);
  ProductSum sums(width);
  std::vector<double> z(width);
  each_row(records.count, stride, progress, [&](std::size_t i) {
    must_be_finite(records.row(i), records.labels[i], d);
    std::copy_n(records.row(i).begin(), d, z.begin());
    z[d] = records.labels[i];
    sums.add(z);
  });
  const std::vector<double> all = sums.values();
  const auto cross = all.begin() + static_cast<std::ptrdiff_t>(triangle(d));
  return {{{all.begin(), cross}, {cross, all.end() - 1}, all.back()}, sums.error()};
}

TableSums table_sums(const LinearStatistics& statistics) { return {statistics.values(), 2 * unit_roundoff}; }

}  // namespace epsilometer
