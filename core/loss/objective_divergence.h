// Objective perturbation of one release: the largest Renyi divergence of the whole class of mechanisms. See
// mechanisms/objective_perturbation.cpp for the maps; as there, s = L/sigma and kappa = beta/lambda.
//
// With a = order - 1, e^{a D} is the integral of phi(v) e^{a (k v + k^2/2)} (1 + k')^{-a} without the record,
// where k rises with a slope in [0, kappa], and of phi(w) e^{a (h w + h^2/2)} (1 + h')^{-a} with it, where h
// falls with a slope in [-c, 0], c = kappa/(1+kappa). The integrands are convex in the slope, so they are at
// most linear between its ends, and by Green's theorem an integral over the heights eta that the map passes,
// of a function of the place where it does so. That rises with the place up to a peak and falls, and the peak
// moves with eta against the way in which a map can bend: no map is better than a ramp, at one z for all
// heights. Of the ramp it is, with t = eta, r = order a,
//   e^{a D} = 1 + the integral over t in [0, s] of
//             e^{r t^2/2} (r t (Phi(-z - b t) + Phi(z - b t)) + g (phi(z + b t) + phi(z - b t))),
//   without: b = 1/kappa - a,  g = a - (1 - (1+kappa)^{-a}) / kappa,
//   with:    b = 1/c + a,      g = ((1+kappa)^a - 1) / c - a.
// Its slope in z, divided by z phi(z), is a power series in z^2 whose n-th coefficient has the sign of
//   (r + g b) b m_{n+1} / ((2n+1) m_n) - g,   m_n the integral of t^{2n} e^{(r - b^2) t^2/2}.
// That ratio of moments falls with n: by parts it is (1 - q) / (b^2 - r), where q is e^{(r - b^2) s^2/2}
// divided by the mean of e^{(r - b^2) t^2/2} under a density that moves towards s as n grows. So the
// coefficients change their sign once at most, from plus to minus, the slope does so too (Descartes), and the
// moment has one peak in z >= 0. Where b <= 0 all are negative: it is at z = 0.
#pragma once

#include "core/base/bounds.h"

namespace epsilometer {

/// Of either direction, the largest Renyi divergence: without the record, which is in the other table, and
/// with it. Certified; the upper end is infinite where it could not be enclosed. order > 1; slope: s > 0;
/// kappa > 0.
struct ObjectiveDivergences {
  Bounds adding, removing;
};
ObjectiveDivergences objective_divergences(double order, double slope, double kappa);

/// The largest Renyi divergence in either direction, rounded up; infinite where it could not be enclosed.
/// order > 1; slope: s > 0; kappa > 0.
double objective_divergence(double order, double slope, double kappa);

}  // namespace epsilometer
