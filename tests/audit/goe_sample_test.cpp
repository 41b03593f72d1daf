// The largest eigenvalue against sampled matrices: from the definition, and tridiagonal ones of the same
// spectrum.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Eigenvalues>
#include <random>
#include <vector>

#include "core/goe/goe.h"

namespace epsilometer::goe_sample_test {

namespace {

// Dumitriu and Edelman 2002: the diagonal is normal of variance 2, next to it stand chi variables of d - 1,
// ..., 1 degrees of freedom, here squared.
struct Tridiagonal {
  Tridiagonal(int d, std::mt19937_64& stream) {
    std::normal_distribution<double> diagonal(0, std::sqrt(2.0));
    for (int k = d; k > 0; --k) main.push_back(diagonal(stream));
    for (int k = d - 1; k > 0; --k) squares.push_back(std::chi_squared_distribution<double>(k)(stream));
  }

  // Whether all eigenvalues lie on the side of x: below for sign 1, above for -1 (Sturm's sequence).
  bool all_beside(double x, double sign) const {
    double pivot = sign * (x - main[0]);
    for (std::size_t k = 1; k < main.size() && pivot > 0; ++k)
      pivot = sign * (x - main[k]) - squares[k - 1] / pivot;
    return pivot > 0;
  }

  std::vector<double> main, squares;
};

// Places that cover the distribution, and its cdf there.
struct Grid {
  explicit Grid(const LargestEigenvalue& largest) {
    const double from = largest.lower_quantile(1e-6).value, to = largest.upper_quantile(1e-6).value;
    for (int i = 0; i < 512; ++i) {
      places.push_back(from + (to - from) * i / 511);
      cdf.push_back(largest.cdf(places.back()).value);
    }
  }

  // Kolmogorov's statistic on the grid, times the root of the sample size. `below(x)` of a sample says
  // whether it is at most x. It exceeds 2.7 once in a million.
  template <class Below>
  void add(const Below& below) {
    const auto first =
        std::partition_point(places.begin(), places.end(), [&](double x) { return !below(x); });
    if (first != places.end()) ++counts[static_cast<std::size_t>(first - places.begin())];
    ++samples;
  }
  double statistic() const {
    double total = 0, furthest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      total += counts[i];
      furthest = std::max(furthest, std::abs(total / samples - cdf[i]));
    }
    return furthest * std::sqrt(samples);
  }

  std::vector<double> places, cdf;
  std::vector<double> counts = std::vector<double>(512);
  double samples = 0;
};

template <int d>
double full_statistic(int samples) {
  std::mt19937_64 stream(50 + d);
  std::normal_distribution<double> normal;
  Grid grid(LargestEigenvalue(d, OffDiagonalVariance::one));
  for (int i = 0; i < samples; ++i) {
    const Eigen::Matrix<double, d, d> z =
        Eigen::Matrix<double, d, d>::NullaryExpr([&] { return normal(stream); });
    const Eigen::Matrix<double, d, d> g = (z + z.transpose()) / std::sqrt(2.0);
    const double largest =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, d, d>>(g, Eigen::EigenvaluesOnly)
            .eigenvalues()[d - 1];
    grid.add([&](double x) { return largest <= x; });
  }
  return grid.statistic();
}

}  // namespace

TEST_CASE("sampled tridiagonal matrices follow the cdf, and the norm its bound") {
  constexpr int samples = 200000;
  constexpr double rho = 1e-2;
  for (const int d : {3, 10, 50}) {
    CAPTURE(d);
    std::mt19937_64 stream(20261121 + d);
    const LargestEigenvalue largest(d, OffDiagonalVariance::one);
    const double tau = largest.upper_quantile(rho / 2).bounds.upper;
    Grid grid(largest);
    int beyond = 0;
    for (int i = 0; i < samples; ++i) {
      const Tridiagonal matrix(d, stream);
      grid.add([&](double x) { return matrix.all_beside(x, 1); });
      if (!matrix.all_beside(tau, 1) || !matrix.all_beside(-tau, -1)) ++beyond;
    }
    CHECK(grid.statistic() < 2.7);
    // The union bound over both ends loses only what lies beyond both, rho^2/4 or less; five standard
    // deviations.
    CHECK(std::abs(beyond - samples * rho) < 5 * std::sqrt(samples * rho) + samples * rho * rho / 4);
  }
}

TEST_CASE("sampled matrices from the definition follow the cdf") {
  CHECK(full_statistic<3>(50000) < 2.7);
  CHECK(full_statistic<10>(50000) < 2.7);
}

}  // namespace epsilometer::goe_sample_test
