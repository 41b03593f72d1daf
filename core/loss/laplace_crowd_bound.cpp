// Let M be the largest of the others' numbers, v its distribution function and Z the noise of one more
// number. The winner is told by W = M - Z and a half-line, and where M is less dispersed more is told
// (docs/adaptive-releases.md, with the proof; Lewis and Thompson 1981). M's density is v sum h(u_j) with
// u_j the distribution functions of the others, whose product is v, and h(u) = min(1, 1/u - 1). In terms of
// y = -log u, h is 1 from log 2 on and convex before, where it is at most e^y - 1: of all u_j with a given
// product the sum is largest where n of them are 1/2 and one more takes what is left. So with 2^-(n + 1) <= v
// <= 2^-n no density is above v (n - 1) + 2^-n, which is n 2^-n at v = 2^-n and linear between. The law that
// has this density at each of its quantiles is less dispersed than each M, and its logarithm is concave, with
// slopes n - 1: a chain of exponentials.
#include "core/loss/laplace_crowd_bound.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Further numbers change the law where its mass is below 2^-900 only, and with it no probability by more.
constexpr double most_pieces = 900;
const double left_out = std::exp2(-most_pieces);
// What densities and masses below may be off by, relatively, for each piece that they were computed through
// and each unit that the place is away: an exponential and a few operations, of which no difference takes
// away more than four fifths of what it is taken from.
constexpr double step_margin = 16 * unit_roundoff;
// Ends of pieces are sums, and off by two or three roundings more for each: as if the law were denser by as
// much for each of the steepest slope, which is a longer move.
constexpr double end_margin = 4 * unit_roundoff;
// Beyond, less than e^-600 is told.
constexpr double farthest = 600;

}  // namespace

LaplaceCrowdBound::LaplaceCrowdBound(double others, double shift)
    : shift_(rounded_up(shift, end_margin * std::min(others, most_pieces))) {
  const auto count = static_cast<int>(std::min(others, most_pieces));
  double end = 0;
  for (int n = 1; n <= count; ++n) {
    const double below = std::exp2(-n);
    pieces_.push_back({end, n * below, below, 0, 0});
    end -= n == 1 ? 0.5 : std::log1p((n - 1.0) / (n + 1.0)) / (n - 1.0);
  }
  // From the left, where the density is the count times the mass.
  Piece& first = pieces_.back();
  first.left = first.density / (count + 1.0);
  for (int n = count - 1; n >= 1; --n) {
    const Piece& before = pieces_[static_cast<std::size_t>(n)];
    Piece& piece = pieces_[static_cast<std::size_t>(n) - 1];
    const double fall = std::exp(before.end - piece.end);
    piece.left = before.left * fall + (piece.density - before.density * fall) / n;
  }
  pieces_.front().right = 0.25;
  for (int n = 1; n < count; ++n) {
    const Piece& after = pieces_[static_cast<std::size_t>(n) - 1];
    Piece& piece = pieces_[static_cast<std::size_t>(n)];
    const double way = after.end - piece.end, fall = std::exp(-way);
    const double within =
        n == 2 ? after.density * fall * way : (after.density * fall - piece.density) / (n - 2.0);
    piece.right = after.right * fall + within;
  }
}

LaplaceCrowdBound::Gap LaplaceCrowdBound::at(double x) const {
  double density, below, above, left, right, passed = 0;
  const Piece& top = pieces_.front();
  if (x >= top.end) {
    const double fall = std::exp(-x);
    density = above = fall / 2;
    below = 1 - above;
    left = (top.left + x / 2) * fall;
    right = fall / 4;
  } else {
    // The first place at or below x.
    const auto after = std::partition_point(pieces_.begin(), pieces_.end(),
                                            [x](const Piece& piece) { return piece.end > x; });
    const Piece& piece = after[-1];
    const auto n = passed = static_cast<double>(after - pieces_.begin());
    const double way = piece.end - x, fall = std::exp(-way);
    if (after == pieces_.end()) {
      below = piece.below * std::exp(-n * way);
      density = n * below;
      left = density / (n + 1);
      right = piece.right * fall + (piece.density * fall - density) / (n - 1);
    } else {
      density = piece.density * std::exp(-(n - 1) * way);
      below = n == 1 ? (1 - way) / 2 : (density - piece.below) / (n - 1);
      const double rise = std::exp(after->end - x);
      left = after->left * rise + (density - after->density * rise) / n;
      right = piece.right * fall +
              (n == 2 ? piece.density * fall * way : (piece.density * fall - density) / (n - 2));
    }
    above = 1 - below;
  }
  return {(left + right) / 2, below + (right - left) / 2, above + (left - right) / 2,
          (4 + passed + std::abs(x)) * step_margin};
}

double LaplaceCrowdBound::told(double epsilon, Moved moved) const {
  if (epsilon >= shift_) return 0;
  // With the number moved up, the event that it wins is likelier; otherwise that another one does.
  const double sign = moved == Moved::up ? 1 : -1;
  struct End {
    double rate, power, steepness, margin;
  };
  const auto end = [&](double place) {
    const Gap before = at(sign * place), after = at(sign * place + sign * shift_);
    return End{sign > 0 ? before.below : before.above, sign > 0 ? after.below : after.above,
               std::log(after.density) - std::log(before.density), std::max(before.margin, after.margin)};
  };
  // The power is concave in the rate, with the slope e^steepness, which falls as places rise. Between two
  // places where it is certainly steeper and less steep than e^epsilon, the tangent at the first is above.
  const auto found = sign_change([&](double place) { return end(place).steepness - epsilon; }, -farthest,
                                 farthest - shift_, 28);
  End less = end(found.first), more = end(found.second);
  for (double step = 1e-9; less.steepness < epsilon + 4 * less.margin && found.first - step > -farthest;
       step *= 4)
    less = end(found.first - step);
  for (double step = 1e-9;
       more.steepness > epsilon - 4 * more.margin && found.second + step < farthest - shift_; step *= 4)
    more = end(found.second + step);
  const double grown = std::exp(epsilon);
  // Where nothing is as steep, the best event is rarer than what was looked at.
  const bool is_steeper = less.steepness > epsilon + 2 * less.margin;
  const double best = is_steeper ? less.power - grown * less.rate : less.power;
  const double rise = std::max(0.0, std::exp(less.steepness) - grown) * (more.rate - less.rate);
  const double margin = std::max(less.margin, more.margin);
  return std::clamp(best + rise + margin * (less.power + 2 * grown * more.rate) + (1 + grown) * left_out, 0.0,
                    1.0);
}

double LaplaceCrowdBound::told_of_two(double epsilon) const {
  // One after the other: whoever could tell the first table from the second by power p1(q), and the second
  // from the third by p2, tells the first from the third by p2(p1(q)) at most.
  const double from = epsilon - shift_, to = shift_;
  double least = 1;
  for (const bool up_first : {true, false}) {
    const Moved first = up_first ? Moved::up : Moved::down, second = up_first ? Moved::down : Moved::up;
    const auto chained = [&](double share) {
      const double of_second = from + share * (to - from);
      return rounded_up(told(of_second, second) + std::exp(of_second) * told(epsilon - of_second, first));
    };
    // Where it is split is heuristic, no guarantee: a search does not look at its own ends.
    least = std::min({least, chained(0), chained(1)});
    if (from < to) least = std::min(least, minimum(chained, 0, 1, 8).second);
  }
  return least;
}

}  // namespace epsilometer
