// What rounding may cost the answers of this room, each margin once, with what it covers. u is unit_roundoff,
// half a unit of the last place of 1; exp, log and their kind are right to 8u (bounds.h). Where a margin is
// larger than what is derived, the rest is no part of a proof.
#pragma once

#include <algorithm>

#include "core/base/bounds.h"

namespace epsilometer {

/// Of the probability of an infinite loss, from those of its parts: a sum of logarithms of one sign (8u and
/// the product with the count) and expm1 (8u, which amplifies nothing below 0). 9000u: up to 8900 parts.
inline constexpr double infinite_mass_margin = 1e-12;

/// Of a charge that is itself a sum of positive terms, relatively: up to 4e6 roundings. Of the exponent of a
/// charge, absolutely: as many, relative to 1. What the arguments of its exponentials lose beyond that is
/// charged to the whole answer, in proportion to their size.
inline constexpr double charge_margin = 1e-9;

namespace composition {

/// Of the largest loss of one law, relatively: 4u of an atom's, a product with the count and the sums with
/// those of 32 laws. 90u.
inline constexpr double largest_loss_margin = 1e-14;
/// What the sums with those of more laws cost, relative to the sum of all sizes.
constexpr double more_laws_margin(double laws) { return 2 * std::max(0.0, laws - 32) * unit_roundoff; }
/// Of the largest loss of a sum from below: twice the above, and a logarithm with its sum. 9000u.
inline constexpr double top_loss_margin = 1e-12;
/// Of delta over the probability of the largest loss, relatively: logarithms of less than 700 and their sum
/// (9u of each), and an exponential; and for every release what its mass may be wrong by, if that is more.
inline constexpr double top_share_margin = 1e-9, atom_mass_error = 5 * rounding_margin;

/// Beyond 38 standard deviations a Gaussian loss has less than this.
inline constexpr double gaussian_reach = 38, beyond_reach = 1e-300;

/// Of a cell's mass, relative to what is in it and beside it: quadrature (1e-14: rule_for), and 270u for
/// exponentials (10u), for the moment about the point (10u) and for adding up 250 nodes one after the other;
/// and a rounding for each node more.
constexpr double mass_margin(double nodes) { return 4e-14 + std::max(0.0, nodes - 250) * unit_roundoff; }
/// What a lower bound of a tilted sum loses by its last operations: three exponentials, a product and two
/// sums, less than 50u, twice.
inline constexpr double tilted_margin = 1e-13;

/// Of a variance from the nodes of panels: on the ellipse of a panel (panels.h) a loss moves by about four
/// times what it moves on the panel, and its square by about 80 times, of which there is panel_error; and
/// sums over 5e4 nodes. 1e-11: a hundredth is charged.
inline constexpr double variance_margin = 0.01;
/// Of how fast neighbours on a lattice decay: masses of exponentials (8u and their arguments, charged to the
/// whole as well), sums of as many atoms as there are, and half of it for the root.
inline constexpr double neighbour_margin = 1e-6;
/// A value of a line that is left out: of less than e^-700, times a kernel of less than 2 / pi.
inline constexpr double left_out_value = 1e-300, least_log_value = -700;

/// What quadrature may cost a cell on knots, relative to its mass: 1e-14 of mass and moment, each twice, once
/// for the end that the moment is about.
inline constexpr double knot_margin = 5e-14;
/// What each sum on knots adds to every mass of a law from above, and takes from every mass below: the
/// relative errors of masses and moments, twice. They are sums of positive terms: of at most 4100 rows of
/// 4100 terms, each row by itself, 8200 roundings; and of sums over all losses that fade, 11 for each of
/// 4100.
inline constexpr double joining_margin = 1.2e-11;
/// What the last sum over at most 4100 losses may be off by, relative to itself: 11 roundings for each of
/// them, of which 8 are those of an exponential, and one more in the sum over the other law.
inline constexpr double evaluation_margin = 8e-12;
/// Of the logarithm of delta, for every law and every sum on knots: for a moment and for the length of a cell
/// what 1 - e^-d is wrong by (2e-15), and the exponential of a loss. 50u; 3600u are charged.
inline constexpr double joint_margin = 4e-13;
/// What underflow may take from the mass and from the moment of a cell: half the smallest double for each of
/// 4100 rows, and for each of the terms of a row by its weight. Less mass than `smallest_mass` is dropped
/// where that is below, and as much may get lost at the end of the range of doubles.
inline constexpr double underflow = 1e-319, smallest_mass = 1e-303;
/// A loss on knots is right to this, relative to itself and to what it is computed from: 32 operations at
/// most (2u each) are charged.
inline constexpr double loss_margin = 64 * unit_roundoff;

/// Of how much the losses of a block are raised, relatively: two differences, of which the rounding is
/// charged by itself, a quotient and a logarithm. 30u.
inline constexpr double lift_margin = 1e-6;

/// Of sums over a grid of losses (profile_grid.h), relatively. What holds a grid against a profile goes over
/// at most 4100 points, with 25u at each: 1.2e-11. Eight of them are joined by as many sums of 4100 products
/// (4e-12), and then summed up over 66000 losses (8e-12).
inline constexpr double grid_margin = 2e-11;
/// By how much more mass than the chords need a grid has, relatively, so that it stands that trial.
inline constexpr double grid_excess = 1e-9;

}  // namespace composition
}  // namespace epsilometer
