// The minimum of a strongly convex objective, and how far from it the answer can be. Newton's method,
// searched by the sign of the slope: it rises along every line, so that halving finds where to stop, and no
// value is needed, which could overflow. What a hundred such steps do not find, accelerated gradient steps do
// (Nesterov 2004, Theorem 2.2.3), whose number has a bound; and so on in turn.
#pragma once

#include <optional>
#include <vector>

#include "core/model/objective.h"
#include "core/numerics/cholesky.h"

namespace epsilometer {

struct Minimum {
  /// theta + tail, two doubles for each coefficient.
  std::vector<double> theta, tail;
  /// They are within gradient / lambda of the minimum: the gradient of the real-number objective is no longer
  /// than this there.
  double gradient;
};

/// Goes on until `gradient` is at most the tolerance: no table is refused, some only take longer.
/// `smoothness`: of each record's loss, infinite where there is none: then what Newton's method does not find
/// is refused, an answer about the data that no private algorithm may give. Refuses more than 4096
/// coefficients, and a linear term that is not finite. Starts at 0, or at `start`, which saves steps where it
/// is close.
Minimum minimised(const Objective& objective, double smoothness, double tolerance, const Progress& progress,
                  std::span<const double> start = {});

/// The same as doubles find it by Newton's method, where nothing is to be certified: the gradient is at most
/// the tolerance, or may be nothing but rounding. Where it is neither, that is refused, as above.
std::vector<double> minimised_in_doubles(const Convex& objective, double tolerance, const Progress& progress);

/// The same from coefficients near the minimum, at which the gradient and a factor of the Hessian are known:
/// where the minimum is about as near as the tolerance says, or the gradient may be nothing but rounding.
/// Nothing where that is not found in a few steps.
std::optional<std::vector<double>> approached(const Convex& objective, std::span<const double> start,
                                              std::span<const double> gradient, const Cholesky& factor,
                                              double tolerance, const Progress& progress);

/// The slow way by itself: from `start`, as many accelerated steps as bring the gradient to the tolerance, or
/// to where rounding hides it, whatever the table is.
Eigen::VectorXd accelerated(const Objective& objective, const Eigen::VectorXd& start, double smoothness,
                            double tolerance, const Progress& progress);

}  // namespace epsilometer
