// Renyi divergences of a mechanism on a random sample of the records. With r = 1 - q + q e^l for the loss l
// of the base pair (P, Q), Poisson sampling at rate q has E_Q[r^order] = e^{(order - 1) D} in the worse
// direction, which is that with the record (Mironov, Talwar and Zhang 2019, Theorem 5, for symmetric pairs).
// Everything is a sum of positive terms for that moment less 1, so that tiny divergences keep their digits.
#pragma once

#include <cmath>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// log(1 - q + q e^l), also where e^l overflows.
inline double log_mixed(double rate, double l) {
  return l > 700 ? l + std::log(rate) + (1 - rate) / rate * std::exp(-l) : std::log1p(rate * std::expm1(l));
}

enum class Sampling { poisson, without_replacement };

/// The Renyi divergence of the order (> 1) of a symmetric base pair without infinite losses, sampled at a
/// rate in (0, 1). Rounded up; for orders to 1e6 within 1e-12 of the truth when the base is normal noise, on
/// the line or on the whole numbers, or has a law of atoms and exponential densities, and otherwise a bound.
double sampled_renyi(const PrivacyLoss& base, double rate, Sampling sampling, double order);

}  // namespace epsilometer
