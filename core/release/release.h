// A private model of a table: what is asked of every algorithm, and what it answers. Each algorithm is one
// file of core/release/algorithms, whose name is that of the algorithm.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/progress.h"
#include "core/loss/description.h"
#include "core/release/generator.h"
#include "core/release/spread.h"
#include "core/table/records.h"

namespace epsilometer {

/// Public values only: bounds, budget, noise, and what the person chose. Numbers that an algorithm does not
/// know are refused by name.
struct FitRequest {
  std::string algorithm;
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
};

/// What an algorithm runs, known without a table.
struct Plan {
  /// As the first journey prices it, neighbours included where they are not those of its kind: its profile is
  /// the price.
  Description description;
  /// Public parameters of the run, such as sigma and lambda.
  std::map<std::string, double> parameters;
};

/// What leaves the tab. Everything in it is either public or paid for by `description`.
struct Release : Plan {
  Release() = default;
  explicit Release(Plan plan) : Plan(std::move(plan)) {}

  std::vector<double> coefficients;
  /// What was released on the way, noise included, such as the matrix of products, and what follows from it
  /// and from public numbers alone.
  std::map<std::string, std::vector<double>> released;
  /// How the algorithm's own noise has the coefficients vary around those without it, or why nobody can say.
  std::variant<UnknownSpread, Spread> spread = UnknownSpread::not_told;
};

class LinearStatistics;

/// What an algorithm would run, without a table: the description and the parameters, nothing released.
/// A request names either a budget (epsilon and delta) or its noise.
Plan plan(const FitRequest& request);

/// Runs it. Refuses when the solver fails or the budget cannot be kept; a refusal that depends on the table
/// says so, because then the budget is spent all the same, and says nothing else about it: no computed value.
Release fit(const FitRequest& request, const Records& records, Generator& generator,
            const Progress& progress);

/// The same from sums over the records, for the linear algorithms to which they are enough.
Release fit(const FitRequest& request, const LinearStatistics& statistics, Generator& generator);

}  // namespace epsilometer
