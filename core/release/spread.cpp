#include "core/release/spread.h"

#include <cmath>

#include "core/numerics/student.h"

namespace epsilometer {

double Spread::deviations(double probability) const { return student_within(probability, freedom); }

std::optional<double> Spread::sampling_deviations(double probability) const {
  if (!sampling) return std::nullopt;
  return student_within(probability, std::numeric_limits<double>::infinity()) * std::sqrt(*sampling);
}

}  // namespace epsilometer
