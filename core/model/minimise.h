// The minimum of a strongly convex objective by Newton's method with backtracking, and how far from it the
// answer can be.
#pragma once

#include <vector>

#include "core/model/objective.h"

namespace epsilometer {

struct Minimum {
  std::vector<double> theta;
  /// theta is within gradient / lambda of the minimum: the gradient of the real-number objective is no longer
  /// than this there, or where theta was rounded from, the rounding included.
  double gradient;
};

/// Refuses when `gradient` cannot be brought to the tolerance in a fixed number of steps, or what is computed
/// is not finite: an answer about the data, never a model. Refuses more than 4096 coefficients. Starts at 0.
Minimum minimised(const Objective& objective, double tolerance, const Progress& progress);

}  // namespace epsilometer
