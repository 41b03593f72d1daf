// Quadrature of the density of a law. A law that is steep takes many nodes, most of them where it has next to
// no mass: those are left out.
#pragma once

#include <cmath>

#include "core/loss/laws/law.h"
#include "core/numerics/quadrature.h"

namespace epsilometer {

/// The exponential of less than this is 0, whatever rounding did to it.
inline constexpr double underflow_exponent = -760;

/// Calls visit(loss, mass) for nodes in [from, to], the mass being that of the density times e^shift. Leaves
/// out stretches where, by the log_slope_bound(), the density times e^shift is below e^least, and
/// returns at least the mass of all of them.
template <class Visit>
double integrate(const SmoothPart& law, double from, double to, double shift, double least,
                 const Visit& visit) {
  if (!(from < to)) return 0;
  // Where a logarithm moves by more than `several` there are several panels, and where by more than `many`
  // only parts of them may matter.
  constexpr double several = 8, many = 256;
  double middle = law.breakpoint();
  if (!(from < middle && middle < to)) {
    const double slope = law.log_slope_bound(from, to), change = slope * (to - from);
    // Less by one, for the rounding of the logarithm.
    if (change > several && law.log_density(from) + shift + change < least - 1)
      return (to - from) * std::exp(least);
    middle = from + (to - from) / 2;
    if (!(change > many && from < middle && middle < to)) {
      integrate(from, to, slope, 0.4 * law.length_scale(), [&](double x, double weight) {
        const auto [loss, log_density] = law.loss_and_density(x);
        visit(loss, weight * std::exp(log_density + shift));
      });
      return 0;
    }
  }
  const double left_out = integrate(law, from, middle, shift, least, visit);
  return left_out + integrate(law, middle, to, shift, least, visit);
}

}  // namespace epsilometer
