// A law of losses as point masses on uneven knots, from above and from below, and sums of such laws: the
// profile is enclosed for every epsilon, alone and in every further sum. The order is that of E f(e^-L) over
// convex decreasing f: to split a loss between its neighbouring knots with the same mean of e^-L raises it,
// to gather the losses of a cell at their mean of e^-L lowers it. Everything added is positive, so that
// masses keep their relative accuracy however small they are, and no transform asks for even steps: for few
// large losses among many tiny ones.
#pragma once

#include <cstddef>
#include <vector>

#include "core/accounting/composition/tilted_part.h"

namespace epsilometer {

/// Point masses at growing losses, and the mass at infinity, at most 1.
struct Masses {
  std::vector<double> losses, masses;
  double infinite = 0;
};

/// For a law, sums over its losses from the j-th on.
class Suffixes {
 public:
  explicit Suffixes(const Masses& law);

  /// Sum of m (1 - e^{t - l}) over l >= the j-th loss, which is at least t.
  double lost(std::size_t j, double t) const;
  /// Sum of m e^{t - l} likewise.
  double kept(std::size_t j, double t) const;

 private:
  const Masses& law_;
  std::vector<double> fading_, growing_;
};

/// The finite mass between neighbouring knots, and its moment: sum of m (1 - e^{knot - l}) about the knot
/// below. What lies beyond the last knot: sum of m (1 - e^{last - l}) and of m e^{last - l}.
struct Cells {
  std::vector<double> knots, masses, moments;
  double beyond_lost = 0, beyond_kept = 0, infinite = 0;
  /// How much of the mass of each cell may lie at its other end, and of that beyond the last knot at
  /// infinity, beside what rounding costs. No point mass may: where an atom is the last knot, a share of it
  /// at infinity would be more than a small delta.
  std::vector<double> misplaced;
  double beyond_misplaced = 0;

  explicit Cells(std::vector<double> at);
  /// A mass at a loss that is not below the first knot.
  void put(double loss, double mass);
};

/// A law cut at knots: those at losses of its smooth part come with their x. Its tails are not in the cells:
/// `below` the mass below from_x and `above` that above to_x, both rounded up.
struct CutLaw {
  Cells cells;
  double below = 0, above = 0;
};
CutLaw cut_at(const TiltedPart& part, const std::vector<double>& knots, const std::vector<double>& places);

/// The law of the sum of two, in cells. The first knot is not above the smallest sum.
Cells sum_of(const Masses& one, const Masses& other, const std::vector<double>& knots);

Masses from_above(const Cells& cells);
Masses from_below(const Cells& cells);

}  // namespace epsilometer
