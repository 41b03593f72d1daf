#include "core/accounting/composition/range_game.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// The state of a game: how many releases of each range have been played.
using State = std::vector<int>;

// The curve from `-cells` to `cells` beyond its end. The class has both directions of every pair, so that
// D(-x) = 1 - e^-x + e^-x D(x).
std::vector<double> extended(const RangeValue& curve, std::ptrdiff_t cells, double step) {
  const auto size = static_cast<std::ptrdiff_t>(curve.values.size());
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(size + 3 * cells + 1));
  for (std::ptrdiff_t i = -cells; i < 0; ++i) {
    const double level = static_cast<double>(i) * step;
    result.push_back(-std::expm1(level) + std::exp(level) * curve.at(static_cast<double>(-i)));
  }
  for (std::ptrdiff_t i = 0; i <= size + 2 * cells; ++i) result.push_back(curve.at(static_cast<double>(i)));
  return result;
}

// The windows of one range: for the top at l steps the probabilities of both losses.
struct Windows {
  Windows(int cells, double step) : cells(cells) {
    const double range = cells * step, whole = -std::expm1(-range);
    for (int l = 0; l <= cells; ++l) {
      top.push_back(-std::expm1(-(cells - l) * step) / whole);
      bottom.push_back(std::exp(-(cells - l) * step) * (-std::expm1(-l * step) / whole));
    }
    // How much a window between two neighbouring ones can add, per difference of the values at its ends, and
    // e^step times that.
    const double bend = std::tanh(step / 4) * std::exp(step) * (1 + 2 * rounding_margin);
    top_bend = bend / whole;
    bottom_bend = std::exp(-range) * top_bend;
  }

  int cells;
  std::vector<double> top, bottom;
  double top_bend, bottom_bend;
};

// Levels that are done together stay in the cache.
constexpr std::ptrdiff_t levels_together = 1024;

// One more release of that range before a game of known value: raises `best` to it where it is larger. From
// below only windows on the lattice are played. From above a window between two of them is spread over both,
// R = e^-loss keeping its mean, which adds to delta; what that gives is concave in e^t, and above the larger
// of its ends by no more than E = tanh(step / 4) (e^eta (A - C) - (B - G)) / (e^eta - 1), where A and C are
// the values behind the larger loss at both ends, and B and G those behind the smaller. At the share x of the
// way, in e^t, the chord of the ends is exceeded in proportion to x (1 - x) e^-t, so by no more than 4 F x (1
// - x), F = e^step E: with ends that differ by d the maximum is above the larger one by (1 - y)^2 F at most,
// y = d / (4 F) < 1, or not at all. Of that convex function two chords are enough: 1 - 3y/2 and (1 - y)/2.
template <bool from_above>
void play(const RangeValue& inner, const Windows& windows, double step, std::vector<double>& best) {
  const auto cells = static_cast<std::ptrdiff_t>(windows.cells);
  const std::vector<double> values = extended(inner, cells, step);
  const auto size = static_cast<std::ptrdiff_t>(inner.values.size()) + cells;
  if (best.size() < static_cast<std::size_t>(size)) best.resize(static_cast<std::size_t>(size), 0);
  // Differences of rounded values.
  constexpr double more = 1 + 8 * unit_roundoff;
  std::vector<double> before(levels_together);
  for (std::ptrdiff_t from = 0; from < size; from += levels_together) {
    const std::ptrdiff_t length = std::min(levels_together, size - from);
    double* const top = best.data() + from;
    for (std::ptrdiff_t l = 0; l <= cells; ++l) {
      const double p = windows.top[static_cast<std::size_t>(l)],
                   q = windows.bottom[static_cast<std::size_t>(l)];
      // The values behind the larger loss and behind the smaller one.
      const double* const large = values.data() + cells + from - l;
      const double* const small = large + cells;
      if constexpr (from_above) {
        const double large_bend = l > 0 ? windows.top_bend : 0, small_bend = l > 0 ? windows.bottom_bend : 0;
        for (std::ptrdiff_t i = 0; i < length; ++i) {
          const double here = p * large[i] + q * small[i];
          const double last = before[static_cast<std::size_t>(i)];
          const double ends = here > last ? here : last, apart = here > last ? here - last : last - here;
          const double bend =
              large_bend * (large[i] * more - large[i + 1]) - small_bend * (small[i] - small[i + 1] * more);
          const double near = bend - 0.375 * apart, far = 0.5 * bend - 0.125 * apart;
          const double rise = near > far ? near : far;
          const double most = rise > 0 ? ends + rise : ends;
          top[i] = most > top[i] ? most : top[i];
          before[static_cast<std::size_t>(i)] = here;
        }
      } else {
        for (std::ptrdiff_t i = 0; i < length; ++i) {
          const double here = p * large[i] + q * small[i];
          top[i] = here > top[i] ? here : top[i];
        }
      }
    }
    if constexpr (from_above) std::fill(before.begin(), before.end(), 0.0);
  }
}

// What lies below the floor is cut off: from above it counts as the floor, which also covers what shorter
// curves did not add there; from below as nothing. What a round makes of a floor is the floor, rounded.
void cut(RangeValue& curve, double floor, bool from_above) {
  const double level = from_above ? std::max(floor, curve.beyond) * (1 + 16 * unit_roundoff) : floor;
  const auto low = [level](double value) { return value <= level; };
  const auto first = std::find_if(curve.values.begin(), curve.values.end(), low);
  if (first == curve.values.end()) return;
  curve.beyond = from_above ? level : 0;
  curve.values.erase(first + 1, curve.values.end());
  curve.values.back() = curve.beyond;
}

template <bool from_above>
RangeValue game(const std::vector<RepeatedRange>& ranges, const RangeGrid& grid, double floor) {
  std::vector<Windows> windows;
  for (const int cells : grid.cells) windows.emplace_back(std::max(1, cells), grid.step);
  std::map<State, RangeValue> layer{{State(ranges.size(), 0), RangeValue{}}};
  double rounds = 0;
  for (const RepeatedRange& one : ranges) rounds += one.count;
  for (double round = 0; round < rounds; ++round) {
    std::map<State, RangeValue> next;
    for (const auto& [state, curve] : layer) {
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (state[i] == ranges[i].count) continue;
        State more = state;
        ++more[i];
        RangeValue& after = next[more];
        std::vector<double>& best = after.values;
        after.beyond = std::max(after.beyond, curve.beyond);
        if (grid.cells[i] > 0) {
          play<from_above>(curve, windows[i], grid.step, best);
        } else {
          // From below, a range narrower than a cell tells nothing.
          best.resize(std::max(best.size(), curve.values.size()), 0);
          for (std::size_t j = 0; j < curve.values.size(); ++j) best[j] = std::max(best[j], curve.values[j]);
        }
      }
    }
    for (auto& [state, curve] : next) cut(curve, floor, from_above);
    layer = std::move(next);
  }
  return std::move(layer.begin()->second);
}

}  // namespace

RangeGrid::RangeGrid(const std::vector<RepeatedRange>& ranges, double widest_cells, bool from_above)
    : step(from_above ? 0 : infinite) {
  for (const RepeatedRange& one : ranges) {
    const double fit = one.range / ranges[0].range * widest_cells, near = std::round(fit);
    const bool fits = near >= 1 && std::abs(fit - near) < 1e-9;
    const double count = fits ? near : from_above ? std::ceil(fit) : std::floor(fit);
    cells.push_back(static_cast<int>(count));
    if (count == 0) continue;
    const double own = one.range / count;
    step = from_above ? std::max(step, own * (1 + 4 * unit_roundoff))
                      : std::min(step, own * (1 - 4 * unit_roundoff));
  }
}

double game_margin(double widest_range, double rounds) {
  return (64 + 4 * widest_range) * unit_roundoff * (rounds + 1);
}

double common_floor(double floor) {
  for (const double one : {1e-20, 1e-40, 1e-80, 1e-160})
    if (floor >= one) return one;
  return 1e-300;
}

RangeValue range_game(const std::vector<RepeatedRange>& ranges, const RangeGrid& grid, double floor,
                      bool from_above) {
  return from_above ? game<true>(ranges, grid, floor) : game<false>(ranges, grid, floor);
}

}  // namespace epsilometer
