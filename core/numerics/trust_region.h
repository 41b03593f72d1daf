// The least value of a quadratic on a ball, where its matrix need not be positive.
#pragma once

#include <span>
#include <vector>

namespace epsilometer {

/// About where x^T A x / 2 - b.x is least with |x| <= radius, 0 < radius; A is a lower triangle, b has its
/// dimension, all of it finite. x solves (A + s I) x = b for the least s >= 0 that keeps |x| <= radius and
/// leaves no eigenvalue of A + s I negative (More and Sorensen 1983). Never longer than the radius but for
/// rounding; to about eight digits of its value. Of no answer of it anything is guaranteed.
std::vector<double> least_on_ball(std::span<const double> matrix, std::span<const double> right,
                                  double radius);

}  // namespace epsilometer
