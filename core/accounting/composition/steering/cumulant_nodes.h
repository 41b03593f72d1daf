// Coarse nodes of a law, which tell where to tilt a sum and how fine to cut it. Heuristic,
// no guarantee.
#pragma once

#include <vector>

#include "core/loss/laws/law.h"

namespace epsilometer {

/// log E e^{theta L} and its first two derivatives: mean and variance of the tilted law.
struct Cumulant {
  double value, slope, curvature;
};

class CumulantNodes {
 public:
  /// Covers the losses that matter down to probabilities of e^-depth.
  CumulantNodes(const Law& law, double depth);

  Cumulant at(double theta) const;

 private:
  void panel_of(const Law& law, double from, double to);
  void push(double loss, double log_mass);

  // Of a Gaussian law, which needs no nodes, the standard deviation; 0 otherwise.
  double gaussian_;
  std::vector<double> losses_, log_masses_;
};

}  // namespace epsilometer
