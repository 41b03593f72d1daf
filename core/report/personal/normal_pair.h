// Two normal laws of different widths, in one direction: what a posterior sample and objective perturbation
// of a ridge regression come down to.
#pragma once

#include "core/loss/capabilities.h"
#include "core/numerics/interval.h"

namespace epsilometer {

/// N(mean, ratio^2) in the coordinates in which the other law P is N(0, 1). That `square` is ratio^2,
/// `narrower` 1 - ratio^2 and `log_ratio` its logarithm is told apart, so that none of them need cancel.
struct SeenNormal {
  Interval mean, square, narrower, log_ratio;
};

/// N(other_mean, other_deviation^2) as N(mean, deviation^2) sees it. Deviations from 1e-100 to 1e100.
SeenNormal seen_from(double mean, double deviation, double other_mean, double other_deviation);

/// sup over events E of P(E) - e^epsilon Q(E), P = N(0, 1) and Q as said, epsilon from -700 to 700: the loss
/// is above epsilon outside two roots where P is the wider law, between them where it is the narrower one.
Interval normal_pair_delta(const SeenNormal& other, double epsilon);

/// A posterior sample of ridge regression against that of the other table, in its residual: leverage and
/// residual (in units of the noise) of the table without the record. Direction::add: what it is without it.
/// Wang 2019, Theorem 14, for the mechanism.
SeenNormal posterior_pair(Direction direction, Interval leverage, Interval residual);

}  // namespace epsilometer
