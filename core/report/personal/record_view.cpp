#include "core/report/personal/record_view.h"

#include <algorithm>

namespace epsilometer {

bool take(const Records& records, std::span<const double> row, double label, std::vector<bool>& taken) {
  for (std::size_t i = 0; i < records.count; ++i) {
    const auto one = records.row(i);
    if (taken[i] || records.labels[i] != label || !std::equal(row.begin(), row.end(), one.begin())) continue;
    return taken[i] = true;
  }
  return false;
}

void RecordView::all(Pieces table, const Progress& progress,
                     const std::function<void(const RecordFacts&)>& each) const {
  constexpr std::size_t stride = 64;
  const auto total = static_cast<double>(row_count(table));
  std::size_t seen = 0;
  for (const Records& piece : table)
    for (std::size_t i = 0; i < piece.count; ++i, ++seen) {
      if (seen % stride == 0) keep_going(progress, static_cast<double>(seen) / total);
      each(facts(piece.part(i, 1), Direction::remove, progress));
    }
}

}  // namespace epsilometer
