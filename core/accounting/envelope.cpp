#include "core/accounting/envelope.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// More evaluations than this for one question are not worth their time.
constexpr int most_evaluations = 60;

// Beyond these, e^epsilon or e^-epsilon is below every false-positive rate, and a line tells nothing more.
constexpr double furthest_line = 800;

// How wide the interval may be, relative to the smaller of power and one minus power.
constexpr double enough = 1e-5;

// An interval wider than this, relatively as well, has ends that do not help each other. Of nearly all power
// no lower upper end is looked for, nor is there another interval where so many evaluations changed nothing;
// nor is there where it is hardly wider than what is not known of the profile itself.
constexpr double far_apart = 1e-2, nearly_all = 1 - 1e-6, mostly_doubt = 1e-2;
constexpr int most_in_vain = 12;

// How much lower a line may be than the one that lowest_line() finds, relatively: where neighbours are not
// convex every digit more takes ten times as many evaluations.
constexpr double line_enough = 5e-3;

// What need not be known of a delta, relative to the false-positive rate, or to what it lacks of 1.
constexpr double hardly_counts = 1e-2 * enough;

// What rounding may cost in a line, relative to the sum of its terms.
constexpr double line_margin = 8 * rounding_margin;

// Whether it is told on which side of the level the power is.
bool is_told(const Bounds& found, std::optional<double> level) {
  return level && (found.lower > *level || found.upper < *level);
}

}  // namespace

// A line below the profile on one side of a point, in units of the cell's own e^epsilon: its value at the
// point, and how fast it falls with growing a = e^epsilon.
struct Envelope::Line {
  double value, fall;
};

// A stretch between neighbouring evaluations: a bound from below on the envelope there, and where to evaluate
// next.
struct Envelope::Cell {
  double lower, next;

  // `left` starts at a = from and `right` ends at a = to, in units in which the false-positive rate is x. Any
  // mixture of lines below the profile is a line below it, and the smallest value of a line is at an end; the
  // best mixture is as steep as x.
  static double least(const Line& left, const Line& right, double from, double to, double x) {
    const double level = (x - right.fall) / (left.fall - right.fall);
    const double share = level > 0 ? std::min(1.0, level * (1 - line_margin)) : 0;
    return std::max(mixed(left, right, from, to, x, share), mixed(left, right, from, to, x, 0));
  }

  static double mixed(const Line& left, const Line& right, double from, double to, double x, double share) {
    const double value = share * left.value + (1 - share) * right.value;
    // Without an end the mixture falls no faster than x.
    if (std::isinf(to)) return (value + from * x) * (1 - line_margin);
    const double rise = (1 - share) * right.fall * (to - from), drop = share * left.fall * (to - from);
    const double ends = std::min(value + rise + from * x, value + to * x - drop - line_margin * drop);
    return ends - line_margin * (value + from * x);
  }
};

std::vector<Envelope::Cell> Envelope::cells(double x) const {
  const auto first = points_.begin(), last = std::prev(points_.end());
  // How fast the line through two neighbours falls, in units of e^unit.
  const auto fall = [](const auto& from, double value, const auto& to, double end_value, double unit) {
    const double width = std::exp(from->first - unit) * std::expm1(to->first - from->first);
    return std::max(0.0, (value - end_value) / width);
  };
  // Extended to the right beyond `point`, and to the left.
  const auto falling = [&](const auto& point) {
    const double value = point->second.lower;
    if (point == first) return Line{value, 1 - value};
    const auto before = std::prev(point);
    return Line{value, fall(before, before->second.upper, point, value, point->first)};
  };
  const auto rising = [&](const auto& point, double unit) {
    const double value = point->second.lower;
    if (point == last) return Line{value, 0};
    const auto after = std::next(point);
    return Line{value, fall(point, value, after, after->second.upper, unit)};
  };
  const auto scaled = [x](double unit) { return std::exp(unit) * x; };
  const double reach = last->first - first->first;
  std::vector<Cell> result;
  // Towards a = 0, where delta >= 1 - a.
  const double lowest = first->first, highest = last->first;
  result.push_back({Cell::least({1, std::exp(lowest)}, rising(first, lowest), 0, 1, scaled(lowest)),
                    std::max(-furthest_line, lowest - reach)});
  for (auto left = first, right = std::next(first); right != points_.end(); left = right++) {
    const double unit = left->first, width = right->first - unit;
    const double lower = Cell::least(falling(left), rising(right, unit), 1, std::exp(width), scaled(unit));
    result.push_back({lower, unit + width / 2});
  }
  // Beyond the last one delta falls on, but not below its limit.
  const Line limit{infinite_mass_, 0};
  result.push_back({Cell::least(falling(last), limit, 1, infinite, scaled(highest)),
                    std::min(furthest_line, highest + reach)});
  return result;
}

double Envelope::height(const Point& point, double x) {
  return point.second.upper + std::exp(point.first) * x;
}

Bounds Envelope::power(double x, std::optional<double> level) {
  Bounds found = enclosed(x, level);
  if (!is_told(found, level) && found.lower < nearly_all &&
      found.upper - found.lower > far_apart * std::min(found.upper, 1 - found.lower))
    found.upper = std::min(found.upper, lowest_line(x));
  return found;
}

// Every line is above the curve. Where to look is heuristic: delta falls with epsilon, so that no line
// between two evaluations is lower than the value at the right one with what the left one adds, and further
// to the left delta is at least 1 - e^epsilon. In turn the stretch where a line could be lowest, and the
// wider one beside the lowest line.
double Envelope::lowest_line(double x) {
  const auto line = [x](const Point& point) { return rounded_up(height(point, x)); };
  // An upper end that falls at one epsilon rises at its negative, where the other table is accused.
  const auto evaluate_both = [&](double epsilon) {
    evaluate(epsilon);
    evaluate(-epsilon);
  };
  start(x);
  std::vector<double> known;
  for (const auto& point : points_) known.push_back(-point.first);
  for (const double epsilon : known) evaluate(epsilon);
  for (int evaluations = 0;; evaluations += 2) {
    auto best = points_.begin();
    for (auto point = points_.begin(); point != points_.end(); ++point)
      if (line(*point) < line(*best)) best = point;
    const double lowest = std::min(1.0, line(*best));
    // Lines from here on add that much themselves.
    const double last = std::min(furthest_line, std::log(lowest) - std::log(x));
    const double first = points_.begin()->first;
    double least = lowest, next = best->first;
    const auto try_between = [&](double from, double to, double bound, double middle) {
      if (!(from < to) || bound >= least) return;
      least = bound;
      next = middle;
    };
    try_between(-furthest_line, first, std::max(0.0, -std::expm1(first)),
                std::max(-furthest_line, 2 * first - last));
    for (auto left = points_.begin(); left != points_.end(); ++left) {
      const auto right = std::next(left);
      const bool is_last = right == points_.end();
      const double to = is_last ? last : std::min(last, right->first);
      const double value = is_last ? infinite_mass_ : right->second.upper;
      try_between(left->first, to, value + std::exp(left->first) * x, left->first + (to - left->first) / 2);
    }
    if (lowest - least <= line_enough * std::min(lowest, 1 - least) || evaluations == most_evaluations)
      return lowest;
    if (evaluations % 4 == 2) {
      const double before = best == points_.begin() ? best->first : std::prev(best)->first;
      const double after = std::next(best) == points_.end() ? last : std::next(best)->first;
      const bool is_left = best->first - before > after - best->first;
      next = (best->first + (is_left ? before : after)) / 2;
    }
    if (points_.count(next) > 0) return lowest;
    evaluate_both(next);
  }
}

void Envelope::start(double x) {
  // A smaller rate than before needs to know more of what hardly counted.
  const double least = hardly_counts * std::max(1e-300, std::min(x, 1 - x));
  if (least < negligible_) {
    std::erase_if(points_, [this](const auto& point) { return point.second.upper <= negligible_; });
    negligible_ = least;
  }
  if (points_.empty()) {
    for (const double epsilon : {-0.25, 0.0, 0.25}) evaluate(epsilon);
  }
}

Bounds Envelope::enclosed(double x, std::optional<double> level) {
  start(x);
  Bounds last{0, 1};
  for (int evaluations = 0, in_vain = 0;; ++evaluations) {
    // Above the limit no stretch gets, however short, but for what neighbours tell of each other.
    double upper = 1, doubt = 0, limit = 1;
    std::size_t best = 0, i = 0;
    for (const auto& [epsilon, delta] : points_) {
      const double rise = std::exp(epsilon) * x, bound = rounded_up(delta.upper + rise);
      if (bound < upper) {
        doubt = delta.upper - delta.lower;
        best = i;
      }
      upper = std::min(upper, bound);
      limit = std::min(limit, delta.lower + rise);
      ++i;
    }
    const std::vector<Cell> all = cells(x);
    const auto lower_end = [](const Cell& one, const Cell& other) { return one.lower < other.lower; };
    const Cell& weakest = *std::min_element(all.begin(), all.end(), lower_end);
    const Bounds found{std::clamp(weakest.lower, x, upper), upper};
    // No narrower than the profile's own interval, or than rounding leaves it.
    const double width = enough * std::min(upper, 1 - found.lower) + 1.5 * doubt + 2 * line_margin * upper;
    // The weakest cell raises the lower end, the better one beside the best point lowers the upper one.
    const Cell& beside = std::min(all[best], all[best + 1], lower_end);
    const auto known = [this](double epsilon) { return points_.count(epsilon) > 0; };
    double next = (evaluations % 2 == 0 ? weakest : beside).next;
    if (known(next)) next = (evaluations % 2 == 0 ? beside : weakest).next;
    const bool is_narrow = found.upper - found.lower <= width;
    const bool is_as_before = found.lower == last.lower && found.lower >= nearly_all;
    const bool is_limited = limit - found.lower <= mostly_doubt * (upper - limit);
    in_vain = upper == last.upper && (is_as_before || is_limited) ? in_vain + 1 : 0;
    last = found;
    if (is_narrow || is_told(found, level) || known(next) || in_vain == most_in_vain ||
        evaluations == most_evaluations)
      return found;
    evaluate(next);
  }
}

Envelope::Touch Envelope::touch(double x, bool between) const {
  // Near x = 1 the line delta = 1 - a of ever smaller epsilon is best until others are known.
  Touch best{2 * points_.begin()->first, 1};
  auto lowest = points_.end();
  for (auto point = points_.begin(); point != points_.end(); ++point) {
    const double power = height(*point, x);
    if (!(power < best.power)) continue;
    best = {point->first, power};
    lowest = point;
  }
  if (!between || lowest == points_.end() || lowest == points_.begin() || std::next(lowest) == points_.end())
    return best;
  // The vertex of the parabola through the logs of it and of its neighbours.
  const auto slope = [&](const auto& from, const auto& to) {
    return std::log(height(*to, x) / height(*from, x)) / (to->first - from->first);
  };
  const auto before = std::prev(lowest), after = std::next(lowest);
  const double width = after->first - before->first;
  const double bend = 2 * (slope(lowest, after) - slope(before, lowest)) / width;
  const double here = slope(before, lowest) + bend * (lowest->first - before->first) / 2;
  if (bend > 0) best.epsilon -= here / bend;
  return best;
}

}  // namespace epsilometer
