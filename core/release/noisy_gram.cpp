#include "core/release/noisy_gram.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"

namespace epsilometer {
namespace {

// In units of the longest row.
constexpr double counting_feature = 0.5;

}  // namespace

NoisyGram::NoisyGram(std::size_t dimension, const RecordBounds& bounds, Change neighbours)
    : dimension_(dimension),
      bounds_(bounds),
      neighbours_(neighbours),
      constant_(counts_beside() ? counting_feature * bounds.norm() : bounds.intercept),
      gram_bounds_{counts_beside() ? rounded_up(std::hypot(bounds.norm(), constant_)) : bounds.norm(), 1} {}

// Products of replaced rows are up to sqrt(2) of the longest apart.
double NoisyGram::moved() const { return neighbours_ == Change::replace ? std::sqrt(2.0) : 1; }

double NoisyGram::width(double mu) const {
  return moved() * gram_bounds_.features * gram_bounds_.features / (std::sqrt(2.0) * mu);
}

Query NoisyGram::query() const {
  Query query = gram_query(gram_dimension(), gram_bounds_, Norm::l2);
  if (neighbours_ == Change::replace) query.radius = rounded_up(query.radius * moved());
  return query;
}

OrthogonalNoise NoisyGram::noise(double width) const {
  return OrthogonalNoise::of(width, query().exponent(width));
}

Description NoisyGram::guarantee(double width) const {
  const OrthogonalNoise noise = this->noise(width);
  return noise.guarantee(query().sensitivity(noise.exponent), gram_dimension());
}

Description NoisyGram::guarantee(double width, double squares, double records) const {
  const OrthogonalNoise noise = this->noise(width);
  const double beside = counts_beside() ? records * constant_ * constant_ : 0;
  const Query moved = own(query(), rounded_up(squares + beside), records);
  return noise.guarantee(moved.sensitivity(noise.exponent), gram_dimension());
}

LinearStatistics NoisyGram::products(const BoundedRecords& records, const Progress& progress) const {
  LinearStatistics sums(gram_dimension(), gram_bounds_);
  std::vector<double> x(gram_dimension());
  each_row(records.count(), usual_block, progress, [&](std::size_t i) {
    records.read(i, std::span(x).first(dimension_));
    if (counts_beside()) x.back() = constant_;
    sums.add(x, 0);
  });
  return sums;
}

Whitening NoisyGram::released(const BoundedRecords& records, double width, Release& release,
                              Generator& generator, const Progress& progress) const {
  const OrthogonalNoise noise = this->noise(width);
  std::vector<double> matrix =
      epsilometer::released(generator, products(records, progress).gram(noise.exponent), noise);
  const double rows = std::max(matrix.back() / (constant_ * constant_), 1.0);
  matrix.resize(triangle(dimension_));
  release.add(symmetric_output("gram", std::move(matrix), dimension_));
  release.add(number_output("rows", rows, OutputKind::row_count));
  return whitening(release, width, [&](double) { return !progress || progress(1); });
}

Whitening NoisyGram::whitening(std::vector<double> matrix, double rows, double width,
                               const Progress& progress) const {
  const double square = bounds_.norm() * bounds_.norm();
  for (double& entry : matrix) entry /= square;
  // Half of where the noise's spectrum ends (Wigner 1958).
  const double edge = width / square * std::sqrt(static_cast<double>(dimension_));
  return {matrix, dimension_, edge, rows, progress};
}

void NoisyGram::whiten(const BoundedRecords& records, const Whitening& whitening, const Progress& progress,
                       const Take& take) const {
  std::vector<double> x(dimension_), scratch(dimension_);
  std::vector<float> row(dimension_);
  const double longest = bounds_.norm();
  each_row(records.count(), usual_block, progress, [&](std::size_t i) {
    const double label = records.read(i, x).label;
    for (double& value : x) value /= longest;
    whitening.apply(x, row, scratch);
    take(row, label);
  });
}

std::vector<double> NoisyGram::coefficients(const Whitening& whitening, std::vector<double> whitened) const {
  std::vector<double> coefficients = whitening.coefficients(whitened);
  for (double& one : coefficients) one /= bounds_.norm();
  return coefficients;
}

FitRequest whitened_request(FitRequest request, const RecordBounds& table) {
  request.numbers["featureBound"] = 1;
  request.numbers.erase("intercept");
  // No less than a model may have, nor more.
  if (std::isfinite(table.gradient))
    request.numbers["gradientBound"] = std::clamp(table.gradient / table.norm(), 1e-9, 1e9);
  return request;
}

}  // namespace epsilometer
