// What an algorithm must know of one record, and of what the table makes of it, to tell what a release costs
// that record alone, where its plan tells what it costs whoever is in any table. Confidential, all of it.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/numerics/interval.h"

namespace epsilometer {

/// Which facts an algorithm asks for.
struct FactsNeeded {
  enum class Of {
    /// Sizes of the record itself; no table.
    record,
    /// The same, and how long a row a released matrix makes of it.
    whitened,
    /// What it does to X^T X + regularisation I and the ridge coefficients.
    ridge,
    /// Its leverage in Z^T Z + regularisation I, Z = [X, y].
    sketch,
    /// How far it moves the minimum of the losses + regularisation |theta|^2 / 2.
    minimum,
    /// How long its gradients are at the points of a path.
    path
  };
  Of of;
  double regularisation = 0;
  /// ridge: no table for which the price holds has longer coefficients. path: of so many points.
  double coefficients = 0, steps = 0;
  /// ridge: whether it matters how far a record moves the coefficients.
  bool moved = true;
};

/// What a model makes of a row of its table, rounded up.
struct RowCause {
  /// What the row has of the curvature in its own direction: s x^T H^{-1} x, s the second derivative of its
  /// loss.
  double share;
  /// The size of the derivative of its loss, and the length of its gradient, clipped as the algorithm clips.
  double misfit, gradient;
};

/// Of a record as the algorithm has it, clipped and on its grid. Upper bounds where nothing else is said. Of
/// several records of one person: sums of those of each.
struct RecordFacts {
  /// |x|^2 and |x| |y| in the l2 norm, the same in the l1 norm, and |x|^2 + y^2.
  double square = 0, cross = 0, square_l1 = 0, cross_l1 = 0, whole_square = 0;
  /// |y|, where labels are numbers.
  double label = 0;
  /// How long its gradient and how large its curvature can be, wherever the coefficients are.
  double gradient = 0, curvature = 0;
  /// ridge: of the table without the record; sketch: of the table with it; whitened: |w|^2 of the row w that
  /// it becomes, 1 at most.
  Interval leverage = 0;
  /// ridge: |y - x.theta| of the table without it.
  double residual = 0;
  /// ridge, minimum: how far apart the coefficients with it and without it are.
  double moved = 0;
  /// minimum: at the coefficients as they were released, of a row of the table and where that was found on
  /// the way.
  std::optional<RowCause> cause = {};
  /// path: the length of its clipped gradient at each step.
  std::vector<double> gradients = {};
  /// What came out told of one record (core/report/personal/realised_noise.h), where that is asked and known.
  std::optional<Interval> told = {};
  /// With which probability over the noise that is wrong.
  double told_failure = 0;
  /// Of how many records, and of how many features each.
  double records = 1;
  std::size_t dimension = 0;
};

}  // namespace epsilometer
