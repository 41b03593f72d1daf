// How an algorithm sees the records of a table, for its own question about one of them: clipped and on its
// grid, with what the table makes of it. A table is read once, and answers for each of its records and for
// any that might join it.
#pragma once

#include <functional>
#include <memory>

#include "core/base/progress.h"
#include "core/loss/privacy_loss.h"
#include "core/release/algorithm.h"
#include "core/release/model_request.h"

namespace epsilometer {

class RecordView {
 public:
  virtual ~RecordView() = default;

  /// Of the records of one person, all in the table (Direction::remove) or none of them (Direction::add).
  /// Refused by name where they are several and there is no rule.
  virtual RecordFacts facts(const Records& records, Direction direction, const Progress& progress) const = 0;

  /// Of each record of a table by itself, in order: those of facts(), or upper bounds that are cheaper.
  virtual void all(Pieces table, const Progress& progress,
                   const std::function<void(const RecordFacts&)>& each) const = 0;
};

/// Whether a row of a table is one of these records that was not `taken` yet; then it is.
bool take(const Records& records, std::span<const double> row, double label, std::vector<bool>& taken);

/// For algorithms whose records are those of linear statistics; `empty` has their bounds. `outputs` of `run`:
/// of which facts say what they told; none where that is not asked.
std::unique_ptr<const RecordView> linear_view(const LinearStatistics& empty, const FactsNeeded& needed,
                                              Pieces table, std::span<const NoisyOutput> outputs,
                                              const Release& run, const Progress& progress);

/// For generalised linear models. What `table` refers to must outlive it, and `run`, whose path, of as many
/// numbers for each step as a record has features, and whose `outputs` are read.
std::unique_ptr<const RecordView> model_view(PublicModel model, const FactsNeeded& needed, Pieces table,
                                             std::vector<NoisyOutput> outputs, const Release& run);

/// For rows of so many features, as a whitened fit whitened them: by what it released. Refuses a matrix that
/// cannot have come of its plan.
std::unique_ptr<const RecordView> whitened_view(PublicModel model, const Release& run, std::size_t dimension);

}  // namespace epsilometer
