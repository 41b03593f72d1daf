// The minimum of a model's objective, as it is released: with Gaussian noise.
#pragma once

#include "core/model/minimise.h"
#include "core/noise/noise.h"
#include "core/release/release.h"

namespace epsilometer {

/// Adds its coefficients with that noise to the release, and how far the noise spreads them.
void add_noisy_minimum(const Minimum& minimum, const GaussianNoise& noise, Generator& generator,
                       Release& release);

}  // namespace epsilometer
