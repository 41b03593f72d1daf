#include "core/report/personal/grid_records.h"

#include <cmath>

#include "core/base/refusal.h"

namespace epsilometer {

RecordGrid::RecordGrid(std::size_t dimension, const LinearBounds& bounds)
    : dimension_(dimension),
      step_(std::ldexp(1.0, bounds.features_exponent())),
      label_step_(std::ldexp(1.0, bounds.label_exponent())),
      features_(bounds.features, bounds.norm, bounds.features_exponent()),
      label_(bounds.label, Norm::l2, bounds.label_exponent()) {}

void RecordGrid::read(const Records& records, std::size_t first, std::size_t count,
                      GridRecords& found) const {
  if (records.dimension != dimension_)
    throw Refusal("range", "dimension", shown(static_cast<double>(records.dimension)),
                  "must be " + shown(static_cast<double>(dimension_)) + " features in each record");
  found.dimension = dimension_;
  found.features.resize(count * dimension_);
  found.labels.resize(count);
  std::vector<std::int64_t> steps(dimension_), one(1);
  for (std::size_t i = 0; i < count; ++i) {
    features_.apply(records.row(first + i), steps);
    label_.apply(records.labels.subspan(first + i, 1), one);
    double* const place = &found.features[i * dimension_];
    for (std::size_t k = 0; k < dimension_; ++k) place[k] = static_cast<double>(steps[k]) * step_;
    found.labels[i] = static_cast<double>(one[0]) * label_step_;
  }
}

}  // namespace epsilometer
