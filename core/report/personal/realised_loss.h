// What a release that has happened told about one record: the logarithm of the ratio of the output's
// densities under the two tables that differ in it, at the output itself. A number with a sign; in the
// notation of privacy per instance its size is the ex-post loss of Redberg and Wang 2021. All of it is
// confidential: it depends on the table. What may be told is what depends on the output and on the asker's
// own record only, below.
//
// Only where the output is exactly what the formula says: the exact minimum of a randomly tilted objective,
// or Gaussian noise. An approximate minimum with noise of its own is another law.
#pragma once

#include <optional>
#include <span>

#include "core/loss/privacy_loss.h"
#include "core/model/loss.h"
#include "core/numerics/interval.h"

namespace epsilometer {

/// What a record's loss f(x.theta) does at coefficients: its gradient is first * x, its Hessian second * x
/// x^T.
struct RecordSlope {
  Interval first, second;
};

/// Of a record as an objective has it: the label as the loss takes it, the derivative clipped to `limit` in
/// size. `coefficients` are exact, as released.
RecordSlope slope_at(const Loss& loss, std::span<const double> record, double label,
                     std::span<const double> coefficients,
                     double limit = std::numeric_limits<double>::infinity());
/// The same by quick_dot of both, `u`: as much wider as that is.
RecordSlope quick_slope_at(const Loss& loss, Interval u, double label,
                           double limit = std::numeric_limits<double>::infinity());

/// x.y in a certified interval, from two doubles throughout.
Interval dot(std::span<const double> x, std::span<const double> y);

/// A record at the minimum theta of J(theta) + b.theta, b ~ N(0, sigma^2 I), J the regularised sum of the
/// losses of the table that was used, with the record or without.
struct RecordAtMinimum {
  RecordSlope slope;
  /// |x|^2.
  Interval square;
  /// x^T (Hessian of J at theta)^{-1} x, of the table that was used.
  Interval leverage;
  /// x.gradient of J at theta, which is -x.b.
  Interval pull;
  /// x.theta, where that was asked.
  Interval prediction = 0;

  /// log det of the Hessian of J at theta minus that of the other table.
  Interval determinant(Direction direction) const;
};

/// log p(theta) / p'(theta), p of the table that was used: with the record (Direction::remove; p' is that of
/// the table without it), or without it (Direction::add). Redberg and Wang 2021, Theorem 1, an equality.
/// Positive where the output speaks for the table that was used.
Interval realised_objective_loss(Direction direction, const RecordAtMinimum& record, double sigma);

/// The same for any smooth loss l of the record: `determinant` is log det of the Hessian of J at theta minus
/// that of the other table; |gradient of l|^2 and its product with J's gradient.
Interval realised_objective_loss(Direction direction, Interval determinant, Interval square, Interval pull,
                                 double sigma);

/// log det of a symmetric matrix, a lower triangle row by row, whose entries are within `error` of the truth
/// in the Frobenius norm; minus infinity to infinity where doubles cannot tell that it is positive definite.
Interval log_determinant(std::span<const double> matrix, std::size_t dimension, double error = 0);

/// The Gaussian mechanism, N(q, sigma^2 I): `moved` is q of the other table minus q of the one that was used,
/// `noise` the output minus the latter.
Interval realised_gaussian_loss(std::span<const double> moved, std::span<const double> noise, double sigma);

/// A sample of the ridge posterior in units of its noise sigma: leverage mu and residual R = (y - x.theta) /
/// sigma of the table without the record, error = (y - x.sample) / sigma. Wang 2019, Theorem 14.
Interval realised_posterior_loss(Direction direction, Interval leverage, Interval residual, Interval error);

/// A bound on the size of realised_objective_loss that depends on the output and the asker's record only,
/// so that it may be told to the asker at no further cost.
struct PublicBound {
  /// Holds with probability 1 - failure over the noise.
  double tight;
  /// As published, where its condition |Hessian of l| < lambda holds; never below the other.
  std::optional<double> paper;
};

/// For how many records one bound is to hold together.
struct Audience {
  enum class Kind {
    /// A record that was fixed before the release.
    one,
    /// That many such records.
    fixed,
    /// Whatever the record is, chosen after seeing the output too.
    all
  };
  Kind kind;
  double records = 1;

  /// How often a bound may fail for each of them, so that it fails for any of them as often as that. Of
  /// Kind::all nobody is counted.
  double share_of(double failure) const;
};

/// The record of a generalised linear model, lambda > 0 of the sum.
PublicBound public_objective_bound(Direction direction, const RecordSlope& slope,
                                   std::span<const double> record, double lambda, double sigma,
                                   double failure, Audience audience = {Audience::Kind::one});

/// Any smooth convex loss: its gradient, and the eigenvalues of its Hessian. For whatever record.
PublicBound public_objective_bound(Direction direction, std::span<const double> gradient,
                                   std::span<const double> curvatures, double lambda, double sigma,
                                   double failure);

/// The t with P(N(0, 1) > t) <= p, rounded up.
double upper_quantile(double p);
/// The same from both sides.
Interval quantile(double p);

/// A normal vector of that dimension is no longer, except with that probability: its length is Lipschitz and
/// its median at most sqrt(d).
double length_quantile(std::size_t dimension, double failure);

}  // namespace epsilometer
