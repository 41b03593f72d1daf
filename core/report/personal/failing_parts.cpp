#include "core/report/personal/failing_parts.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"

namespace epsilometer {
namespace {

// Takes the failures out of it, and answers the logarithm of the probability that there is none.
double take_failures(Description& description) {
  if (description.kind == "approximate") {
    const double log_rest = std::log1p(-description.number("delta", 0, 1));
    description.kind = "pure";
    description.numbers.erase("delta");
    return log_rest;
  }
  double log_rest = 0;
  if (description.kind != "composition") return log_rest;
  for (Part& part : description.parts) log_rest += part.count * take_failures(part.mechanism);
  return log_rest;
}

}  // namespace

Unfailing without_failures(const Description& description) {
  Unfailing found{description, 0};
  const double log_rest = take_failures(found.description);
  // Sums and products of numbers of one sign, one for each part and level.
  if (log_rest < 0) found.failure = std::min(1.0, rounded_up(-std::expm1(log_rest), 0x1p-40));
  return found;
}

}  // namespace epsilometer
