#include "core/release/noisy_minimum.h"

namespace epsilometer {

void add_noisy_minimum(const Minimum& minimum, const GaussianNoise& noise, Generator& generator,
                       Release& release) {
  release.add(
      coefficients_output(released(generator, rounded(minimum.theta, noise.exponent, minimum.tail), noise)));
  release.spread = noise.spread(minimum.theta.size());
}

}  // namespace epsilometer
