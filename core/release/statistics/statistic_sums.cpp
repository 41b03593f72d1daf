#include <cmath>

#include "core/base/refusal.h"
#include "core/release/statistics/statistic_part.h"

namespace epsilometer {

StatisticSums::StatisticSums(std::span<const std::unique_ptr<StatisticPart>> parts) : parts_(parts) {
  for (const auto& part : parts_) sums_.emplace_back(part->sums());
}

void StatisticSums::add(const Records& records) {
  for (std::size_t i = 0; i < records.count; ++i) {
    std::span<const double> left = records.row(i);
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      parts_[k]->add(left.first(parts_[k]->features()), sums_[k]);
      left = left.subspan(parts_[k]->features());
    }
  }
}

void StatisticSums::add(const IntegerSum& sums) {
  std::size_t next = 0;
  for (const Sums& one : sums_) next += one.size();
  in_range("statistics", static_cast<double>(sums.size()), static_cast<double>(next),
           static_cast<double>(next));
  next = 0;
  for (Sums& one : sums_)
    for (__int128& sum : one) sum += sums.wide_value(next++);
}

}  // namespace epsilometer
