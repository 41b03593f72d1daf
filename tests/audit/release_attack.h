// Attacks on whole releases of linear models: the empty table against one record.
#pragma once

#include "core/release/algorithm.h"
#include "tests/audit/attack.h"

namespace epsilometer {

inline FitRequest asked(const char* algorithm, std::map<std::string, double> numbers) {
  numbers.insert({{"dimension", 1}, {"featureBound", 1}, {"labelBound", 1}});
  return {algorithm, std::move(numbers), {}};
}

using ReleaseStatistic = std::function<double(const Release&)>;

/// The statistic of the request's releases. The record has the label 1.
inline Run releases(const FitRequest& request, const ReleaseStatistic& statistic, TestRng& rng,
                    const std::vector<double>& features = {1}) {
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) {
    const std::vector<double> label = {1};
    const Records with{1, features.size(), features, label}, without{0, features.size(), {}, {}};
    return statistic(algorithm->fit(with_record ? with : without, rng, {}));
  };
}

/// The same of sums over two neighbouring tables.
inline Run releases(const FitRequest& request, const LinearStatistics& with, const LinearStatistics& without,
                    const ReleaseStatistic& statistic, TestRng& rng) {
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) { return statistic(algorithm->fit(with_record ? with : without, rng)); };
}

inline Deltas deltas(const FitRequest& request) { return deltas(plan(request).description); }

inline double excess(const FitRequest& request, const Deltas& stated, const ReleaseStatistic& statistic,
                     const std::function<double(double)>& threshold, TestRng& rng,
                     const std::vector<double>& features = {1}) {
  return certain_excess(releases(request, statistic, rng, features), threshold, stated);
}

}  // namespace epsilometer
