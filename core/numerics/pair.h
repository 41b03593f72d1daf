// Two numbers in one register where there are such: what is done to them is done to each by itself.
#pragma once

namespace epsilometer {

using Pair = double __attribute__((vector_size(2 * sizeof(double))));

}  // namespace epsilometer
