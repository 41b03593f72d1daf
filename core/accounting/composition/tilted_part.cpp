#include "core/accounting/composition/tilted_part.h"

#include "core/numerics/constants.h"

namespace epsilometer {

TiltedPart part_between(const RepeatedLaw& repeated, double from_x, double to_x, double log_moment) {
  const Law& law = *repeated.law;
  TiltedPart part{repeated.law, repeated.count, infinite, -infinite, from_x, to_x, log_moment};
  for (const Atom& atom : law.atoms()) {
    part.bottom = std::min(part.bottom, atom.loss);
    part.top = std::max(part.top, atom.loss);
  }
  if (!law.has_density()) return part;
  part.top = std::max(part.top, law.loss(to_x));
  part.bottom = std::min(part.bottom, law.loss(from_x));
  return part;
}

}  // namespace epsilometer
