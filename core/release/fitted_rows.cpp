#include "core/release/fitted_rows.h"

#include <limits>

#include "core/model/softmax.h"

namespace epsilometer {
namespace {

// How many rows of doubles are kept in one piece.
constexpr std::size_t rows_in_piece = 1 << 14;

}  // namespace

WhitenedTable::WhitenedTable(const NoisyGram& gram, const BoundedRecords& records, const Whitening& whitening,
                             const Progress& progress) {
  const std::size_t dimension = records.dimension();
  gram.whiten(records, whitening, progress, [&](std::span<const float> row, double label) {
    if (labels_.empty() || labels_.back().size() == rows_in_piece) {
      labels_.emplace_back().reserve(rows_in_piece);
      features_.emplace_back().reserve(rows_in_piece * dimension);
    }
    labels_.back().push_back(label);
    features_.back().insert(features_.back().end(), row.begin(), row.end());
  });
  if (labels_.empty()) labels_.emplace_back(), features_.emplace_back();
  for (std::size_t i = 0; i < labels_.size(); ++i)
    pieces_.push_back({labels_[i].size(), dimension, features_[i], labels_[i]});
}

OneAgainstRest::OneAgainstRest(Pieces rows, std::size_t own, std::size_t classes) {
  labels_.reserve(rows.size());
  for (const Records& piece : rows) {
    std::vector<double>& labels = labels_.emplace_back();
    labels.reserve(piece.count);
    for (const double label : piece.labels) {
      const double side = label == static_cast<double>(own) ? 1 : -1;
      labels.push_back(is_class(label, classes) ? side : std::numeric_limits<double>::quiet_NaN());
    }
    pieces_.push_back({piece.count, piece.dimension, piece.features, labels});
  }
}

}  // namespace epsilometer
