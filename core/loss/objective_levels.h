// Objective perturbation of one release, for epsilon >= 0: bounds on delta that are nearly attained. See the
// derivation in mechanisms/objective_perturbation.cpp for the map, here v -> v + k(v) without the record, k
// rising with a slope in [0, kappa] between -s and s, and w -> w + h(w) with it, h falling with a slope in
// [-c, 0], c = kappa/(1+kappa).
//
// delta is the integral of (phi(v) - e^epsilon phi(v+k) (1+k'))_+, convex in k' and so at most B + M k',
// linear between its values at the ends of the slope. By Green's theorem that is an integral over the heights
// eta that k passes, of a K(v, eta) at the place v where it passes. With p = epsilon/eta - eta/2, for eta > 0
// (mirrored for eta < 0),
//   without:  K = phi(p)                                                where v <= p,
//               = ((1+kappa) e^epsilon phi(v+eta) - phi(v)) / kappa     from there on, but not below 0;
//   with:     K = phi(p)                                                where w >= p,
//               = (phi(w) - e^E phi(w+eta)) / c                         before, but not below 0,
// E = epsilon - log(1+kappa). Between the heights -eta and eta, k needs a way of 2 eta/kappa and h one of 2
// eta/c, so that one of the two adds no more than K at v = eta/kappa, and at w = -eta/c; the other no more
// than the largest K. Without, that is phi(p), which integrates to a Gaussian profile. With, it is phi(p) for
// eta >= kappa p, and before that lies at a w > 0 such that, with l = log(1 + eta/w),
//   eta^2 = 2 (E + l) tanh(l/2),   w^2/2 = (E + l)/(e^{2l} - 1),   K = phi(w) (1 - e^{-l}) / c.
#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/loss/gaussian_loss.h"
#include "core/numerics/normal.h"

namespace epsilometer {

class ObjectiveLevels {
 public:
  /// level: epsilon - log(1 + kappa); log_growth: log(1 + kappa).
  ObjectiveLevels(double epsilon, double level, double slope, double kappa, double log_growth)
      : epsilon_(epsilon),
        level_(level),
        slope_(slope),
        kappa_(kappa),
        share_(kappa / (1 + kappa)),
        log_growth_(log_growth),
        turn_(std::sqrt(epsilon / (1 / kappa + 0.5))) {}

  // Both are rounded up; one_signed: the map moves only up or only down.
  double adding(bool one_signed) const {
    const double most = gaussian_between(0, slope_);
    if (one_signed) return most;
    const double end = std::min(slope_, std::sqrt((epsilon_ + log_growth_) / (1 / kappa_ + 0.5)));
    double least = gaussian_between(0, std::min(slope_, turn_));
    if (end > turn_)
      least += rest(between(epsilon_, share_, turn_, end), between(0, kappa_, turn_, end), turn_ / share_);
    return std::min(1.0, rounded_up(most + std::min(most, least), margin));
  }

  double removing(bool one_signed) const {
    const double top = slope_ <= turn_ ? length(slope_) : log_growth_;
    double sum = peaks(top);
    if (slope_ > turn_) sum += gaussian_between(turn_, slope_);
    if (!one_signed && level_ < 0) {
      const double end = std::min(slope_, std::sqrt(-level_ / (1 / share_ - 0.5)));
      sum += rest(between(0, share_, 0, end), between(epsilon_, kappa_, 0, end), 0);
    }
    return std::min(1.0, rounded_up(sum, margin));
  }

 private:
  // Exponents of up to 700 are rounded, and the ends of the integrals.
  static constexpr double margin = 0x1p-42;

  // The l of a height: increasing.
  double length(double height) const {
    double low = std::max(0.0, -level_), high = log_growth_;
    for (int i = 0; i < 200 && low < high; ++i) {
      const double middle =
          low > 0 && high > 2 * low ? std::sqrt(low) * std::sqrt(high) : low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (2 * (level_ + middle) * std::tanh(middle / 2) < height * height ? low : high) = middle;
    }
    return high;
  }

  // K d eta / d l times 2y, with y^2 = E + l.
  double density(double l, double y) const {
    const double t = std::tanh(l / 2);
    const double rate = (t + y * y * (1 - t) * (1 + t) / 2) / std::sqrt(t / 2);
    return std::exp(-y * y / std::expm1(2 * l)) / 2.5066282746310002 * -std::expm1(-l) / share_ * rate;
  }

  // The integral of K at its peak over the heights up to that of `top`; panels on which the logarithm of the
  // integrand moves by a few units and that are no longer than their distance from its singularities, 20
  // points each.
  double peaks(double top) const {
    using Rule = boost::math::quadrature::gauss<double, 20>;
    double sum = 0;
    if (level_ >= 0) {
      const auto along = [this](double l) {
        const double y = std::sqrt(level_ + l);
        return density(l, y) / (2 * y);
      };
      for (double high = top, last = 1; last > 1e-17 * sum;) {
        const double exponent = (level_ + high) / std::expm1(2 * high);
        const double low = high - std::min(1.0, high / (2.5 + exponent / 2));
        sum += last = Rule::integrate(along, low, high);
        high = low;
      }
      return sum;
    }
    const auto along = [this](double y) { return density(y * y - level_, y); };
    double high = std::sqrt(std::max(0.0, level_ + top));
    while (high > std::sqrt(-level_) / 2) {
      const double low = std::max(high / 2, high - 0.3);
      sum += Rule::integrate(along, low, high);
      high = low;
    }
    return high > 0 ? sum + Rule::integrate(along, 0.0, high) : sum;
  }

  // The integral of phi(epsilon/eta - eta/2): a Gaussian profile as a function of its mu.
  double gaussian_between(double from, double to) const {
    const double below = from > 0 ? GaussianLoss({from}).delta(epsilon_)->lower : 0;
    return std::max(0.0, GaussianLoss({to}).delta(epsilon_)->upper - below);
  }

  // A difference of two integrals that start at z standard deviations, from above.
  static double rest(double a, double b, double z) {
    return std::max(0.0, a - b) + (rounding_margin + 4 * unit_roundoff * z * z) * (a + b);
  }

  // The integral of e^scale phi(eta / unit) / unit from one eta to another.
  static double between(double scale, double unit, double from, double to) {
    const auto tail = [scale](double z) {
      return std::exp(scale - z * z / 2) * mills_ratio(z) / 2.5066282746310002;
    };
    if (from > 0) return tail(from / unit) - tail(to / unit);
    const double z = to / unit;
    return std::exp(scale) * (normal_density({z}) * mills_difference(0, z) - std::expm1(-z * z / 2) / 2);
  }

  double epsilon_, level_, slope_, kappa_, share_, log_growth_, turn_;
};

}  // namespace epsilometer
