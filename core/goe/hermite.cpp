#include "core/goe/hermite.h"

#include <cmath>

#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double quartic_root_of_pi = 1.3313353638003897;
constexpr double square_root_of_two_pi = 2.5066282746310002;

// Scales are multiples of this many powers of two: a factor costs no rounding, and phi_j moves by far less in
// one step from any point up to 1e9.
constexpr double scale_step = 512;

}  // namespace

HermiteFunctions::HermiteFunctions(const std::vector<double>& points)
    : points_(points),
      now_(points.size()),
      before_(points.size()),
      integral_(points.size()),
      integral_before_(points.size()),
      scales_(points.size()) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double z = points[i];
    const DoubleDouble exponent = two_product(z / 2, z);
    scales_[i] = z > 0 ? scale_step * std::floor(exponent.hi / logarithm_of_two.hi / scale_step) : 0;
    now_[i] = exponential(DoubleDouble{scales_[i]} * logarithm_of_two - exponent) / quartic_root_of_pi;
    integral_[i] = z > 0 ? now_[i] * mills_ratio(z)
                         : square_root_of_two_pi / quartic_root_of_pi * normal_upper_tail({z});
    scaled_ = scaled_ || scales_[i] > 0;
  }
}

void HermiteFunctions::advance() {
  const double up = std::sqrt(2 / (order_ + 1)), back = std::sqrt(order_ / (order_ + 1));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double next = up * points_[i] * now_[i] - back * before_[i];
    const double next_integral = up * now_[i] + back * integral_before_[i];
    before_[i] = now_[i];
    now_[i] = next;
    integral_before_[i] = integral_[i];
    integral_[i] = next_integral;
  }
  ++order_;
  if (scaled_) rescale();
}

void HermiteFunctions::rescale() {
  scaled_ = false;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (scales_[i] > 0 && now_[i] > std::ldexp(1.0, int(scale_step) / 2)) {
      scales_[i] -= scale_step;
      for (auto* values : {&now_, &before_, &integral_, &integral_before_})
        (*values)[i] = std::ldexp((*values)[i], -int(scale_step));
    }
    scaled_ = scaled_ || scales_[i] > 0;
  }
}

}  // namespace epsilometer
