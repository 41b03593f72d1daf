// An answer that says why there is no number.
#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace epsilometer {

/// Thrown by the core, turned into a plain value at the door. `kind` is one of "range", "unsupported",
/// "unreachable", "unknown", "missing"; `rule` says what would have been accepted.
class Refusal : public std::exception {
 public:
  // Not inlined: it is thrown from very many places, each of which would make four strings.
  [[gnu::noinline]] Refusal(std::string_view kind, std::string_view field, std::string_view value,
                            std::string_view rule)
      : kind(kind), field(field), value(value), rule(rule) {}

  const char* what() const noexcept override { return rule.c_str(); }

  std::string kind, field, value, rule;
};

/// A number so that it reads back as the same double, in few digits.
std::string shown(double value);

/// Refuses a number outside the closed range [minimum, maximum]; NaN is outside every range.
inline double in_range(const char* field, double value, double minimum, double maximum) {
  if (value >= minimum && value <= maximum) return value;
  throw Refusal("range", field, shown(value),
                "must be a number from " + shown(minimum) + " to " + shown(maximum));
}
/// Any of them outside.
inline void in_range(const char* field, std::span<const double> values, double minimum, double maximum) {
  for (const double value : values) in_range(field, value, minimum, maximum);
}

}  // namespace epsilometer
