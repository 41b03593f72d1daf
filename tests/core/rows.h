// A table of rows for tests, grown row by row.
#pragma once

#include <span>
#include <vector>

#include "core/table/records.h"

struct Rows {
  std::vector<double> features, labels;
  std::size_t dimension;

  epsilometer::Records records() const { return {labels.size(), dimension, features, labels}; }
  void add(std::span<const double> x, double y) {
    features.insert(features.end(), x.begin(), x.end());
    labels.push_back(y);
  }
};
