// delta(epsilon) of a sum of losses by repeated doubling on uneven knots, all of it with positive numbers:
// for laws with few large losses among many tiny ones, where a tilted sum falls apart into separate bumps.
// Slower than a transform, but sure of its relative accuracy however small delta is.
#pragma once

#include <optional>
#include <vector>

#include "core/accounting/composition/tilted_part.h"
#include "core/accounting/composition/uneven_law.h"

namespace epsilometer {

class KnotChoice;
struct Scan;

class UnevenSum {
 public:
  /// Between which values the asked epsilon lies, both positive, and the size of delta: heuristic, no
  /// guarantee. And how many cells the law of a sum may have, and a sum with fewer that shows where they
  /// matter.
  struct Target {
    double low, high, log_delta;
    std::size_t cells;
    const UnevenSum* coarser;
  };

  /// Whether it is known what the rounding of the law's density costs.
  static bool can_cut(const Law& law);

  /// Nothing when a law cannot be cut, when a count is not a whole number, or so large that rounding alone
  /// would cost too much. The parts are cut without any tilt: `log_moment` is not used.
  static std::optional<UnevenSum> of(const std::vector<TiltedPart>& parts, const Target& target);

  /// Bounds on delta(epsilon) for any epsilon >= 0, narrow where the target is.
  double upper(double epsilon) const;
  double lower(double epsilon) const;

 private:
  struct Block;

  UnevenSum() = default;
  void start(const TiltedPart& part, const Scan& scan, const Target& target, const KnotChoice& choice,
             Block& block);
  Block joined(const Block& one, const Block& other, const KnotChoice& choice, const Target& target);

  // The sum is that of two independent laws.
  Masses upper_[2], lower_[2];
  // The laws of all partial sums, in the order in which they were made.
  std::vector<Cells> found_;
  // What rounding may have cost: relative to every loss, in the sum of losses, and in log delta.
  double slope_ = 0, slack_ = 0, doubt_ = 0;
};

}  // namespace epsilometer
