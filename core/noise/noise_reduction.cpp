#include "core/noise/noise_reduction.h"

#include <algorithm>
#include <cmath>

#include "core/noise/exact_sampler.h"

namespace epsilometer {

NoisePath::NoisePath(Generator& generator, std::span<const std::uint64_t> steps) {
  std::size_t level = steps.size() - 1;
  changes_.push_back({level, exact::wrapped_discrete_laplace(generator, steps[level])});
  while (level-- > 0) {
    if (exact::ratio_of_squared_sinh(generator, steps[level + 1], steps[level])) continue;
    const std::uint64_t more = exact::wrapped_discrete_laplace(generator, steps[level]);
    changes_.push_back({level, changes_.back().noise + more});
  }
}

std::uint64_t NoisePath::at(std::size_t level) const {
  const auto past = std::partition_point(changes_.begin(), changes_.end(),
                                         [level](const Change& change) { return change.level >= level; });
  return std::prev(past)->noise;
}

void ReducedNoise::add(std::int64_t sum, Generator& generator, std::span<const std::uint64_t> steps) {
  sums_.push_back(sum);
  paths_.emplace_back(generator, steps);
}

std::vector<double> ReducedNoise::at(std::size_t level) const {
  std::vector<double> values(sums_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto noisy = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums_[i]) + paths_[i].at(level));
    values[i] = std::ldexp(static_cast<double>(noisy), exponent_);
  }
  return values;
}

}  // namespace epsilometer
