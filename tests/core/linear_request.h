// Requests of the private linear models, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/refusal.h"
#include "core/release/release.h"

namespace epsilometer {

using Numbers = std::map<std::string, double>;

inline const std::vector<std::string> linear_algorithms = {
    "ada-ssp",       "output-perturbation-ridge", "covariance-laplace",
    "linear-mixing", "logistic-mixing",           "posterior-sampling"};

inline bool needs_rows(const std::string& algorithm) {
  return algorithm == "output-perturbation-ridge" || algorithm == "posterior-sampling";
}

inline const char* noise_name(const std::string& algorithm) {
  return algorithm == "covariance-laplace" ? "scale" : "sigma";
}

/// Of three features, all bounds one; what `numbers` names comes instead.
inline FitRequest request(const std::string& algorithm, const Numbers& numbers,
                          const std::string& accounting = "tight") {
  FitRequest asked{algorithm, {{"dimension", 3}, {"featureBound", 1}, {"labelBound", 1}}, {}};
  if (needs_rows(algorithm)) asked.numbers.insert({{"lambda", 1000}, {"rows", 1000}});
  for (const auto& [name, value] : numbers) asked.numbers[name] = value;
  if (accounting != "tight") asked.texts["accounting"] = accounting;
  return asked;
}

/// The field that the plan of a request is refused for; empty when it is not.
inline std::string refused_field(const FitRequest& asked) {
  try {
    plan(asked);
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

}  // namespace epsilometer
