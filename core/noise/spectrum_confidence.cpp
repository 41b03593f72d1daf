#include "core/noise/spectrum_confidence.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// A vector in the basis of an eigensystem, whose exact coordinates are within `error` of these in the l2
// norm.
struct Turned {
  std::vector<double> values;
  double error, length;
};

// The basis is within `tilt` of the computed vectors, and a sum of d products is right to (d + 2) u of the
// lengths (Higham 2002, Section 3.1).
Turned turned(const Eigensystem& system, std::span<const double> x) {
  const std::size_t d = x.size();
  const double size = static_cast<double>(d), each = (size + 2) * unit_roundoff;
  double square = 0;
  for (const double entry : x) square += entry * entry;
  Turned result{std::vector<double>(d), 0, rounded_up(std::sqrt(square), each)};
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) result.values[i] += system.vectors[i * d + j] * x[j];
  // The vectors' lengths are 1 to a per cent.
  result.error = rounded_up((system.tilt + 1.01 * std::sqrt(size) * each) * result.length, 8 * unit_roundoff);
  return result;
}

// Bounds on the sum of coordinate^2 / (scale (eigenvalue +- error) + shift), each side for the matrix moved
// to that side: infinity from above and 0 from below where it is not positive definite.
class Sums {
 public:
  Sums(const Eigensystem& system, const Turned& x) : system_(system), x_(x) {}

  double above(double scale, double shift) const { return sum(scale, shift, -1); }
  double below(double scale, double shift) const { return sum(scale, shift, 1); }

 private:
  double sum(double scale, double shift, double side) const {
    double total = 0, least = infinite;
    for (std::size_t i = 0; i < x_.values.size(); ++i) {
      const double eigenvalue = system_.values[i] + side * system_.error;
      const double exact = scale * eigenvalue + shift;
      const double divisor =
          exact + side * 4 * unit_roundoff * (scale * std::abs(eigenvalue) + std::abs(shift));
      if (!(divisor > 0)) return side < 0 ? infinite : 0;
      least = std::min(least, divisor);
      total += x_.values[i] * x_.values[i] / divisor;
    }
    const double margin = (static_cast<double>(x_.values.size()) + 4) * unit_roundoff;
    const double off = rounded_up(x_.error / std::sqrt(least)), root = std::sqrt(total);
    const double moved = side < 0 ? root + off : std::max(0.0, root - off);
    return side < 0 ? rounded_up(moved * moved, 2 * margin) : rounded_down(moved * moved, 2 * margin);
  }

  const Eigensystem& system_;
  const Turned& x_;
};

}  // namespace

std::vector<Bounds> eigenvalue_bounds(std::span<const double> released_eigenvalues, double bound,
                                      double floor) {
  std::vector<Bounds> all;
  for (const double value : released_eigenvalues) {
    const double lower = std::nextafter(value - bound, -HUGE_VAL),
                 upper = std::nextafter(value + bound, HUGE_VAL);
    all.push_back({std::max(floor, lower), std::max(floor, upper)});
  }
  return all;
}

InverseForms::InverseForms(std::span<const double> released, std::size_t dimension, double bound,
                           double floor)
    : system_(eigensystem(released, dimension, {})), bound_(bound), floor_(floor) {
  in_range("bound", bound, 0, 1e100);
  in_range("floor", floor, 1e-100, 1e100);
  double diagonal = 0;
  for (std::size_t row = 0; row < dimension; ++row) diagonal += std::abs(released[row * (row + 3) / 2]);
  // The rounding of the diagonal, and of squares that are too small for doubles.
  system_.error = rounded_up(system_.error + 2 * unit_roundoff * diagonal + 1e-140, 4 * unit_roundoff);
}

Bounds InverseForms::of(std::span<const double> x) const {
  const Turned coordinates = turned(system_, x);
  const Sums sums(system_, coordinates);
  // H >= floor I and H >= M - bound I, M the released matrix, so H >= t (M - bound I) + (1 - t) floor I for
  // every t in [0, 1]; t = floor / (floor + bound) is (1 + bound/floor) x^T M^{-1} x (Redberg and Wang 2021),
  // t = 0 the cap |x|^2 / floor. The inverse is convex in t, so the best t is found by golden sections; any t
  // is valid.
  const auto above = [&](double t) {
    return sums.above(t, (1 - t) * floor_ - t * bound_ - 4 * unit_roundoff * (floor_ + bound_));
  };
  constexpr double golden = 0.6180339887498949;
  double from = 0, to = 1, left = 1 - golden, right = golden, at_left = above(left), at_right = above(right);
  double best = std::min({rounded_up(coordinates.length * coordinates.length / floor_, 4 * unit_roundoff),
                          above(1), at_left, at_right});
  for (int step = 0; step < 40; ++step) {
    if (at_left <= at_right) {
      to = right, right = left, at_right = at_left;
      left = to - golden * (to - from);
      best = std::min(best, at_left = above(left));
    } else {
      from = left, left = right, at_left = at_right;
      right = from + golden * (to - from);
      best = std::min(best, at_right = above(right));
    }
  }
  // H <= M + bound I.
  return {std::min(best, sums.below(1, bound_)), best};
}

}  // namespace epsilometer
