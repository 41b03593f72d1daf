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

// Sums in doubles that a term is in before they join the others in two doubles.
constexpr double sums_at_once = 64;
// Between two questions whether to go on.
constexpr std::size_t stride = 64;

}  // namespace

void BlockSums::end_rows(double sums) {
  in_block_ += sums;
  if (in_block_ >= sums_at_once) end_block();
}

void BlockSums::end_block() {
  for (std::size_t i = 0; i < block_.size(); ++i) {
    const DoubleDouble sum = DoubleDouble{high_[i], low_[i]} + DoubleDouble{block_[i]};
    high_[i] = sum.hi, low_[i] = sum.lo;
  }
  std::fill(block_.begin(), block_.end(), 0.0);
  in_block_ = 0;
  ++blocks_;
}

const std::vector<double>& BlockSums::values() {
  end_block();
  return high_;
}

// A term and the sums in a block, the sum of the blocks, and its rounding to one double.
double BlockSums::error() const { return (sums_at_once + 4) * unit_roundoff + blocks_ * 0x1p-104; }

ProductSum::ProductSum(std::size_t width) : waiting_(width), sums_(triangle(width)) {}

void ProductSum::add(std::span<const double> x, double factor) {
  double* const z = waiting_.next().data();
  for (std::size_t i = 0; i < x.size(); ++i) z[i] = factor * x[i];
  if (waiting_.is_full()) join_block();
}

// A product is in the sum of those that waited with it, and that sum in one for each time they join the block
// until it ends: as many again.
void ProductSum::join_block() {
  constexpr double joins = RowProducts::most;
  waiting_.add_to(sums_.block());
  sums_.end_rows(sums_at_once / joins);
  waiting_.clear();
}

const std::vector<double>& ProductSum::values() {
  join_block();
  return sums_.values();
}

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
