// One private algorithm with its request read and checked: what it would run, and running it. Each is a file
// of core/release/algorithms.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/release/linear_statistics.h"
#include "core/release/noisy_output.h"
#include "core/release/record_facts.h"
#include "core/release/release.h"
#include "core/release/statistics/statistic_part.h"
#include "core/release/vote_counts.h"

namespace epsilometer {

class Algorithm {
 public:
  virtual ~Algorithm() = default;

  virtual Plan plan() const = 0;
  virtual Release fit(Pieces table, Generator& generator, const Progress& progress) const = 0;
  Release fit(const Records& records, Generator& generator, const Progress& progress) const {
    return fit(Pieces(&records, 1), generator, progress);
  }

  /// Of no records yet, where sums over the records are all that the algorithm needs of a table.
  virtual std::optional<LinearStatistics> statistics() const { return {}; }
  /// Refuses other bounds than those.
  virtual Release fit(const LinearStatistics& statistics, Generator& generator,
                      const Progress& progress = {}) const;

  /// Of no voter yet, where numbers of votes are all that the algorithm needs of a table.
  virtual std::optional<VoteCounts> votes() const { return {}; }
  virtual Release fit(const VoteCounts& votes, Generator& generator) const;
  /// How their winners are found, where that is by normal noise.
  virtual std::optional<Vote> vote() const { return {}; }

  /// Of no row yet, where sums of statistics are all that the algorithm needs of a table.
  virtual std::optional<StatisticSums> statistic_sums() const { return {}; }
  virtual Release fit(const StatisticSums& sums, Generator& generator) const;

  /// What a run costs that released the model of that level, from 1 on: of a guarantee ex post, and of levels
  /// that there are.
  virtual std::optional<ExPostLoss> ex_post_at(std::size_t) const { return {}; }

  /// What must be known of a record for personal(); `run` is a release of this algorithm, or its plan, where
  /// what is released on the way is taken to be as planned. Refused where there is no rule.
  virtual FactsNeeded facts_needed(const Release& run) const;
  /// The same before anything is released, and whatever will be: personal() with the largest facts that a
  /// record of its sizes can have in any table is then a price that anybody may know. Refused where nothing
  /// is known before.
  virtual FactsNeeded facts_needed_before(const Plan& plan) const { return facts_needed(Release(plan)); }
  /// What `run` costs the record of those facts, when it is added or removed: exactly, or rounded up; given
  /// what was released on the way. Its profile is that record's own, and it composes as any other.
  virtual Description personal(const RecordFacts& facts, const Release& run) const;
  /// Where all that `run` released, or that the rest follows from, is noise on values of the table: those
  /// outputs, coefficients last. None where it is not.
  virtual std::vector<NoisyOutput> noisy_outputs(const Release&) const { return {}; }
};

/// Facts of several records where only those of one tell what they cost.
void must_be_one(const RecordFacts& facts);

/// Sums given to an algorithm that needs the records themselves.
[[noreturn]] void refuse_sums();

/// The algorithm of a request's name, or a refusal of whatever in the request it does not accept.
std::unique_ptr<const Algorithm> algorithm(const FitRequest& request);

/// A request whose noise was looked for once, for all that is asked about it.
struct PlannedRequest {
  explicit PlannedRequest(const FitRequest& asked)
      : request(asked), algorithm(epsilometer::algorithm(asked)), plan(algorithm->plan()) {}

  FitRequest request;
  std::shared_ptr<const Algorithm> algorithm;
  Plan plan;
};

}  // namespace epsilometer
