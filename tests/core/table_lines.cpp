#include "tests/core/table_lines.h"

#include <fstream>

namespace epsilometer {

std::vector<nlohmann::json> table_lines(const std::string& file, const std::string& ask) {
  std::vector<nlohmann::json> found;
  std::ifstream stream(std::string(TABLES_FOLDER "/") + file);
  for (std::string line; std::getline(stream, line);) {
    nlohmann::json value = nlohmann::json::parse(line);
    if (ask.empty() || value.value("ask", "") == ask) found.push_back(std::move(value));
  }
  return found;
}

}  // namespace epsilometer
