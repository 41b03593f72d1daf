// Normal noise, on the line or on the whole numbers: what sampling needs to know of its pair.
#pragma once

#include "core/numerics/double_double.h"

namespace epsilometer {

/// The pair N(0, 1) and N(distance, 1); or, with sigma > 0, normal noise of this sigma on the whole numbers,
/// of density e^{-k^2/(2 sigma^2)} / whole, against itself shifted by the whole number distance * sigma.
struct NormalNoise {
  DoubleDouble distance;
  double sigma = 0, whole = 0;
};

}  // namespace epsilometer
