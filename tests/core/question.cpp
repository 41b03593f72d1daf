#include "tests/core/question.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/accounting/calibrate.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/tables.h"

namespace epsilometer {

using nlohmann::json;

namespace {

Description description(const json& value) {
  Description result;
  for (const auto& [name, entry] : value.items()) {
    if (name == "kind") {
      result.kind = entry;
    } else if (name == "of" && entry.is_object()) {
      result.parts.push_back({description(entry), 1});
    } else if (name == "of") {
      for (const json& part : entry) result.parts.push_back({description(part["mechanism"]), part["count"]});
    } else if (entry.is_number()) {
      result.numbers[name] = entry;
    } else if (entry.is_string()) {
      result.texts[name] = entry;
    } else if (entry.is_array()) {
      result.lists[name] = entry.get<std::vector<double>>();
    }
  }
  return result;
}

Question question(const std::string& line) {
  const json value = json::parse(line);
  Question result{value["ask"], description(value["description"])};
  result.bound = value.contains("bound");
  result.truth = value["truth"];
  result.upper = value.value("upper", result.truth);
  result.text = line;
  if (result.ask == "delta") result.at = value["epsilon"];
  if (result.ask == "epsilon") result.at = value["delta"];
  if (result.ask == "renyi") result.at = value["orders"][0];
  if (result.ask == "tradeOff") result.at = value["falsePositives"][0];
  if (result.ask == "calibrate") {
    result.parameter = value["parameter"];
    result.target_epsilon = value["epsilon"];
    result.target_delta = value["delta"];
  }
  return result;
}

// Range and direction of the parameters that the tables calibrate; the product has them from its catalogue.
Parameter range_of(const std::string& path, const std::string& kind) {
  const std::string name = path.substr(path.rfind('.') + 1);
  if (name == "sigma" && kind == "discrete-gaussian") return {path, 1e-2, 1e5, false, true};
  if (name == "sigma" || name == "scale" || name == "lambda" || name == "bound" || name == "variance")
    return {path, 1e-100, 1e100, false, true};
  if (name == "gamma") return {path, 1.000001, 1e12, false, true};
  if (name == "sketchSize") return {path, 1, 1e6, true, false};
  if (name == "omega") return {path, 1.000001, 1e100, false, true};
  if (name == "categories") return {path, 2, 1e15, true, true};
  if (name == "count") return {path, 1, 1e15, true, false};
  if (name == "delta") return {path, 0, 1, false, false};
  if (name == "rate") return {path, 1e-100, 1, false, false};
  if (name == "sensitivity" && kind.rfind("discrete-", 0) == 0) return {path, 1, 1e6, true, false};
  const bool is_scale = name == "sensitivity" || name == "lipschitz" || name == "smoothness";
  return {path, is_scale ? 1e-100 : 0, 1e100, false, false};
}

// Of "of.0.mechanism.sigma", "of.sigma", "of.0.count" or "sigma".
Place place(const std::string& path) {
  Place found;
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, '.');) {
    if (word == "of")
      found.parts.push_back(0);
    else if (std::isdigit(word.front()))
      found.parts.back() = std::stoul(word);
    else if (word != "mechanism" && word != "count")
      found.number = word;
  }
  return found;
}

Parameter parameter(const std::string& path, const std::string& kind) {
  Parameter found = range_of(path, kind);
  found.inside = place(path);
  return found;
}

}  // namespace

std::vector<Question> questions(const std::string& folder) {
  std::vector<std::filesystem::path> tables;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".ndjson") tables.push_back(entry.path());
  }
  std::sort(tables.begin(), tables.end());
  std::vector<Question> result;
  for (const auto& table : tables) {
    std::ifstream file(table);
    for (std::string line; std::getline(file, line);) result.push_back(question(line));
  }
  return result;
}

const std::vector<Question>& tables() {
  static const std::vector<Question> all = questions(TABLES_FOLDER);
  return all;
}

Bounds answer(const Question& question) {
  const auto loss = privacy_loss(question.description);
  if (question.ask == "delta") return delta(*loss, question.at);
  if (question.ask == "epsilon") return epsilon(*loss, question.at);
  if (question.ask == "tradeOff") return power(*loss, question.at);
  if (question.ask == "renyi") return {loss->renyi(question.at), loss->renyi(question.at)};
  const auto found = calibrate(question.description, parameter(question.parameter, question.description.kind),
                               {question.target_epsilon, question.target_delta});
  return {found.value, found.value};
}

}  // namespace epsilometer
