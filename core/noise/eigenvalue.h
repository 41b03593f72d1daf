// The smallest eigenvalue of a sum of z z^T as a query of its own: adding a record moves it by at most |z|^2
// (Weyl 1912).
#pragma once

#include <span>

#include "core/noise/noise.h"

namespace epsilometer {

/// By how much, in steps, those of neighbouring tables differ when |z|^2 is at most `unit`, rounding and the
/// error of computing them included.
double eigenvalue_sensitivity(double unit, int exponent);

/// What the computed one is wrong by at most, for each record of unit 1.
double eigenvalue_error(std::size_t dimension);

/// Of how many records z every table's can be computed well enough to be released: a power of two.
double most_rows_with_eigenvalue(std::size_t dimension);

/// That of a lower triangle which was rounded once or twice, on the grid. Refuses one that is not certain
/// enough, as only tables of more than those records can have.
IntegerSum smallest_eigenvalue_sum(std::span<const double> matrix, std::size_t dimension, double unit,
                                   int exponent);

/// What to take off the noisy eigenvalue for a lower bound of the true one, except with that probability.
double eigenvalue_margin(const GaussianNoise& noise, double unit, double failure);
double eigenvalue_margin(const LaplaceNoise& noise, double unit, double failure);

}  // namespace epsilometer
