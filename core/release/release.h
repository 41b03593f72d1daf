// A private release of a table: what is asked of every algorithm, and what it answers. Each algorithm is one
// file of core/release/algorithms, whose name is that of the algorithm.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/progress.h"
#include "core/base/refusal.h"
#include "core/loss/description.h"
#include "core/noise/generator.h"
#include "core/noise/spread.h"
#include "core/release/ex_post.h"
#include "core/release/output.h"
#include "core/table/records.h"

namespace epsilometer {

/// Which parameters to try, as tuning.h does.
struct Tuning {
  /// What is asked otherwise than the request says.
  struct Candidate {
    std::map<std::string, double> numbers;
    std::map<std::string, std::string> texts;

    bool operator==(const Candidate&) const = default;
  };
  /// From 1 to 1000.
  std::vector<Candidate> candidates;
  /// A whole number from 1 to 1e6.
  double expected_runs;
  /// "misclassified" or "squared-error": core/release/score.h.
  std::string score;
  /// Of the privacy of a run, as the square of Gaussian noise counts it: from 0.001 to 0.9.
  double score_share;

  bool operator==(const Tuning&) const = default;
};

/// Coordinates of moments, in increasing order, whose covariances or correlations are asked for their
/// eigenvalues.
struct AskedSpectrum {
  bool of_correlations = false;
  std::vector<double> places{};

  bool operator==(const AskedSpectrum&) const = default;
};

/// One of several everyday numbers of a table that are asked for together: core/release/statistics.
struct Statistic {
  /// "moments", "cells", "groups", "found-groups" or "quantiles".
  std::string of;
  /// Columns of numbers from -1 to 1: of moments and groups.
  double columns = 0;
  /// Of products too: of moments.
  bool products = false;
  /// How many cells, groups or candidates there are.
  double cells = 0;
  /// Of quantiles: as many thousandths of the rows are to be below, each from 1 to 999.
  std::vector<double> thousandths{};
  /// How likely a group of one row alone is told: of found groups; 0 for what the budget suggests.
  double delta = 0;
  /// How much a squared error counts where the budget is split.
  double weight = 1;
  /// Of moments: how many levels each of some further columns has. Each level is a coordinate, after those of
  /// the numbers: 1 in the rows that have it, 0 in all others.
  std::vector<double> levels{};
  std::vector<AskedSpectrum> spectra{};
  /// Of found groups: a row says, before its columns, whether it is the first of its person in the group, and
  /// a group counts persons.
  bool persons = false;

  bool operator==(const Statistic&) const = default;
};

/// Noise that keeps a budget, and what runs with it.
struct FoundNoise {
  std::string name;
  double epsilon, delta;
  double value;
  Description description;
};

/// Public values only: bounds, budget, noise, and what the person chose. Numbers that an algorithm does not
/// know are refused by name.
struct FitRequest {
  std::string algorithm;
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
  std::optional<Tuning> tuning{};
  std::vector<Statistic> statistics{};
  /// Of the candidates of a tuned algorithm: what was found for one is taken for another that runs the same.
  std::shared_ptr<std::vector<FoundNoise>> found_noises{};

  bool operator==(const FitRequest&) const = default;
};

/// What an algorithm runs, known without a table.
struct Plan {
  /// As the first journey prices it, neighbours included where they are not those of its kind: its profile is
  /// the price.
  Description description;
  /// Public parameters of the run, such as sigma and lambda.
  std::map<std::string, double> parameters;
  /// What the release is for; what it holds besides, its outputs tell.
  OutputType result{};
  /// Which tables the price is about: "add-remove" or "replace".
  std::string neighbours = "add-remove";
  /// Sums over the records are all that it needs of a table: no record is kept.
  bool needs_sums_only = false;
  /// Of another kind than the description's price where what comes out decides what it cost.
  Guarantee guarantee = Guarantee::ordinary;
};

/// released: the result is there. refused_by_test: what was released on the way does not allow it, and was
/// all that was released; the budget is spent.
enum class Outcome { released, refused_by_test };

/// What leaves the tab. Everything in it is either public or paid for by `description`.
struct Release : Plan {
  Release() = default;
  explicit Release(Plan plan) : Plan(std::move(plan)) {}

  /// What was released, noise included, and what follows from it and from public numbers alone.
  std::vector<Output> outputs;
  Outcome outcome = Outcome::released;
  /// How the algorithm's own noise has the coefficients vary around those without it, or why nobody can say.
  std::variant<UnknownSpread, Spread> spread = UnknownSpread::not_told;
  /// Where the guarantee is of that kind; never to be added to prices that are not.
  std::optional<ExPostLoss> ex_post{};

  void add(Output output) { outputs.push_back(std::move(output)); }
  /// Nothing where there is no output of that name.
  const Output* find(const std::string& name) const;
  bool holds(const std::string& name) const { return find(name) != nullptr; }
  /// Of the output of that name, which must be there.
  const std::vector<double>& values(const std::string& name) const;
  /// The first of them; refuses an output without any, as one that was not made here may be.
  double number(const std::string& name) const;
  /// Of the model; none where the release has none.
  std::vector<double> coefficients() const;
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

/// Whether a refusal of fit() tells something about the table: then the budget is spent all the same.
bool is_spent(const Refusal& refusal);

}  // namespace epsilometer
