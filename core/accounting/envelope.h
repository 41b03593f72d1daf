// The power of the best test from a privacy profile, with both ends proven.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bounds.h"

namespace epsilometer {

/// The largest true-positive rate of a test at the false-positive rate x is the lower envelope of lines, inf
/// over epsilon of delta(epsilon) + e^epsilon x. Any epsilon gives an upper bound. delta is convex in
/// e^epsilon, so between two evaluations it lies above the lines through each of them and its neighbour on
/// the other side; where these are too low, one more evaluation is made. Where the bounds on delta are too
/// far apart for that, the lowest line by their upper ends, which need not be convex, is looked for by
/// itself. All evaluations are kept until they are forgotten.
class Envelope {
 public:
  /// Bounds on delta at any real epsilon, where what is below the second number need not be known any better;
  /// and the limit of delta at infinity, from below.
  Envelope(std::function<Bounds(double, double)> delta, double infinite_mass)
      : delta_(std::move(delta)), infinite_mass_(infinite_mass) {}

  /// At a false-positive rate in [1e-300, 1]. Where it is certainly above `level`, or below, it need not be
  /// known any better.
  Bounds power(double false_positive, std::optional<double> level = {});

  /// The height of the lowest line there, by upper ends alone: where they are not convex, a lower one than
  /// power() finds.
  double lowest_line(double false_positive);

  /// The best of the lines that are known already: its epsilon, about the log of the curve's slope, and its
  /// height; or, where the profile has no corners, the best one that can be expected `between` them.
  /// Heuristic, no guarantee.
  struct Touch {
    double epsilon, power;
  };
  Touch touch(double false_positive, bool between) const;

  /// So that the next answer is the same whatever was asked before.
  void forget() { points_.clear(), negligible_ = HUGE_VAL; }

 private:
  struct Line;
  struct Cell;
  using Point = std::pair<const double, Bounds>;

  // Of the line of an evaluation at the false-positive rate x, not rounded up.
  static double height(const Point& point, double x);

  void evaluate(double epsilon) {
    if (points_.count(epsilon) == 0) points_.emplace(epsilon, delta_(epsilon, negligible_));
  }
  void start(double false_positive);
  Bounds enclosed(double false_positive, std::optional<double> level);
  std::vector<Cell> cells(double false_positive) const;

  std::function<Bounds(double, double)> delta_;
  double infinite_mass_, negligible_ = HUGE_VAL;
  std::map<double, Bounds> points_;
};

}  // namespace epsilometer
