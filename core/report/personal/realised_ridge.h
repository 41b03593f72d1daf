// What noise on a ridge regression told of one record, given the table (realised_noise.h): on its
// coefficients, on their length, and one sample of its posterior. Confidential.
//
// A sample is N(theta, sigma^2 H^{-1}), of which the loss is realised_posterior_loss, and finishing noise of
// deviation tau on what doubles make of it, no further than a tau from it, a = 2^-17. So the density at o is
// that of S = N(theta, sigma^2 H^{-1} + tau^2 I) up to a factor that lies between e^-s and e^s,
//
//     s = a (sqrt(d) + tau |h| / sigma^2) + a^2,    h = H (o - theta):
//
// the finish at a centre that is moved by at most a tau has e^{+-(a |o - m| / tau + a^2 / 2)} times its
// density, m the sample; given o under S, m - o is normal with a mean of at most tau^2 |h| / sigma^2 and
// a covariance of at most tau^2 I, so that |o - m| / tau is at most sqrt(d) + tau |h| / sigma^2 in the mean
// (Jensen's inequality: the lower factor) and e^{a |o - m| / tau} at most e^{a^2 / 2} times that exponential
// in the mean (a length is Lipschitz: the upper one).
//
// And log S / S' is that of the samples themselves up to D - D', where D of a table is
//
//     -log det(I + k H) / 2 + k h^T (I + k H)^{-1} h / (2 sigma^2),    k = tau^2 / sigma^2:
//
// the mean of the sample's density at o - f over f ~ N(0, tau^2 I) is e^D times that at o. The other table
// has H +- x x^T and h -+ x e, e = y - x.o. So both determinants' logarithms are at most k |x|^2 apart, and
// the quadratic forms k |x|^2 |h|^2 + |x e| (2 |h| + |x e|).
//
// What is not so has a probability of 2^-260 under each law (NormalRows): for a t in (0, 1) it is a share of
// at most t of p(o), or of what either law is compared with, but for a probability of 2^-260 / t (Markov).
#pragma once

#include "core/report/personal/realised_noise.h"
#include "core/report/personal/ridge_influence.h"

namespace epsilometer {

class RealisedRidge {
 public:
  /// `influence`: of that table at the lambda that was released. Outputs on sums are passed over.
  RealisedRidge(const LinearStatistics& table, const RidgeInfluence& influence,
                std::span<const NoisyOutput> outputs, const Release& run);

  /// Of a record on its grid, of which that was found; `moved` in it where there is an output on coefficients
  /// or their length.
  Interval loss(const RecordInfluence& found, std::span<const double> features, double label,
                Direction direction) const;
  /// With which probability over the noise that is wrong.
  double failure() const;

 private:
  // A sample that came out, with what is the same of all records.
  struct Sample {
    std::vector<double> values;
    double length, sigma, finish, pull;
  };
  // log(1 + ratio |theta|).
  struct Length {
    double ratio;
    Interval theta;
    CertifiedFactor::Solution seen;
  };

  Interval coefficients_loss(const RecordInfluence& found, std::span<const double> x,
                             Direction direction) const;
  Interval length_loss(const RecordInfluence& found, std::span<const double> x, Direction direction) const;
  Interval sample_loss(const RecordInfluence& found, std::span<const double> x, double label,
                       Direction direction) const;

  std::optional<RealisedNoise> coefficients_, length_noise_;
  CertifiedFactor::Solution seen_noise_;
  std::optional<Length> length_;
  std::optional<Sample> sample_;
};

}  // namespace epsilometer
