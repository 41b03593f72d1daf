#include "core/noise/spectrum_confidence.h"

#include <cmath>
#include <limits>

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// x^T (scale M + shift I)^{-1} x for M a lower triangle: a bound from the named side, not the value. Rounding
// is covered by moving the matrix: forming it costs 4u of each term, and Cholesky's factor with the
// substitution after it is the exact one of a matrix within 3.01 (d + 1) u trace (Higham 2002, Theorems 10.3
// and 8.5). Infinity (from above) or 0 (from below) where the moved matrix is not positive definite. Eigen's
// factorisation would do as well, at several times the size of everything here.
enum class Side { below, above };

class InverseForm {
 public:
  InverseForm(std::span<const double> matrix, std::span<const double> x)
      : matrix_(matrix), x_(x), factor_(matrix.size()), y_(x.size()) {
    for (const double entry : matrix) entries_ += 2 * std::abs(entry);
    for (std::size_t row = 0; row < x.size(); ++row) diagonal_ += std::abs(matrix[row * (row + 3) / 2]);
    for (const double entry : x) length_ += entry * entry;
  }

  double length() const { return length_; }

  double operator()(double scale, double shift, Side side) {
    const double d = static_cast<double>(x_.size()), sign = side == Side::above ? -1 : 1;
    const double trace = d * std::abs(shift) + scale * diagonal_;
    const double moved = shift + sign * 8 * unit_roundoff * ((d + 2) * trace + scale * entries_);
    double sum = 0;
    for (std::size_t row = 0; row < x_.size(); ++row) {
      double* here = &factor_[row * (row + 1) / 2];
      for (std::size_t column = 0; column <= row; ++column) {
        const double* there = &factor_[column * (column + 1) / 2];
        double rest = scale * matrix_[row * (row + 1) / 2 + column] + (row == column ? moved : 0);
        for (std::size_t k = 0; k < column; ++k) rest -= here[k] * there[k];
        if (row == column && !(rest > 0)) return side == Side::above ? infinity : 0;
        here[column] = row == column ? std::sqrt(rest) : rest / there[column];
      }
      double rest = x_[row];
      for (std::size_t k = 0; k < row; ++k) rest -= here[k] * y_[k];
      y_[row] = rest / here[row];
      sum += y_[row] * y_[row];
    }
    const double margin = 2 * (d + 2) * unit_roundoff;
    return side == Side::above ? rounded_up(sum, margin) : rounded_down(sum, margin);
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();

 private:
  std::span<const double> matrix_, x_;
  std::vector<double> factor_, y_;
  double entries_ = 0, diagonal_ = 0, length_ = 0;
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

Bounds inverse_form_bounds(std::span<const double> released, std::span<const double> x, double bound,
                           double floor) {
  in_range("bound", bound, 0, 1e100);
  in_range("floor", floor, 1e-100, 1e100);
  InverseForm form(released, x);
  // H >= floor I and H >= M - bound I, M the released matrix, so H >= t (M - bound I) + (1 - t) floor I for
  // every t in [0, 1]; t = floor / (floor + bound) is (1 + bound/floor) x^T M^{-1} x (Redberg and Wang 2021),
  // t = 0 the cap |x|^2 / floor. The inverse is convex in t, so the best t is found by sections; any t is
  // valid.
  const auto above = [&](double t) {
    const double rounding = 4 * unit_roundoff * (floor + bound);
    return form(t, (1 - t) * floor - t * bound - rounding, Side::above);
  };
  double best = rounded_up(form.length() / floor, 2 * (static_cast<double>(x.size()) + 2) * unit_roundoff);
  double from = 0, to = 1;
  for (int step = 0; step < 40; ++step) {
    const double left = from + (to - from) * 0.382, right = to - (to - from) * 0.382;
    const double at_left = above(left), at_right = above(right);
    best = std::min({best, at_left, at_right});
    (at_left <= at_right ? to : from) = at_left <= at_right ? right : left;
  }
  best = std::min(best, above(1));
  // H <= M + bound I.
  return {std::min(best, form(1, bound, Side::below)), best};
}

}  // namespace epsilometer
