#include "core/release/linear_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/noise/symmetric_matrix.h"

namespace epsilometer {
namespace {

// Records whose sums are exact in doubles: no product is larger than 2^42, and all numbers are whole.
constexpr std::size_t most_recent = std::size_t{1} << 11;
static_assert(most_recent % RowProducts::most == 0);
// How many products are summed between two questions whether to go on: some milliseconds.
constexpr std::size_t products_between_questions = std::size_t{1} << 24;

int twentieth_bit(const char* field, double bound) {
  return std::ilogb(in_range(field, bound, 1e-90, 1e90)) - 20;
}

// In steps: the most that a label is, and that the square of a row's norm is, as Truncation has them.
double largest_label(const LinearBounds& bounds) {
  return std::floor(std::ldexp(bounds.label, -bounds.label_exponent()));
}

double largest_square(const LinearBounds& bounds) {
  const double steps = std::ldexp(bounds.features, -bounds.features_exponent());
  return bounds.norm == Norm::l2 ? std::floor(steps * steps) : std::floor(steps) * std::floor(steps);
}

// How much larger the sum of the sizes of d entries can be than their l2 norm, when that is what is bounded.
double spread(std::size_t dimension, const LinearBounds& bounds, Norm norm) {
  return norm == Norm::l1 && bounds.norm == Norm::l2 ? static_cast<double>(dimension) : 1;
}

std::vector<std::int64_t> integers(const std::vector<double>& whole) { return {whole.begin(), whole.end()}; }

}  // namespace

int LinearBounds::features_exponent() const { return twentieth_bit("featureBound", features); }
int LinearBounds::label_exponent() const { return twentieth_bit("labelBound", label); }

int Query::exponent(double width) const { return std::max(finest, default_exponent(width) - 4); }

double Query::sensitivity(int exponent) const {
  if (radius == 0) return 0;
  return exponent == finest ? radius : rounded_up(std::ldexp(radius, finest - exponent) + rounding);
}

Query own(const Query& query, double moved, double records) {
  if (moved == 0) return {query.finest, 0, 0};
  const double steps = rounded_up(std::ldexp(moved, -query.finest));
  return {query.finest, std::min(records * query.radius, steps), query.rounding};
}

// |x x^T|_F = |x|_2^2 <= |x|_1^2, which is the sum of all entries' sizes and at most d |x|_2^2. A coordinate
// that moves by a moves by at most ceil(a) steps of a coarser grid.
Query gram_query(std::size_t dimension, const LinearBounds& bounds, Norm norm) {
  const auto d = static_cast<double>(dimension);
  return {2 * bounds.features_exponent(), largest_square(bounds) * spread(dimension, bounds, norm),
          norm == Norm::l2 ? d : d * d};
}

Query cross_query(std::size_t dimension, const LinearBounds& bounds, Norm norm) {
  const auto d = static_cast<double>(dimension);
  const int x = bounds.features_exponent(), y = bounds.label_exponent();
  const double square = largest_square(bounds) * spread(dimension, bounds, norm);
  return {x + y, rounded_up(largest_label(bounds) * std::sqrt(square)), norm == Norm::l2 ? std::sqrt(d) : d};
}

std::vector<double> whole(const NormalEquations& equations) {
  std::vector<double> matrix = equations.gram;
  matrix.insert(matrix.end(), equations.cross.begin(), equations.cross.end());
  matrix.push_back(equations.square);
  return matrix;
}

NormalEquations normal_equations(const Records& records) {
  const std::size_t d = records.dimension;
  NormalEquations sums{std::vector<double>(triangle(d)), std::vector<double>(d), 0};
  for (std::size_t i = 0; i < records.count; ++i) {
    const auto x = records.row(i);
    const double y = records.labels[i];
    for (std::size_t row = 0, place = 0; row < d; ++row) {
      for (std::size_t column = 0; column <= row; ++column, ++place) sums.gram[place] += x[row] * x[column];
      sums.cross[row] += x[row] * y;
    }
    sums.square += y * y;
  }
  return sums;
}

LinearStatistics::LinearStatistics(std::size_t dimension, const LinearBounds& bounds)
    : LinearStatistics(dimension, bounds, IntegerSum(triangle(dimension + 1)), 0) {}

LinearStatistics::LinearStatistics(std::size_t dimension, const LinearBounds& bounds, IntegerSum sums,
                                   double count)
    : dimension_(dimension),
      bounds_(bounds),
      features_(bounds.features, bounds.norm, bounds.features_exponent()),
      label_(bounds.label, Norm::l2, bounds.label_exponent()),
      waiting_(dimension + 1),
      recent_(triangle(dimension + 1)),
      sums_(std::move(sums)),
      count_(count) {
  if (sums_.size() == recent_.size()) return;
  throw Refusal("range", "statistics", std::to_string(sums_.size()) + " sums",
                "must have one for each pair of a record's " + std::to_string(dimension + 1) + " numbers");
}

void LinearStatistics::add(std::span<const double> features, double label) {
  if (features.size() != dimension_)
    throw Refusal("range", "dimension", std::to_string(features.size()),
                  "must be " + std::to_string(dimension_) + " features in each record");
  const std::span<double> z = waiting_.next();
  features_.apply(features, z.first(dimension_));
  label_.apply({&label, 1}, z.last(1));
  ++count_;
  if (waiting_.is_full()) take();
}

void LinearStatistics::take() {
  waiting_.add_to(recent_);
  recent_count_ += waiting_.waiting();
  waiting_.clear();
  if (recent_count_ == most_recent) flush();
}

void LinearStatistics::flush() {
  sums_.add(integers(recent_));
  std::fill(recent_.begin(), recent_.end(), 0.0);
  recent_count_ = 0;
}

void LinearStatistics::add(const Records& records, const Progress& progress) {
  const std::size_t stride = products_between_questions / recent_.size() + 1;
  each_row(records.count, stride, progress, [&](std::size_t i) { add(records.row(i), records.labels[i]); });
}

void LinearStatistics::add(const LinearStatistics& part) {
  if (part.dimension_ != dimension_ || part.bounds_ != bounds_)
    throw Refusal("range", "statistics", "other bounds",
                  "must be made with the dimension, the bounds and the norm of the request");
  sums_.add(part.all());
  count_ += part.count_;
}

IntegerSum LinearStatistics::all() const {
  IntegerSum sum = sums_;
  std::vector<double> recent = recent_;
  waiting_.add_to(recent);
  sum.add(integers(recent));
  return sum;
}

std::size_t LinearStatistics::gram_size() const { return triangle(dimension_); }

IntegerSum LinearStatistics::gram(int exponent) const {
  return all().part(0, gram_size()).coarser(exponent - 2 * bounds_.features_exponent());
}

IntegerSum LinearStatistics::cross(int exponent) const {
  return all()
      .part(gram_size(), dimension_)
      .coarser(exponent - bounds_.features_exponent() - bounds_.label_exponent());
}

NormalEquations LinearStatistics::values() const {
  const int x = bounds_.features_exponent(), y = bounds_.label_exponent();
  const IntegerSum sums = all();
  NormalEquations values{std::vector<double>(gram_size()), std::vector<double>(dimension_), 0};
  for (std::size_t i = 0; i < values.gram.size(); ++i) values.gram[i] = std::ldexp(sums.nearest(i), 2 * x);
  for (std::size_t i = 0; i < dimension_; ++i)
    values.cross[i] = std::ldexp(sums.nearest(gram_size() + i), x + y);
  values.square = std::ldexp(sums.nearest(sums.size() - 1), 2 * y);
  return values;
}

}  // namespace epsilometer
