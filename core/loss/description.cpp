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

const std::vector<double>& Description::list(const char* name, double minimum, double maximum) const {
  const auto found = lists.find(name);
  if (found == lists.end() || found->second.empty()) {
    throw Refusal("missing", name, "nothing", "must be a list of numbers");
  }
  for (const double value : found->second) in_range(name, value, minimum, maximum);
  return found->second;
}

double& number_at(Description& description, const std::string& path) {
  if (const auto found = description.numbers.find(path); found != description.numbers.end())
    return found->second;
  const std::string step = "of.";
  const std::size_t dot = path.find('.', step.size());
  if (path.rfind(step, 0) == 0 && dot != std::string::npos) {
    const std::string index = path.substr(step.size(), dot - step.size());
    for (std::size_t i = 0; i < description.parts.size(); ++i) {
      if (index != std::to_string(i)) continue;
      Part& part = description.parts[i];
      const std::string rest = path.substr(dot + 1);
      const std::string inside = "mechanism.";
      if (rest == "count") return part.count;
      if (rest.rfind(inside, 0) == 0) return number_at(part.mechanism, rest.substr(inside.size()));
    }
  }
  throw Refusal("unknown", "parameter", path, "must be the path of a number of the description");
}

}  // namespace epsilometer
