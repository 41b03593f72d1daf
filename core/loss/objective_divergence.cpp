#include "core/loss/objective_divergence.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"
#include "core/numerics/normal.h"
#include "core/numerics/quadrature.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Beyond so many standard deviations densities count as what they are there at most.
constexpr double last_deviation = 8.5;
// Where the logarithm of the integrand is so far below its largest, nothing of it is left.
constexpr double negligible_drop = 60;
// More panels than these are not worth their time: the closed form does.
constexpr double most_panels = 300;

class RampMoment {
 public:
  /// g is that of the header times e^-log_unit, from above, and by how much it may be above.
  RampMoment(double order, double slope, double b, double g, double g_error, double log_unit)
      : a_(order - 1),
        rate_(order * a_),
        slope_(slope),
        b_(b),
        g_(g),
        least_g_(std::max(0.0, g - g_error)),
        top_(rate_ * slope * slope / 2),
        log_unit_(log_unit),
        unit_(std::exp(-log_unit)) {}

  Bounds divergence() const {
    const Bounds most = largest();
    // Logarithms of about top + log_unit may cancel.
    const double off = 16 * unit_roundoff * log_unit_;
    return {rounded_down(std::max(0.0, log_moment(most.lower) - off) / a_, 4 * rounding_margin),
            rounded_up((log_moment(most.upper) + off) / a_)};
  }

 private:
  double log_moment(double most) const {
    return top_ + log_unit_ < 1 ? std::log1p(most * std::exp(top_))
                                : top_ + log_unit_ + std::log(most + unit_ * std::exp(-top_));
  }

  // sup_z (e^{a D} - 1) e^-top, in the unit, where e^top is what the Gaussian member has.
  Bounds largest() const {
    if (!std::isfinite(g_) || !std::isfinite(top_)) return {0, infinite};
    if (b_ <= 0) return {least_value(0), value(0)};
    // That member, whose map is everywhere at its end.
    const double gaussian = rounded_down(-std::expm1(-top_) * unit_, 4 * rounding_margin);
    // From there on Phi(z - b t) counts as 1, and the densities as where they are largest.
    const double end = b_ * slope_ + last_deviation - 2;
    const double tail = -std::expm1(-top_) * unit_ + 2 * g_ * width() * normal_density({last_deviation - 2});
    if (sign(end) > 0) return {std::max(gaussian, least_value(end)), tail};
    // What is far below the peak may be too small for a double.
    const auto rise = [this](double z) {
      const double sum = slope(z).sum;
      return sum == 0 ? std::numeric_limits<double>::min() : sum;
    };
    const double least = 1e-6;
    double low = sign(least) < 0 ? 0 : end - 1;
    for (double step = 2; low > least && rise(low) < 0; step *= 2) low = std::max(least, end - step);
    const double z = low > 0 && rise(low) > 0 && rise(end) < 0 ? sign_change(rise, low, end, 40).first : 0;
    // It falls from z + apart on, and rose up to z - apart: the peak is between them, where its own slope is
    // at most `bend`.
    const double bend = 0.49 * -std::expm1(-top_) * unit_ + 0.8 * g_ * width();
    for (double apart = least; apart < 1; apart *= 2) {
      if (sign(z + apart) >= 0 || (z > apart && sign(z - apart) <= 0)) continue;
      return {std::max(gaussian, least_value(z)), std::max(tail, value(z) + bend * apart * apart / 2)};
    }
    return {gaussian, infinite};
  }
  // The integral of e^{r (t^2 - s^2)/2} over t in [0, s], from above.
  double width() const { return std::min(slope_, 2 / (rate_ * slope_)); }
  // Of e^{r (t^2 - s^2)/2} Phi(z - b t), or twice that.
  double log_size(double z, double t) const {
    const double below = std::max(0.0, b_ * t - z);
    return rate_ * t * t / 2 - top_ - below * below / 2;
  }
  double weight(double t) const { return std::exp(rate_ * (t - slope_) * (t + slope_) / 2); }

  // The part of [0, s] where densities change, and how steep its terms are.
  struct Part {
    double from, to, steepness, longest;
    double panels() const { return (to - from) * std::max(steepness / 2, 1 / longest); }
  };
  Part part(double z) const {
    const double own = std::abs(b_), curvature = b_ * b_ - rate_;
    // The integrand is about e^{log_size}, which rises up to `peak`: below `from`, Phi(z - b t) is nearly 1,
    // or all is negligible beside what is at the peak.
    double from = b_ > 0 ? std::clamp((z - last_deviation) / b_, 0.0, slope_) : 0;
    const double peak = b_ > 0 && curvature > 0 ? std::min(slope_, z * b_ / curvature) : slope_;
    const auto lacks = [&](double t) { return log_size(z, peak) - log_size(z, t) - negligible_drop; };
    if (from < peak && lacks(from) > 0) from = sign_change(lacks, from, peak, 12).first;
    // The integrand is at most a normal density of this curvature, times at most 1 + t.
    const double to = b_ > 0 && curvature > 0
                          ? std::min(slope_, std::max(from, z * b_ / curvature + 10 / std::sqrt(curvature)))
                          : slope_;
    // Tails of nearly 1 leave e^{r t^2/2}, smaller ones are about the densities; where those of z + b t fall
    // faster than panels show, they are the smaller ones.
    const double level = b_ > 0 ? std::min(to, z / b_) : to;
    const double steepness =
        std::max({rate_ * level, std::abs(z * b_ - curvature * from), std::abs(z * b_ - curvature * to)});
    return {from, to, steepness + own, 0.4 / std::max(own, std::sqrt(rate_))};
  }

  // Of the slope in z: its sum, and the sum of what its terms are in size.
  struct Slope {
    double sum, size;
  };
  Slope slope(double z) const {
    const Part own = part(z);
    if (own.panels() > most_panels) return {0, infinite};
    // Before the part: both densities are at most that of z - b t, whose product with the weight rises.
    const double near = z - b_ * own.from, reach = near > 1 ? std::min(1 / b_, own.from) : own.from;
    const double most = 2 * weight(own.from) * normal_density({near}) * reach;
    Slope found{0, most * (rate_ * own.from * unit_ + g_ * (1 + z + b_ * own.from))};
    integrate(own.from, own.to, own.steepness, own.longest, [&](double t, double share) {
      const double x = z + b_ * t, y = z - b_ * t, level = rate_ * (t - slope_) * (t + slope_) / 2;
      const double px = share * std::exp(level - x * x / 2) / root_two_pi;
      const double py = share * std::exp(level - y * y / 2) / root_two_pi;
      found.sum += rate_ * t * unit_ * (py - px) - g_ * (x * px + y * py);
      found.size += 1e-12 * (rate_ * t * unit_ * (py + px) + g_ * (std::abs(x) * px + std::abs(y) * py));
    });
    return found;
  }
  // That of the slope, 0 where it is not certain.
  int sign(double z) const {
    const Slope found = slope(z);
    return found.sum > found.size ? 1 : found.sum < -found.size ? -1 : 0;
  }

  double value(double z) const {
    const Part own = part(z);
    if (own.panels() > most_panels) return infinite;
    // Before the part: tails are at most 1, or 2 where b < 0; their product with the weight is less than what
    // log_size rises to; and so is that of the densities.
    const double from = own.from, near = std::max(0.0, z - b_ * from);
    double sum = unit_ * (b_ > 0 && near > 0 ? weight(from) - weight(0)
                                             : 2 * rate_ * from * from * std::exp(log_size(z, from)));
    sum += 2 * g_ * from * (near > 0 ? weight(from) * normal_density({near}) : std::exp(log_size(z, from)));
    return rounded_up(sum + integral(own, z, g_), margin(z));
  }

  // Of what is before the part only the tails, which are at least what they are where it begins; nothing of
  // what is behind it: nowhere is the integrand negative.
  double least_value(double z) const {
    const Part own = part(z);
    if (own.panels() > most_panels) return 0;
    const double off = margin(z), near = z - b_ * own.from;
    const double before = weight(own.from) * (1 - off) - weight(0) * (1 + off);
    const double tails = b_ > 0 && near > 0 ? std::max(0.0, before) * unit_ * normal_upper_tail({-near}) : 0;
    return rounded_down(tails + integral(own, z, least_g_), off);
  }

  double integral(const Part& own, double z, double g) const {
    double sum = 0;
    integrate(own.from, own.to, own.steepness, own.longest, [&](double t, double share) {
      const double x = z + b_ * t, y = z - b_ * t;
      sum += share * weight(t) *
             (rate_ * t * unit_ * (normal_upper_tail({x}) + normal_upper_tail({-y})) +
              g * (normal_density({x}) + normal_density({y})));
    });
    return sum;
  }

  double margin(double z) const {
    // Places are right to a few ulp of 1/kappa and a, of which tails and densities show as much as they are
    // steep; exponents of up to `top`; the quadrature, and what is beyond the part, 1e-13.
    return 1e-12 + unit_roundoff * (80 * (z + (std::abs(b_) + 2 * a_) * slope_) + 4 * top_);
  }

  double a_, rate_, slope_, b_, g_, least_g_, top_, log_unit_, unit_;
};

}  // namespace

ObjectiveDivergences objective_divergences(double order, double slope, double kappa) {
  const double a = order - 1, growth = a * std::log1p(kappa), share = 1 + 1 / kappa;
  const auto doubt = [](double larger, double smaller) { return 2 * rounding_margin * (larger + smaller); };
  const auto difference = [&](double larger, double smaller) {
    return std::max(0.0, larger - smaller) + doubt(larger, smaller);
  };
  const double less = -std::expm1(-growth) / kappa;
  const RampMoment adding(order, slope, 1 / kappa - a, difference(a, less), 2 * doubt(a, less), 0);
  // What would be too large for a double is counted in units of its own.
  const double log_unit = growth > 300 ? growth : 0, unit = std::exp(-log_unit);
  const double gained = share * (growth > 300 ? 1 : std::expm1(growth));
  // An exponential shows what its exponent is off by.
  const double shown = 4 * unit_roundoff * growth, g = difference(gained, a * unit) * (1 + shown),
               error = 2 * doubt(gained, a * unit) + 2 * shown * gained;
  const RampMoment removing(order, slope, share + a, g, error, log_unit);
  return {adding.divergence(), removing.divergence()};
}

double objective_divergence(double order, double slope, double kappa) {
  const auto [adding, removing] = objective_divergences(order, slope, kappa);
  return std::max(adding.upper, removing.upper);
}

}  // namespace epsilometer
