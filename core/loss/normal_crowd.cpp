#include "core/loss/normal_crowd.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/numerics/constants.h"
#include "core/numerics/normal.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Where less than e^-26 of an integral is left, a bound of it does.
constexpr double negligible = 26;
// Steps where the integrand is largest, in units of the way over which it falls by e^-1/2; from there they
// grow by half as much of themselves. The first is to enclose, the second to search by.
constexpr double enclosing_step = 0.01, searching_step = 0.1;

/// The integral of e^{slope t} over t in [0, width].
double exponential_area(double slope, double width) {
  const double rise = slope * width;
  return rise == 0 ? width : width * std::expm1(rise) / rise;
}

/// Encloses the logarithm of the integral of e^f, f concave: chords are below it, chords of the
/// neighbouring cells, continued, above.
Bounds log_integral(const std::function<double(double)>& f, double from, double to, double step) {
  struct Node {
    double x, f;
  };
  const double middle = minimum([&](double x) { return -f(x); }, from, to, 20).first, top = f(middle);
  const auto side = [&](double sign) {
    double unit = 1e-3;
    while (top - f(middle + sign * unit) < 0.5) unit *= 1.5;
    while (top - f(middle + sign * unit / 1.5) > 0.5) unit /= 1.5;
    std::vector<Node> nodes;
    double x = middle, width = step * unit;
    do {
      x += sign * width;
      width *= 1 + step / 2;
      nodes.push_back({x, f(x) - top});
    } while (nodes.back().f > -negligible || nodes.size() < 3);
    return nodes;
  };
  const std::vector<Node> left = side(-1), right = side(1);
  std::vector<Node> nodes(left.rbegin(), left.rend());
  nodes.push_back({middle, 0});
  nodes.insert(nodes.end(), right.begin(), right.end());
  const auto slope = [&](std::size_t i) {
    return (nodes[i + 1].f - nodes[i].f) / (nodes[i + 1].x - nodes[i].x);
  };
  const std::size_t last = nodes.size() - 2;
  double lower = 0;
  // Beyond the ends the outermost chords go on.
  double upper = std::exp(nodes.front().f) / slope(0) - std::exp(nodes.back().f) / slope(last);
  for (std::size_t i = 0; i <= last; ++i) {
    const double width = nodes[i + 1].x - nodes[i].x, own = slope(i);
    lower += std::exp(nodes[i].f) * exponential_area(own, width);
    const double before = i > 0 ? slope(i - 1) : HUGE_VAL, after = i < last ? slope(i + 1) : -HUGE_VAL;
    // Where both meet; rounding may have taken what bends them apart.
    const double share = before > after ? std::clamp((own - after) / (before - after), 0.0, 1.0) : 0.5;
    const double meeting = i == 0 ? 0 : i == last ? width : share * width;
    if (meeting > 0) upper += std::exp(nodes[i].f) * exponential_area(before, meeting);
    if (meeting < width) upper += std::exp(nodes[i + 1].f) * exponential_area(-after, width - meeting);
  }
  // Terms of f are negative but for 100, and right as stated; continued chords show thrice what they are off.
  const double doubt = 2e-9 + 1e-14 * (std::abs(top) + 1000);
  return {top + std::log(lower) - doubt, top + std::log(upper) + doubt};
}

}  // namespace

double NormalCrowd::log_density(double m) const {
  return std::log(others_) - log_root_two_pi - m * m / 2 + (others_ - 1) * log_normal_upper_tail(-m);
}

double NormalCrowd::log_between(double x) const {
  const double middle = std::abs(x - shift_ / 2);
  // The density and its second derivative; the fourth would add (shift * middle)^4 / 1920, and nothing beyond
  // 100 counts.
  if (shift_ < 1e-4) {
    return std::log(shift_) - log_root_two_pi - middle * middle / 2 +
           std::log1p(shift_ * shift_ * (middle * middle - 1) / 24);
  }
  const double near = log_normal_upper_tail(middle - shift_ / 2);
  return near + std::log(-std::expm1(log_normal_upper_tail(middle + shift_ / 2) - near));
}

double NormalCrowd::peak() const { return std::sqrt(2 * std::log(others_)); }

double NormalCrowd::reach(double epsilon) const { return shift_ + 12 + std::min(80.0, 2 * epsilon / shift_); }

/// With the event's end at x: the logarithm of its probability without the shift, what it tells, and the
/// latter's logarithm as a search wants it, that rises with it where it is not positive too.
struct NormalCrowd::End {
  Bounds log_rate, told;
  double rank;
};

NormalCrowd::End NormalCrowd::end_at(double x, double sign, double log_grown, double step) const {
  const auto gained = [&](double m) { return log_density(m) + log_between(m - x); };
  const auto common = [&](double m) {
    return log_density(m) + log_normal_upper_tail(sign > 0 ? m - x : x + shift_ - m);
  };
  const double near = std::min({peak(), x, x + shift_}) - 1;
  const double beyond = std::max({peak(), x, x + shift_}) + 1;
  const Bounds gain = log_integral(gained, near, beyond, step),
               rate = log_integral(common, near, beyond, step);
  // Where f is a parabola, chords lack half of what continued ones exceed it by.
  const auto likely = [](const Bounds& found) { return (2 * found.lower + found.upper) / 3; };
  const double loss = likely(rate) + log_grown - likely(gain);
  return {rate,
          {std::exp(gain.lower) - std::exp(rate.upper + log_grown),
           std::exp(gain.upper) - std::exp(rate.lower + log_grown)},
          loss < 0 ? gain.lower + std::log(-std::expm1(loss)) : -1e6 - loss - sign * x};
}

Bounds NormalCrowd::told(double epsilon) const {
  const double log_grown = epsilon + std::log(-std::expm1(-epsilon)), far = reach(epsilon);
  Bounds most{0, 0};
  for (const double sign : {1.0, -1.0}) {
    const std::function<End(double, double)> at = [&](double x, double step) {
      return end_at(x, sign, log_grown, step);
    };
    const auto missing = [&](double x) { return -at(x, searching_step).rank; };
    const double x = minimum(missing, peak() - far, peak() + far, 16).first;
    const End best = at(x, enclosing_step);
    most.lower = std::max(most.lower, best.told.lower);
    // What is told is concave in the rate: chords, continued, are above it. Where it still rises towards rate
    // 0, as far as was looked, they go on to there.
    double upper = 1;
    for (double apart = 0.02; apart < far && upper == 1; apart *= 2) {
      const End less = at(x - sign * apart, enclosing_step), more = at(x + sign * apart, enclosing_step);
      const bool rises = apart > 1;
      if (more.told.upper > best.told.lower || (less.told.upper > best.told.lower && !rises)) continue;
      // In units of about the rate at x.
      const auto rate = [&](const End& end) {
        const double unit = best.log_rate.lower;
        return Bounds{std::exp(end.log_rate.lower - unit), std::exp(end.log_rate.upper - unit)};
      };
      const Bounds low = rate(less), here = rate(best), high = rate(more);
      if (!(low.upper < here.lower && here.upper < high.lower)) continue;
      const double rise = (best.told.upper - more.told.lower) / (high.lower - here.upper) *
                          (rises ? here.upper : here.upper - low.lower);
      const double fall =
          (best.told.upper - less.told.lower) / (here.lower - low.upper) * (high.upper - here.lower);
      upper = best.told.upper + std::max({0.0, rise, fall});
    }
    most.upper = std::max(most.upper, upper);
  }
  return {std::min(most.lower, 1.0), std::min(most.upper, 1.0)};
}

std::vector<SingleTest> NormalCrowd::events() const {
  std::vector<SingleTest> found;
  for (double x = peak() - 8; x <= peak() + 8; ++x) {
    // At epsilon 0 what is told is how much likelier the event is.
    const End at = end_at(x, 1, -HUGE_VAL, enclosing_step);
    found.push_back(
        {rounded_down(std::exp(at.log_rate.lower) + at.told.lower), rounded_up(std::exp(at.log_rate.upper))});
  }
  return found;
}

}  // namespace epsilometer
