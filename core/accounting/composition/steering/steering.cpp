#include "core/accounting/composition/steering/steering.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/steering/effort.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

using std::numbers::pi;

// A window of a transform has about so many standard deviations.
constexpr double reach_of_window = 20;

// How much of the mass of a lattice may be cut off: nothing that shows beside what rounding costs.
constexpr double exact_depth = 32;

// The stretch of x that matters: above it mass e^tail is given up, to infinity; below it e^low of tilted
// mass.
std::pair<double, double> stretch_of(const Law& law, double tail, double low, double theta) {
  const double stride = law.length_scale() / 2, lowest = law.lowest_x(), highest = law.highest_x();
  if (!(lowest < highest)) return {0, 0};
  double from = std::clamp(0.0, lowest, highest), to = from;
  // By even strides as far as ordinary laws reach, then by growing ones.
  const auto widened = [stride](double stepped) {
    return std::abs(stepped) < 100 * stride ? stride : std::abs(stepped) / 8;
  };
  while (to < highest && law.log_above(to) > tail) to = std::min(highest, to + widened(to));
  const auto heavy_below = [&](double x) { return law.log_below(x) + theta * law.loss(x) > low; };
  while (from > lowest && heavy_below(from)) from = std::max(lowest, from - widened(from));
  return {from, to};
}

}  // namespace

double Steering::depth(double depth) const { return steps_.spacing() > 0 ? exact_depth : depth; }

double Steering::patience() const {
  return steps_.spacing() > 0 ? effort::few_outcomes : Enumeration::patience;
}

double Steering::count() const {
  double count = 0;
  for (const RepeatedLaw& one : laws_) count += one.count;
  return count;
}

std::vector<TiltedPart> Steering::parts(const Tilt& tilted, const SumTarget& target) const {
  const double rest = target.depth + std::log(count());
  std::vector<TiltedPart> result;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const Law& law = *laws_[i].law;
    const double log_moment = tilts().log_moment(laws_, i, tilted.theta, target.log_delta);
    const auto [from, to] = stretch_of(law, target.log_delta - rest, log_moment - rest, tilted.theta);
    result.push_back(part_between(laws_[i], from, to, log_moment));
    const bool bounded = std::isfinite(law.lowest_x()) && std::isfinite(law.highest_x());
    if (!bounded && !((to - from) / law.length_scale() < effort::most_units)) return {};
  }
  return result;
}

std::vector<TiltedPart> Steering::untilted_parts(double log_delta) const {
  const double rest = 17 + std::log(count());
  std::vector<TiltedPart> result;
  for (const RepeatedLaw& one : laws_) {
    const auto [from, to] = stretch_of(*one.law, log_delta - rest, -rest, 0);
    result.push_back(part_between(one, from, to, 0));
  }
  return result;
}

// Nothing where zero is so near to the line, as it is for losses below the centre of the sum, that what wraps
// around would need more frequencies than there may be, even if none were beyond the spread.
std::optional<LinePlan> Steering::plan(const Tilt& tilted, double log_delta, double deeper) const {
  // Relative to e^{log_scale - theta epsilon}, which is larger than delta by about these factors.
  const double depth =
      16 + deeper + std::log1p(2.5 * tilted.theta * tilted.spread) + std::log1p(tilted.theta);
  const double rise = tilts().border(tilted, 1, depth).exponent;
  const double fall = -tilts().border(tilted, -1, depth).exponent;
  const double frequencies = depth / std::min(fall, tilted.theta) / (2 * pi * tilted.spread);
  if (!(frequencies < effort::most_frequencies)) return std::nullopt;
  return LinePlan{tilted.theta, tilted.centre, tilted.spread, rise, fall, depth, log_delta};
}

std::optional<Steering::Line> Steering::line(const Tilt& tilted, double log_delta, double deeper) const {
  if (reach_of_window * tilted.spread < steps_.spacing() * effort::most_points(laws_.size()))
    return std::nullopt;
  const auto plan = this->plan(tilted, log_delta, deeper);
  if (!plan) return std::nullopt;
  std::vector<TiltedPart> parts = this->parts(tilted, {tilted.centre, log_delta, plan->depth});
  if (parts.empty()) return std::nullopt;
  return Line{*plan, std::move(parts)};
}

std::optional<Steering::Line> Steering::line_of_samples(const Tilt& tilted, double log_delta,
                                                        double deeper) const {
  const auto is_other = [](const RepeatedLaw& one) {
    return !(one.law->gaussian() > 0) && !one.law->sampled_normal();
  };
  if (std::any_of(laws_.begin(), laws_.end(), is_other)) return std::nullopt;
  const auto plan = this->plan(tilted, log_delta, deeper);
  if (!plan) return std::nullopt;
  std::vector<TiltedPart> parts;
  for (const RepeatedLaw& one : laws_)
    parts.push_back({one.law, one.count, -infinite, infinite, -infinite, infinite, 0});
  return Line{*plan, std::move(parts)};
}

std::optional<Window> Steering::window(const Tilt& tilted, const std::vector<TiltedPart>& parts,
                                       const SumTarget& target, double step) const {
  double least = 0, furthest = 0;
  for (const TiltedPart& part : parts) {
    furthest = std::max(furthest, part.reach());
    if (steps_.spacing() == 0)
      least = std::max(least, (part.top - part.bottom) / effort::most_cells(parts.size()));
  }
  const auto [high, rise] = tilts().border(tilted, 1, target.depth);
  const auto [low, fall] = tilts().border(tilted, -1, target.depth);
  // What wraps around from above the window must land below epsilon, and what wraps from below where it
  // weighs little.
  const double beyond = (steps_.spacing() > 0 ? target.depth : 18) / tilted.theta;
  const double top = std::min(high, target.epsilon + beyond);
  const double needed = std::max(top - low, high - target.epsilon + tilted.spread / 4);
  least = std::max(least, needed / effort::most_points(parts.size()));
  if (step < least) step = steps_.coarsened(least);
  if (!(needed > 0 && step > 0 && step < 1e100 && std::max(std::abs(low), furthest) / step < 1e15))
    return std::nullopt;
  return Window{step, tilted.theta, low, rise, fall, smooth_length(needed / step + 4)};
}

// Of laws on uneven knots, until there is one of them all.
double Steering::joins() const {
  double joins = static_cast<double>(laws_.size());
  for (const RepeatedLaw& one : laws_) joins += 1.5 * std::log2(one.count);
  return joins;
}

std::size_t Steering::most_uneven_cells() const {
  return static_cast<std::size_t>(std::exp2(std::floor(std::log2(std::sqrt(effort::most_pairs / joins())))));
}

double Steering::effort_of(const Window& window, const std::vector<TiltedPart>& parts) const {
  double cells = 0;
  for (const TiltedPart& part : parts) cells += (part.top - part.bottom) / window.step;
  const double points = static_cast<double>(window.length * (parts.size() + 1));
  return effort::pairs_of_even_cell * cells + effort::pairs_of_point * points;
}

double Steering::effort_of(std::size_t cells) const {
  return joins() * static_cast<double>(cells) * static_cast<double>(cells);
}

}  // namespace epsilometer
