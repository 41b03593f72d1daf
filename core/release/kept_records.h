// Records of a table that comes in parts: each kept once, in pieces that are never copied to grow.
#pragma once

#include <span>
#include <vector>

#include "core/table/records.h"

namespace epsilometer {

class KeptRecords {
 public:
  explicit KeptRecords(std::size_t dimension) : dimension_(dimension) {}

  std::size_t dimension() const { return dimension_; }

  /// Whole rows of `dimension` features and a label for each.
  void add(std::span<const double> features, std::span<const double> labels);

  /// All of them, in order; one empty piece when there is none. They point into this.
  std::vector<Records> records() const;

 private:
  struct Piece {
    std::vector<double> features, labels;
  };

  std::size_t dimension_;
  std::vector<Piece> pieces_;
};

}  // namespace epsilometer
