// Newton's steps between log value and log cost, with the slope of a secant: both are nearly straight over a
// few octaves. Where the level lies is found by coarse intervals, of which the middle is nearer to the truth
// than the ends; only what is answered was asked finely. How it is found proves nothing: the answer is what
// was evaluated.
#include "core/accounting/near_level.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// How wide intervals are far from the level, and near it.
constexpr double far_gap = 1e-3, near_gap = 1e-6;

// From here the slope leads to within a fine gap of the level.
constexpr double near_enough = 2e-5;

// No step is longer than an octave, and none that rises by less than so many gaps tells the slope.
constexpr double longest_step = 0.7, telling = 30;

// More steps than these and the secants lead nowhere.
constexpr int most_far = 16, most_near = 6;

class Secants {
 public:
  Secants(const CostWithin& cost, const Parameter& parameter, double start, double level)
      : cost_(cost),
        parameter_(parameter),
        level_(level),
        place_(std::log(start)),
        slope_(parameter.more_private ? -2 : 2) {}

  double value() const { return std::exp(place_); }

  /// The interval of the cost here, relative to the level. Learns the slope from the last one.
  Bounds look(double gap) {
    const Bounds found = cost_(value(), gap);
    const Bounds share{found.lower / level_, found.upper / level_};
    const double height = std::log(share.lower + (share.upper - share.lower) / 2);
    const double rise = height - height_, run = place_ - place_before_;
    const bool tells = std::isfinite(rise) && std::abs(rise) > telling * std::max(gap, gap_before_);
    if (tells && rise / run * slope_ > 0) slope_ = rise / run;
    height_ = height;
    gap_before_ = gap;
    return share;
  }

  /// How far from the level the last look was, as a logarithm.
  double away() const { return height_; }

  /// To where the middle is expected to be `below` the level; false where that is out of range.
  bool step(double below) {
    place_before_ = place_;
    place_ += std::clamp(-(height_ + below) / slope_, -longest_step, longest_step);
    return value() >= parameter_.minimum && value() <= parameter_.maximum && place_ != place_before_;
  }

 private:
  const CostWithin& cost_;
  const Parameter& parameter_;
  double level_, place_, slope_;
  double place_before_ = 0, height_ = infinite, gap_before_ = 0;
};

std::optional<double> found_by(Secants secants, double gap) {
  for (int i = 0; i < most_far; ++i) {
    secants.look(far_gap);
    if (!std::isfinite(secants.away()) || !secants.step(0)) return std::nullopt;
    if (std::abs(secants.away()) < far_gap) break;
  }
  for (int i = 0; i < most_near && near_gap > gap; ++i) {
    const Bounds share = secants.look(near_gap);
    if (!std::isfinite(secants.away()) || !secants.step(1.5 * gap)) return std::nullopt;
    // Where no narrow interval is to be had, this one took as long as a fine one.
    if (std::abs(secants.away()) < near_enough || share.upper - share.lower > 5 * near_gap) break;
  }
  for (int i = 0; i < most_near; ++i) {
    const Bounds share = secants.look(gap);
    if (share.upper <= 1 && share.upper >= 1 - 2 * gap) return secants.value();
    // From the end that counts, where the interval is wider than was asked.
    const double above = share.upper - std::exp(secants.away());
    if (!std::isfinite(secants.away()) || !secants.step(std::max(above, 0.0) + gap)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> near_level(const CostWithin& cost, const Parameter& parameter, double start,
                                 double level, double gap) {
  try {
    return found_by({cost, parameter, start, level}, gap);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

}  // namespace epsilometer
