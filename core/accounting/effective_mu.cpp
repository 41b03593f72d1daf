#include "core/accounting/effective_mu.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "core/accounting/calibrate.h"
#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double accuracy = 1e-3;
constexpr int most_halvings = 150;
constexpr int first_cells = 16;

// N(0, 1) against N(mu, 1) is how Gaussian differential privacy is defined (Dong, Roth and Su 2019,
// Definition 6), whatever mechanism keeps it.
std::shared_ptr<const PrivacyLoss> gaussian_pair(double mu) {
  return privacy_loss({"gdp", {{"mu", mu}}, {}, {}, {}});
}

// A number of the Gaussian mechanism that rises with mu: between which mu it is certain to pass a level.
using OfGaussian = std::function<Bounds(const KnownProfile&)>;
const Parameter any_mu{"mu", 0, 1e9, false, false};

// The largest mu, up to rounding, at which it is certainly not above the level.
double not_above(const OfGaussian& value, double level) {
  if (level <= 0) return 0;
  const auto upper = [&](double mu) { return value(*gaussian_pair(mu)->profile()).upper; };
  return least_private(upper, any_mu, 1, level, {"level", level}).value;
}

// The least mu, up to rounding, at which it is certainly above the level, or infinity.
double above(const OfGaussian& value, double level) {
  if (level <= 0) return 0;
  const auto lower = [&](double mu) { return value(*gaussian_pair(mu)->profile()).lower; };
  return least_private(lower, any_mu, 1, level, {"level", level}).insufficient.value_or(infinite);
}

// Of a function: what it is at a point, and what it is at most between two points.
struct Searched {
  std::function<Bounds(double)> at;
  std::function<double(double, double)> most;
};

Bounds supremum(const Searched& function, double from, double to) {
  struct Cell {
    double from, to, most;
  };
  std::vector<Cell> cells;
  Bounds best{0, 0};
  const auto add = [&](double left, double right) {
    const Bounds found = function.at(left);
    best = {std::max(best.lower, found.lower), std::max(best.upper, found.upper)};
    cells.push_back({left, right, function.most(left, right)});
  };
  const auto point = [&](int i) { return from + (to - from) * i / first_cells; };
  for (int i = 0; i < first_cells; ++i) add(point(i), i + 1 == first_cells ? to : point(i + 1));
  const auto less = [](const Cell& a, const Cell& b) { return a.most < b.most; };
  for (int i = 0;; ++i) {
    const auto worst = std::max_element(cells.begin(), cells.end(), less);
    // Where little is known of the function, finer cells would not tell more than single points do.
    if (worst->most <= best.upper * (1 + accuracy) || i == most_halvings)
      return {best.lower, std::max(best.lower, worst->most)};
    const Cell split = *worst;
    cells.erase(worst);
    const double middle = (split.from + split.to) / 2;
    add(split.from, middle);
    add(middle, split.to);
  }
}

OfGaussian power_at(double rate) {
  return [rate](const KnownProfile& pair) { return pair.power(rate); };
}

// The mu from which on the power at two rates is above a line: then, as it is concave, also between them.
double mu_above_line(double from, double to, double height, double slope) {
  return std::max(above(power_at(from), rounded_up(height + slope * from)),
                  above(power_at(to), rounded_up(height + slope * to)));
}

Bounds covering_mu(GroupPrivacy& group, double rate) {
  const double most = 1 - rate;
  const auto power = [&](double x) { return group.power(x); };
  // By the logarithms of rates, whose ends are met exactly.
  const auto rate_of = [&](double log_rate) { return std::clamp(std::exp(log_rate), rate, 0.5); };
  const Searched function{
      [&](double log_rate) {
        const double x = rate_of(log_rate);
        const Bounds found = power(x);
        return Bounds{not_above(power_at(x), std::min(most, found.lower)),
                      above(power_at(x), std::min(most, found.upper))};
      },
      [&](double left, double right) {
        const double from = rate_of(left), to = rate_of(right), highest = power(to).upper;
        const double flat = mu_above_line(from, to, std::min(rounded_up(most), highest), 0);
        // delta(epsilon) + e^epsilon x is above T(x), by little where its slope is that of the chord.
        const double epsilon = std::log((highest - power(from).lower) / (to - from));
        if (!std::isfinite(epsilon)) return flat;
        return std::min(flat, mu_above_line(from, to, group.delta(epsilon).upper, std::exp(epsilon)));
      }};
  // A little beyond both, so that the clamped ends are there.
  return supremum(function, std::log(rate) - 1e-9, std::log(0.5) + 1e-9);
}

// e^-60 is far below what a regret is known to.
constexpr double last_epsilon = 60;

Bounds regret(GroupPrivacy& group, double mu) {
  const auto pair = gaussian_pair(mu);
  const KnownProfile& gaussian = *pair->profile();
  const auto over_errors = [](double gap, double epsilon) {
    return std::max(0.0, gap) / (1 + std::exp(epsilon));
  };
  const Searched function{
      [&](double epsilon) {
        const Bounds one = gaussian.delta(epsilon), other = group.delta(epsilon);
        return Bounds{rounded_down(over_errors(one.lower - other.upper, epsilon)),
                      rounded_up(over_errors(one.upper - other.lower, epsilon))};
      },
      [&](double left, double right) {
        const double first = gaussian.delta(left).upper, last = gaussian.delta(right).upper;
        const double flat = over_errors(first - group.delta(right).lower, left);
        // T(x) - e^epsilon x is below delta(epsilon), by little where x is the slope of its chord. Beside a
        // chord of delta_mu that is a ratio of linear functions of e^epsilon: largest at one end.
        const double x =
            (group.delta(left).upper - group.delta(right).lower) / (std::exp(right) - std::exp(left));
        if (!(x > 1e-290 && x <= 1)) return rounded_up(flat);
        const double power = group.power(x).lower;
        const double chord = std::max(over_errors(first - power + std::exp(left) * x, left),
                                      over_errors(last - power + std::exp(right) * x, right));
        return rounded_up(std::min(flat, chord + 32 * unit_roundoff));
      }};
  const Bounds found = supremum(function, 0, last_epsilon);
  return {found.lower, std::max(found.upper, std::exp(-last_epsilon))};
}

}  // namespace

Bounds effective_mu(GroupPrivacy& group, double epsilon) {
  in_range("epsilon", epsilon, 0, 1e9);
  const Bounds delta = group.delta(epsilon);
  const auto of_gaussian = [=](const KnownProfile& pair) { return pair.delta(epsilon); };
  const double lower = delta.lower >= 1 ? infinite : not_above(of_gaussian, delta.lower);
  return {lower, std::max(lower, above(of_gaussian, delta.upper))};
}

GaussianCover gaussian_cover(GroupPrivacy& group, double rate) {
  in_range("falsePositive", rate, 1e-100, 0.49);
  const Bounds mu = covering_mu(group, rate);
  return {mu, regret(group, mu.upper)};
}

}  // namespace epsilometer
