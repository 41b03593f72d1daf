// Where to tilt a sum of losses, and how far its tails reach then, by coarse nodes of its laws: heuristic, no
// guarantee.
#pragma once

#include <cstddef>
#include <vector>

#include "core/accounting/composition/steering/cumulant_nodes.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

/// A tilt, the log of the moment generating function there, and where the tilted sum lies and how it spreads.
struct Tilt {
  double theta, log_scale, centre, spread;
};

/// A loss, and the exponent with which Chernoff's inequality is best at bounding what lies beyond it.
struct TailBorder {
  double loss, exponent;
};

class TiltChoice {
 public:
  /// Every law represents itself; of many, those in the middle of stretches of about the same share of the
  /// whole variance represent the others.
  explicit TiltChoice(const std::vector<RepeatedLaw>& laws);

  Tilt at(double theta) const;
  /// Where log delta, by the saddle-point approximation, is the asked one.
  Tilt for_delta(double log_delta) const;
  Tilt for_epsilon(double epsilon) const;

  /// log E e^{theta L} of one loss of the law that was given at that place, for a delta of that size.
  double log_moment(const std::vector<RepeatedLaw>& laws, std::size_t place, double theta,
                    double log_delta) const;

  /// The loss beyond which the sum has less than e^-depth of its tilted mass. `side` is 1 above and -1 below.
  TailBorder border(const Tilt& tilted, double side, double depth) const;

 private:
  /// A law by its coarse nodes, for itself or for others like it.
  struct RepresentativeLaw {
    CumulantNodes nodes;
    double count;
  };

  std::vector<RepresentativeLaw> representatives_;
};

}  // namespace epsilometer
