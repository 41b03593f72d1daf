// Sums in three doubles, as if with three times the bits: Ogita, Rump and Oishi 2005, Algorithm 4.8, one term
// after the other.
#pragma once

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

struct TripleSum {
  double first = 0, second = 0, third = 0;

  /// Adds x + y + z, of which y and z are smaller.
  void add(double x, double y, double z) {
    const DoubleDouble high = two_sum(first, x), middle = two_sum(second, y),
                       joined = two_sum(middle.hi, high.lo);
    first = high.hi;
    second = joined.hi;
    third += (middle.lo + joined.lo) + z;
  }

  DoubleDouble value() const {
    const DoubleDouble sum = two_sum(first, second);
    return two_sum(sum.hi, sum.lo + third);
  }

  /// Of first + second + third after so many terms, as a share of the sum of the sizes of all x, when those
  /// of y and of z are at most these shares of it. What `second` leaves over is at most unit_roundoff of it,
  /// twice for each term; `third` rounds three times for each.
  static constexpr double error(double terms, double second, double third) {
    const double grown = 4 * (terms + 2) * unit_roundoff;
    return grown * (grown * (second + grown) + third);
  }
};

}  // namespace epsilometer
