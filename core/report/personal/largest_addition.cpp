#include "core/report/personal/largest_addition.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// How often a direction is turned towards the smallest eigenvalue, and how many lengths are tried of each.
constexpr int turns = 12, lengths = 24;

Interval norm_of(std::span<const double> x) {
  Interval sum = 0;
  for (const double one : x) sum = sum + square(Interval(one));
  return square_root(larger(sum, 0));
}

double largest_of(std::span<const double> x) {
  double largest = 0;
  for (const double one : x) largest = std::isfinite(one) ? std::max(largest, std::abs(one)) : infinite;
  return largest;
}

// Of x that is finite and not 0: squares of it may overflow.
std::vector<double> scaled(std::vector<double> x, double length) {
  const double largest = largest_of(x);
  for (double& one : x) one /= largest;
  const double norm = norm_of(x).upper();
  for (double& one : x) one *= length / norm;
  return x;
}

// The best of one direction: the residual is largest where the label is as far from the prediction as may be.
double best_along(const RidgeInfluence& influence, const LinearBounds& bounds,
                  const std::vector<double>& direction) {
  double best = 0;
  const auto try_length = [&](double length) {
    const std::vector<double> x = scaled(direction, length * (1 - 4 * unit_roundoff));
    for (const double label : {-bounds.label, bounds.label})
      best = std::max(best, influence.of(x, label, Direction::add).moved.lower());
  };
  for (int i = 1; i <= lengths; ++i) try_length(bounds.features * i / lengths);
  // A short record is moved most where its square is the smallest eigenvalue.
  try_length(std::min(bounds.features, std::sqrt(influence.factor().floor())));
  return best;
}

}  // namespace

Interval largest_addition(const RidgeInfluence& influence, const LinearBounds& bounds) {
  if (bounds.norm != Norm::l2)
    throw Refusal("unsupported", "norm", "l1", "must be l2: this bound is for records of that norm");
  const std::vector<double>& theta = influence.coefficients();
  const Interval size = norm_of(theta) + Interval(-influence.error(), influence.error());
  const Interval c(bounds.features), h(influence.factor().floor());
  const bool far = h.lower() >= (c * c).upper();
  const Interval rate = far ? c / (h + c * c) : Interval(1) / (Interval(2) * square_root(h));
  const double most = (rate * (Interval(bounds.label) + c * size)).upper();

  std::vector<std::vector<double>> starts{theta};
  for (std::size_t i = 0; i < std::min<std::size_t>(theta.size(), 16); ++i) {
    starts.emplace_back(theta.size());
    starts.back()[i] = 1;
  }
  double least = 0;
  for (std::vector<double>& direction : starts) {
    for (int i = 0; i < turns && largest_of(direction) > 0 && largest_of(direction) < infinite; ++i) {
      direction = scaled(direction, 1);
      least = std::max(least, best_along(influence, bounds, direction));
      direction = influence.factor().factor().solve(direction);
    }
  }
  return {std::min(least, most), most};
}

}  // namespace epsilometer
