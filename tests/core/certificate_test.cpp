// Certificates of computed outputs against the same outputs of 200-bit arithmetic, drawn from the same words.
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "core/noise/normal_rows.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear/posterior_sample.h"
#include "core/release/linear/ridge.h"

namespace epsilometer::certificate_test {

namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_bin_float<200, mp::digit_base_2>, mp::et_off>;
using Wides = std::vector<Wide>;

// Rows of which the last feature is nearly the average of the others: the further `along`, the less nearly.
// Multiples of 2^-27, so that sums of products need more bits than a double has.
std::vector<double> oblique_rows(TestRng& rng, std::size_t count, std::size_t d, double along) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double own = std::clamp(0.1 * normal_deviate(rng), -0.3, 0.3);
      rows.push_back(std::ldexp(std::round(std::ldexp(j + 1 < d ? own : sum / d + along * own, 27)), -27));
      sum += rows.back();
    }
  }
  return rows;
}

Wides sum_of_products(const std::vector<double>& rows, std::size_t d) {
  Wides sum(triangle(d));
  for (std::size_t start = 0; start < rows.size(); start += d)
    for (std::size_t i = 0, place = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++place) sum[place] += Wide(rows[start + i]) * rows[start + j];
  return sum;
}

// L with L L^T = A + shift I.
Wides root(Wides matrix, std::size_t d, double shift) {
  for (std::size_t i = 0; i < d; ++i) {
    Wide* const row = &matrix[triangle(i)];
    row[i] += shift;
    for (std::size_t j = 0; j <= i; ++j) {
      const Wide* const other = &matrix[triangle(j)];
      for (std::size_t k = 0; k < j; ++k) row[j] -= row[k] * other[k];
      row[j] = j < i ? row[j] / other[j] : sqrt(row[j]);
    }
  }
  return matrix;
}

Wides product(const Wides& factor, const std::vector<double>& x, std::size_t start, std::size_t d) {
  Wides result(d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j) result[i] += factor[triangle(i) + j] * x[start + j];
  return result;
}

// (L L^T)^{-1} x.
Wides solved(const Wides& factor, Wides x) {
  const std::size_t d = x.size();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= factor[triangle(i) + j] * x[j];
    x[i] /= factor[triangle(i) + i];
  }
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t j = i + 1; j < d; ++j) x[i] -= factor[triangle(j) + i] * x[j];
    x[i] /= factor[triangle(i) + i];
  }
  return x;
}

double distance(const std::vector<double>& found, const Wides& truth) {
  Wide squares = 0;
  for (std::size_t i = 0; i < found.size(); ++i) squares += (found[i] - truth[i]) * (found[i] - truth[i]);
  return static_cast<double>(sqrt(squares));
}

std::vector<double> rounded(const Wides& all) {
  std::vector<double> result;
  for (const Wide& one : all) result.push_back(static_cast<double>(one));
  return result;
}

std::vector<double> deviates(TestRng& rng, std::size_t count) {
  std::vector<double> all(count);
  for (double& one : all) one = normal_deviate(rng);
  return all;
}

// What so many deviates may be off themselves, times a root of that trace: no arithmetic sees it, so that
// part of an error stays free for it.
double unseen(double trace, std::size_t count) { return std::sqrt(trace * count) * normal_error; }

}  // namespace

TEST_CASE("drawn normal rows are as close to those of the true covariance as they say") {
  TestRng source(20261222);
  double most = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const std::size_t d = 2 + seed % 7, rows = 1 + seed % 3 * 4;
    const double variance = std::exp2(-4.0 - 3 * (seed % 12)), along = std::exp2(-5.0 * (seed % 5));
    const Wides sums = sum_of_products(oblique_rows(source, 300, d, along), d);
    const std::vector<double> matrix = rounded(sums);
    TestRng rng(seed), same(seed);
    const NormalRows::Drawn drawn = NormalRows::of(matrix, d, variance, variance)->draw(rng, rows);
    const Wides factor = root(sums, d, variance);
    const std::vector<double> w = deviates(same, rows * d);
    Wides truth;
    for (std::size_t start = 0; start < w.size(); start += d)
      for (const Wide& one : product(factor, w, start, d)) truth.push_back(one);
    const double off = distance(drawn.values, truth);
    const double own = unseen(trace(matrix, d) + d * variance, d * rows);
    CAPTURE(seed);
    CHECK(off + own <= drawn.error);
    most = std::max(most, off / (drawn.error - own));
  }
  MESSAGE("the largest share of what is certified: " << most);
  CHECK(most > 1e-3);
}

TEST_CASE("a posterior sample is as close to the ideal one as its certificate says") {
  TestRng source(20261223);
  double most = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t d = 2 + seed % 4, count = 200;
    const double lambda = std::exp2(-2.0 - 3 * (seed % 11)), sigma = std::exp2(2.0 - seed % 5);
    const LinearBounds bounds{1, 1};
    LinearStatistics statistics(d, bounds);
    const auto features = oblique_rows(source, count, d, std::exp2(-5.0 * (seed % 5)));
    for (std::size_t i = 0; i < count; ++i)
      statistics.add(std::span(features).subspan(i * d, d), features[i * d] - features[i * d + 1]);
    const NormalEquations equations = statistics.values();

    // The sums of so few records are exact.
    const Wides factor = root({equations.gram.begin(), equations.gram.end()}, d, lambda);
    TestRng rng(seed), same(seed), again(seed);
    Wides side = product(factor, deviates(same, d), 0, d);
    for (std::size_t i = 0; i < d; ++i) side[i] = equations.cross[i] + sigma * side[i];
    const Wides truth = solved(factor, side);

    // The steps of a release, and what they certify.
    const auto drawn = NormalRows::of(equations.gram, d, lambda, lambda)->draw(again, 1);
    NormalEquations noisy = equations;
    for (std::size_t i = 0; i < d; ++i) noisy.cross[i] += sigma * drawn.values[i];
    const RidgeSolution solution = ridge(noisy, lambda, lambda);
    const double certified = solution.error + sigma * drawn.error / lambda;
    const double off = distance(solution.coefficients, truth);
    const double own = sigma / lambda * unseen(trace(equations.gram, d) + d * lambda, d);
    CAPTURE(seed);
    CHECK(off + own <= certified);
    CHECK(distance(solution.coefficients, solved(factor, {noisy.cross.begin(), noisy.cross.end()})) <=
          solution.error);
    most = std::max(most, off / (certified - own));

    // The finish hides the release among those of the truth: the same words, the same noise.
    const PosteriorSample sample(d, bounds, count, lambda);
    const Finish finish = sample.finish(sigma);
    const auto released = sample.released(statistics.values(), sigma, rng),
               ideal = finish.released(same, rounded(truth), {0, 0});
    const double step = finish.sigma() * 0x1p-30;
    CHECK(distance(released, {ideal.begin(), ideal.end()}) <= certified + std::sqrt(d) * step);
  }
  MESSAGE("the largest share of what is certified: " << most);
  CHECK(most > 1e-3);
}

}  // namespace epsilometer::certificate_test
