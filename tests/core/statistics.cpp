#include "tests/core/statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace epsilometer {

double chi_square(const std::vector<std::int64_t>& draws, std::int64_t reach,
                  const std::function<double(std::int64_t)>& weight) {
  std::vector<double> observed(2 * reach + 1), expected(2 * reach + 1);
  for (const std::int64_t draw : draws) observed[std::clamp(draw, -reach, reach) + reach] += 1;
  double total = 0;
  for (std::int64_t z = -reach; z <= reach; ++z) total += expected[z + reach] = weight(z);
  // Neighbouring integers share a cell until it expects 25.
  double statistic = 0, cells = 0, hits = 0, hope = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    hits += observed[i];
    hope += expected[i] / total * static_cast<double>(draws.size());
    if (hope < 25) continue;
    statistic += (hits - hope) * (hits - hope) / hope;
    ++cells;
    hits = hope = 0;
  }
  return boost::math::gamma_q((cells - 1) / 2, statistic / 2);
}

double least_probability(double hits, double runs, double risk) {
  return boost::math::binomial_distribution<double>::find_lower_bound_on_p(runs, hits, risk);
}

double most_probability(double hits, double runs, double risk) {
  return boost::math::binomial_distribution<double>::find_upper_bound_on_p(runs, hits, risk);
}

double standard_normal(double x) { return boost::math::erfc(-x / std::sqrt(2.0)) / 2; }

double kolmogorov(std::vector<double> draws, const std::function<double(double)>& distribution) {
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  double distance = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double at = distribution(draws[i]);
    distance = std::max({distance, at - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - at});
  }
  return std::min(1.0, 2 * std::exp(-2 * n * distance * distance));
}

double covariance_errors(const std::vector<double>& vectors, const std::vector<double>& covariance) {
  std::size_t width = 0;
  while (width * (width + 1) / 2 < covariance.size()) ++width;
  const auto n = static_cast<double>(vectors.size() / width);
  double worst = 0;
  for (std::size_t row = 0, place = 0; row < width; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place) {
      double sum = 0;
      for (std::size_t start = 0; start < vectors.size(); start += width)
        sum += vectors[start + row] * vectors[start + column];
      const double variances = covariance[row * (row + 3) / 2] * covariance[column * (column + 3) / 2];
      const double error = std::sqrt((variances + covariance[place] * covariance[place]) / n);
      worst = std::max(worst, std::abs(sum / n - covariance[place]) / error);
    }
  return worst;
}

}  // namespace epsilometer
