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

}  // namespace epsilometer
