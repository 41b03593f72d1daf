// From where on the characteristic function of a tilted sum is small enough to be left out.
#pragma once

#include <vector>

#include "core/accounting/composition/steering/line_plan.h"
#include "core/accounting/composition/tilted_part.h"

namespace epsilometer {

class LawNodes;

/// From `at` on |phi| is at most e^-depth. With a decay, so it is up to half the period only, and beyond at
/// most e^{-(decay d)^2 / 2}, d the distance of t from the nearest multiple of the period.
struct CutOff {
  double at, depth, decay, period;
};

/// First by what is known of the decay of any density, then, from that point down, by looking. Infinite when
/// the function is not known to decay, or only too slowly.
CutOff cut_off(const LinePlan& plan, const std::vector<TiltedPart>& parts);

/// The same of samples of normal noise and of Gaussian losses alone, none of them cut, by moving the line of
/// their integrals; fills their nodes, of which there is none yet, as far as they are needed.
CutOff cut_off_of_samples(const LinePlan& plan, const std::vector<TiltedPart>& parts,
                          std::vector<LawNodes>& laws);

}  // namespace epsilometer
