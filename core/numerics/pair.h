// Two numbers in one register where there are such: what is done to them is done to each by itself.
#pragma once

#include <cmath>

namespace epsilometer {

using Pair = double __attribute__((vector_size(2 * sizeof(double))));

inline Pair pair_at(const double* place) { return Pair{place[0], place[1]}; }
inline Pair size_of(Pair values) { return Pair{std::abs(values[0]), std::abs(values[1])}; }
inline Pair turned(Pair values) { return Pair{values[1], values[0]}; }
inline Pair larger_of(Pair one, Pair other) { return other > one ? other : one; }

}  // namespace epsilometer
