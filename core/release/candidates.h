// The candidates of a tuned algorithm, each with the noise that keeps one budget, and the one profile that
// all of them keep.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/accounting/calibrate.h"
#include "core/release/algorithm.h"

namespace epsilometer {

class Candidates {
 public:
  /// Refuses numbers and texts that all candidates must have in common.
  explicit Candidates(const FitRequest& request);

  std::size_t size() const { return requests_.size(); }

  struct Planned {
    std::unique_ptr<const Algorithm> algorithm;
    Plan plan;
  };
  /// One of them, with noise that keeps the budget; refused as the algorithm refuses it, or when it releases
  /// no coefficients.
  Planned within(std::size_t candidate, const Target& budget) const;
  /// All of them.
  std::vector<Planned> within(const Target& budget) const;

  /// Whether each that keeps the budget is Gaussian noise and nothing else: what else there is would be dear
  /// to find, so that no more are planned than it takes to know.
  bool are_gaussian(const Target& budget) const;

 private:
  std::vector<FitRequest> requests_;
  std::vector<Tuning::Candidate> others_;
};

/// Whether each is Gaussian noise and nothing else, of that mu at most.
bool all_gaussian(const std::vector<Candidates::Planned>& candidates, double largest);

/// Whether they all run the same.
bool run_alike(const std::vector<Candidates::Planned>& candidates);

/// What dominates each: what they all run, where that is the same; otherwise a table of losses whose profile
/// is nowhere below theirs, in either direction. Nothing where none is known. It may fail with
/// a probability that is negligible beside `delta`.
std::optional<Description> dominating(const std::vector<Candidates::Planned>& candidates, double delta);

/// The mu of a Gaussian release that just does not keep the budget.
double gaussian_limit(const Target& budget);

}  // namespace epsilometer
