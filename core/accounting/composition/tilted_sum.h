// The law of a sum of many losses, tilted so that the asked loss lies in its bulk: lattice laws from above
// and from below, raised to their counts by one Fourier transform. Evaluates bounds on delta near the tilt's
// centre, with truncation, wrap-around and rounding charged to them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/accounting/composition/lattice.h"
#include "core/accounting/composition/tilted_part.h"
#include "core/numerics/transform.h"

namespace epsilometer {

/// The window of losses of the sum that the transform covers: `length` steps from `low`. The tilted sum has
/// little mass below `low`, best bounded by Chernoff's inequality with the exponent `fall`, and little beyond
/// what wraps around to above the asked loss, with the exponent `rise`.
struct Window {
  double step, theta;
  double low, rise, fall;
  std::size_t length;
};

class TiltedSum {
 public:
  /// `log_delta`: the size of delta that is asked about; rounding is charged for it.
  TiltedSum(const Window& window, const std::vector<TiltedPart>& parts, double log_delta);

  /// Bounds on delta(epsilon), for epsilon between low() and high(). The upper one falls with epsilon
  /// everywhere, the lower one loses its grip away from the tilt's centre.
  double upper(double epsilon) const;
  double lower(double epsilon) const;

  double step() const { return window_.step; }
  double low() const { return point(0); }
  double high() const { return point(static_cast<double>(window_.length) - 1); }

 private:
  struct Suffixes;
  struct Powers;

  Cut cut(const TiltedPart& part);
  Cut exact_cut(const TiltedPart& part, const LossLattice& own, std::size_t stride);
  std::int64_t point_number(double steps);
  void add(const TiltedPart& part, double log_delta, const Transform& transform, Powers& powers);
  void finish(const Transform& transform, const Powers& powers);
  double point(double i) const { return offset_ + (static_cast<double>(first_) + i) * window_.step; }
  double weighted(const Suffixes& suffixes, double epsilon, double& point_above) const;

  // For every point i, over the masses at s >= s_i: sum of m e^{-(1+theta)(s-s_i)}, and of
  // m e^{-theta(s-s_i)} (1 - e^{-(s-s_i)}). All terms positive.
  struct Suffixes {
    std::vector<double> fading, growing;
  };

  Window window_;
  // log delta = log_scale - theta s + log of a sum over losses s, which are offset + (first + i) step.
  double log_scale_ = 0, offset_ = 0;
  std::int64_t first_ = 0;
  // Where index 0 of the transform lies, modulo its length.
  std::int64_t turn_ = 0;
  // What rounding may cost: in losses, and in log delta.
  double slack_ = 0, doubt_ = 0;
  double upper_infinite_ = 0, lower_infinite_ = 0;
  // All of the tilted mass. Chernoff: that above s is at most e^{log_above - rise s}, below e^{log_below -
  // fall s}.
  double log_total_ = 0;
  double log_above_ = 0, log_lower_above_ = 0, log_lower_below_ = 0;
  Suffixes upper_, lower_;
};

}  // namespace epsilometer
