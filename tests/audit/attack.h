// The best test between two neighbouring tables, run often, against the stated profile.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "core/accounting/profile.h"
#include "tests/core/statistics.h"

namespace epsilometer {

inline constexpr std::size_t runs = 200'000;

inline constexpr std::array levels = {0.0, 0.1, 0.5, 1.0, 2.0};

/// What a description states at those epsilon.
using Deltas = std::array<double, levels.size()>;

inline Deltas deltas(const Description& description) {
  const auto loss = privacy_loss(description);
  const Profile profile(*loss);
  Deltas all;
  std::transform(levels.begin(), levels.end(), all.begin(),
                 [&](double epsilon) { return profile.delta(epsilon).upper; });
  return all;
}

/// A run on the table with the record and one on the table without it, as the statistic on which their
/// likelihoods depend, growing with the former.
using Run = std::function<double(bool with_record)>;

inline std::vector<double> many(const Run& run, bool with_record, std::size_t count = runs) {
  std::vector<double> all(count);
  for (double& one : all) one = run(with_record);
  return all;
}

/// The excess of delta over the stated one at the worst epsilon, except with probability 2e-7 at each
/// (Clopper and Pearson 1934, both counts). `threshold` gives the value of the statistic where the loss is
/// epsilon.
inline double certain_excess(const std::vector<double>& first, const std::vector<double>& second,
                             const std::function<double(double)>& threshold, const Deltas& stated) {
  double worst = -1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double level = threshold(levels[i]);
    const auto above = [level](const std::vector<double>& all) {
      return static_cast<double>(
          std::count_if(all.begin(), all.end(), [=](double one) { return one > level; }));
    };
    const double least = least_probability(above(first), static_cast<double>(first.size()), 1e-7);
    const double most = most_probability(above(second), static_cast<double>(second.size()), 1e-7);
    worst = std::max(worst, least - std::exp(levels[i]) * most - stated[i]);
  }
  return worst;
}

inline double certain_excess(const Run& run, const std::function<double(double)>& threshold,
                             const Deltas& stated) {
  return certain_excess(many(run, true), many(run, false), threshold, stated);
}

inline double certain_excess(const Run& run, const std::function<double(double)>& threshold,
                             const Description& description) {
  return certain_excess(run, threshold, deltas(description));
}

/// Of asking whether the record is there, and of asking whether it is absent.
struct Excess {
  double removing, adding;
};

/// The same runs for both: losses of an output with the record over one without it.
inline Excess certain_excess_both_ways(const std::vector<double>& with, const std::vector<double>& without,
                                       const Deltas& stated) {
  const auto threshold = [](double epsilon) { return epsilon; };
  const auto negative = [](std::vector<double> all) {
    for (double& one : all) one = -one;
    return all;
  };
  return {certain_excess(with, without, threshold, stated),
          certain_excess(negative(without), negative(with), threshold, stated)};
}

inline Excess certain_excess_both_ways(const Run& loss, const Deltas& stated, std::size_t count = runs) {
  return certain_excess_both_ways(many(loss, true, count), many(loss, false, count), stated);
}

}  // namespace epsilometer
