#include "core/loss/mixture_loss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/loss/excess_sum.h"
#include "core/numerics/constants.h"
#include "core/numerics/double_double.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

using Mixture = MixtureLaw::Mixture;

// More components at more nodes than this are too many for a Renyi divergence.
constexpr double most_terms = 5e5;

double tail(const Mixture& all, double x) {
  double sum = 0;
  for (const auto& [probability, shift] : all) sum += probability * normal_upper_tail(two_sum(x, -shift));
  return sum;
}

Mixture mirrored_mixture(Mixture all) {
  for (auto& one : all) one.shift = -one.shift;
  return all;
}

// e^scale |P_s(X > x) - (dP_s/dP_0)(x) P_0(X > x)| for the component about s, and what rounding may cost.
struct Gap {
  double value, doubt;
};
Gap gap(double x, double shift, double scale) {
  const double low = std::min(x, x - shift), high = std::max(x, x - shift);
  const DoubleDouble at = two_sum(x, -shift);
  // phi(at) (m(low) - m(high)), where m is the Mills ratio.
  if (low >= -1) {
    const double value =
        scale == 0 ? normal_density(at) * mills_difference(low, high - low)
                   : std::exp(scale - (at * at).hi / 2) / root_two_pi * mills_difference(low, high - low);
    return {value, (64 + std::abs(scale) + (at * at).hi * (scale == 0 ? 0 : 1)) * unit_roundoff * value};
  }
  const double ratio = shift * (x - shift / 2);
  const double own = std::exp(scale) * normal_upper_tail(at);
  // Where the density is more than a double can be, the tail is less.
  const bool is_far = scale + ratio > 600;
  const double other = is_far ? std::exp(scale + ratio + log_normal_upper_tail(x))
                              : std::exp(scale + ratio) * normal_upper_tail({x});
  return {std::abs(own - other), (64 + 2 * std::abs(ratio) + std::abs(scale) + (is_far ? 4 * x * x : 0)) *
                                     unit_roundoff * (own + other)};
}

// What rounding may take from the density of a mixture over that of N(0, 1), or add to it, times e^scale.
double density_doubt(const Mixture& all, double x, double scale) {
  double sum = 0;
  for (const auto& one : all) {
    if (one.shift == 0) continue;
    const double ratio = one.log_ratio(x);
    sum += one.probability * (8 + 4 * std::abs(ratio)) * std::exp(std::max(0.0, ratio) + scale);
  }
  return sum * unit_roundoff;
}

// The false-positive rate is between those of these two thresholds, of which the first is the smaller.
std::pair<double, double> thresholds(const Mixture& behind, double rate) {
  // In the smaller tail, where doubles can tell its probabilities apart.
  const bool is_low = rate > 0.5;
  const Mixture all = is_low ? mirrored_mixture(behind) : behind;
  const double smaller = is_low ? 1 - rate : rate;
  double least = 0, most = 0;
  for (const auto& one : all) {
    least = std::min(least, one.shift);
    most = std::max(most, one.shift);
  }
  double low = least - farthest_normal, high = most + farthest_normal;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    const double there = tail(all, middle);
    if (rounded_down(there) >= smaller) {
      low = middle;
    } else if (rounded_up(there) <= smaller) {
      high = middle;
    } else {
      // Beside it, as little as rounding asks for.
      double step = 4 * unit_roundoff * std::max(1.0, std::abs(middle));
      for (low = middle - step; rounded_down(tail(all, low)) < smaller && low > least - farthest_normal;
           step *= 2)
        low = middle - step;
      step = 4 * unit_roundoff * std::max(1.0, std::abs(middle));
      for (high = middle + step; rounded_up(tail(all, high)) > smaller && high < most + farthest_normal;
           step *= 2)
        high = middle + step;
      break;
    }
  }
  return is_low ? std::pair(-high, -low) : std::pair(low, high);
}

double largest_shift(const Mixture& all) { return std::abs(all.back().shift); }

// By joint convexity, component by component where they pair up, and against N(0, 1) alone, of which there is
// as much in Q.
double convex_renyi(const Mixture& ahead, const Mixture& behind, double order) {
  const auto bound = [&](bool paired) {
    double top = 0, sum = 0;
    const auto exponent = [&](std::size_t j) {
      const double apart = ahead[j].shift - (paired ? behind[j].shift : 0);
      return order * (order - 1) * apart * apart / 2;
    };
    for (std::size_t j = 0; j < ahead.size(); ++j) top = std::max(top, exponent(j));
    // Near order 1 no digit may be lost.
    const bool is_near = top < 1;
    for (std::size_t j = 0; j < ahead.size(); ++j)
      sum += ahead[j].probability * (is_near ? std::expm1(exponent(j)) : std::exp(exponent(j) - top));
    const double rest = paired ? 0 : -std::log(behind.front().probability);
    const double log_moment = is_near ? std::log1p(sum) : top + std::log(sum) + 8 * unit_roundoff;
    return rounded_up(log_moment / (order - 1) + rest, 16 * unit_roundoff);
  };
  const bool pairs = ahead.size() == behind.size() &&
                     std::equal(ahead.begin(), ahead.end(), behind.begin(),
                                [](auto& one, auto& other) { return one.probability == other.probability; });
  return pairs ? std::min(bound(true), bound(false)) : bound(false);
}

// The trapezoidal rule for E_Q [r^a - 1 - a (r - 1)], r = dP/dQ. Within d of the real line all phases of the
// components of Q are below d times the largest shift: there |r^a Q| is at most cos^{1-a} e^{d^2/2} times
// what it is on the line.
double quadrature_renyi(const Mixture& ahead, const Mixture& behind, double order) {
  const double t = order - 1, widest = std::max(largest_shift(ahead), largest_shift(behind));
  const double phase = std::min(0.7, 1 / std::sqrt(order)), distance = std::min(3.0, phase / widest);
  const double guess =
      std::min(1.0, order * t) * std::pow(1 - ahead.front().probability, 2) * std::min(1.0, widest * widest);
  const double depth = 42 + std::log((3 + 2 * order) / std::max(guess, 1e-300));
  const double step = 2 * std::numbers::pi * distance / (depth + distance * distance / 2);
  // Where the last of r^a Q is: its peak is at most a times as far out as the shifts of both.
  const double from = -farthest_normal - largest_shift(behind),
               to = farthest_normal + order * largest_shift(ahead) + t * largest_shift(behind);
  const auto components = static_cast<double>(ahead.size() + behind.size());
  if (!((to - from) / step * components < most_terms)) return infinite;
  ExcessSum sum(order);
  const double log_step = std::log(step) - log_root_two_pi;
  for (double k = std::floor(from / step); k * step <= to; ++k) {
    const double x = k * step, q = MixtureLaw::log_ratio(behind, x);
    sum.add(log_step + q - x * x / 2, MixtureLaw::log_ratio(ahead, x) - q);
  }
  // Exponents are right to a few roundings of their parts; the rule, to e^-depth of the moment.
  const double parts = order * (widest * (to + widest) + 8) * 4 * unit_roundoff;
  const double aliased = 2.1 * std::exp(-2 * std::numbers::pi * distance / step + distance * distance / 2);
  const double phases = std::exp(-t * std::log(std::cos(phase)));
  return sum.divergence(parts + aliased * phases, aliased * (phases + 1 + 2 * order));
}

}  // namespace

MixtureLoss::MixtureLoss(Mixture ahead, Mixture behind)
    : ahead_(std::move(ahead)),
      behind_(std::move(behind)),
      mirrored_ahead_(mirrored_mixture(ahead_)),
      mirrored_behind_(mirrored_mixture(behind_)),
      symmetric_(
          ahead_.size() == mirrored_behind_.size() &&
          std::equal(ahead_.begin(), ahead_.end(), mirrored_behind_.begin(), [](auto& one, auto& other) {
            return one.probability == other.probability && one.shift == other.shift;
          })) {}

// By the equation of the border, sum p_s r_s = e^epsilon sum q_s r_s with r_s the density of a component over
// that of N(0, 1), the difference is a sum of positive terms.
Bounds MixtureLoss::delta_above(const Mixture& ahead, const Mixture& behind, double epsilon) {
  const MixtureLaw law(ahead, behind);
  const double x = law.x_at(epsilon);
  if (std::isinf(x)) return {0, x > 0 ? std::numeric_limits<double>::denorm_min() : 1};
  double sum = 0, doubt = 0;
  const auto add = [&](const Mixture& all, double scale, double sign) {
    for (const auto& [weight, shift] : all) {
      if (shift == 0) continue;
      const Gap part = gap(x, shift, scale);
      sum += weight * part.value * (shift > 0 ? sign : -sign);
      doubt += weight * part.doubt;
    }
  };
  add(ahead, 0, 1);
  add(behind, epsilon, -1);
  // How far the border is from where it was taken, in what it would add.
  const double p = MixtureLaw::log_ratio(ahead, x), q = MixtureLaw::log_ratio(behind, x);
  const double rest = log_normal_upper_tail(x);
  const double off = (std::abs(p - q - epsilon) + 4 * unit_roundoff * std::abs(epsilon)) * std::exp(p + rest);
  doubt = 2 * (doubt + off + density_doubt(ahead, x, rest) + density_doubt(behind, x, epsilon + rest));
  return {std::max(0.0, rounded_down(sum) - doubt), std::min(1.0, rounded_up(sum) + doubt)};
}

Bounds MixtureLoss::delta(double epsilon) const {
  const auto one = [&](const Mixture& ahead, const Mixture& behind, const Mixture& other_ahead,
                       const Mixture& other_behind) {
    return epsilon >= 0 ? delta_above(ahead, behind, epsilon)
                        : mirrored(delta_above(other_ahead, other_behind, -epsilon), epsilon);
  };
  const Bounds removing = one(ahead_, behind_, mirrored_behind_, mirrored_ahead_);
  if (symmetric_) return removing;
  const Bounds adding = one(mirrored_behind_, mirrored_ahead_, ahead_, behind_);
  return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
}

Bounds MixtureLoss::power_above(const Mixture& ahead, const Mixture& behind, double false_positive) {
  const auto [low, high] = thresholds(behind, false_positive);
  return {probability(tail(ahead, high)).lower, probability(tail(ahead, low)).upper};
}

Bounds MixtureLoss::power(double false_positive) const {
  if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
  const Bounds removing = power_above(ahead_, behind_, false_positive);
  if (symmetric_) return removing;
  const Bounds adding = power_above(mirrored_behind_, mirrored_ahead_, false_positive);
  return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
}

double MixtureLoss::renyi(double order) const {
  const auto one = [order](const Mixture& ahead, const Mixture& behind) {
    return std::min(convex_renyi(ahead, behind, order), quadrature_renyi(ahead, behind, order));
  };
  const double removing = one(ahead_, behind_);
  return symmetric_ ? removing : std::max(removing, one(mirrored_behind_, mirrored_ahead_));
}

std::shared_ptr<const Law> MixtureLoss::law(Direction direction) const {
  return direction == Direction::remove ? std::make_shared<MixtureLaw>(ahead_, behind_)
                                        : std::make_shared<MixtureLaw>(mirrored_behind_, mirrored_ahead_);
}

}  // namespace epsilometer
