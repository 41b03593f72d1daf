#include "core/accounting/composition/adaptive_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace epsilometer {
namespace {

// How many windows may be tried for a question, first and at most: a few hundredths of a second, and less
// than one.
constexpr double first_budget = 1.2e7, most_budget = 2e8;

// Fewer cells than this in the widest window say nothing worth having.
constexpr double fewest_window_cells = 4, most_window_cells = 1024;

// How many games are kept.
constexpr std::size_t most_tables = 12;

// A range beyond this is as good as none, and e^range squared must not overflow.
constexpr double widest_range = 50;

// Of levels where the value is below this share of what is asked, nothing need be known.
constexpr double negligible = 1e-8;

}  // namespace

std::optional<AdaptiveRange> AdaptiveRange::of(const std::vector<RepeatedRange>& ranges) {
  AdaptiveRange result(ranges);
  if (!(result.widest_ > 1e-8 && result.widest_ <= widest_range && result.states_ <= 5000))
    return std::nullopt;
  if (result.affordable_cells(1e-20, most_budget) < fewest_window_cells) return std::nullopt;
  return result;
}

AdaptiveRange::AdaptiveRange(std::vector<RepeatedRange> ranges) : ranges_(std::move(ranges)) {
  std::sort(ranges_.begin(), ranges_.end(), [](auto& a, auto& b) { return a.range > b.range; });
  widest_ = ranges_[0].range;
  for (const RepeatedRange& one : ranges_) {
    rounds_ += one.count;
    states_ *= one.count + 1;
    whole_ += one.count * one.range;
    rho_ += one.count * one.range * one.range / 8;
  }
}

// Beyond this the value is below the floor (Cesar and Rogers 2021: eta^2/8 is concentrated).
double AdaptiveRange::reach(double floor) const {
  return std::min(whole_, rho_ + 2 * std::sqrt(rho_ * std::max(1.0, -std::log(floor))));
}

double AdaptiveRange::affordable_cells(double floor, double budget) const {
  // Of one range the states are a line; of several almost every state may be left by each of them.
  const double plays = ranges_.size() == 1 ? rounds_ : states_ * static_cast<double>(ranges_.size());
  return std::min(most_window_cells, std::floor(std::sqrt(budget * widest_ / (plays * reach(floor)))));
}

AdaptiveRange::Table AdaptiveRange::played(double cells, double floor) const {
  // Ranges that are multiples of one length are played exactly on its lattice.
  const auto misfit = [this](double count) {
    double sum = 0;
    for (const RepeatedRange& one : ranges_) {
      const double fit = one.range / widest_ * count, apart = std::abs(fit - std::round(fit));
      if (apart >= 1e-9 || std::round(fit) == 0) sum += one.count * one.range * apart / fit;
    }
    return sum;
  };
  double best = std::max(2.0, cells);
  for (double other = best; other >= 2 && other > 0.6 * cells; --other) {
    if (misfit(other) < misfit(best)) best = other;
  }
  const RangeGrid outer(ranges_, best, true), inner(ranges_, best, false);
  const double margin = game_margin(widest_, rounds_);
  return {{outer.step, range_game(ranges_, outer, floor, true), margin},
          {inner.step, range_game(ranges_, inner, floor, false), margin}};
}

// The chord of two levels, above which a convex function of e^epsilon does not lie.
double AdaptiveRange::Side::upper(double epsilon) const {
  const double place = std::floor(epsilon / step * (1 - 4 * unit_roundoff));
  const double doubt = 16 * unit_roundoff * (place + 2);
  const double share = std::clamp(std::expm1(epsilon - place * step) / std::expm1(step) - doubt, 0.0, 1.0);
  return std::min(1.0, rounded_up((1 - share) * value.at(place) + share * value.at(place + 1), margin));
}

// Where it cannot be lower: on the lines through a level and the next one on the other side.
double AdaptiveRange::Side::lower(double epsilon, const Side& above) const {
  const double place = std::floor(epsilon / step);
  const double doubt = 16 * unit_roundoff * (place + 2);
  const auto extended = [&](double level, double share, double other) {
    const double behind = above.upper(std::max(0.0, other * step * (1 - 4 * unit_roundoff)));
    return level - (std::max(0.0, share) + doubt) * (behind - level);
  };
  double best = value.at(place + 1);
  best =
      std::max(best, extended(best, -std::expm1(epsilon - (place + 1) * step) / std::expm1(step), place + 2));
  if (place > 0) {
    best = std::max(
        best, extended(value.at(place), std::expm1(epsilon - place * step) / -std::expm1(-step), place - 1));
  }
  return rounded_down(best, margin);
}

Bounds AdaptiveRange::Table::delta(double epsilon) const {
  const double upper = above.upper(epsilon);
  return {std::min(below.lower(epsilon, above), upper), upper};
}

Bounds AdaptiveRange::Table::epsilon(double delta) const {
  const auto crossed = [delta](const auto& value, double far) {
    if (value(0.0) <= delta) return Bounds{0, 0};
    double no = 0, yes = far;
    for (int i = 0; i < 70; ++i) {
      const double middle = no + (yes - no) / 2;
      (value(middle) <= delta ? yes : no) = middle;
    }
    return Bounds{no, yes};
  };
  const double end = static_cast<double>(above.value.values.size()) * above.step;
  const double upper = crossed([this](double at) { return above.upper(at); }, end).upper;
  const double lower = crossed([this](double at) { return below.lower(at, above); }, end).lower;
  return {std::min(lower, upper), upper};
}

const AdaptiveRange::Table& AdaptiveRange::table(double cells, double floor) const {
  const auto known = tables_.find({cells, floor});
  if (known != tables_.end()) return known->second;
  if (tables_.size() == most_tables) tables_.clear();
  return tables_.emplace(std::pair(cells, floor), played(cells, floor)).first->second;
}

template <class Ask>
Bounds AdaptiveRange::narrowed(const Ask& ask, double gap, double level) const {
  const double floor = common_floor(level * negligible / rounds_);
  const double most = affordable_cells(floor, most_budget);
  double cells = affordable_cells(floor, first_budget);
  Bounds found = ask(table(cells, floor));
  for (int pass = 0; pass < 3; ++pass) {
    const double width = (found.upper - found.lower) / found.upper;
    if (!(width > gap)) break;
    const double finer =
        std::min(most, std::ceil(cells * std::clamp(1.2 * std::sqrt(width / gap), 1.5, 8.0)));
    if (finer < 1.2 * cells) break;
    cells = finer;
    found = ask(table(cells, floor));
  }
  return found;
}

Bounds AdaptiveRange::delta(double epsilon, double gap, double guess) const {
  // A step of epsilon moves delta by about as many times as much as it has logarithms.
  const double steepness = 1 - 2 * std::log(std::clamp(guess, 1e-300, 1.0));
  return narrowed([epsilon](const Table& table) { return table.delta(epsilon); }, gap * steepness, guess);
}

Bounds AdaptiveRange::epsilon(double delta, double gap) const {
  return narrowed([delta](const Table& table) { return table.epsilon(delta); }, gap, delta);
}

}  // namespace epsilometer
