// Where a decreasing function falls to a level: the inverse of a monotone function, with both sides known.
#pragma once

#include <functional>

namespace epsilometer {

/// Two neighbouring arguments (a few ulp apart) between which a decreasing function crosses a level:
/// f(above) <= level by evaluation, and f(below) > level by evaluation unless `below` is 0.
struct Crossing {
  double below;
  double above;
};

/// Narrows a bracket: f is non-negative and non-increasing up to rounding, f(below) > level >= f(above). Both
/// ends of the answer are checked by evaluation, never inferred.
Crossing refine(const std::function<double(double)>& f, double level, double below, double above,
                int bits = 52);

/// Crosses on [0, ceiling]; when f(ceiling) > level, `above` is infinite.
Crossing crossing(const std::function<double(double)>& f, double level, double ceiling, int bits = 52);

}  // namespace epsilometer
