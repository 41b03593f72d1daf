// The tails of the gamma distribution of density s^{a-1} e^{-s} / Gamma(a), as the density at their end times
// an integral of positive terms. A place is given by its distance from a, which keeps its digits where a is
// large.
#pragma once

#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <numbers>

#include "core/numerics/logarithm.h"

namespace epsilometer {

/// What one of the answers below may lose to rounding, relative to its value, within 9 standard deviations of
/// the mean on the heavy side and anywhere on the other.
inline constexpr double gamma_margin = 0x1p-44;

class GammaTail {
 public:
  /// a: half of a whole number, up to 1e15.
  explicit GammaTail(double a) : a_(a), peak_(peak(a)) {}

  /// s^a e^{-s} / Gamma(a) at s = a + distance > 0.
  double weight(DoubleDouble distance) const {
    const DoubleDouble part = distance / DoubleDouble{a_};
    const DoubleDouble exponent = DoubleDouble{a_} * (log_one_plus(part) - part);
    return peak_ * exponential(exponent);
  }

  /// The integral of u -> (1+u)^{a-1} e^{-su} (1 - e^{-thinned u}) over u > 0, by which the weight becomes
  /// the probability of more than s, or with a finite `thinned` the difference of two such.
  double above(DoubleDouble distance, double thinned) const {
    const double rest = distance.hi + 1, s = at(distance);
    return integral([&](double v) {
      const double u = std::exp(v);
      const double power =
          u < 1 ? (a_ - 1) * boost::math::log1pmx(u) - rest * u : (a_ - 1) * std::log1p(u) - s * u;
      return Point{power + v, kept(thinned * u)};
    });
  }

  /// The same of (1-u)^{a-1} e^{su} (1 - e^{-thinned u}) over 0 < u < 1, for less than s.
  double below(DoubleDouble distance, double thinned) const {
    const double rest = distance.hi + 1, s = at(distance);
    return integral([&](double v) {
      // u = e^v / (1 + e^v), so that du = u (1-u) dv.
      const double u = 1 / (1 + std::exp(-v)),
                   log_rest = v > 0 ? -v - std::log1p(std::exp(-v)) : -std::log1p(std::exp(v));
      const double power =
          u < 0.5 ? (a_ - 1) * boost::math::log1pmx(-u) + rest * u : (a_ - 1) * log_rest + s * u;
      return Point{power + log_rest + (v < 0 ? v + log_rest : std::log(u)), kept(thinned * u)};
    });
  }

  /// P(S > a + distance) and P(S < a + distance), the smaller of the two with full relative accuracy.
  double upper(DoubleDouble distance) const {
    if (distance.hi < 0) return 1 - lower(distance);
    const double density = weight(distance);
    return density > 0 ? density * above(distance, HUGE_VAL) : 0;
  }
  double lower(DoubleDouble distance) const {
    if (distance.hi >= 0) return 1 - upper(distance);
    if (at(distance) <= 0) return 0;
    const double density = weight(distance);
    return density > 0 ? density * below(distance, HUGE_VAL) : 0;
  }

 private:
  // e^log times factor.
  struct Point {
    double log, factor;
    double height() const { return log + std::log(factor); }
  };

  // With all its digits, of which a sum of doubles keeps none near 0.
  double at(DoubleDouble distance) const { return (distance + DoubleDouble{a_}).hi; }

  static double kept(double exponent) { return -std::expm1(-exponent); }

  // a^a e^{-a} / Gamma(a): from Gamma(1/2) or Gamma(1) upwards, or by Stirling's series (next term: 1e-18).
  static double peak(double a) {
    if (a < 16) {
      double x = a == std::floor(a) ? 1 : 0.5, gamma = x == 1 ? 1 : 1.7724538509055161;
      for (; x < a; ++x) gamma *= x;
      return std::pow(a, a) * std::exp(-a) / gamma;
    }
    const double square = a * a;
    const double series =
        (1.0 / 12 -
         (1.0 / 360 -
          (1.0 / 1260 - (1.0 / 1680 - (1.0 / 1188 - 691.0 / 360360 / square) / square) / square) / square) /
             square) /
        a;
    return std::sqrt(a / (2 * std::numbers::pi)) * std::exp(-series);
  }

  // The integral over all v of a function with one peak that is analytic around the real axis: by equal
  // steps, which err by about e^{-2 pi d / step} for analyticity within d, here e^-40 or less. The ends are
  // cut at e^-42 of the peak.
  template <class Function>
  static double integral(const Function& f) {
    double low = -60, high = 60;
    for (int i = 0; i < 24; ++i) {
      const double left = low + 0.382 * (high - low), right = low + 0.618 * (high - low);
      (f(left).height() < f(right).height() ? low : high) =
          f(left).height() < f(right).height() ? left : right;
    }
    const double top = (low + high) / 2, height = f(top).height();
    const auto end = [&](double side) {
      double step = 0.25, v = top + side * step;
      for (; f(v).height() > height - 42; v += side * step) step *= 1.15;
      return v;
    };
    constexpr int nodes = 300;
    const double from = end(-1), step = (end(1) - from) / nodes;
    double sum = 0;
    for (int i = 0; i <= nodes; ++i) {
      const Point at = f(from + i * step);
      sum += std::exp(at.log - height) * at.factor;
    }
    return sum * step * std::exp(height);
  }

  double a_, peak_;
};

}  // namespace epsilometer
