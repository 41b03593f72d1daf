#include "core/model/bounded_records.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/pair.h"

namespace epsilometer {
namespace {

// What the computed norm of a record may be wrong by, relative: dimensions up to 2^20.
constexpr double norm_slack = 1e-9;

// Of so many numbers the sum of the squares, one after the other; of two rows side by side.
template <std::size_t rows>
std::array<Pair, rows / 2> square_sums(const std::array<const double*, rows>& x, std::size_t size) {
  std::array<Pair, rows / 2> sums{};
  std::size_t j = 0;
  for (; j + 2 <= size; j += 2)
    for (std::size_t k = 0; k < rows / 2; ++k) {
      const Pair one = pair_at(x[2 * k] + j), other = pair_at(x[2 * k + 1] + j);
      const Pair first = {one[0], other[0]}, second = {one[1], other[1]};
      sums[k] += first * first;
      sums[k] += second * second;
    }
  for (; j < size; ++j)
    for (std::size_t k = 0; k < rows / 2; ++k) {
      const Pair last = {x[2 * k][j], x[2 * k + 1][j]};
      sums[k] += last * last;
    }
  return sums;
}

// Has the numbers behind a place, or so many of them as there are, fetched while something else is done:
// waiting for memory would take longer than reading does.
void fetch_ahead(std::span<const double> numbers, std::size_t from, std::size_t count) {
  constexpr std::size_t line = 8;
  const std::size_t end = std::min(numbers.size(), from + count);
  for (std::size_t i = from; i < end; i += line) __builtin_prefetch(&numbers[i]);
}

// The l2 norm, infinite or NaN where a feature is not finite; `sum` of the squares as doubles find it.
double norm_of(std::span<const double> x, double sum) {
  if (sum > 1e-250 && sum < 1e250) return std::sqrt(sum);
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::isnan(value) ? HUGE_VAL : std::abs(value));
  if (largest == 0 || std::isinf(largest)) return largest;
  sum = 0;
  for (const double value : x) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

// std::hypot, but for its last digits.
double hypotenuse(double a, double b) {
  const double square = a * a + b * b;
  return square > 1e-250 && square < 1e250 ? std::sqrt(square) : std::hypot(a, b);
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
  const std::size_t features = bounds_.intercept > 0 ? row.size() - 1 : row.size();
  // Of one row twice: a pair takes no longer.
  return bounded(row, piece.labels[i % each], square_sums<2>({row.data(), row.data()}, features)[0][0], x);
}

BoundedRecords::Record BoundedRecords::bounded(std::span<const double> row, double y, double squares,
                                               std::span<double> x) const {
  const std::size_t features = bounds_.intercept > 0 ? row.size() - 1 : row.size();
  const double given = norm_of(row.first(features), squares), label = loss_.label(y);
  if (!std::isfinite(given) || std::isnan(y)) {
    std::fill(x.begin(), x.end(), 0.0);
    return {label, 0, bounds_.gradient};
  }
  const double most = bounds_.features * (1 - norm_slack), scale = given > most ? most / given : 1;
  for (std::size_t j = 0; j < features; ++j) x[j] = short_number(row[j] * scale);
  if (features < row.size()) x[features] = short_number(bounds_.intercept);
  const double own = std::min(given * (1 + norm_slack), bounds_.features);
  const double norm = (bounds_.intercept > 0 ? hypotenuse(own, bounds_.intercept) : own) * (1 + norm_slack);
  return {label, norm, norm > 0 ? bounds_.gradient / norm : bounds_.gradient};
}

BoundedRecords::Several BoundedRecords::read(std::size_t from, std::size_t count) const {
  Several found{dimension(), {}, {}};
  read(from, count, found);
  return found;
}

// Sums of several rows go on side by side, so that none waits for another.
void BoundedRecords::read(std::size_t from, std::size_t count, Several& found) const {
  found.features.resize(count * dimension());
  found.records.clear();
  const std::size_t each = table_.front().count, features = dimension() - (bounds_.intercept > 0 ? 1 : 0);
  for (std::size_t i = 0; i < count; i += strip) {
    const std::size_t rows = std::min(strip, count - i);
    std::array<const double*, strip> places;
    std::array<double, strip> labels;
    for (std::size_t k = 0; k < strip; ++k) {
      const std::size_t row = from + i + std::min(k, rows - 1);
      const Records& piece = table_[row / each];
      places[k] = piece.row(row % each).data();
      labels[k] = piece.labels[row % each];
    }
    const auto sums = square_sums(places, features);
    for (std::size_t k = 0; k < rows; ++k) {
      const std::size_t row = from + i + k;
      fetch_ahead(table_[row / each].features, (row % each + strip) * dimension(), dimension());
      found.records.push_back(
          bounded({places[k], dimension()}, labels[k], sums[k / 2][k % 2], found.row(i + k)));
    }
  }
}

void BoundedRecords::in_strips(std::size_t block, const Progress& progress,
                               const std::function<void(std::size_t first, Several& records)>& some) const {
  Several records{dimension(), {}, {}};
  in_blocks(count(), block, progress, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i += strip) {
      read(i, std::min(strip, end - i), records);
      some(i, records);
    }
  });
}

}  // namespace epsilometer
