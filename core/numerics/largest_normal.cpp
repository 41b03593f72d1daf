// The integral of f(x) = phi(x) prod Phi(x + d_i), d_i the leads in standard deviations, by the trapezoidal
// rule. f is entire, and |phi(x + iy)| = phi(x) e^{y^2 / 2}, |Phi(x + iy)| <= Phi(x) e^{y^2 / 2} (integrate
// along the horizontal). So the integral of |f| along the line at height y is at most e^{c y^2 / 2} times
// that of f itself, c the number of factors, and the rule with the step h is off by 2 e^{c a^2 / 2} / (e^{2
// pi a / h} - 1) of the integral at most, for any a (Trefethen and Weideman 2014, Theorem 5.1). At a = 2 pi /
// (h c) and h^2 c <= 1/2 that is below 2^-55.
#include "core/numerics/largest_normal.h"

#include <vector>

#include "core/numerics/double_double.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double discretisation = 0x1p-55;
// Of what may have underflowed, each term.
constexpr double smallest = 1e-290;

class Integrand {
 public:
  Integrand(std::span<const double> means, double sigma, std::size_t which) {
    for (std::size_t i = 0; i < means.size(); ++i)
      if (i != which)
        leads_.push_back((DoubleDouble{means[which]} - DoubleDouble{means[i]}) / DoubleDouble{sigma});
  }

  double at(double x) const {
    double value = normal_density({x});
    for (const DoubleDouble& lead : leads_) value *= normal_upper_tail(-(lead + DoubleDouble{x}));
    return value;
  }
  double factors() const { return static_cast<double>(leads_.size()) + 1; }

 private:
  std::vector<DoubleDouble> leads_;
};

// The sum of the terms from `from` on, by steps of h, and how many they are. f is log-concave: where it falls
// by a ratio, what follows falls by no less, and all of it is at most that of a geometric series.
struct Side {
  double sum = 0, rest = 0, count = 0;
};
Side side(const Integrand& f, double from, double h) {
  Side side;
  for (double x = from, before = 0;; x += h) {
    const double term = f.at(x);
    side.sum += term, ++side.count;
    if (term < before && term <= 0x1p-60 * side.sum) {
      const double ratio = term / before;
      side.rest = term * ratio / (1 - ratio);
      return side;
    }
    // Beyond, phi itself is below what doubles hold.
    if (std::abs(x) > 40) return side;
    before = term;
  }
}

}  // namespace

Interval probability_of_largest(std::span<const double> means, double sigma, std::size_t which) {
  const Integrand f(means, sigma, which);
  double h = 0.5;
  while (h * h * f.factors() > 0.5) h /= 2;
  // Uphill from the middle: the largest of a log-concave function.
  double top = 0;
  for (const double step : {h, -h})
    while (std::abs(top) < 40 && f.at(top + step) > f.at(top)) top += step;
  const Side right = side(f, top, h), left = side(f, top - h, -h);
  const double count = right.count + left.count, sum = h * (right.sum + left.sum);
  const double margin = (32 * f.factors() + count) * unit_roundoff + 2 * discretisation + rounding_margin;
  const double under = h * (count + 2) * smallest;
  return {rounded_down(std::max(0.0, sum - under), margin),
          std::min(1.0, rounded_up(sum + h * (right.rest + left.rest) * (1 + 0x1p-40) + under, margin))};
}

}  // namespace epsilometer
