#include "core/accounting/composition/range_blocks.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/margins.h"
#include "core/base/bounds.h"
#include "core/loss/laws/atomic_law.h"
#include "core/numerics/constants.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

// The largest range times the root of the rounds: beyond, the total variation nears 1, and its slope 0.
constexpr double widest_block = 16;

// More cells narrow the answer by nothing that shows.
constexpr double most_cells = 256;

// The value of the game from above: an upper bound at every level, linear in e^epsilon between two of them.
struct Ceiling {
  Ceiling(const RepeatedRange& range, double cells, double floor)
      : grid({range}, cells, true),
        value(range_game({range}, grid, floor, true)),
        margin(game_margin(range.range, range.count)) {}

  double computed(std::ptrdiff_t i) const { return value.at(static_cast<double>(i)); }
  double at(std::ptrdiff_t i) const { return std::min(1.0, rounded_up(computed(i), margin)); }
  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(value.values.size()); }

  RangeGrid grid;
  RangeValue value;
  double margin;
};

// The masses at the levels 0, 1, ... of which the computed values are the profile, but for rounding: its
// second differences in e^epsilon.
std::vector<double> masses_of(const Ceiling& ceiling) {
  const double step = ceiling.grid.step, growth = std::exp(step), rise = std::expm1(step);
  std::vector<double> masses;
  // D(-x) = 1 - e^-x + e^-x D(x).
  double before = -std::expm1(-step) + ceiling.computed(1) / growth;
  for (std::ptrdiff_t i = 0; i < ceiling.size(); ++i) {
    const double here = ceiling.computed(i);
    masses.push_back(std::max(0.0, (growth * (before - here) - (here - ceiling.computed(i + 1))) / rise));
    before = here;
  }
  return masses;
}

// How much larger all losses must be for the profile of the masses to lie above the ceiling for every
// epsilon, below 0 too. Between two levels both are linear in e^epsilon, with bends that are that far apart:
// it is enough at every bend, where the profile has fallen by its own slope, or the ceiling by its own.
// Infinite when the difference is not one of rounding.
double lift(const Ceiling& ceiling, const std::vector<double>& masses, double infinitely) {
  const double step = ceiling.grid.step, fall = -std::expm1(-step), rise = std::expm1(step);
  const std::ptrdiff_t size = ceiling.size();
  double below_zero = 0;
  for (std::ptrdiff_t i = 0; i < size; ++i)
    below_zero += masses[static_cast<std::size_t>(i)] * std::exp(-static_cast<double>(i) * step);
  // Each level rounds two products and two sums.
  const double rounding = 8 * unit_roundoff * static_cast<double>(size + 8);
  double profile = infinitely, above = infinitely, most = 0;
  for (std::ptrdiff_t i = size; i-- > 0;) {
    // P of the losses from here on, and the profile one level below.
    above += masses[static_cast<std::size_t>(i)];
    const double next = fall * above + (1 - fall) * profile;
    const double here = ceiling.at(i), missing = here - rounded_down(profile, rounding);
    if (missing > 0) {
      const double slope = rounded_down(next, rounding) - rounded_up(profile, rounding);
      const double drop = here - ceiling.at(i + 1);
      // The same below 0, where everything is e^{-loss} times as large.
      const double drop_below = i > 0 ? rise * (1 - ceiling.at(i - 1)) - (ceiling.at(i - 1) - here) : rise;
      if (!(slope > 0 && drop > 0 && drop_below > 0)) return infinite;
      most = std::max({most, missing / below_zero, missing * fall / slope, missing * rise / drop,
                       missing * rise / drop_below});
    }
    profile = next;
  }
  // e^lift - 1 and 1 - e^-lift are both enough.
  return most < 0.5 ? -std::log1p(-most) * (1 + composition::lift_margin) : infinite;
}

// The masses below 0 are e^-loss times those above it: the pair is symmetric. At most 256 nats away, they are
// right to 270u.
std::shared_ptr<const Law> block(const RepeatedRange& range, double cells, double floor) {
  const Ceiling ceiling(range, cells, floor);
  std::vector<double> masses = masses_of(ceiling);
  while (masses.size() > 1 && masses.back() == 0) masses.pop_back();
  const double infinitely = rounded_up(ceiling.at(ceiling.size()), charge_margin), step = ceiling.grid.step;
  const auto last = static_cast<std::ptrdiff_t>(masses.size()) - 1;
  const auto mass_at = [&](std::ptrdiff_t level) {
    const double mass = masses[static_cast<std::size_t>(std::abs(level))];
    return level < 0 ? mass * std::exp(static_cast<double>(level) * step) : mass;
  };
  DoubleDouble whole{0};
  for (std::ptrdiff_t level = -last; level <= last; ++level) whole = whole + DoubleDouble{mass_at(level)};
  // Of a range whose profile doubles do not tell from none.
  if (!(whole.hi > 0)) return nullptr;
  for (double& mass : masses) mass *= (1 - infinitely) / whole.hi;
  masses.resize(static_cast<std::size_t>(ceiling.size()), 0);
  const double lifted = lift(ceiling, masses, infinitely);
  if (!(lifted < 1e-6 * std::sqrt(range.count) * range.range)) return nullptr;
  std::vector<Atom> atoms;
  for (std::ptrdiff_t level = -last; level <= last; ++level)
    atoms.push_back({static_cast<double>(level) * step + lifted, mass_at(level)});
  return std::make_shared<AtomicLaw>(std::move(atoms), infinitely, LossLattice{lifted, step, -last});
}

}  // namespace

BlockPlan plan_blocks(const RepeatedRange& range, double floor, double budget) {
  // A block tries about 0.7 reach rounds^1.5 cells^2 windows.
  const double reach = std::sqrt(-std::log(floor) / 2);
  const double most_rounds =
      std::min(std::pow(0.78 * budget / reach, 0.4), std::pow(widest_block / range.range, 2));
  const double rounds = std::clamp(std::floor(most_rounds), 1.0, range.count);
  const double per_cells = 0.7 * std::min(reach, std::sqrt(rounds)) * std::pow(rounds, 1.5);
  const double cells = std::min(most_cells, std::floor(std::sqrt(budget / per_cells)));
  return {rounds, cells, (rounds < range.count ? 0.45 / rounds : 0) + 0.55 / (cells * cells)};
}

std::vector<RepeatedLaw> range_blocks(const RepeatedRange& range, double floor, const BlockPlan& plan) {
  const auto& [rounds, cells, lost] = plan;
  const double blocks = std::floor(range.count / rounds), rest = range.count - blocks * rounds;
  std::vector<RepeatedLaw> laws{{block({range.range, rounds}, cells, floor), blocks}};
  if (rest > 0) laws.push_back({block({range.range, rest}, cells, floor), 1});
  for (const RepeatedLaw& law : laws)
    if (!law.law) return {};
  return laws;
}

}  // namespace epsilometer
