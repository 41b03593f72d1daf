#include "core/noise/spread.h"

#include <cmath>

#include "core/numerics/student.h"

namespace epsilometer {

double Spread::deviations() const { return student_within(interval_level, freedom); }

std::optional<double> Spread::sampling_deviations() const {
  if (!sampling) return std::nullopt;
  return student_within(interval_level, std::numeric_limits<double>::infinity()) * std::sqrt(*sampling);
}

const char* name_of(Spread::Law law) {
  // In the order of the declarations, here and below.
  constexpr const char* names[] = {"exact", "first-order", "plug-in"};
  return names[static_cast<std::size_t>(law)];
}

const char* name_of(UnknownSpread reason) {
  constexpr const char* names[] = {"not-told", "hidden", "too-many"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace epsilometer
