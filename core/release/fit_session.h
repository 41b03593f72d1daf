// A private model of a table that comes in parts. What is kept of it is what the algorithm needs: sums over
// the records where these are enough, so that a table of any length needs no more memory than a short one;
// otherwise the records.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/base/refusal.h"
#include "core/noise/grid.h"
#include "core/release/algorithm.h"
#include "core/release/kept_records.h"
#include "core/release/without_privacy.h"

namespace epsilometer {

class FitSession {
 public:
  /// Refuses what can be refused without a table. numbers["dimension"] must be given.
  explicit FitSession(const FitRequest& request) : FitSession(epsilometer::algorithm(request), request) {}
  /// The same, of the request's algorithm.
  FitSession(std::shared_ptr<const Algorithm> algorithm, const FitRequest& request);

  /// The same for somebody who may see the table: as without_privacy.h says.
  static FitSession without_privacy(const FitRequest& request) {
    return FitSession(epsilometer::without_privacy(request), request);
  }

  /// Whole rows of `dimension` features and a label for each.
  void add(std::span<const double> features, std::span<const double> labels);
  /// Sums that were made elsewhere with the bounds of the request, as LinearStatistics takes them, or
  /// StatisticSums, of which the number of records is a part. Refused when the algorithm needs the records
  /// themselves, or bounds them otherwise.
  void add(const IntegerSum& sums, double count);

  const Algorithm& algorithm() const { return *algorithm_; }

  /// What the algorithm makes of all that was added.
  Release run(Generator& generator, const Progress& progress) const;

 private:
  std::shared_ptr<const Algorithm> algorithm_;
  KeptRecords records_;
  std::optional<LinearStatistics> statistics_;
  std::optional<VoteCounts> votes_;
  std::optional<StatisticSums> statistic_sums_;
};

}  // namespace epsilometer
