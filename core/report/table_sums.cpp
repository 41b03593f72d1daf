#include "core/report/table_sums.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/double_double.h"
#include "core/release/symmetric_matrix.h"

namespace epsilometer {
namespace {

// Rows that are summed in doubles before their sum joins the others in two doubles.
constexpr std::size_t block = 64;

class Sums {
 public:
  explicit Sums(std::size_t size) : block_(size), high_(size), low_(size) {}

  std::vector<double>& block() { return block_; }
  void end_block() {
    for (std::size_t i = 0; i < block_.size(); ++i) {
      const DoubleDouble sum = DoubleDouble{high_[i], low_[i]} + DoubleDouble{block_[i]};
      high_[i] = sum.hi, low_[i] = sum.lo;
    }
    std::fill(block_.begin(), block_.end(), 0.0);
  }
  const std::vector<double>& values() const { return high_; }

 private:
  std::vector<double> block_, high_, low_;
};

}  // namespace

void must_be_finite(std::span<const double> features, double label, std::size_t dimension) {
  if (features.size() != dimension)
    throw Refusal("range", "dimension", shown(static_cast<double>(features.size())),
                  "must be " + shown(static_cast<double>(dimension)) + " features in each record");
  in_range("label", label, -1e100, 1e100);
  for (const double one : features) in_range("features", one, -1e100, 1e100);
}

TableSums table_sums(const Records& records, const Progress& progress) {
  const std::size_t d = records.dimension, width = d + 1;
  in_range("dimension", static_cast<double>(d), 1, 0x1p14);
  Sums sums(triangle(width));
  std::vector<double> z(width);
  for (std::size_t i = 0; i < records.count; ++i) {
    if (i % block == 0) keep_going(progress, static_cast<double>(i) / static_cast<double>(records.count));
    must_be_finite(records.row(i), records.labels[i], d);
    std::copy_n(records.row(i).begin(), d, z.begin());
    z[d] = records.labels[i];
    double* place = sums.block().data();
    for (std::size_t row = 0; row < width; place += ++row)
      for (std::size_t column = 0; column <= row; ++column) place[column] += z[row] * z[column];
    if ((i + 1) % block == 0) sums.end_block();
  }
  sums.end_block();
  const auto& all = sums.values();
  const auto gram = static_cast<std::ptrdiff_t>(triangle(d)), cross = static_cast<std::ptrdiff_t>(d);
  // A product and `block` sums of it, the sum of the blocks, and its rounding to one double.
  const double error = (block + 4) * unit_roundoff + static_cast<double>(records.count) * 0x1p-104;
  return {{{all.begin(), all.begin() + gram}, {all.begin() + gram, all.begin() + gram + cross}, all.back()},
          error};
}

TableSums table_sums(const LinearStatistics& statistics) { return {statistics.values(), 2 * unit_roundoff}; }

}  // namespace epsilometer
