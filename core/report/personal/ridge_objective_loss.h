// What exact objective perturbation of a ridge regression (squared loss, linear term b ~ N(0, sigma^2 I))
// costs one record: the outputs of the tables without it and with it are N(theta, sigma^2 H^{-2}), in the
// first's own coordinates a pair of normal laws that differ along x alone, given what the output is across x.
// With mu = x^T H^{-1} x, nu = x^T H^{-2} x and r = y - x.theta of the table without the record:
//     m ~ N(|x| r / sigma, |x|^2 nu - mu^2),   N(m, (1 + mu)^2) against N(0, 1) given m,
// the first of which is the table without. There is no price for everybody: squared losses have no bound.
#pragma once

#include "core/report/personal/ridge_influence.h"

namespace epsilometer {

class RidgeObjectiveLoss {
 public:
  /// Refuses what has no finite leverage or residual.
  RidgeObjectiveLoss(const RecordInfluence& influence, double sigma);

  /// A certified interval, of about 1e-6 of its value; the larger of both directions.
  Bounds delta(double epsilon) const;
  /// One of them, epsilon >= 0; the one with the record is Direction::remove.
  Bounds delta(Direction direction, double epsilon) const;

 private:
  Bounds at(Direction direction, double epsilon, double mean, double variance) const;

  Interval leverage_, mean_, variance_;
};

}  // namespace epsilometer
