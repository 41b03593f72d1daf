// Orthonormal Hermite functions phi_j and their integrals t_j from z to infinity, at several points at once,
// one order after the other:
//   phi_{j+1} = sqrt(2/(j+1)) z phi_j - sqrt(j/(j+1)) phi_{j-1},  t_{j+1} = sqrt(2/(j+1)) phi_j +
//   sqrt(j/(j+1)) t_{j-1}.
// Beyond the largest zero of phi_j all terms of both are positive, so nothing cancels.
#pragma once

#include <vector>

namespace epsilometer {

class HermiteFunctions {
 public:
  explicit HermiteFunctions(const std::vector<double>& points);

  /// phi_j and t_j at point i, true up to 2^-scale. Where a scale is left, both are below 2^-200 and count as
  /// 0.
  double function(std::size_t i) const { return scales_[i] > 0 ? 0 : now_[i]; }
  double integral(std::size_t i) const { return scales_[i] > 0 ? 0 : integral_[i]; }

  /// The values without their scale: those of point i are 2^-scale(i) times these.
  double scaled_function(std::size_t i) const { return now_[i]; }
  double scaled_integral(std::size_t i) const { return integral_[i]; }
  double scale(std::size_t i) const { return scales_[i]; }

  /// From j to j + 1.
  void advance();

 private:
  void rescale();

  double order_ = 0;
  bool scaled_ = false;
  std::vector<double> points_, now_, before_, integral_, integral_before_, scales_;
};

}  // namespace epsilometer
