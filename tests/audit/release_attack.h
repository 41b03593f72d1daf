// Attacks on whole releases of linear models: the empty table against one record.
#pragma once

#include "core/release/algorithm.h"
#include "tests/audit/attack.h"

inline epsilometer::FitRequest asked(const char* algorithm, std::map<std::string, double> numbers) {
  numbers.insert({{"dimension", 1}, {"featureBound", 1}, {"labelBound", 1}});
  return {algorithm, std::move(numbers), {}};
}

using Statistic = std::function<double(const epsilometer::Release&)>;

/// The statistic of the request's releases. The record has the label 1.
inline Run releases(const epsilometer::FitRequest& request, const Statistic& statistic,
                    epsilometer::TestRng& rng, const std::vector<double>& features = {1}) {
  const std::shared_ptr<const epsilometer::Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) {
    const std::vector<double> label = {1};
    const epsilometer::Records with{1, features.size(), features, label}, without{0, features.size(), {}, {}};
    return statistic(algorithm->fit(with_record ? with : without, rng, {}));
  };
}

/// The same of sums over two neighbouring tables.
inline Run releases(const epsilometer::FitRequest& request, const epsilometer::LinearStatistics& with,
                    const epsilometer::LinearStatistics& without, const Statistic& statistic,
                    epsilometer::TestRng& rng) {
  const std::shared_ptr<const epsilometer::Algorithm> algorithm = epsilometer::algorithm(request);
  return [=, &rng](bool with_record) { return statistic(algorithm->fit(with_record ? with : without, rng)); };
}

inline Deltas deltas(const epsilometer::FitRequest& request) {
  return deltas(epsilometer::plan(request).description);
}

inline double excess(const epsilometer::FitRequest& request, const Deltas& stated, const Statistic& statistic,
                     const std::function<double(double)>& threshold, epsilometer::TestRng& rng,
                     const std::vector<double>& features = {1}) {
  return certain_excess(releases(request, statistic, rng, features), threshold, stated);
}
