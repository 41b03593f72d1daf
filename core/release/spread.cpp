#include "core/release/spread.h"

#include <cmath>

#include "core/numerics/student.h"

namespace epsilometer {

double Spread::deviations() const { return student_within(interval_level, freedom); }

std::optional<double> Spread::sampling_deviations() const {
  if (!sampling) return std::nullopt;
  return student_within(interval_level, std::numeric_limits<double>::infinity()) * std::sqrt(*sampling);
}

}  // namespace epsilometer
