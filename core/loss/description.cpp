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

double& number_at(Description& description, const std::string& path) {
  if (const auto found = description.numbers.find(path); found != description.numbers.end())
    return found->second;
  const auto after = [&path](const std::string& start) {
    return path.rfind(start, 0) == 0 ? path.substr(start.size()) : std::string();
  };
  for (std::size_t i = 0; i < description.parts.size(); ++i) {
    Part& part = description.parts[i];
    const std::string place = "of." + std::to_string(i) + ".";
    if (path == place + "count") return part.count;
    const std::string inside = after(place + "mechanism.");
    if (!inside.empty()) return number_at(part.mechanism, inside);
  }
  // The one mechanism inside another: "of.sigma".
  const std::string inside = after("of.");
  if (description.parts.size() == 1 && !inside.empty())
    return number_at(description.parts[0].mechanism, inside);
  throw Refusal("unknown", "parameter", path, "must be the path of a number of the description");
}

}  // namespace epsilometer
