// The loss of normal noise whose shift is random: the mixture of N(c_j, 1), c_j >= 0, under P against that of
// N(-d_i, 1), d_i >= 0, under Q. Of sampled normal noise where several records differ, the shifts are J mu
// and -I mu with J ~ Bin(ahead, q) and I ~ Bin(behind, q): no tables that differ in `ahead` records of the
// one and `behind` of the other tell more, whatever the directions of the records are, and all that push one
// way attain it: among the events of one probability under N(0, 1), a half-line is the likeliest under every
// N(j mu, 1) and the least likely under every N(-i mu, 1). For Q = N(0, 1) this is the mixture of
// Choquette-Choo, Ganesh, Steinke and Thakurta 2024.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/laws/law.h"
#include "core/numerics/normal.h"

namespace epsilometer {

class MixtureLaw final : public Law {
 public:
  struct Component {
    double probability, shift;

    // log of its density over that of N(0, 1).
    double log_ratio(double x) const { return shift * (x - shift / 2); }
  };
  using Mixture = std::vector<Component>;

  /// Shifts of one sign ahead and of one sign behind, each in the order of their sizes, not all 0;
  /// probabilities > 0 that sum to 1; a loss that grows with x wherever it is asked for, as it does with
  /// shifts
  /// >= 0 ahead and <= 0 behind.
  MixtureLaw(Mixture ahead, Mixture behind)
      : MixtureLaw(ahead, behind, log_unshifted(ahead), -log_unshifted(behind)) {}

  /// The shifts of sampled records: mu > 0, rate in (0, 1), whole numbers of records, not both 0.
  MixtureLaw(double mu, double rate, int ahead, int behind)
      : MixtureLaw(sampled(mu, rate, ahead), sampled(-mu, rate, behind), ahead * std::log1p(-rate),
                   -behind * std::log1p(-rate)) {}

  double loss(double x) const override {
    if (std::isinf(x)) return x > 0 ? (is_shifted(ahead_) ? x : most_) : (is_shifted(behind_) ? x : least_);
    return log_ratio(ahead_, x) - log_ratio(behind_, x);
  }
  double x_at(double loss) const override {
    double low = -1, high = 1;
    while (this->loss(low) > loss) {
      if (low < -farthest) return -std::numeric_limits<double>::infinity();
      low *= 2;
    }
    while (this->loss(high) < loss) {
      if (high > farthest) return std::numeric_limits<double>::infinity();
      high *= 2;
    }
    // Newton's steps, as long as they stay inside; halves otherwise.
    double x = low + (high - low) / 2;
    for (int i = 0; i < 80; ++i) {
      const double excess = this->loss(x) - loss;
      (excess > 0 ? high : low) = x;
      double next = x - excess / slope(x);
      if (!(next > low && next < high)) next = low + (high - low) / 2;
      if (std::abs(next - x) <= 2 * unit_roundoff * std::abs(x)) return next;
      x = next;
    }
    return x;
  }
  /// log of the density of a mixture over that of N(0, 1).
  static double log_ratio(const Mixture& all, double x) {
    double sum = 0, top = -std::numeric_limits<double>::infinity();
    for (const Component& one : all) {
      const double ratio = one.log_ratio(x);
      top = std::max(top, ratio);
      sum += one.probability * std::expm1(ratio);
    }
    // No digit is lost where most of it is near N(0, 1), nor where nothing is negative.
    if (top < 600 && sum > -0.5) return std::log1p(sum);
    sum = 0;
    for (const Component& one : all) sum += one.probability * std::exp(one.log_ratio(x) - top);
    return top + std::log(sum);
  }

  double slope(double x) const override { return mean_shift(ahead_, x) - mean_shift(behind_, x); }
  double log_density(double x) const override { return -x * x / 2 - half_log_tau + log_ratio(ahead_, x); }
  double log_slope_bound(double from, double to) const override {
    return std::max(std::abs(from), std::abs(to)) + std::abs(ahead_.back().shift) +
           std::abs(behind_.back().shift);
  }
  bool has_one_form() const override { return true; }
  double rounding(double from, double to) const override {
    const double most = log_slope_bound(from, to);
    return most * most;
  }
  double length_scale() const override { return 1; }
  double log_above(double x) const override {
    return log_tail([x](double shift) { return log_normal_upper_tail(x - shift); });
  }
  double log_below(double x) const override {
    return log_tail([x](double shift) { return log_normal_upper_tail(shift - x); });
  }

 private:
  MixtureLaw(Mixture ahead, Mixture behind, double least, double most)
      : ahead_(std::move(ahead)), behind_(std::move(behind)), least_(least), most_(most) {}

  // No loss is looked for beyond.
  static constexpr double farthest = 1e7;
  static constexpr double half_log_tau = 0.91893853320467274;

  static bool is_shifted(const Mixture& all) { return all.back().shift != 0; }

  // log of the probability of no shift.
  static double log_unshifted(const Mixture& all) {
    return all.front().shift == 0 ? std::log(all.front().probability)
                                  : -std::numeric_limits<double>::infinity();
  }

  static Mixture sampled(double mu, double rate, int records) {
    Mixture result;
    double log_ways = 0;
    for (int j = 0; j <= records; ++j) {
      result.push_back({std::exp(log_ways + j * std::log(rate) + (records - j) * std::log1p(-rate)), j * mu});
      log_ways += std::log((records - j) / (j + 1.0));
    }
    return result;
  }

  // The mean of the shifts where the output is x.
  static double mean_shift(const Mixture& all, double x) {
    const double whole = log_ratio(all, x);
    double mean = 0;
    for (const Component& one : all) mean += one.probability * one.shift * std::exp(one.log_ratio(x) - whole);
    return mean;
  }

  template <class Tail>
  double log_tail(const Tail& of) const {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const auto& [probability, shift] : ahead_) top = std::max(top, of(shift));
    if (std::isinf(top)) return top;
    for (const auto& [probability, shift] : ahead_) sum += probability * std::exp(of(shift) - top);
    // Sums of so few terms are right to this.
    return top + std::log(sum) + 1e-12;
  }

  Mixture ahead_, behind_;
  // The limits of the loss where all shifts are on the other side, and none of them is seen.
  double least_, most_;
};

}  // namespace epsilometer
