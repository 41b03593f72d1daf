// The supremum of a function of one variable, enclosed: branch and bound with bounds on its slope.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/bounds.h"

namespace epsilometer {

/// Everything between two values.
struct Range {
  double low, high;
};

/// Wider than what rounding may cost ends that are right to 2^-45.
inline Range operator-(Range a, Range b) {
  const double slack = 0x1p-44 * (std::max(-a.low, a.high) + std::max(-b.low, b.high));
  return {a.low - b.high - slack, a.high - b.low + slack};
}
inline Range hull(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

/// A value and how far it may be from the truth.
struct Value {
  double number, doubt;
};

inline Value operator+(Value a, Value b) { return {a.number + b.number, a.doubt + b.doubt}; }
inline Value operator-(Value a, Value b) { return {a.number - b.number, a.doubt + b.doubt}; }

/// The supremum over the points between two of them. A point has an `abscissa`, and its function value in
/// `value`; family.between(a, b) is a point between two others, family.slopes(left, right) the range of the
/// derivative with respect to the abscissa from one to the other. The cells are cut until the interval is as
/// narrow as `narrow`, relatively, or as rounding allows, but not into more than `most_cells`.
template <class Family, class Point>
Bounds supremum(const Family& family, const Point& first, const Point& last, double narrow = 0x1p-44,
                int most_cells = 600) {
  struct Cell {
    double most;
    Point from, to;
    bool operator<(const Cell& other) const { return most < other.most; }
  };
  const auto cell = [&family](const Point& from, const Point& to) {
    const Point &left = from.abscissa < to.abscissa ? from : to,
                &right = from.abscissa < to.abscissa ? to : from;
    const Range slope = family.slopes(left, right);
    const double rise = std::max(0.0, slope.high * (1 + 0x1p-30)),
                 fall = std::max(0.0, -slope.low * (1 + 0x1p-30));
    const double a = left.value.number + left.value.doubt, b = right.value.number + right.value.doubt;
    const double width = (right.abscissa - left.abscissa) * (1 + 0x1p-30);
    // Where the steepest rise from the left meets the steepest fall to the right.
    const double way = rise + fall > 0 ? (b - a + fall * width) / (rise + fall) : 0;
    return Cell{std::max({a, b, a + rise * std::clamp(way, 0.0, width)}), from, to};
  };
  const auto least = [](const Point& point) { return point.value.number - point.value.doubt; };
  double best = std::max(least(first), least(last)), doubt = first.value.doubt;
  std::vector<Cell> cells{cell(first, last)};
  for (int i = 0; i < most_cells && cells[0].most > best * (1 + narrow) + 4 * doubt; ++i) {
    std::pop_heap(cells.begin(), cells.end());
    const Cell widest = cells.back();
    const Point middle = family.between(widest.from, widest.to);
    best = std::max(best, least(middle));
    doubt = std::max(doubt, middle.value.doubt);
    cells.back() = cell(widest.from, middle);
    std::push_heap(cells.begin(), cells.end());
    cells.push_back(cell(middle, widest.to));
    std::push_heap(cells.begin(), cells.end());
  }
  return {std::max(0.0, best), std::min(1.0, std::max(best, cells[0].most))};
}

}  // namespace epsilometer
