// How far a released minimum can have spoken for or against one person, from what was published and her own
// record alone. Redberg and Wang 2021; Redberg 2023 (thesis), Section 2.3, Algorithms 2, 8 to 11, corrected:
// the sizes of the gradient terms, the cap of the leverage, and both directions.
#pragma once

#include <optional>
#include <span>

#include "core/report/personal/realised_loss.h"

namespace epsilometer {

/// What is known about the minimum of J(theta) + b.theta, b ~ N(0, sigma^2 I), where it was published.
struct Evidence {
  /// Of b's entries, and the regularisation that J's Hessian H has at least.
  double sigma, lambda;
  /// |x.b| <= noise * sigma for her x, except with the probability that is told elsewhere.
  double noise;
  /// Where x.gradient of J lies at the minimum, if a gradient was published.
  std::optional<Interval> pull;
  /// x^T H^{-1} x at most, of the table that was used. Infinity: nothing is known.
  double leverage = Interval::infinity;
  /// Whether the minimum itself stays hidden (report/privacy_report.h): then the side that speaks against the
  /// table that was used must also be likely under the other one.
  bool hidden = false;
  /// What normal noise that was released before costs her, as Gaussian noise of that mu, and that times what
  /// `noise` is of |x|: then x.b over sigma |x| and the other deviate are together no longer than that.
  double before = 0, chance_before = 0;
};

struct RealisedBound {
  /// Where log p(theta) / p'(theta) lies, p of the table that was used: Direction::remove, the one with her.
  Interval loss = 0;
  /// What in the larger of its ends is due to her leverage, and to how the model misses her label.
  double leverage = 0, misfit = 0;
  /// What is due to the noise that was released before.
  double before = 0;

  double size() const { return loss.magnitude(); }
};

/// Of a loss to which the determinants contribute at most that much.
RealisedBound explained(Direction direction, Interval loss, double determinants);

/// `square`: |x|^2. Never NaN; infinite where a derivative is.
RealisedBound realised_bound(Direction direction, const RecordSlope& slope, Interval square,
                             const Evidence& evidence);

/// A Hessian (a lower triangle, row by row) and a gradient of J as they were published with noise. The
/// Hessian's noise has no eigenvalue above `spectrum`, x.noise of the gradient is at most `gradient` |x|.
struct NoisyTerms {
  std::span<const double> hessian, gradient;
  double spectrum, gradient_noise;
};

/// The bound as the thesis computes it (Algorithms 2 and 9), corrected: for comparison, in plain doubles.
/// It bounds the size of the loss, and is never below that of realised_bound of the same numbers.
struct ThesisBound {
  bool regularised;
  double leverage, pull, loss;
};
ThesisBound thesis_bound(Direction direction, double first, double second, std::span<const double> x,
                         const NoisyTerms& terms, const Evidence& evidence, double floor);

}  // namespace epsilometer
