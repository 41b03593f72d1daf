// How far each row of a table moves the minimum of the regularised sum of losses when it leaves: of all rows
// from one factorisation, and by a refit without the row only where that does not tell it closely.
//
// theta is the minimum, v what it moves by when row i leaves, f'_i = g x_i the row's gradient where it moves
// to, H the Hessian very near theta and H' its mean on the way. Then H' v = g x_i, and w = H^{-1} x_i gives
//
//     v = g w - e,   e = H^{-1} (H' - H) v = the sum over rows j of (h'_j - h_j) (x_j.v) H^{-1} x_j.
//
// Where no third and no fourth derivative is larger than the second, as those of the logistic and the Poisson
// loss are, and |x_j.v| <= S, |h'_j - h_j| <= c_j h_j |x_j.v| with c_j = |f'''_j| / (2 h_j) + S e^S / 6. A
// row whose second derivative may jump on the way, because its gradient is clipped there or its loss turns
// linear, has that, and its largest second derivative times what is left of |x_j.v| from the jump on. So
//
//     |e| <= v^T Q v + B,   Q = the sum of c_j h_j |H^{-1} x_j| x_j x_j^T,
//
// B the sum of those products times |H^{-1} x_j|. No Q is larger than H - lambda I times the largest c_j
// |x_j| over H's smallest eigenvalue, which saves its sum where that is small. What h_j, in all rows, is at
// theta instead, a factor of 1
// +- r, adds at most r sqrt(v^T (H - lambda I) v) over the root of H's smallest eigenvalue. |x_j.v| is at
// most |g| |x_j.w| + |x_j| |e|. Whatever numbers p and E are such that |g| <= p and |e| <= E imply |g| < p
// and |e| < E do bound them: both grow from 0 without a jump while the row's weight falls from 1 to 0. |g| is
// the derivative at u_i + x_i.v, no smaller than at u_i, and |x_i.v| within |x_i| |e| of |g| x_i.w.
#pragma once

#include <functional>

#include "core/base/progress.h"
#include "core/model/minimise.h"
#include "core/numerics/interval.h"
#include "core/release/model_request.h"
#include "core/report/personal/records_at_minimum.h"

namespace epsilometer {

/// How long its tail is. Rounded up.
double tail_of(const Minimum& minimum);

/// How far apart both minima may be at most. `lambda` of both objectives.
double distance(const Minimum& here, const Minimum& there, double lambda);

/// Where the minimum is without a row, as seen from the table's own.
struct MinimumMove {
  /// How far away; and the product of the way there with the direction that was asked for.
  Interval length, along;
};

/// Of two minima that were found.
MinimumMove move_between(const Minimum& here, const Minimum& there, double lambda,
                         std::span<const double> direction);

/// `place`: of the table's minimum; `near`: the table very near there; `direction`: of as many numbers, or
/// none, where nothing is asked along one. Of each row, in order and as many at a time as are read together:
/// the move to the minimum without it, whose length is known to a 64th and what both minima are not known by.
/// O(n d^2), and a few passes over the table for each row that needs a refit; when all refits have been of
/// `most_refitted` rows, some minutes, later ones are told the least of the bound that they had and of their
/// gradient over lambda.
void minimum_moves(
    const PublicModel& model, double lambda, Pieces table, const RecordsAtMinimum& near,
    const RecordsAtMinimum::Place& place, std::span<const double> direction, const Progress& progress,
    const std::function<void(const BoundedRecords::Several& rows, std::span<const MinimumMove> moves)>& some,
    double most_refitted = 0x1p29);

}  // namespace epsilometer
