// The lines of a reference table that another program made.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace epsilometer {

/// Of a file in tests/reference; with `ask`, those that ask it.
std::vector<nlohmann::json> table_lines(const std::string& file, const std::string& ask = "");

/// A number of such a line, which has more digits than doubles and so is written as a text.
inline double truth(const nlohmann::json& line, const char* name = "truth") {
  return std::stod(line[name].get<std::string>());
}

}  // namespace epsilometer
