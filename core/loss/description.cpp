#include "core/loss/description.h"

#include <cmath>

#include "core/base/refusal.h"

namespace epsilometer {

double Description::number(const char* name, double minimum, double maximum) const {
  const auto found = numbers.find(name);
  if (found == numbers.end()) throw Refusal("missing", name, "nothing", "must be given");
  return in_range(name, found->second, minimum, maximum);
}

double Description::scale(const char* name) const { return number(name, 1e-100, 1e100); }

double Description::whole(const char* name, double minimum, double maximum) const {
  const double value = number(name, minimum, maximum);
  if (value != std::floor(value)) throw Refusal("range", name, shown(value), "must be a whole number");
  return value;
}

const std::string& Description::text(const char* name) const {
  const auto found = texts.find(name);
  if (found == texts.end()) throw Refusal("missing", name, "nothing", "must be given");
  return found->second;
}

const std::vector<double>& Description::list(const char* name, double minimum, double maximum) const {
  const auto found = lists.find(name);
  if (found == lists.end() || found->second.empty()) {
    throw Refusal("missing", name, "nothing", "must be a list of numbers");
  }
  for (const double value : found->second) in_range(name, value, minimum, maximum);
  return found->second;
}

bool operator==(const Description& a, const Description& b) = default;
std::partial_ordering operator<=>(const Description& a, const Description& b) = default;
bool operator==(const Part& a, const Part& b) = default;
std::partial_ordering operator<=>(const Part& a, const Part& b) = default;

double& number_at(Description& description, const Place& place) {
  const Refusal nowhere("unknown", "parameter", place.number.empty() ? "count" : place.number,
                        "must stand in the description");
  Description* reached = &description;
  double* count = nullptr;
  for (const std::size_t index : place.parts) {
    if (index >= reached->parts.size()) throw nowhere;
    count = &reached->parts[index].count;
    reached = &reached->parts[index].mechanism;
  }
  if (place.number.empty() && count) return *count;
  const auto found = reached->numbers.find(place.number);
  if (found == reached->numbers.end()) throw nowhere;
  return found->second;
}

}  // namespace epsilometer
