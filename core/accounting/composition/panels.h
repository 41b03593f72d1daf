// Panels of a quadrature on which the density of a tilted law, and it times e^{itl}, are integrated to
// rounding: by bounds on their steepness in the complex plane.
#pragma once

#include <boost/math/quadrature/gauss.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/accounting/composition/tilted_part.h"

namespace epsilometer {

/// Sixteen nodes a panel, and the Bernstein ellipse of parameter 5, whose semi-axes are 2.6 and 2.4 halves of
/// the panel. The error is at most 64/15 * 5^-32 / (1 - 5^-2) halves times the largest modulus on the
/// ellipse. Where a logarithm moves by at most 5 over a half, which is at most half a unit, that modulus is
/// at most e^{13 + 0.72} times the value in the middle, of which the real integral has at least 2/5 (1 -
/// e^-5) halves: together less than 5e-16 of that integral.
using PanelRule = boost::math::quadrature::gauss<double, 16>;
inline constexpr double panel_error = 5e-16;

/// No point of a panel is further than this from its nearest node, in halves.
inline constexpr double widest_gap = 0.0951;

struct Panel {
  double middle, half;
  /// Bounds |d log(density e^{order loss} / slope) / dx|.
  double steepness;
};

/// From the part's from_x to to_x, for the density times e^{z loss}, |z| <= order. Nothing when there would
/// be too many.
std::optional<std::vector<Panel>> panels_of(const TiltedPart& part, double to_x, double order);

template <class Visit>
void visit_nodes(const Panel& panel, const Visit& visit) {
  for (std::size_t i = 0; i < PanelRule::abscissa().size(); ++i) {
    const double away = panel.half * PanelRule::abscissa()[i], weight = panel.half * PanelRule::weights()[i];
    visit(panel.middle - away, weight);
    visit(panel.middle + away, weight);
  }
}

}  // namespace epsilometer
