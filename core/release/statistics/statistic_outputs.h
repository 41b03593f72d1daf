// How estimates stand in a release.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/release/release.h"
#include "core/release/statistics/estimates.h"

namespace epsilometer {

/// A matrix of `count` rows: the value, and the two ends of its interval; infinite where not enough rows are
/// known of.
template <class Estimates>
void add_estimates(Release& release, const std::string& name, bool enough, std::size_t count,
                   const Estimates& estimates) {
  std::vector<double> values;
  if (enough)
    for (const IntervalEstimate& one : estimates())
      values.insert(values.end(), {one.value, one.lower, one.upper});
  values.resize(3 * count, std::numeric_limits<double>::infinity());
  release.add(matrix_output(name, std::move(values), 3));
}

}  // namespace epsilometer
