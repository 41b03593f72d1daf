// Normal noise on a query whose sensitivity is random: the mixture of N(c_j / sigma, 1) against N(0, 1).
// Whatever the directions of the shifts are, no tables tell more: of the events of one probability under
// N(0, 1) a half-line is the likeliest under all of them (Choquette-Choo, Ganesh, Steinke and Thakurta 2024).
//
// At the x where the density of the mixture is e^epsilon times the other, with l_j = mu_j x - mu_j^2/2,
//   sum p_j P_j - e^epsilon Q = sum p_j (P_j - e^{l_j} Q)   and
//   Q - e^epsilon sum p_j P_j = sum v_j (Q - e^{-l_j} P_j), v_j = e^epsilon p_j e^{l_j}, sum v_j = 1,
// and every part is largest on the same half-line: a sum of profiles of Gaussian pairs, all positive
// (advanced joint convexity: Balle, Barthe and Gaboardi 2018, Theorem 2). On either side of that x it is a
// bound.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/laws/mixture_law.h"
#include "core/numerics/constants.h"
#include "core/numerics/normal.h"
#include "core/numerics/tangent_excess.h"

namespace epsilometer::mechanisms {
namespace {

// N(0, 1) has less than the smallest double below -this.
constexpr double furthest_below = 39;

// Probabilities must add up to 1 to within this.
constexpr double sum_tolerance = 1e-12;

// Larger shifts, in standard deviations, hide nothing, and their squares lose their digits.
constexpr double largest_shift = 1e6;

// Beyond so many nodes a Renyi divergence is bounded by Minkowski's inequality, which then lacks little.
constexpr double most_nodes = 1e5;

// The two neighbouring doubles between which a statement ceases to hold.
template <class Statement>
Bounds border(double below, double above, const Statement& holds) {
  for (;;) {
    const double middle = below + (above - below) / 2;
    if (middle == below || middle == above) return {below, above};
    (holds(middle) ? below : above) = middle;
  }
}

class GaussianMixtureLoss final : public KnownPair {
 public:
  struct Component {
    double probability;
    GaussianLoss pair;
    DoubleDouble shift;

    double log_ratio(double x) const { return level(x).hi; }
    DoubleDouble level(double x) const { return shift * (DoubleDouble{x} - shift * DoubleDouble{0.5}); }
  };

  /// Shifts >= 0 in ascending order, not all 0; probabilities > 0 that sum to 1.
  explicit GaussianMixtureLoss(std::vector<Component> all) : all_(std::move(all)) {}

  Bounds delta(double epsilon) const override {
    const Bounds removing = delta_removing(epsilon), adding = delta_adding(epsilon);
    return {std::max(removing.lower, adding.lower), std::max(removing.upper, adding.upper)};
  }

  // The half-line of one direction hits the mixture as often as its components.
  Bounds power(double false_positive) const override {
    Bounds removing{0, 0};
    for (const Component& one : all_) {
      const Bounds found = one.pair.power(false_positive);
      removing.lower += one.probability * found.lower;
      removing.upper += one.probability * found.upper;
    }
    const double margin = sums_margin();
    const Bounds adding = power_adding(false_positive);
    return {std::max(rounded_down(removing.lower, margin), adding.lower),
            std::min(1.0, std::max(rounded_up(removing.upper, margin), adding.upper))};
  }

  double renyi(double order) const override {
    const double largest = all_.back().pair.renyi(order);
    return std::min(largest, std::max(renyi_removing(order), renyi_adding(order)));
  }
  std::optional<double> concentrated() const override { return all_.back().pair.concentrated(); }

  bool symmetric() const override { return false; }
  bool composes() const override { return true; }

  std::shared_ptr<const Law> law(Direction direction) const override {
    const double sign = direction == Direction::remove ? 1 : -1;
    MixtureLaw::Mixture shifted;
    for (const Component& one : all_) shifted.push_back({one.probability, sign * one.shift.hi});
    const MixtureLaw::Mixture still{{1, 0}};
    return direction == Direction::remove ? std::make_shared<MixtureLaw>(shifted, still)
                                          : std::make_shared<MixtureLaw>(still, shifted);
  }

 private:
  double sums_margin() const { return rounding_margin + static_cast<double>(all_.size()) * unit_roundoff; }

  // The log of the ratio of densities at x.
  double log_ratio(double x) const {
    const double above = excess(x, 0).first;
    return is_near(x, 0) ? std::log1p(above) : above;
  }

  // Whether all ratios are of the size of 1, so that their distance from 1 is added up.
  bool is_near(double x, double level) const { return std::abs(level) < 0.5 && all_.back().log_ratio(x) < 1; }

  // How far the log of the ratio of densities at x is above a level, and what rounding may cost in it: of one
  // sign, near level 0 relative to what is added up.
  std::pair<double, double> excess(double x, double level) const {
    const double terms = static_cast<double>(all_.size());
    double top = -infinite;
    for (const Component& one : all_) top = std::max(top, one.log_ratio(x));
    if (is_near(x, level)) {
      double sum = -std::expm1(level), sizes = std::abs(sum);
      for (const Component& one : all_) {
        const double term = one.probability * std::expm1(one.log_ratio(x));
        sum += term;
        sizes += std::abs(term);
      }
      return {sum, (16 + terms) * unit_roundoff * sizes};
    }
    double sum = 0;
    for (const Component& one : all_) sum += one.probability * std::exp(one.log_ratio(x) - top);
    const double far = top + std::log(sum);
    return {far - level,
            (24 + terms) * unit_roundoff * (2 + std::abs(top) + std::abs(far) + std::abs(level))};
  }

  // The nearest doubles between which the ratio is e^level, the lower one surely not above it and the upper
  // one surely not below it; the lower one -furthest_below when it is above it even there. The upper one is
  // infinite when no double is known to reach it.
  Bounds place(double level) const {
    double low = -furthest_below, high = 1;
    const auto not_above = [&](double x) {
      const auto [far, doubt] = excess(x, level);
      return far + doubt <= 0;
    };
    const auto not_below = [&](double x) {
      const auto [far, doubt] = excess(x, level);
      return far - doubt >= 0;
    };
    if (!not_above(low)) return {low, low};
    while (!not_below(high)) {
      if (high > 1e299) return {border(low, high, not_above).lower, infinite};
      high *= 2;
    }
    const double above = border(low, high, [&](double x) { return !not_below(x); }).upper;
    return {border(low, above, not_above).lower, above};
  }

  Bounds delta_removing(double epsilon) const {
    const Bounds at = place(epsilon);
    const Bounds everything = probability(std::max(0.0, -std::expm1(epsilon)));
    // Then every half-line but a negligible one tells for the mixture.
    if (at.lower == at.upper) return {everything.lower, std::min(1.0, rounded_up(everything.upper))};
    double lower = 0, upper = 0;
    for (const Component& one : all_) {
      if (at.upper < infinite) lower += one.probability * one.pair.delta_between(one.level(at.upper)).lower;
      upper += one.probability * one.pair.delta_between(one.level(at.lower)).upper;
    }
    return {std::max(everything.lower, rounded_down(lower, sums_margin())),
            std::min(1.0, rounded_up(upper, sums_margin()))};
  }

  Bounds delta_adding(double epsilon) const {
    const Bounds at = place(-epsilon);
    if (at.lower == at.upper) return {0, std::numeric_limits<double>::denorm_min()};
    const Bounds everything = probability(std::max(0.0, -std::expm1(epsilon)));
    // Then every half-line but a negligible one tells for N(0, 1).
    if (at.upper == infinite) return {everything.lower, std::min(1.0, rounded_up(everything.upper))};
    double lower = 0, upper = 0;
    for (const Component& one : all_) {
      const auto part = [&](double x) {
        return one.probability * exponential(one.level(x) + DoubleDouble{epsilon});
      };
      lower += part(at.lower) * one.pair.delta_between(-one.level(at.lower)).lower;
      upper += part(at.upper) * one.pair.delta_between(-one.level(at.upper)).upper;
    }
    return {std::max(everything.lower, rounded_down(lower, sums_margin())),
            std::min(1.0, rounded_up(upper, sums_margin()))};
  }

  // The half-line below z has the false positives sum p_j Phi(z - mu_j).
  Bounds power_adding(double false_positive) const {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const double low = -furthest_below, high = furthest_below + all_.back().shift.hi;
    const auto hit = [&](double z) {
      double sum = 0;
      for (const Component& one : all_)
        sum += one.probability * normal_upper_tail(one.shift - DoubleDouble{z});
      return sum;
    };
    const double margin = sums_margin();
    const double sure_low =
        border(low, high, [&](double z) { return rounded_up(hit(z), margin) <= false_positive; }).lower;
    const double sure_high =
        border(low, high, [&](double z) { return rounded_down(hit(z), margin) < false_positive; }).upper;
    return {sure_low > low ? rounded_down(normal_upper_tail({-sure_low})) : 0,
            std::min(1.0, rounded_up(normal_upper_tail({-sure_high})))};
  }

  // Minkowski's inequality in the norm of the order.
  double renyi_removing(double order) const {
    const double t = order - 1, most = all_.back().pair.renyi(order);
    double sum = 0;
    for (const Component& one : all_)
      sum += one.probability * std::exp(t * (one.pair.renyi(order) - most) / order);
    const double bound =
        rounded_up(most + order / t * std::min(0.0, std::log(rounded_up(sum, sums_margin()))));
    const double found = moment(order);
    return std::min(std::max(0.0, bound), std::isnan(found) ? infinite : found);
  }

  // x^-t is convex, and no ratio is below that without a shift.
  double renyi_adding(double order) const {
    const double least = all_.front().shift.hi == 0 ? -std::log(all_.front().probability) : infinite;
    const double found = moment(1 - order);
    return std::min(rounded_up(least), std::isnan(found) ? infinite : found);
  }

  double moment(double power) const;

  std::vector<Component> all_;
};

// log E r^power / t of the ratio r under N(0, 1), power = 1 + t or -t, t > 0, rounded up; NaN where it takes
// too many nodes. The mean of r^power - 1 is that of its distance from its tangent at r = 1, all positive. By
// the trapezoidal rule, whose error for a function that is analytic up to a distance d of the real line is at
// most 2 N / (e^{2 pi d / h} - 1), N its integral along either border (Trefethen and Weideman 2014, Theorem
// 5.1). There |r| is at most r at the real part, and with all phases within mu d at least cos(mu d / 2) times
// it.
double GaussianMixtureLoss::moment(double power) const {
  const double most = all_.back().shift.hi, t = power > 0 ? power - 1 : -power;
  const double d = power > 0 ? std::min(6.0, 3 / most) : std::min(6.0, 2 / (most * std::sqrt(t + 2)));
  const double growth = d * d / 2 + (power > 0 ? 0 : -t * std::log(std::cos(most * d / 2)));
  // What is left out is e^-depth, beside the square of the mean shift, to which the sum is near.
  double mean = 0;
  for (const Component& one : all_) mean += one.probability * one.shift.hi;
  const double depth = 44 - 2 * std::log(std::min(1.0, mean)), reach = std::sqrt(2 * (depth + 8));
  const double h = 2 * std::numbers::pi * d / (depth + growth);
  // Beyond these the powers fall at least as a normal density `reach` from its mean.
  const double from = std::min(0.0, power * most) - reach, to = std::max(1.0, power) * most + reach;
  if (!((to - from) / h < most_nodes)) return std::numeric_limits<double>::quiet_NaN();
  const double nodes = std::ceil((to - from) / h);
  double top = -infinite, sum = 0, far = 0;
  for (double i = 0; i <= nodes; ++i) {
    const double x = from + i * h, log_r = log_ratio(x);
    const double one = -x * x / 2 + (power > 0 ? log_tangent_excess(1 + t, log_r)
                                               : log_tangent_excess(1 + t, -log_r) + log_r);
    if (one == -infinite) continue;
    far = std::max({far, std::abs(power * log_r), x * x});
    if (one > top) {
      sum *= std::exp(top - one);
      top = one;
    }
    sum += std::exp(one - top);
  }
  const double margin =
      unit_roundoff * ((64 + static_cast<double>(all_.size())) * (far + std::abs(power) + 16) + nodes);
  const double log_sum = top + std::log(sum * h / root_two_pi) + margin;
  const double left_out = 8 * (1 + std::abs(power)) * std::exp(-depth);
  const double log_moment =
      log_sum > 600 ? log_sum + left_out : std::log1p(std::exp(log_sum) * (1 + left_out) + left_out);
  return rounded_up(log_moment / t);
}

}  // namespace

std::shared_ptr<const PrivacyLoss> gaussian_mixture(const Description& description) {
  const DoubleDouble sigma{description.scale("sigma")};
  const std::vector<double>& sensitivities = description.list("sensitivities", 0, 1e100);
  std::vector<double> probabilities = description.list("probabilities", 0, 1);
  if (sensitivities.size() != probabilities.size()) {
    throw Refusal(
        "range", "probabilities", std::to_string(probabilities.size()) + " numbers",
        "must have one number for each of the " + std::to_string(sensitivities.size()) + " sensitivities");
  }
  DoubleDouble rest{1};
  for (const double one : probabilities) rest = rest - DoubleDouble{one};
  if (!(std::abs(rest.hi) <= sum_tolerance))
    throw Refusal("range", "probabilities", shown((DoubleDouble{1} - rest).hi),
                  "must add up to 1, to within 1e-12");
  const double widest = *std::max_element(sensitivities.begin(), sensitivities.end());
  if (!(widest <= largest_shift * sigma.hi))
    throw Refusal("range", "sensitivities", shown(widest), "must be at most a million times sigma");
  std::vector<std::size_t> order(sensitivities.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return sensitivities[i] < sensitivities[j]; });
  // What rounding left of 1 goes to the largest sensitivity, or comes from the smallest ones: never to what
  // tells less.
  if (rest.hi > 0) probabilities[order.back()] += rest.hi;
  double excess = std::max(0.0, -rest.hi);
  std::vector<GaussianMixtureLoss::Component> components;
  double last = -1;
  for (const std::size_t i : order) {
    const double taken = std::min(excess, probabilities[i]), probability = probabilities[i] - taken;
    excess -= taken;
    if (probability == 0) continue;
    if (sensitivities[i] == last) {
      components.back().probability += probability;
      continue;
    }
    last = sensitivities[i];
    const DoubleDouble shift = DoubleDouble{last} / sigma;
    components.push_back({probability, GaussianLoss(shift), shift});
  }
  if (components.size() == 1) return std::make_shared<GaussianLoss>(components[0].shift);
  return std::make_shared<GaussianMixtureLoss>(std::move(components));
}

}  // namespace epsilometer::mechanisms
