// Pairs of small output laws, and exactly what they tell.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace epsilometer {

using Probabilities = std::vector<double>;

struct SmallPair {
  Probabilities with, without;
};

inline double hockey_stick(std::span<const double> p, std::span<const double> q, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return sum;
}

inline double delta_of(const SmallPair& pair, double epsilon) {
  return std::max(hockey_stick(pair.with, pair.without, epsilon),
                  hockey_stick(pair.without, pair.with, epsilon));
}

inline double renyi_of(const SmallPair& pair, double order) {
  double one = 0, other = 0;
  for (std::size_t i = 0; i < pair.with.size(); ++i) {
    if (pair.with[i] == 0) continue;
    one += std::pow(pair.with[i], order) * std::pow(pair.without[i], 1 - order);
    other += std::pow(pair.without[i], order) * std::pow(pair.with[i], 1 - order);
  }
  return std::log(std::max(one, other)) / (order - 1);
}

// A few outcomes of which some are rare, with ratios of any size.
inline SmallPair random_pair(std::mt19937_64& random) {
  std::exponential_distribution<double> rate(1);
  std::normal_distribution<double> normal;
  const std::size_t size = 2 + random() % 5;
  const double spread = rate(random);
  SmallPair pair{Probabilities(size), Probabilities(size)};
  for (std::size_t i = 0; i < size; ++i) {
    pair.with[i] = std::pow(rate(random), 4);
    pair.without[i] = pair.with[i] * std::exp(spread * normal(random));
  }
  for (Probabilities* masses : {&pair.with, &pair.without}) {
    const double sum = std::accumulate(masses->begin(), masses->end(), 0.0);
    for (double& mass : *masses) mass /= sum;
  }
  return pair;
}

}  // namespace epsilometer
