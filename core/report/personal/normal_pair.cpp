// log P / Q at z is log t - z^2 / 2 + (z - m)^2 / (2 t^2), t the ratio of deviations: above epsilon where
// (1 - t^2) z^2 - 2 m z + m^2 + 2 t^2 (log t - epsilon) > 0. With w^2 = m^2 - 2 (1 - t^2) (log t - epsilon)
// the roots are (m +- t w) / (1 - t^2); as Q sees them, (m t +- w) / (1 - t^2). Of both, the one in which m
// and w would cancel follows from the product of the roots.
#include "core/report/personal/normal_pair.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

constexpr double widest = 1e4;

// P(N(0, 1) > z).
Interval above(Interval z) {
  const auto tail = [](double at) {
    return probability(normal_upper_tail({std::clamp(at, -widest, widest)}));
  };
  return {tail(z.upper()).lower, tail(z.lower()).upper};
}

struct Roots {
  Interval left, right;
};

Interval outside(const Roots& roots) { return above(-roots.left) + above(roots.right); }

// On the side where both tails are small, unless the roots enclose the middle.
Interval between(const Roots& roots) {
  if (roots.left.lower() > 0) return above(roots.left) - above(roots.right);
  if (roots.right.upper() < 0) return above(-roots.right) - above(-roots.left);
  return Interval(1) - outside(roots);
}

// Of narrower * z^2 - 2 half z + constant, sum = |half| + its root of the discriminant. The root that is
// further from 0 lies on half's side where `narrower` is positive, and on the other one otherwise: which one
// is the left root does not depend on how well doubles know them.
Roots sorted(Interval half, Interval sum, Interval constant, Interval narrower) {
  const Interval signed_sum = half.upper() >= 0 ? sum : -sum;
  const Interval far = signed_sum / narrower, near = constant / signed_sum;
  return (half.upper() >= 0) == (narrower.lower() > 0) ? Roots{near, far} : Roots{far, near};
}

Interval clamped(Interval delta) {
  return {std::clamp(delta.lower(), 0.0, 1.0), std::clamp(delta.upper(), 0.0, 1.0)};
}

// Where doubles cannot tell both roots apart, or that there are any: what lies between them has no more of
// either law than their distance, 2 reach in Q's deviations, times a density.
Interval nearly_touching(bool is_wider, Interval weight, Interval reach, Interval ratio) {
  const Interval most = Interval(0, 0.8) * Interval(0, reach.upper());
  if (is_wider) return clamped(Interval(1) - weight + weight * most);
  return clamped(ratio * most);
}

}  // namespace

SeenNormal seen_from(double mean, double deviation, double other_mean, double other_deviation) {
  in_range("mean", mean, -1e100, 1e100), in_range("otherMean", other_mean, -1e100, 1e100);
  const Interval here(in_range("deviation", deviation, 1e-100, 1e100)),
      there(in_range("otherDeviation", other_deviation, 1e-100, 1e100));
  if (mean == other_mean && deviation == other_deviation) return {0, 1, 0, 0};
  const Interval ratio = there / here,
                 narrower = deviation == other_deviation ? Interval(0) : (here - there) / here,
                 moved = mean == other_mean ? Interval(0) : Interval(other_mean) - Interval(mean);
  // The logarithm of either ratio, of which one is 1 at least: of the other one too little is left of 1 + x.
  const Interval log_ratio =
      other_deviation < deviation ? -log_one_plus((here - there) / there) : log_one_plus(-narrower);
  return {moved / here, square(ratio), narrower * (Interval(1) + ratio), log_ratio};
}

SeenNormal posterior_pair(Direction direction, Interval mu, Interval residual) {
  for (const double end : {mu.lower(), mu.upper()}) in_range("leverage", end, 1e-100, 1e100);
  for (const double end : {residual.lower(), residual.upper()}) in_range("residual", end, 0, 1e100);
  const Interval more = Interval(1) + mu, moved = residual * square_root(mu);
  const Interval half_log = log_one_plus(mu) / Interval(2);
  if (direction == Direction::add) return {-moved / more, Interval(1) / more, mu / more, -half_log};
  return {moved / square_root(more), more, -mu, half_log};
}

Interval normal_pair_delta(const SeenNormal& other, double epsilon) {
  const Interval weight = exponential(in_range("epsilon", epsilon, -700, 700));
  const Interval& m = other.mean;
  if (other.narrower.is_zero()) {
    const GaussianLoss low(DoubleDouble{absolute(m).lower()}), high(DoubleDouble{m.magnitude()});
    return m.is_zero() ? Interval(std::max(0.0, -std::expm1(epsilon)))
                       : Interval(low.delta(epsilon).lower, high.delta(epsilon).upper);
  }
  const bool is_wider = other.narrower.lower() > 0;
  const Interval over = other.log_ratio - Interval(epsilon);
  const Interval discriminant = square(m) - Interval(2) * other.narrower * over;
  const Interval w = square_root(discriminant), t = square_root(other.square);
  if (!(discriminant.lower() > 0)) return nearly_touching(is_wider, weight, w / absolute(other.narrower), t);
  const Roots here =
      sorted(m, absolute(m) + t * w, square(m) + Interval(2) * other.square * over, other.narrower);
  const Roots there = sorted(m * t, absolute(m) * t + w, Interval(2) * over - square(m), other.narrower);
  const auto mass = [is_wider](const Roots& roots) { return is_wider ? outside(roots) : between(roots); };
  return clamped(mass(here) - weight * mass(there));
}

}  // namespace epsilometer
