#include "core/loss/gaussian_loss.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/laws/gaussian_law.h"
#include "core/numerics/constants.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// delta = phi(a) (m(a) - m(a + mu)) with a = epsilon/mu - mu/2, because e^epsilon phi(a + mu) = phi(a).
double delta_at(DoubleDouble a, double mu) {
  if (a.hi >= farthest_normal) return 0;
  if (a.hi <= -farthest_normal) return 1;
  const double density = normal_density(a);
  if (a.hi < 0) {
    const double whole = normal_upper_tail(a);
    const double other = density * mills_ratio(a.hi + mu);
    if (other < whole / 4) return whole - other;
  }
  return density * mills_difference(a.hi, mu);
}

// For epsilon >= 0. The double-double a is right to 2^-84 (epsilon/mu + mu), sums of up to 1e5 squares
// included, which matters only when mu is huge.
Bounds delta_of_non_negative(double epsilon, DoubleDouble mu) {
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  const double ratio = epsilon / mu.hi;
  // Where the double-double would overflow, one term outweighs the other.
  if (ratio > 1e150 && ratio > mu.hi) return {0, smallest};
  if (mu.hi > 1e150 && ratio < mu.hi / 4) return {1 - unit_roundoff, 1};
  const DoubleDouble a = DoubleDouble{epsilon} / mu - DoubleDouble{mu.hi / 2, mu.lo / 2};
  const double doubt = 0x1p-84 * (ratio + mu.hi);
  if (a.hi - doubt >= farthest_normal) return {0, smallest};
  if (a.hi + doubt <= -farthest_normal) return {1 - unit_roundoff, 1};
  if (doubt * farthest_normal < unit_roundoff) return probability(delta_at(a, mu.hi));
  return {rounded_down(delta_at(a + DoubleDouble{doubt}, mu.hi)),
          std::min(1.0, rounded_up(delta_at(a - DoubleDouble{doubt}, mu.hi)))};
}

}  // namespace

Bounds GaussianLoss::delta(double epsilon) const {
  if (mu_.hi == 0) return epsilon >= 0 ? Bounds{0, 0} : probability(-std::expm1(epsilon));
  if (epsilon >= 0) return delta_of_non_negative(epsilon, mu_);
  // The pair is symmetric: delta(epsilon) = 1 - e^epsilon + e^epsilon delta(-epsilon), both parts positive.
  const Bounds mirrored = delta_of_non_negative(-epsilon, mu_);
  const double floor = -std::expm1(epsilon);
  return {probability(floor + std::exp(epsilon) * mirrored.lower).lower,
          probability(floor + std::exp(epsilon) * mirrored.upper).upper};
}

Bounds GaussianLoss::power(double false_positive) const {
  if (false_positive == 0 || false_positive == 1 || mu_.hi == 0) return {false_positive, false_positive};
  // The test "x > threshold" has power 1 - Phi(threshold - mu). The threshold is bracketed by evaluation in
  // the smaller tail, where doubles can tell its probabilities apart.
  const bool mirrored = false_positive > 0.5;
  const double smaller = mirrored ? 1 - false_positive : false_positive;
  const double guess = normal_upper_quantile(smaller);
  const auto tail = [](double threshold) { return normal_upper_tail({threshold}); };
  double step = 4 * unit_roundoff * std::max(1.0, guess);
  double low = guess, high = guess;
  for (; rounded_down(tail(low)) < smaller; step *= 2) low = guess - step;
  for (; rounded_up(tail(high)) > smaller; step *= 2) high = guess + step;
  if (mirrored) std::tie(low, high) = std::pair(-high, -low);
  return {probability(normal_upper_tail(DoubleDouble{high} - mu_)).lower,
          probability(normal_upper_tail(DoubleDouble{low} - mu_)).upper};
}

double GaussianLoss::renyi(double order) const {
  return mu_.hi == 0 ? 0 : rounded_up(order * mu_.hi * mu_.hi / 2);
}

double GaussianLoss::largest_loss() const {
  return mu_.hi == 0 ? 0 : std::numeric_limits<double>::infinity();
}

std::optional<double> GaussianLoss::concentrated() const { return rounded_up(mu_.hi * mu_.hi / 2); }

// Symmetric. Composition needs mu to a few ulp only: its rounding is charged with that of the lattice.
std::shared_ptr<const Law> GaussianLoss::law(Direction) const {
  if (mu_.hi == 0) return std::make_shared<AtomicLaw>(std::vector<Atom>{{0, 1}}, 0);
  return std::make_shared<GaussianLaw>(mu_.hi);
}

// Gaussians compose to a Gaussian: the squares of mu add (Dong, Roth and Su 2019, Corollary 2).
std::shared_ptr<const PrivacyLoss> GaussianLoss::composed(const std::vector<Repeated>& parts) const {
  // Dividing by the largest keeps the squares in range.
  double largest = 0;
  for (const Repeated& part : parts) largest = std::max(largest, *part.loss->gaussian());
  if (largest == 0) return std::make_shared<GaussianLoss>(DoubleDouble{0});
  DoubleDouble sum{0};
  for (const Repeated& part : parts) {
    const DoubleDouble mu = part.loss->normal_noise()->distance / DoubleDouble{largest};
    sum = sum + mu * mu * DoubleDouble{part.count};
  }
  return std::make_shared<GaussianLoss>(square_root(sum) * DoubleDouble{largest});
}

}  // namespace epsilometer
