// Draws a second, for bench.mjs: one JSON object on standard output.
#include <chrono>
#include <cstdio>

#include "core/noise/noise.h"

using namespace epsilometer;

namespace {

template <class Noise>
double millions_a_second(const Noise& noise) {
  TestRng rng(1);
  constexpr int draws = 4'000'000;
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    std::int64_t sum = 0;
    for (int i = 0; i < draws; ++i) sum ^= noise.draw(rng);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    // The sum keeps the draws from being optimised away.
    best = sum == 1 ? best : std::max(best, draws / spent.count());
  }
  return best;
}

}  // namespace

int main() {
  std::printf("{\"gaussian\": %.4g, \"laplace\": %.4g}\n", millions_a_second(GaussianNoise::of(1)),
              millions_a_second(LaplaceNoise::of(1)));
}
