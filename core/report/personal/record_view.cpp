#include "core/report/personal/record_view.h"

namespace epsilometer {

void RecordView::all(Pieces table, const Progress& progress,
                     const std::function<void(const RecordFacts&)>& each) const {
  constexpr std::size_t stride = 64;
  for (const Records& piece : table)
    for (std::size_t i = 0; i < piece.count; ++i) {
      if (i % stride == 0) keep_going(progress, static_cast<double>(i) / static_cast<double>(piece.count));
      const Records one{1, piece.dimension, piece.row(i), piece.labels.subspan(i, 1)};
      each(facts(one, Direction::remove, progress));
    }
}

}  // namespace epsilometer
