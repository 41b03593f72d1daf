// A table of rows for tests, grown row by row.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "core/table/records.h"

namespace epsilometer {

struct Rows {
  std::vector<double> features, labels;
  std::size_t dimension;

  Records records() const { return {labels.size(), dimension, features, labels}; }
  void add(std::span<const double> x, double y) {
    features.insert(features.end(), x.begin(), x.end());
    labels.push_back(y);
  }
};

/// Features and labels drawn from these values, such as those that no table should hold.
inline Rows rows_of(std::span<const double> values, std::size_t count, std::size_t dimension,
                    std::mt19937_64& random) {
  Rows rows{{}, {}, dimension};
  for (std::size_t i = 0; i < dimension * count; ++i)
    rows.features.push_back(values[random() % values.size()]);
  for (std::size_t i = 0; i < count; ++i) rows.labels.push_back(values[random() % values.size()]);
  return rows;
}

}  // namespace epsilometer
