#include "core/model/softmax.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

bool is_class(double label, std::size_t classes) {
  return label >= 0 && label < static_cast<double>(classes) && label == std::floor(label);
}

void softmax_derivative(std::span<const double> u, double label, std::span<double> derivative) {
  std::fill(derivative.begin(), derivative.end(), 0.0);
  if (!is_class(label, u.size())) return;
  const auto own = static_cast<std::size_t>(label);
  const double largest = *std::max_element(u.begin(), u.end());
  double others = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    derivative[k] = std::exp(u[k] - largest);
    if (k != own) others += derivative[k];
  }
  const double all = others + derivative[own];
  for (double& one : derivative) one /= all;
  // 1 - p_y would lose its digits where p_y is near 1.
  derivative[own] = -others / all;
}

std::unique_ptr<const Loss> class_places(std::size_t classes) {
  return make_loss("squared", {static_cast<double>(classes), 1});
}

}  // namespace epsilometer
