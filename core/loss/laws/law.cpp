#include "core/loss/laws/law.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"

namespace epsilometer {

double AtomicPart::atom_error() const {
  double largest = 0;
  for (const Atom& atom : atoms()) largest = std::max(largest, std::abs(atom.loss));
  return 4 * unit_roundoff * largest;
}

std::optional<LossLattice> Law::lattice() const {
  const std::vector<Atom> points = atoms();
  if (points.empty() || points.size() > 2 || has_density()) return std::nullopt;
  const double low = points.front().loss, apart = points.back().loss - low;
  if (!(apart >= 0)) return std::nullopt;
  return LossLattice{low, apart, 0};
}

}  // namespace epsilometer
