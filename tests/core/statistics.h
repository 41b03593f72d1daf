// Tests of samples against laws: each answers with the probability that a true sampler does worse.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace epsilometer {

/// Sanitizers slow down sampling, and numbers of hundreds of bits: they look for other faults, in a tenth of
/// the draws. Of numbers, laws and noise all are drawn in WebAssembly (tests/CMakeLists.txt).
#if defined(SANITIZED)
inline constexpr std::size_t share = 10;
#else
inline constexpr std::size_t share = 1;
#endif

/// Pearson's test of integers against weights that need not be normalised; `reach`: no weight beyond it
/// counts.
double chi_square(const std::vector<std::int64_t>& draws, std::int64_t reach,
                  const std::function<double(std::int64_t)>& weight);

/// Bounds of a probability that `hits` of so many runs have, each wrong with that risk: Clopper and Pearson
/// 1934.
double least_probability(double hits, double runs, double risk);
double most_probability(double hits, double runs, double risk);

double standard_normal(double x);

/// Kolmogorov's test against a distribution function.
double kolmogorov(std::vector<double> draws,
                  const std::function<double(double)>& distribution = standard_normal);

/// By how many standard errors the average product of two entries of normal vectors, one after the other and
/// of mean zero, is off at worst. `covariance`: what it should be, a lower triangle.
double covariance_errors(const std::vector<double>& vectors, const std::vector<double>& covariance);

}  // namespace epsilometer
