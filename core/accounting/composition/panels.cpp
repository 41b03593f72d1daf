#include "core/accounting/composition/panels.h"

#include <algorithm>

#include "core/accounting/composition/steering/effort.h"

namespace epsilometer {
namespace {

constexpr double most_change = 5, real_axis = 2.6, imaginary_axis = 2.4;

}  // namespace

std::optional<std::vector<Panel>> panels_of(const TiltedPart& part, double to_x, double order) {
  const Law& law = *part.law;
  std::vector<Panel> panels;
  if (!law.has_density()) return panels;
  double half = law.length_scale() / 2;
  for (double x = part.from_x; x < to_x; x += 2 * half) {
    half = std::min(
        {1.5 * half, law.length_scale() / 2, law.analytic_halfwidth() / imaginary_axis, (to_x - x) / 2});
    double steepness = 0;
    for (bool fits = false; !fits && half > 0;) {
      const double outside = (real_axis - 1) * half, to = x + 2 * half;
      const double steepest = 1.5 * std::max(law.slope(x - outside), law.slope(to + outside));
      const double change = half * (law.log_slope_bound(x, to) + (1 + order) * steepest);
      steepness = 2 * law.log_slope_bound(x, to) + (1 + order) * steepest;
      fits = change <= most_change;
      if (!fits) half *= std::clamp(0.95 * most_change / change, 0.01, 0.9);
    }
    if (!(half > 1e-9 * law.length_scale()) || static_cast<double>(panels.size()) * 16 > effort::most_nodes)
      return std::nullopt;
    panels.push_back({x + half, half, steepness});
  }
  return panels;
}

}  // namespace epsilometer
