// One law of a sum, with the losses of it that are cut. How far it is cut and tilted is heuristic; that its
// ends hold all of these losses is not.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/loss/laws/law.h"

namespace epsilometer {

/// The smooth part is cut between two values of x, infinite where nothing is cut, whose losses, and those of
/// all atoms, lie between `bottom` and `top`. `log_moment`: about log E e^{theta L}, by which masses are
/// scaled.
struct TiltedPart {
  std::shared_ptr<const Law> law;
  double count;
  double bottom, top, from_x, to_x;
  double log_moment;

  /// How far its losses are from zero, and the size of what is added up in the exponent of a tilted mass, for
  /// a delta of that size.
  double reach() const { return std::max(std::abs(bottom), std::abs(top)); }
  double exponent(double theta, double log_delta) const {
    return 110 + std::abs(log_delta) + law->rounding(from_x, to_x) + theta * reach() + std::abs(log_moment);
  }
};

/// The part that is cut there; of a law of atoms only, all of it.
TiltedPart part_between(const RepeatedLaw& repeated, double from_x, double to_x, double log_moment);

}  // namespace epsilometer
