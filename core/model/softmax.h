// The loss of multinomial logistic regression (McFadden 1974): of predictors u and the class y,
// log(sum_k e^{u_k}) - u_y. Convex in u; its second derivatives are at most 1/2 (Boehning 1992).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/model/loss.h"

namespace epsilometer {

inline constexpr std::size_t most_classes = 100;

/// Whether it is the place of one of so many, from 0.
bool is_class(double label, std::size_t classes);

/// softmax(u) - e_y, whose entries add up to 0 and whose l2 norm is at most sqrt(2), but for rounding.
/// `label` is the place of the class; zeros where it is none. `u` is finite; `derivative`
/// has its size.
void softmax_derivative(std::span<const double> u, double label, std::span<double> derivative);

/// Reads the places of so many classes as numbers are read: bounded, never NaN, and what is no place stays
/// none.
std::unique_ptr<const Loss> class_places(std::size_t classes);

}  // namespace epsilometer
