// The noisy numbers of all classes of a vote but one, and what the winner tells.
#pragma once

#include <vector>

#include "core/base/bounds.h"
#include "core/loss/pair_loss.h"

namespace epsilometer {

/// What the winner among several noisy numbers tells of a move, for epsilon >= 0.
class Crowd {
 public:
  virtual ~Crowd() = default;

  /// Encloses the most that any event tells, over all tables: the largest P(E) - e^epsilon Q(E).
  virtual Bounds told(double epsilon) const = 0;

  /// The upper end alone.
  virtual double at_most(double epsilon) const { return told(epsilon).upper; }

  /// Some events, which are no rarer with the move than is said, and no likelier without it.
  virtual std::vector<SingleTest> events() const = 0;
};

}  // namespace epsilometer
