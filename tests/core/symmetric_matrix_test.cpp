// Matrices released with noise of the orthogonal ensemble, and what the released ones say.
#include "core/noise/symmetric_matrix.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/noise/finish.h"
#include "core/noise/spectrum_confidence.h"
#include "tests/core/statistics.h"

namespace epsilometer::symmetric_matrix_test {

namespace {

using Triangle = std::vector<double>;

double& at(Triangle& matrix, std::size_t row, std::size_t column) {
  return matrix[std::max(row, column) * (std::max(row, column) + 1) / 2 + std::min(row, column)];
}

// Jacobi's rotations, ascending.
std::vector<double> eigenvalues(Triangle matrix, std::size_t d) {
  for (int sweep = 0; sweep < 12; ++sweep)
    for (std::size_t p = 0; p < d; ++p)
      for (std::size_t q = p + 1; q < d; ++q) {
        if (at(matrix, p, q) == 0) continue;
        const double ratio = (at(matrix, q, q) - at(matrix, p, p)) / (2 * at(matrix, p, q));
        const double t = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::hypot(ratio, 1));
        const double cosine = 1 / std::hypot(t, 1), sine = t * cosine, off = at(matrix, p, q);
        at(matrix, p, p) -= t * off;
        at(matrix, q, q) += t * off;
        at(matrix, p, q) = 0;
        for (std::size_t k = 0; k < d; ++k) {
          if (k == p || k == q) continue;
          const double kp = at(matrix, k, p), kq = at(matrix, k, q);
          at(matrix, k, p) = cosine * kp - sine * kq;
          at(matrix, k, q) = sine * kp + cosine * kq;
        }
      }
  std::vector<double> values(d);
  for (std::size_t i = 0; i < d; ++i) values[i] = at(matrix, i, i);
  std::sort(values.begin(), values.end());
  return values;
}

// x^T H^{-1} x by elimination with 113 bits or what long double has.
double inverse_form(const Triangle& matrix, const std::vector<double>& x) {
  const std::size_t d = x.size();
  std::vector<long double> rows(d * (d + 1));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      rows[i * (d + 1) + j] = matrix[std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j)];
    rows[i * (d + 1) + d] = x[i];
  }
  long double sum = 0;
  for (std::size_t p = 0; p < d; ++p) {
    sum += rows[p * (d + 1) + d] * rows[p * (d + 1) + d] / rows[p * (d + 1) + p];
    for (std::size_t i = p + 1; i < d; ++i) {
      const long double factor = rows[i * (d + 1) + p] / rows[p * (d + 1) + p];
      for (std::size_t j = p; j <= d; ++j) rows[i * (d + 1) + j] -= factor * rows[p * (d + 1) + j];
    }
  }
  return static_cast<double>(sum);
}

// Records around zero whose sum of outer products has eigenvalues of several sizes.
Triangle gram(TestRng& rng, std::size_t d, std::size_t records, double floor) {
  Triangle sum(triangle(d));
  for (std::size_t i = 0; i < d; ++i) at(sum, i, i) = floor;
  for (std::size_t r = 0; r < records; ++r) {
    std::vector<double> x(d);
    for (std::size_t i = 0; i < d; ++i) x[i] = normal_deviate(rng) / static_cast<double>(i + 1);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j) at(sum, i, j) += x[i] * x[j];
  }
  return sum;
}

// P(largest eigenvalue > tau) = 1e-2 at d = 2: half the trace and the radius are a standard normal and a
// Rayleigh variable, independent of each other. A function: of a lambda that gives a constant, GCC would run
// the loops.
double exceeded_once_in_a_hundred() {
  const auto tail = [](double x) {
    // lambda = a + r, a ~ N(0, 1), r ~ Rayleigh(1): integral of P(r > x - a).
    double sum = 0;
    for (double a = -12; a < 12; a += 1e-3)
      sum += 1e-3 * std::exp(-a * a / 2) * (a > x ? 1 : std::exp(-(x - a) * (x - a) / 2));
    return sum / std::sqrt(2 * std::acos(-1.0));
  };
  double low = 0, high = 10;
  for (int i = 0; i < 40; ++i) (tail((low + high) / 2) > 1e-2 ? low : high) = (low + high) / 2;
  return high;
}

}  // namespace

TEST_CASE("contributions stay in the Frobenius ball, and outer products are exact") {
  TestRng rng(1);
  OuterProducts outer(1.5, -20, 4);
  SymmetricContributions any(1.5, -30, 4);
  const double most = outer.contributions().radius, largest = any.contributions().radius;
  CHECK(most <= 1.5 * 1.5 * 0x1p40);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<double> x(4);
    for (double& one : x) one = 1.1 * normal_deviate(rng);
    const auto product = outer.of(x);
    CHECK(frobenius_norm(product) <= most * (1 + 1e-14));
    // Rank one, exactly.
    using Wide = __int128;
    CHECK((Wide{product[0]} * product[2] == Wide{product[1]} * product[1]));
    Triangle matrix(triangle(4));
    for (double& entry : matrix) entry = normal_deviate(rng);
    CHECK(frobenius_norm(any.of(matrix)) <= largest * (1 + 1e-14));
  }
}

TEST_CASE("replacing moves a sum of outer products by at most sqrt(2), attained, other sums by twice") {
  OuterProducts outer(1, -20, 2);
  CHECK(outer.exponent() == -40);
  const std::vector<double> e0 = {1, 0}, e1 = {0, 1};
  const auto first = outer.of(e0);
  const std::vector<std::int64_t> kept(first.begin(), first.end());
  const auto second = outer.of(e1);
  std::vector<std::int64_t> change(3);
  for (int i = 0; i < 3; ++i) change[i] = kept[i] - second[i];
  const double worst = outer.contributions().sensitivity(Change::replace);
  CHECK(frobenius_norm(change) <= worst * (1 + 1e-14));
  CHECK(frobenius_norm(change) >= worst * (1 - 1e-13));
  const SymmetricContributions any(1, -30, 2);
  CHECK(any.contributions().sensitivity(Change::replace) == 0x1p31);
  CHECK(any.contributions().sensitivity(Change::add_or_remove) == 0x1p30);
  CHECK_THROWS_AS(OuterProducts(0x1p11, -20, 2), Refusal);
}

TEST_CASE("the noise has the ensemble's variances, the diagonal's no more than twice the others'") {
  for (const double sigma : {1.0, 0.3, 1e-40, 1e40}) {
    const OrthogonalNoise noise = OrthogonalNoise::of(sigma);
    const auto diagonal = static_cast<unsigned __int128>(noise.diagonal),
               other = static_cast<unsigned __int128>(noise.other);
    CHECK(2 * other * other >= diagonal * diagonal);
    CHECK(2 * (other - 1) * (other - 1) < diagonal * diagonal);
    const Description description = noise.guarantee(0x1p30, 50);
    CHECK(description.numbers.at("sigma") >= sigma);
    CHECK(description.numbers.at("sigma") <= sigma * (1 + 1e-8));
    CHECK(description.numbers.at("sensitivity") ==
          doctest::Approx(std::ldexp(0x1p30 / std::sqrt(2.0), noise.exponent)).epsilon(1e-13));
  }
  for (const double sigma : {0.9, 1.0, 1.9, 2.0, 3.9, 1e-9, 1e9}) {
    const auto steps = OrthogonalNoise::of(sigma, 2 * outer_product_exponent(sigma)).other;
    CHECK(steps >= (std::uint64_t{1} << 30));
    CHECK(steps <= (std::uint64_t{1} << 32) + 2);
  }
  CHECK(OrthogonalNoise::of(1).guarantee(0, 3).kind == "pure");
}

TEST_CASE("the stated cost is that of each entry's own Gaussian noise") {
  // mu^2 = sum of (change / deviation)^2 over the entries that are drawn, with the effective variances.
  TestRng rng(2);
  const OrthogonalNoise noise{0, 30, 22};
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::int64_t> change(triangle(3));
    double squared = 0;
    for (std::size_t row = 0, place = 0; row < 3; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place) {
        change[place] = static_cast<std::int64_t>(10 * normal_deviate(rng));
        squared += static_cast<double>(change[place] * change[place]) / (row == column ? 900 - 4 : 484 - 4);
      }
    if (squared == 0) continue;
    const Description description = noise.guarantee(frobenius_norm(change), 3);
    const double mu = description.numbers.at("sensitivity") / description.numbers.at("sigma");
    CHECK(mu >= std::sqrt(squared));
    // All off the diagonal, it is priced as twice that much with 892 instead of 2 * 480.
    CHECK(mu <= std::sqrt(squared * 960 / 892) * (1 + 1e-6));
  }
}

TEST_CASE("released entries have their variances and independence") {
  TestRng rng(20261130);
  const OrthogonalNoise noise = OrthogonalNoise::of(2);
  const IntegerSum zero(3);
  std::vector<double> diagonal, other, mixed;
  for (std::size_t i = 0; i < 200'000 / share; ++i) {
    const auto values = released(rng, zero, noise);
    diagonal.push_back(values[0] / std::sqrt(8.0));
    other.push_back(values[1] / 2);
    mixed.push_back((values[0] + values[2] + 2 * values[1]) / std::sqrt(8 + 8 + 16));
  }
  CHECK(kolmogorov(diagonal) > 1e-4);
  CHECK(kolmogorov(other) > 1e-4);
  CHECK(kolmogorov(mixed) > 1e-4);
}

TEST_CASE("the entries of a 3 x 3 matrix's noise have the ensemble's covariance") {
  TestRng rng(20261205);
  const OrthogonalNoise noise = OrthogonalNoise::of(2);
  const IntegerSum zero(triangle(3));
  std::vector<double> entries;
  for (std::size_t i = 0; i < 200'000 / share; ++i) {
    const auto values = released(rng, zero, noise);
    entries.insert(entries.end(), values.begin(), values.end());
  }
  // sigma (Z + Z^T) / sqrt(2): (0,0), (1,1) and (2,2) are the entries 0, 2 and 5.
  Triangle covariance(triangle(6));
  for (std::size_t i = 0; i < 6; ++i) at(covariance, i, i) = i == 0 || i == 2 || i == 5 ? 8 : 4;
  CHECK(covariance_errors(entries, covariance) < 5);
  at(covariance, 4, 1) = 0.4;
  CHECK(covariance_errors(entries, covariance) > 5);
}

TEST_CASE("the noise's eigenvalues keep within tau sigma as often as the ensemble's") {
  const double tau = exceeded_once_in_a_hundred();
  TestRng rng(20261201);
  const double sigma = 0.7;
  const OrthogonalNoise noise = OrthogonalNoise::of(sigma);
  const double bound = noise.eigenvalue_bound(tau, 2);
  CHECK(bound >= tau * sigma);
  CHECK(bound <= tau * sigma * (1 + 1e-6));
  const double n = 200'000.0 / share;
  double above = 0, below = 0;
  const IntegerSum zero(3);
  for (double i = 0; i < n; ++i) {
    const auto values = eigenvalues(released(rng, zero, noise), 2);
    above += values[1] > bound;
    below += -values[0] > bound;
  }
  // Four standard errors.
  CHECK(std::abs(above / n - 1e-2) < 4 * std::sqrt(1e-2 / n));
  CHECK(std::abs(below / n - 1e-2) < 4 * std::sqrt(1e-2 / n));
  CHECK_THROWS_AS(noise.eigenvalue_bound(-1, 2), Refusal);
  CHECK_THROWS_AS(noise.eigenvalue_bound(std::nan(""), 2), Refusal);
}

TEST_CASE("confidence statements hold whenever the noise keeps its bound") {
  TestRng rng(20261202);
  int tight = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t d = 2 + trial % 7;
    const double floor = std::exp2(trial % 5 - 2), sigma = std::exp2(trial % 11 - 6);
    const Triangle truth = gram(rng, d, 20, floor);
    Triangle noise(triangle(d)), matrix = truth;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        at(noise, i, j) = sigma * normal_deviate(rng) * (i == j ? std::sqrt(2.0) : 1);
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += noise[i];
    const auto spread = eigenvalues(noise, d);
    const double bound = std::max(spread.back(), -spread.front()) * (1 + 1e-12);

    const auto values = eigenvalues(truth, d);
    const auto intervals = eigenvalue_bounds(eigenvalues(matrix, d), bound, floor);
    for (std::size_t i = 0; i < d; ++i) {
      CHECK(intervals[i].lower <= values[i] * (1 + 1e-12));
      CHECK(intervals[i].upper >= values[i] * (1 - 1e-12));
      CHECK(intervals[i].lower >= floor);
    }
    std::vector<double> x(d);
    for (double& one : x) one = normal_deviate(rng);
    const double form = inverse_form(truth, x);
    const Bounds interval = InverseForms(matrix, d, bound, floor).of(x);
    CAPTURE(d);
    CAPTURE(bound);
    CAPTURE(floor);
    CHECK(interval.lower <= form);
    CHECK(interval.upper >= form);
    // Never worse than the forms in print: the cap, and (1 + bound/floor) x^T M^{-1} x where M is positive.
    double length = 0;
    for (const double one : x) length += one * one;
    CHECK(interval.upper <= length / floor * (1 + 1e-12));
    if (eigenvalues(matrix, d).front() > 1e-3)
      CHECK(interval.upper <= (1 + bound / floor) * inverse_form(matrix, x) * (1 + 1e-9));
    // Nor than any mean of both lower bounds on H.
    for (int k = 1; k <= 40; ++k) {
      const double t = k / 40.0;
      Triangle mean = matrix;
      for (double& entry : mean) entry *= t;
      for (std::size_t i = 0; i < d; ++i) at(mean, i, i) += (1 - t) * floor - t * bound;
      if (eigenvalues(mean, d).front() > 1e-3) CHECK(interval.upper <= inverse_form(mean, x) * (1 + 1e-9));
    }
    tight += interval.upper < 1.5 * form;
  }
  CHECK(tight > 50);
}

// Without noise, rounding alone decides.
TEST_CASE("the interval of an inverse form holds for matrices that doubles hardly tell from singular ones") {
  for (const double size : {0x1p-200, 0x1p-27, 1.0, 0x1p27, 0x1p200})
    for (const double small : {1e-15, 1e-12, 1e-9, 1e-3}) {
      // size ((1, 1), (1, 1 + small)): the inverse times (1, -1) is (1 + 2 / small, -2 / small) / size,
      // nearly.
      const double corner = 1 + small, exact = corner - 1;
      const std::vector<double> matrix{size, size, size * corner}, x{1, -1};
      const double form = (4 / exact + 1) / size;
      for (const double floor : {size * exact / 4, size * exact / 1000}) {
        const Bounds interval = InverseForms(matrix, 2, 0, floor).of(x);
        CAPTURE(size);
        CAPTURE(small);
        CHECK(interval.lower <= form * (1 + 1e-15));
        CHECK(interval.upper >= form * (1 - 1e-15));
      }
    }
  CHECK(std::isfinite(
      InverseForms(std::vector<double>{1e200, 1e200, 1e200}, 2, 0, 1).of(std::vector{1.0, 0.0}).upper));
}

TEST_CASE("without noise the interval of an inverse form is its value, to rounding") {
  TestRng rng(3);
  const Triangle truth = gram(rng, 12, 60, 0.5);
  std::vector<double> x(12, 1.0);
  const double form = inverse_form(truth, x);
  const Bounds interval = InverseForms(truth, 12, 0, 0.5).of(x);
  CHECK(interval.lower <= form);
  CHECK(interval.upper >= form);
  CHECK(interval.upper - interval.lower <= 1e-10 * form);
  CHECK(InverseForms(truth, 12, 1, 0.5).of(std::vector<double>(12)).upper < 1e-300);
  for (const double bad : {0.0, -1.0, std::nan("")})
    CHECK_THROWS_AS(InverseForms(truth, 12, 1, bad), Refusal);
  CHECK_THROWS_AS(InverseForms(truth, 12, -1, 1), Refusal);
}

TEST_CASE("against the classic upper triangle: the same worst case at sqrt(2) the noise") {
  // e1 e1^T is the worst record of both: mu agree. Equal entries are the best of the classic noise.
  const auto corner = compared_with_upper_triangle(std::vector<double>{1, 0, 0}, 0.5);
  CHECK(corner.mu == doctest::Approx(std::sqrt(2.0)).epsilon(1e-15));
  CHECK(corner.classic_mu == doctest::Approx(corner.mu).epsilon(1e-15));
  const auto even = compared_with_upper_triangle(std::vector<double>{0.5, 0.5, 0.5}, 0.5);
  CHECK(even.sensitivity == doctest::Approx(std::sqrt(0.5)).epsilon(1e-15));
  CHECK(even.classic_sensitivity == doctest::Approx(std::sqrt(0.75)).epsilon(1e-15));
  // Any change: between 1 / sqrt(2) and 1 of ours.
  TestRng rng(4);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> change(triangle(5));
    for (double& entry : change) entry = normal_deviate(rng);
    const auto both = compared_with_upper_triangle(change, 3);
    CHECK(both.classic_mu <= both.mu * (1 + 1e-15));
    CHECK(both.classic_mu >= both.mu * std::sqrt(0.5) * (1 - 1e-15));
  }
}

TEST_CASE("a sum beyond what 64 bits hold is released whole") {
  TestRng rng(20261123);
  const OrthogonalNoise noise = OrthogonalNoise::of(1, -46);
  IntegerSum sum(std::vector<__int128>{__int128{1} << 80, -(__int128{1} << 90), 0});
  const auto values = released(rng, sum, noise);
  CHECK(std::abs(values[0] - 0x1p34) < 40);
  CHECK(std::abs(values[1] + 0x1p44) < 40);
  CHECK(std::abs(values[2]) < 40);
}

}  // namespace epsilometer::symmetric_matrix_test
