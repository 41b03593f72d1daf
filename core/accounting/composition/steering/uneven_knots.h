// Where the knots of an uneven sum should lie: fine where losses decide. Heuristic, no
// guarantee.
#pragma once

#include <cstddef>
#include <vector>

#include "core/accounting/composition/tilted_part.h"
#include "core/accounting/composition/uneven_law.h"

namespace epsilometer {

/// A stretch of losses, and the log of its mass.
struct Stretch {
  double from, to, log_mass;
};

/// The smooth losses of a part in short stretches of x; empty when the law reaches too far to be worth it.
struct Scan {
  std::vector<double> places, losses, log_masses;
};
Scan scan_of(const TiltedPart& part);

/// Cells should be fine in proportion to how often a loss occurs when the whole sum is near epsilon, as far
/// as a tilt tells, and need not be at all beyond what can end there.
class KnotChoice {
 public:
  /// `low`, `high`: between which epsilon lies.
  KnotChoice(const std::vector<TiltedPart>& parts, const std::vector<Scan>& scans, double low, double high);

  /// So many knots over neighbouring stretches that mass times width squared, which is what a cell costs,
  /// adds up to the least; some of them everywhere.
  std::vector<double> knots(const std::vector<Stretch>& stretches, std::size_t cells) const;

  /// Larger losses of a part are hardly ever made up for by the others.
  double largest() const { return guesses_.back().largest; }

 private:
  // For one value of epsilon, e^{tilt l} for the losses up to `largest`.
  struct Guess {
    double tilt, largest;
  };
  std::vector<Guess> guesses_;
};

/// Where the sum of two laws lies, by a few points of each, up to `last`.
std::vector<Stretch> outline(const Masses& one, const Masses& other, double last, std::size_t points);
/// The same by what a coarser sum has found.
std::vector<Stretch> outline(const Cells& coarser, double first, double last);

}  // namespace epsilometer
