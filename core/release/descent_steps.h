// The price of a descent by noisy sums of clipped gradients, which every record joins with the same
// probability at each step: for everybody, and for one record by the lengths of its own gradients.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/loss/description.h"
#include "core/noise/grid.h"
#include "core/noise/noise.h"

namespace epsilometer {

class DescentSteps {
 public:
  /// rate: how often a record is in a step; longest: what no clipped gradient exceeds.
  DescentSteps(double rate, double longest) : rate_(rate), longest_(longest) {}

  /// How a gradient gets on the grid of the noise.
  Truncation truncation(const GaussianNoise& noise) const;

  /// Of so many steps, for records whose gradients are as long as any.
  Description everybody(const GaussianNoise& noise, double count, double dimension) const;

  /// Of one record: how long its gradient is at each step, of which there is one at least. Refuses noise so
  /// small that no Renyi divergence of a sampled step is known.
  Description personal(const std::vector<double>& lengths, const GaussianNoise& noise,
                       double dimension) const;

 private:
  double radius_of(const GaussianNoise& noise, double length) const;
  Description sampled(const GaussianNoise& noise, double radius, double dimension) const;
  Description summed_squares(const std::vector<double>& lengths, const GaussianNoise& noise,
                             double dimension) const;
  Description summed_divergences(const std::vector<double>& lengths, const GaussianNoise& noise,
                                 double dimension) const;
  const std::vector<double>& divergences(int share, const GaussianNoise& noise, double dimension) const;

  double rate_, longest_;
  mutable std::map<std::tuple<std::uint64_t, double, int>, std::vector<double>> divergences_;
};

}  // namespace epsilometer
