// A made-up table of four classes that follow from its features, for fits of several classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/release/release.h"
#include "core/table/records.h"

namespace epsilometer {

/// Six features, the last of which is 1 for the intercept; rows to be fitted, and more to be predicted.
class FourClasses {
 public:
  static constexpr std::size_t classes = 4, dimension = 6;

  FourClasses() {
    std::mt19937_64 random(20261126);
    std::normal_distribution<double> normal;
    std::vector<double> truth((dimension - 1) * classes);
    for (double& one : truth) one = normal(random);
    for (std::size_t i = 0; i < all; ++i) {
      std::vector<double> u(classes);
      for (std::size_t j = 0; j + 1 < dimension; ++j) {
        const double z = normal(random);
        features_.push_back(std::clamp(0.3 * z, -1.0, 1.0) / std::sqrt(dimension - 1.0));
        for (std::size_t k = 0; k < classes; ++k) u[k] += z * truth[j * classes + k];
      }
      features_.push_back(1);
      labels_.push_back(likeliest(u));
    }
  }

  Records records() const {
    return {fitted, dimension, std::span(features_).first(fitted * dimension),
            std::span(labels_).first(fitted)};
  }

  /// Of the rows that were not fitted, how many a released model takes for another class.
  double wrong(const Release& release) const {
    const std::vector<double>& found = release.values("coefficients");
    double count = 0;
    for (std::size_t i = fitted; i < all; ++i) {
      std::vector<double> u(classes);
      for (std::size_t j = 0; j < dimension; ++j)
        for (std::size_t k = 0; k < classes; ++k)
          u[k] += features_[i * dimension + j] * found[j * classes + k];
      count += likeliest(u) == labels_[i] ? 0 : 1;
    }
    return count / (all - fitted);
  }

 private:
  static constexpr std::size_t fitted = 4000, all = 6000;

  static double likeliest(const std::vector<double>& u) {
    return static_cast<double>(std::max_element(u.begin(), u.end()) - u.begin());
  }

  std::vector<double> features_, labels_;
};

}  // namespace epsilometer
