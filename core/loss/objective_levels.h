// Objective perturbation of one release, for epsilon >= 0: the largest delta of the whole class of
// mechanisms, in either direction, by a search whose every cell is bounded. See
// mechanisms/objective_perturbation.cpp for the map: without the record v -> v + k(v), k rising with a slope
// in [0, kappa] between -s and s; with it w -> w + h(w), h falling with a slope in [-c, 0], c =
// kappa/(1+kappa).
//
// delta is the integral of (phi(v) - e^epsilon phi(v+k) (1+k'))_+, convex in k' and so at most B + M k',
// linear between its values at the ends of the slope; a slope that oscillates between them comes as close as
// one likes. By Green's theorem that is an integral over the heights eta that k passes, of a K(v, eta) at the
// place v where it passes. With p = epsilon/eta - eta/2, for eta > 0 (mirrored for eta < 0),
//   without:  K = phi(p)                                                where v <= p,
//               = ((1+kappa) e^epsilon phi(v+eta) - phi(v)) / kappa     from there on, but not below 0;
//   with:     K = phi(p)                                                where w >= p,
//               = (phi(w) - e^E phi(w+eta)) / c                         before, but not below 0,
// E = epsilon - log(1+kappa).
//
// Without: K falls with v for eta > 0, rises for eta < 0, and z = v - eta/kappa cannot fall with eta. So no
// map is better than a ramp, z constant, and its delta is F(z) + F(-z), where F(z) is the delta of the ramp
// that starts at z and stops at s; F falls.
//
// With: y = w + eta/c cannot rise with eta. For eta > 0, K rises with w up to a peak and falls, or rises up
// to p and stays. The peak lies at a w > 0 with, in terms of l = log(1 + eta/w),
//   w^2/2 = (E + l)/(e^{2l} - 1),   eta = w (e^l - 1),   K = phi(w) (1 - e^{-l}) / c,   0 < l < log(1+kappa),
// and its y falls with eta where 2 (E + l) > 2 sinh(l) (e^l - 1 + c) / (1 - e^l/(1+kappa)). The right side
// less 2l rises with l from 0 (its first factor alone does, since 1 - e^l/(1+kappa) <= c), so y falls first
// and then rises, or only rises when E <= 0. Peaks that rise against a y that must not: a map crosses them
// once, at a height where y = y_1, and the constant y_1 is nearer to every peak. Peaks that fall can be
// followed. So
//   E > 0:   the best map follows the peaks up to a height, and from there on keeps its y. Negative heights
//            add nothing: K is 0 for them wherever y >= 0, and y <= 0 is the mirror image.
//   E <= 0:  the best map keeps its y >= 0 at all heights.
// These are theorems about one variable, and the slope in it of each of these deltas is a difference of
// normal densities at places that move monotonically: bounded on any interval, which bounds the cells.
#pragma once

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

class ObjectiveLevels {
 public:
  /// slope: s = L/sigma in [1e-8, 1e3]; kappa in [1e-8, 1e8].
  /// `narrow`: how wide the bounds may be, relatively.
  ObjectiveLevels(double epsilon, DoubleDouble slope, double kappa, DoubleDouble log_growth,
                  double narrow = 0x1p-44);

  /// Bounds on the supremum, without and with the record; one_signed: the map moves up only or down only.
  /// Meant for values above smallest_accurate: what 39 standard deviations hide counts as nothing.
  Bounds adding(bool one_signed) const;
  Bounds removing(bool one_signed) const;

  /// level: E; share: c; log_growth: log(1 + kappa); gaussian: delta of the Gaussian mechanism with mu = s.
  struct Numbers {
    double epsilon, level, slope, kappa, share, log_growth;
    Bounds gaussian;
  };

 private:
  Numbers numbers_;
  double narrow_;
};

}  // namespace epsilometer
