#include "core/release/statistics/estimates.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "core/base/bounds.h"
#include "core/goe/goe.h"
#include "core/numerics/eigensystem.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double failure = 0.05;

// What the intervals of the number of rows and of each sum may fail with, where they are only a part.
constexpr double of_rows = 0.005, of_sum = 0.005;

double deviations(double probability) { return normal_upper_quantile(probability / 2); }

Bounds around(double value, double half) { return {value - half, value + half}; }

Bounds times(const Bounds& a, const Bounds& b) {
  const auto [least, most] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {least, most};
}

std::size_t place(std::size_t row, std::size_t column) {
  return std::max(row, column) * (std::max(row, column) + 1) / 2 + std::min(row, column);
}

// m u - p u^2 over a box: for each u > 0 it is largest at the largest m and the least p, and as a function of
// u at an end or where its slope is 0.
Bounds over(const Bounds& m, const Bounds& p, const Bounds& u) {
  const auto at = [](double product, double square, double x) { return (product - square * x) * x; };
  const auto extreme = [&](double product, double square, bool largest) {
    double best = at(product, square, u.lower);
    const double turn = product / (2 * square);
    for (const double x : {u.upper, turn > u.lower && turn < u.upper ? turn : u.upper})
      best = largest ? std::max(best, at(product, square, x)) : std::min(best, at(product, square, x));
    return best;
  };
  return {extreme(m.lower, p.upper, false), extreme(m.upper, p.lower, true)};
}

IntervalEstimate within(const Bounds& bounds, double value, double least, double most) {
  return {std::clamp(value, least, most), std::clamp(bounds.lower, least, most),
          std::clamp(bounds.upper, least, most)};
}

// Where the covariances of some columns lie, all together.
class Box {
 public:
  explicit Box(const NoisyMoments& moments) : moments_(moments) {
    const Bounds rows = around(moments.rows, deviations(of_rows) * moments.noise.count);
    // There is a whole number of them.
    inverse_ = {1 / rows.upper, 1 / std::max(rows.lower, 1.0)};
  }

  /// Except with that probability for the sum of products.
  Bounds covariance(std::size_t i, std::size_t j, double of_product) const {
    const double noise = i == j ? moments_.noise.square : moments_.noise.product;
    const Bounds product = around(moments_.products[place(i, j)], deviations(of_product) * noise);
    return over(product, i == j ? square(sum(i)) : times(sum(i), sum(j)), inverse_);
  }

 private:
  Bounds sum(std::size_t i) const {
    return around(moments_.sums[i], deviations(of_sum) * moments_.noise.sum);
  }
  static Bounds square(const Bounds& sum) {
    const double least =
        sum.lower <= 0 && sum.upper >= 0 ? 0 : std::min(sum.lower * sum.lower, sum.upper * sum.upper);
    return {least, std::max(sum.lower * sum.lower, sum.upper * sum.upper)};
  }

  const NoisyMoments& moments_;
  Bounds inverse_{};
};

// Of the noisy sums, with that number of rows.
std::vector<double> products_around_mean(const NoisyMoments& moments, double rows) {
  std::vector<double> result;
  for (std::size_t i = 0; i < moments.dimension(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      result.push_back(moments.products[result.size()] - moments.sums[i] * moments.sums[j] / rows);
  return result;
}

// The nearest matrix that is positive semidefinite, with a diagonal that is at least the noise.
std::vector<double> projected(const std::vector<double>& matrix, std::size_t dimension, double least) {
  const Eigensystem system = eigensystem(matrix, dimension, {});
  std::vector<double> result(matrix.size());
  for (std::size_t k = 0; k < dimension; ++k) {
    const double value = std::max(0.0, system.values[k]);
    const double* vector = &system.vectors[k * dimension];
    for (std::size_t i = 0; i < dimension; ++i)
      for (std::size_t j = 0; j <= i; ++j) result[place(i, j)] += value * vector[i] * vector[j];
  }
  for (std::size_t i = 0; i < dimension; ++i) result[place(i, i)] = std::max(result[place(i, i)], least);
  return result;
}

// What the products around the mean lie between, as matrices (Loewner), and the number of rows, but with the
// probability `failure`.
struct Enclosure {
  std::vector<double> least, most;
  double least_rows, most_rows;
};

// With |S~ - S| <= e and the noise of the products within h0 of 0 in every direction, the products around the
// mean are within h0 + (2 |S~| e + e^2) / n of those of the noisy sums with the same number n of rows; those
// grow with n (Loewner), and each eigenvalue with them (Weyl 1912).
Enclosure enclosure(const NoisyMoments& moments) {
  constexpr double of_each_side = (failure - of_rows - of_sum) / 2;
  const auto d = static_cast<double>(moments.dimension());
  const LargestEigenvalue largest(d, OffDiagonalVariance::one);
  const SumNoise& noise = moments.noise;
  const double spectrum = noise.product * std::max(0.0, largest.upper_quantile(of_each_side).bounds.upper);
  // |N(0, I)| exceeds sqrt(d) + sqrt(2 t) with a probability of at most e^-t (Laurent and Massart 2000).
  const double error = noise.sum * (std::sqrt(d) + std::sqrt(2 * std::log(1 / of_sum)));
  double length = 0;
  for (const double sum : moments.sums) length = std::hypot(length, sum);
  const double room = deviations(of_rows) * noise.count, most_rows = moments.rows + room,
               least_rows = std::max(1.0, moments.rows - room);
  const double half = spectrum + (2 * length + error) * error / least_rows;
  Enclosure result{products_around_mean(moments, least_rows), products_around_mean(moments, most_rows),
                   least_rows, most_rows};
  for (std::size_t i = 0; i < moments.dimension(); ++i) {
    result.least[place(i, i)] -= half;
    result.most[place(i, i)] += half;
  }
  return result;
}

// Between which the eigenvalues lie of whatever the enclosure holds.
struct Spectra {
  std::vector<double> least, most;

  explicit Spectra(const Enclosure& ends) {
    const auto dimension = static_cast<std::size_t>(std::sqrt(2 * static_cast<double>(ends.least.size())));
    const auto moved = [&](const std::vector<double>& matrix, double side) {
      Eigensystem system = eigensystem(matrix, dimension, {});
      for (double& value : system.values) value += side * system.error;
      return system.values;
    };
    least = moved(ends.least, -1);
    most = moved(ends.most, 1);
  }
};

}  // namespace

bool is_enough(double rows, double deviation) { return rows >= std::max(1.0, 4 * deviation); }

IntervalEstimate quotient(double above, double above_deviation, double below, double below_deviation) {
  const double z = deviations(failure);
  // All quotients q with |above - q below| <= z sqrt(above_deviation^2 + q^2 below_deviation^2).
  const double square = below * below - z * z * below_deviation * below_deviation;
  const double middle = above * below / square;
  const double rest = (above * above - z * z * above_deviation * above_deviation) / square;
  const double half = std::sqrt(std::max(0.0, middle * middle - rest));
  return {above / below, middle - half, middle + half};
}

std::vector<IntervalEstimate> NoisyMoments::means() const {
  std::vector<IntervalEstimate> result;
  for (const double sum : sums) {
    const IntervalEstimate found = quotient(sum, noise.sum, rows, noise.count);
    const double least = is_indicator(result.size()) ? 0 : -1;
    result.push_back(within({found.lower, found.upper}, found.value, least, 1));
  }
  return result;
}

std::vector<IntervalEstimate> NoisyMoments::covariances() const {
  const Box box(*this);
  const std::vector<double> found = products_around_mean(*this, rows);
  std::vector<IntervalEstimate> result;
  for (std::size_t i = 0; i < dimension(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double of_product = failure - of_rows - (i == j ? 1 : 2) * of_sum;
      const double most = largest_deviation(i) * largest_deviation(j);
      result.push_back(
          within(box.covariance(i, j, of_product), found[place(i, j)] / rows, i == j ? 0 : -most, most));
    }
  return result;
}

std::vector<IntervalEstimate> NoisyMoments::correlations() const {
  constexpr double of_product = 0.015, of_square = (failure - of_rows - 2 * of_sum - of_product) / 2;
  const Box box(*this);
  std::vector<double> matrix = products_around_mean(*this, rows);
  for (double& entry : matrix) entry /= rows;
  matrix = projected(matrix, dimension(), noise.square / rows);
  std::vector<IntervalEstimate> result;
  for (std::size_t i = 0; i < dimension(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double value =
          matrix[place(i, j)] / std::sqrt(matrix[place(i, i)]) / std::sqrt(matrix[place(j, j)]);
      const Bounds product = box.covariance(i, j, of_product), one = box.covariance(i, i, of_square),
                   other = box.covariance(j, j, of_square);
      const double least = std::sqrt(std::max(0.0, one.lower)) * std::sqrt(std::max(0.0, other.lower)),
                   most = std::sqrt(one.upper) * std::sqrt(other.upper);
      const auto share = [&](double covariance, bool largest) {
        const double by = (covariance > 0) == largest ? least : most;
        return by > 0 ? covariance / by : largest ? 1.0 : -1.0;
      };
      result.push_back(within({share(product.lower, false), share(product.upper, true)}, value, -1, 1));
    }
  return result;
}

std::vector<IntervalEstimate> NoisyMoments::eigenvalues() const {
  const Enclosure ends = enclosure(*this);
  const Spectra spectra(ends);
  const std::vector<double> found = eigensystem(products_around_mean(*this, rows), dimension(), {}).values;
  std::vector<IntervalEstimate> result;
  for (std::size_t k = 0; k < dimension(); ++k)
    result.push_back({std::max(0.0, found[k] / rows), std::max(0.0, spectra.least[k]) / ends.most_rows,
                      std::max(0.0, spectra.most[k]) / ends.least_rows});
  return result;
}

// The correlations are those of the products P around the mean: D P D, D_i = P_ii^{-1/2}. With l <= P_ii <= u
// on the diagonals of the enclosure and T_i = (l_i u_i)^{-1/4}, they are S (T P T) S with S_i^2 between
// sqrt(l_i / u_i) and sqrt(u_i / l_i); so is the quotient of their eigenvalues and those of T P T, in order
// (Ostrowski 1959), which lie between those of T times either end of the enclosure times T. Nothing more may
// fail than for covariances. Whatever the rows are, all of them add up to their number.
std::vector<IntervalEstimate> NoisyMoments::correlation_eigenvalues() const {
  const std::size_t d = dimension();
  Enclosure ends = enclosure(*this);
  std::vector<double> scales(d);
  double apart = 1;
  for (std::size_t i = 0; i < d; ++i) {
    const double least = ends.least[place(i, i)], most = ends.most[place(i, i)];
    apart = std::max(apart, least > 0 ? std::sqrt(most / least) : std::numeric_limits<double>::infinity());
    scales[i] = 1 / std::sqrt(std::sqrt(least) * std::sqrt(most));
  }
  std::vector<double> matrix;
  const std::vector<IntervalEstimate> pairs = correlations();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) matrix.push_back(i == j ? 1 : pairs[i * (i - 1) / 2 + j].value);
  const std::vector<double> found = eigensystem(matrix, d, {}).values;
  std::vector<IntervalEstimate> result;
  for (std::size_t k = 0; k < d; ++k) {
    // The k-th largest of numbers from 0 that add up to d.
    const double most = static_cast<double>(d) / static_cast<double>(k + 1);
    result.push_back({std::clamp(found[k], 0.0, most), k == 0 ? 1.0 : 0.0, most});
  }
  if (!std::isfinite(apart)) return result;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      ends.least[place(i, j)] *= scales[i] * scales[j];
      ends.most[place(i, j)] *= scales[i] * scales[j];
    }
  const Spectra spectra(ends);
  for (std::size_t k = 0; k < d; ++k) {
    result[k].lower = std::max(result[k].lower, spectra.least[k] / apart);
    result[k].upper = std::min(result[k].upper, spectra.most[k] * apart);
  }
  return result;
}

NoisyMoments NoisyMoments::among(std::span<const std::size_t> places) const {
  NoisyMoments result{rows, {}, {}, noise};
  for (const std::size_t i : places) {
    result.sums.push_back(sums[i]);
    result.indicators += is_indicator(i);
    for (const std::size_t j : places)
      if (j <= i) result.products.push_back(products[place(i, j)]);
  }
  return result;
}

}  // namespace epsilometer
