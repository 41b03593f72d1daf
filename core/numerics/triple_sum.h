// Sums in three doubles, as if with three times the bits: Ogita, Rump and Oishi 2005, Algorithm 4.8, one term
// after the other.
#pragma once

#include <cstddef>

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"
#include "core/numerics/pair.h"

namespace epsilometer {

/// Of a number, or of each of a Pair by itself.
template <typename Number>
struct TripleSums {
  Number first{}, second{}, third{};

  /// Adds x + y + z, of which y and z are smaller.
  void add(Number x, Number y, Number z) {
    const Number high = first + x, high_rest = rest(first, x, high), middle = second + y,
                 middle_rest = rest(second, y, middle), joined = middle + high_rest,
                 joined_rest = rest(middle, high_rest, joined);
    first = high;
    second = joined;
    third += (middle_rest + joined_rest) + z;
  }

 private:
  // What two_sum() finds besides the sum.
  static Number rest(Number a, Number b, Number sum) {
    const Number virtual_b = sum - a;
    return (a - (sum - virtual_b)) + (b - virtual_b);
  }
};

struct TripleSum : TripleSums<double> {
  static TripleSum of(const TripleSums<Pair>& sums, std::size_t k) {
    return {{sums.first[k], sums.second[k], sums.third[k]}};
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
