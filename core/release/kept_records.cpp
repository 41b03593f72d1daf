#include "core/release/kept_records.h"

#include <algorithm>

namespace epsilometer {
namespace {

// 8 MiB: little to waste in the last piece, and few pieces.
constexpr std::size_t numbers_in_a_piece = std::size_t{1} << 20;

}  // namespace

void KeptRecords::add(std::span<const double> features, std::span<const double> labels) {
  const std::size_t rows = std::max<std::size_t>(1, numbers_in_a_piece / dimension_);
  for (std::size_t done = 0; done < labels.size();) {
    if (pieces_.empty() || pieces_.back().labels.size() == rows) {
      Piece& piece = pieces_.emplace_back();
      piece.features.reserve(rows * dimension_);
      piece.labels.reserve(rows);
    }
    auto& [kept_features, kept_labels] = pieces_.back();
    const std::size_t taken = std::min(labels.size() - done, rows - kept_labels.size());
    const auto some = features.subspan(done * dimension_, taken * dimension_);
    const auto theirs = labels.subspan(done, taken);
    kept_features.insert(kept_features.end(), some.begin(), some.end());
    kept_labels.insert(kept_labels.end(), theirs.begin(), theirs.end());
    done += taken;
  }
}

std::vector<Records> KeptRecords::records() const {
  std::vector<Records> table;
  for (const Piece& piece : pieces_)
    table.push_back({piece.labels.size(), dimension_, piece.features, piece.labels});
  if (table.empty()) table.push_back({0, dimension_, {}, {}});
  return table;
}

}  // namespace epsilometer
