#include "core/release/above_threshold.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/noise/grid.h"
#include "core/noise/noise.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// The integral of e^{m y} over [from, to], relative to e^{m anchor}.
double exponential_integral(double m, double from, double to, double anchor) {
  const double width = to - from, z = m * width;
  const double mean = std::abs(z) < 1e-300 ? 1 : std::expm1(z) / z;
  return std::exp(m * (from - anchor)) * width * mean;
}

// With s = e^{-y} / 2, h(s) = 1 - (1 - s)^values is concave in s: between two values of s it lies above its
// chord and below any tangent, and both integrate to closed forms against e^{m y}.
class Hits {
 public:
  explicit Hits(double values) : values_(values) {}

  // The integral of h e^{m (y - anchor)} over [from, to].
  Bounds cell(double m, double from, double to, double anchor) const {
    const double left = 0.5 * std::exp(-to), right = 0.5 * std::exp(-from),
                 middle = 0.5 * std::exp(-(from + to) / 2);
    const double mass = exponential_integral(m, from, to, anchor),
                 moment = 0.5 * std::exp(-anchor) * exponential_integral(m - 1, from, to, anchor);
    const double low = at(left), chord = right > left ? (at(right) - low) / (right - left) : 0,
                 slope = values_ * std::exp((values_ - 1) * std::log1p(-middle));
    return {low * mass + chord * std::max(0.0, moment - left * mass),
            at(middle) * mass + slope * (moment - middle * mass)};
  }

  double at(double s) const { return -std::expm1(values_ * std::log1p(-s)); }

 private:
  double values_;
};

Bounds operator+(Bounds a, Bounds b) { return {a.lower + b.lower, a.upper + b.upper}; }

// Differences within a cell cancel up to 1 / width of it, and cells add up.
constexpr double margin(int cells) { return 0x1p-48 * cells; }

constexpr int coarse = 512, fine = 8192;

double ratio_of(double share) { return 2 * share / (1 - share); }

// In units of the values' scale: half the tolerance is epsilon (1 - share) / 4 of it.
double wrong(double epsilon, double share, double values, int cells) {
  return false_accept(ratio_of(share) > 0 ? 1 / ratio_of(share) : 0, 1, epsilon * (1 - share) / 4, values,
                      cells)
      .upper;
}

double least_epsilon(double share, double values, double failure, int cells, int bits) {
  const auto failing = [&](double epsilon) { return wrong(epsilon, share, values, cells); };
  double above = 1;
  while (failing(above) > failure) above *= 2;
  double below = above / 2;
  while (below > 1e-12 && failing(below) <= failure) below /= 2;
  return refine(failing, failure, below, above, bits).above;
}

}  // namespace

Bounds false_accept(double threshold_scale, double value_scale, double gap, double values, int cells) {
  const double rate = value_scale / threshold_scale, distance = gap / value_scale;
  const Hits hits(values);
  // Beyond, h is below values * s <= 1e-9, and above (1 - 1e-9) values * s.
  const double far = std::log(values / 2) + 9 * std::log(10.0), end = std::max(0.0, far);
  // The threshold's noise is so far below 0 that the gap is gone.
  const double gone =
      0.5 * std::exp(-rate * distance) * (1 - std::exp(-values * std::log(2.0)) * rate / (rate + values));
  Bounds sum{0, 0};
  const auto add = [&](double m, double from, double to) {
    const double last = std::min(to, end);
    const int count = std::max(1, static_cast<int>(std::ceil(cells * (last - from) / std::max(end, 1e-9))));
    for (int i = 0; from < last && i < count; ++i)
      sum = sum +
            hits.cell(m, from + (last - from) * i / count, from + (last - from) * (i + 1) / count, distance);
    const double tail_from = std::max(from, end);
    if (!(tail_from < to)) return;
    const double scale = values / 2 * std::exp(-distance);
    const double tail = std::isinf(to) ? scale * std::exp((m - 1) * (tail_from - distance)) / (1 - m)
                                       : scale * exponential_integral(m - 1, tail_from, to, distance);
    sum = sum + Bounds{tail * (1 - 1e-9), tail};
  };
  add(rate, 0, distance);
  add(-rate, distance, HUGE_VAL);
  const Bounds all{gone + rate / 2 * sum.lower, gone + rate / 2 * sum.upper};
  return {rounded_down(all.lower, margin(cells)), std::min(1.0, rounded_up(all.upper, margin(cells)))};
}

double threshold_epsilon(double share, double values, double failure) {
  return least_epsilon(share, values, failure, fine, 40);
}

ThresholdShare threshold_share(double values, double failure) {
  const auto cost = [&](double share) { return least_epsilon(share, values, failure, coarse, 20); };
  const double share = minimum(cost, 0.05, 0.75, 12).first;
  return {threshold_epsilon(share, values, failure), share};
}

// Discrete noise of so many steps is coupled to Laplace noise of that scale so that they are never more than
// one step apart: e^{-k/t} / (1 + e^{-1/t}) <= e^{(1-k)/t} / 2. With the value's rounding that is less than
// four steps, and 2^-16 of half the tolerance is more.
AboveThreshold::AboveThreshold(double sensitivity, double error, double tolerance, double values,
                               double failure, double risk) {
  const auto refuse = [&] {
    throw Refusal(
        "range", "excessRisk", shown(risk),
        "must be larger, or rows or lambda: to test for it alone would cost more than epsilon = 256");
  };
  const double gap = tolerance / 2 * (1 - 0x1p-16) - 2 * error;
  if (!(gap > 0)) refuse();
  const auto [multiple, share] = threshold_share(values, failure);
  exponent_ = std::ilogb(sensitivity) - 30;
  // Less than that is no price, and noise beyond would need more steps than there are.
  epsilon_ = std::max(0x1p-14, multiple * sensitivity / (2 * gap) * (1 + 0x1p-20));
  if (!(epsilon_ <= 256)) refuse();
  if (!(std::ldexp(gap, -exponent_) * 0x1p-16 >= 8)) refuse();
  const double moved = std::ceil(std::ldexp(sensitivity, -exponent_)) + 1;
  threshold_steps_ = static_cast<std::uint64_t>(std::ceil(moved / (share * epsilon_)));
  value_steps_ = static_cast<std::uint64_t>(std::ceil(2 * moved / ((1 - share) * epsilon_)));
  threshold_ = -static_cast<std::int64_t>(std::floor(std::ldexp(tolerance / 2, -exponent_)));
  epsilon_ = rounded_up(moved / static_cast<double>(threshold_steps_) +
                        2 * moved / static_cast<double>(value_steps_));
}

AboveThreshold::Run AboveThreshold::begin(Generator& generator) const {
  generator.begin_release();
  return Run(*this, generator, threshold_ + exact::wide_discrete_laplace(generator, threshold_steps_));
}

bool AboveThreshold::Run::reached(double value, double low) {
  const double values[] = {value}, tails[] = {low};
  const __int128 steps = rounded(values, what_.exponent_, tails).wide_value(0);
  return steps + exact::wide_discrete_laplace(generator_, what_.value_steps_) >= threshold_;
}

}  // namespace epsilometer
