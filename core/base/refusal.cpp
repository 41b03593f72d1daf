#include "core/base/refusal.h"

#include <cmath>
#include <nlohmann/detail/conversions/to_chars.hpp>

namespace epsilometer {

// printf would do, but brings the arithmetic of long doubles along: 7 KB on the wire.
std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char text[32];
  const std::string digits(text, nlohmann::detail::to_chars(text, text + sizeof text, value));
  return digits.ends_with(".0") ? digits.substr(0, digits.size() - 2) : digits;
}

}  // namespace epsilometer
