// The least value of a strongly convex quadratic on a ball, certified, of sums of so many records that
// doubles would not tell one of them apart.
#pragma once

#include <span>
#include <vector>

#include "core/noise/grid.h"
#include "core/numerics/double_double.h"
#include "core/release/linear_statistics.h"

namespace epsilometer {

/// x^T (G + lambda I) x / 2 - b.x with exact sums G and b.
class PreciseQuadratic {
 public:
  PreciseQuadratic(const LinearStatistics& statistics, double lambda);

  std::size_t dimension() const { return cross_.size(); }
  DoubleDouble value(std::span<const double> x) const;

  struct Minimum {
    DoubleDouble value;
    /// The least value is not further below it than this.
    double gap;
  };
  /// On |x| <= radius: the value at a point of the ball, to rounding of the radius.
  Minimum least(double radius) const;

 private:
  struct Solution {
    std::vector<DoubleDouble> x;
    double length;
  };
  Solution solved(double shift) const;
  std::vector<DoubleDouble> residual(const std::vector<DoubleDouble>& x, double shift) const;
  DoubleDouble value(const std::vector<DoubleDouble>& x) const;
  Minimum certified(std::vector<DoubleDouble> x, double shift, double radius) const;

  double lambda_;
  std::vector<DoubleDouble> gram_, cross_;
  std::vector<double> rounded_;
};

/// So many records no table has: what is computed of fewer is accurate by proof.
inline constexpr double most_records = 0x1p40;

/// The least lambda with which tables of most_records are solved: doubles' factor is then wrong by at most
/// lambda / 64, so that every refinement leaves a sixteenth.
double least_certified_lambda(std::size_t dimension, const LinearBounds& bounds);

}  // namespace epsilometer
