// One law on a lattice of losses, from above and from below: two laws on the multiples of a step whose
// profiles enclose the profile of the law itself, for every epsilon, alone and in every composition with
// others. The order is that of E f(e^-L) over convex decreasing f; splitting a mass between its two
// neighbours raises it, taking conditional means lowers it.
//
// Why the lower one is a law below: for nested events E_i = {L > cut i} the lines T_i(a) = P(E_i) - a Q(E_i)
// lie under the profile in a = e^epsilon. At a = e^{point i} take the smaller of T_{i-1} and T_i; between two
// points the chord of these values lies under T_i. This polygon is the profile of a lattice law, whose masses
// are its second differences.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

/// How a law is cut: losses e = offset + j * step for j from `first`, `size` of them, masses multiplied by
/// e^{theta e - shift}.
/// The smooth part is cut between two values of x, whose losses lie between the first and the last point.
struct Cut {
  double step, offset;
  std::int64_t first;
  std::size_t size;
  double theta, shift;
  double from_x, to_x;
};

/// An atom this close to a point, relative to the ends of the lattice, counts as on it.
inline constexpr double on_point = 32 * unit_roundoff;

struct Lattice {
  /// Tilted masses. Those of `upper` are rounded up, those of `lower` down.
  std::vector<double> upper, lower;
  /// Untilted masses at infinity.
  double upper_infinite, lower_infinite;
};

Lattice discretise(const Law& law, const Cut& cut);

/// Atoms in ascending order that are `stride` points apart, the first on the first point: both laws are the
/// law itself.
Lattice placed(const std::vector<Atom>& atoms, double infinite_mass, std::size_t stride, const Cut& cut);

/// Spacings that are right to 4u and divided a few times are whole numbers of steps to this, relatively.
inline constexpr double on_lattice = 32 * unit_roundoff;

/// The spacing of a lattice that holds those with these spacings, but for their offsets, to rounding; 0 when
/// there is none that is not much finer.
double common_spacing(const std::vector<double>& spacings);

/// How many steps a spacing is, when that is a whole number to rounding; nothing otherwise.
std::optional<std::size_t> whole_steps(double spacing, double step);

}  // namespace epsilometer
