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
  const auto put = [](const Truncation& truncation, std::span<const double> given, std::span<double> place,
                      double step) {
    truncation.apply(given, place);
    for (double& one : place) one *= step;
  };
  for (std::size_t i = 0; i < count; ++i) {
    put(features_, records.row(first + i), std::span(found.features).subspan(i * dimension_, dimension_),
        step_);
    put(label_, records.labels.subspan(first + i, 1), std::span(found.labels).subspan(i, 1), label_step_);
  }
}

}  // namespace epsilometer
