// Above threshold, interactively: noisy values are held against one noisy threshold, and the first that
// reaches it ends it. Ligett, Neel, Roth, Waggoner and Wu 2017, Algorithm 2, after Dwork and Roth 2014,
// Section 3.6; both noises discrete Laplace. It costs epsilon, however many values were asked about. How much
// epsilon its answers need is found from the very probability of a wrong one, where the source has a union
// bound, 16 log(2 values / failure).
#pragma once

#include <cstdint>

#include "core/base/bounds.h"
#include "core/noise/generator.h"

namespace epsilometer {

/// The probability that one of so many values, each `gap` > 0 below the threshold, reaches it, where the
/// threshold has Laplace noise of one scale and the values of another: E[1 - F(gap + r)^values], r the
/// threshold's noise and F the distribution function of the values'. An enclosure about (22 / cells)^2 wide,
/// relatively. `values` from 1 to 1e6.
Bounds false_accept(double threshold_scale, double value_scale, double gap, double values, int cells);

/// Of what epsilon is spent on.
struct ThresholdShare {
  /// epsilon, as a multiple of sensitivity / tolerance.
  double epsilon;
  /// That of the threshold; the rest is the values'.
  double threshold;
};

/// The threshold is half the tolerance below the best value, and values below by the whole tolerance may be
/// accepted with that probability together: the least epsilon to rounding up by 1e-6, and about the best
/// share of the threshold.
ThresholdShare threshold_share(double values, double failure);
/// The least epsilon for a given share.
double threshold_epsilon(double share, double values, double failure);

class AboveThreshold {
 public:
  /// Neighbours' values differ by at most `sensitivity`, whatever was asked before; values are at most
  /// `error` wrong; what is at least `tolerance` below 0 is accepted with at most the probability `failure`
  /// among so many values. Refuses what would cost more than 256, under the name "excessRisk", and shows
  /// `risk`, as which the tolerance was asked for.
  AboveThreshold(double sensitivity, double error, double tolerance, double values, double failure,
                 double risk);

  /// What all of it costs, rounded up.
  double epsilon() const { return epsilon_; }

  class Run {
   public:
    /// Whether the value reaches the threshold; nothing may be asked after it did. `low` is what rounding
    /// took from it.
    bool reached(double value, double low);

   private:
    friend class AboveThreshold;
    Run(const AboveThreshold& what, Generator& generator, __int128 threshold)
        : what_(what), generator_(generator), threshold_(threshold) {}

    const AboveThreshold& what_;
    Generator& generator_;
    __int128 threshold_;
  };
  Run begin(Generator& generator) const;

 private:
  int exponent_;
  std::int64_t threshold_;
  std::uint64_t threshold_steps_, value_steps_;
  double epsilon_;
};

}  // namespace epsilometer
