// How fast the characteristic function phi of a tilted law decays at least, which no finite number of its
// values tells.
//
// For the tilted law of one loss, D the difference of two independent copies, 1 - |phi(t)|^2 = E(1 - cos tD)
// >= (1 - |phi(mt)|^2) / m^2 for every whole m, because 1 - cos mx <= m^2 (1 - cos x); and |phi| is at most
// the mass of the atoms plus (total variation of the density) / t, where what the density has above any
// height may count as atoms. Together they bound |phi| from every t on. On a lattice |phi| is periodic, and
// may be bounded by a Gaussian around each multiple of 2 pi / spacing.
#pragma once

#include <optional>
#include <vector>

#include "core/accounting/composition/steering/line_plan.h"
#include "core/accounting/composition/tilted_part.h"
#include "core/numerics/constants.h"

namespace epsilometer {

/// Bounds -log |phi(t)| from below, from every t on. The density f of the smooth losses is min(f, H) and what
/// is above: min(f, H) has no more local maxima than f, so that its transform is at most 2 * peaks * H / t,
/// and the rest counts as if it were atoms. Every height H gives a bound: a low one for the tail of a law
/// that crowds together elsewhere, a high one for all of it.
struct Decay {
  /// |phi(t)| <= 1 - share + variation / t, hence -log |phi(t)| >= share - variation / t. From `reach` on,
  /// -log |phi| >= most; below it by folding.
  struct Height {
    double share, variation, most, reach;
  };
  /// |phi(t)| <= e^{-(gaussian t)^2 / 2} up to half the period.
  double gaussian = 0;
  /// On a lattice: |phi(t)| <= e^{-(around d)^2 / 2}, d the distance from the multiples of the period.
  double around = 0, period = infinite;
  std::vector<Height> heights;
  /// Up to here the smooth part has all but the share `rest` of the mass, and all of it has `total`.
  double bulk_x = 0, rest = 0, total = 0;

  double operator()(double t) const;
};

/// `most_rest`: what bulk_x may leave out. Nothing when the law takes too many panels.
std::optional<Decay> decay_of(const TiltedPart& part, const LinePlan& plan, double most_rest);

}  // namespace epsilometer
