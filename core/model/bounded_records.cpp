#include "core/model/bounded_records.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// What the computed norm of a record may be wrong by, relative: dimensions up to 2^20.
constexpr double norm_slack = 1e-9;

// The l2 norm, infinite or NaN where a feature is not finite.
double norm_of(std::span<const double> x) {
  double sum = 0, largest = 0;
  for (const double value : x) sum += value * value;
  if (sum > 1e-250 && sum < 1e250) return std::sqrt(sum);
  for (const double value : x) largest = std::max(largest, std::isnan(value) ? HUGE_VAL : std::abs(value));
  if (largest == 0 || std::isinf(largest)) return largest;
  sum = 0;
  for (const double value : x) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

}  // namespace

double RecordBounds::norm() const { return rounded_up(std::hypot(features, intercept)); }

BoundedRecords::BoundedRecords(Pieces table, const Loss& loss, const RecordBounds& bounds)
    : table_(table.begin(), table.end()), loss_(loss), bounds_(bounds) {
  in_range("dimension", static_cast<double>(dimension()), 1, 0x1p20);
  for (const Records& piece : table) {
    const bool fits = piece.features.size() == piece.count * dimension() &&
                      piece.labels.size() == piece.count && piece.dimension == dimension();
    if (!fits || (&piece != &table.back() && piece.count != table.front().count))
      throw Refusal("range", "records", shown(static_cast<double>(piece.count)),
                    "must have as many features and labels as it says");
  }
}

BoundedRecords::Record BoundedRecords::read(std::size_t i, std::span<double> x) const {
  const std::size_t each = table_.front().count;
  const Records& piece = table_[i / each];
  const auto row = piece.row(i % each);
  const double y = piece.labels[i % each];
  const std::size_t features = bounds_.intercept > 0 ? row.size() - 1 : row.size();
  const double given = norm_of(row.first(features)), label = loss_.label(y);
  if (!std::isfinite(given) || std::isnan(y)) {
    std::fill(x.begin(), x.end(), 0.0);
    return {label, 0, bounds_.gradient};
  }
  const double most = bounds_.features * (1 - norm_slack), scale = given > most ? most / given : 1;
  for (std::size_t j = 0; j < features; ++j) x[j] = short_number(row[j] * scale);
  if (features < row.size()) x[features] = short_number(bounds_.intercept);
  const double own = std::min(given * (1 + norm_slack), bounds_.features);
  const double norm = (bounds_.intercept > 0 ? std::hypot(own, bounds_.intercept) : own) * (1 + norm_slack);
  return {label, norm, norm > 0 ? bounds_.gradient / norm : bounds_.gradient};
}

BoundedRecords::Several BoundedRecords::read(std::size_t from, std::size_t count) const {
  Several found{dimension(), std::vector<double>(count * dimension()), {}};
  found.records.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    found.records.push_back(
        read(from + i, std::span(found.features).subspan(i * found.dimension, found.dimension)));
  return found;
}

}  // namespace epsilometer
