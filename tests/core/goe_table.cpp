#include "tests/core/goe_table.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace epsilometer {

using nlohmann::json;

namespace {

GoeLine parsed(const std::string& text) {
  const json value = json::parse(text);
  for (const char* ask : {"x", "upperTail", "lowerTail"}) {
    if (!value.contains(ask)) continue;
    return {value["dimension"],          ask, value[ask], value.value("cdf", ""), value.value("survival", ""),
            value.value("quantile", ""), text};
  }
  throw std::runtime_error("no question in " + text);
}

std::vector<GoeLine> read() {
  std::vector<GoeLine> result;
  std::ifstream file(TABLES_FOLDER "/spectrum/goe.ndjson");
  for (std::string line; std::getline(file, line);) result.push_back(parsed(line));
  return result;
}

}  // namespace

const std::vector<GoeLine>& goe_table() {
  static const std::vector<GoeLine> table = read();
  return table;
}

}  // namespace epsilometer
