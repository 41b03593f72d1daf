// The least private value whose cost is narrowly below a level, for a cost that is dear to know narrowly.
#pragma once

#include <functional>
#include <optional>

#include "core/accounting/calibrate.h"
#include "core/base/bounds.h"

namespace epsilometer {

/// An interval that holds the cost of a value, about so wide relatively if it can be.
using CostWithin = std::function<Bounds(double value, double gap)>;

/// A value with cost(value, gap).upper from level (1 - 2 gap) to level, by evaluation; from `start` on, by
/// secants between logarithms, coarsely at first. Nothing where they find none soon, or a value is refused:
/// then least_private() knows.
std::optional<double> near_level(const CostWithin& cost, const Parameter& parameter, double start,
                                 double level, double gap);

}  // namespace epsilometer
