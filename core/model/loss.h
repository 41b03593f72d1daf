// Losses of generalised linear models: convex functions of u = x.theta, given a record's label.
#pragma once

#include <memory>
#include <string>

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

/// The derivatives of a loss at one u, to steer a search: without a bound of their errors.
struct LossAt {
  double first, second;
};

/// The same with the first derivative in two doubles, and a bound of its error.
struct PreciseLossAt {
  DoubleDouble first;
  double second, error;
};

class Loss {
 public:
  virtual ~Loss() = default;

  virtual LossAt at(double u, double label) const = 0;
  virtual PreciseLossAt at(DoubleDouble u, double label) const = 0;

  /// The same right to a few roundings only, for what is in doubt by more anyway: much faster.
  virtual PreciseLossAt quick_at(double u, double label) const { return at(DoubleDouble{u}, label); }

  /// How far the first derivative, `found` at u, can move when u moves by at most `doubt`.
  virtual double drift(const PreciseLossAt& found, double u, double label, double doubt) const = 0;

  /// Every second derivative no further away from u than `doubt`.
  virtual Bounds second_near(const PreciseLossAt& found, double u, double label, double doubt) const = 0;

  /// The label as the loss takes it, for whatever was given: bounded, never NaN.
  virtual double label(double given) const = 0;

  /// No first derivative is larger in size; infinity when there is no bound.
  virtual double steepness() const = 0;

  /// No second derivative is larger where the first is at most `steepness` in size. Rounded up.
  virtual double curvature(double steepness) const = 0;

  /// The same for a record with that label, as the loss takes it.
  virtual double curvature_at(double /*label*/, double steepness) const { return curvature(steepness); }

  /// The third derivative's size is at most this times the second derivative, wherever the first derivative
  /// is `first`; 0 where the loss is made of parabolas and straight lines. The places where they meet are
  /// left out.
  virtual double bend(double /*first*/) const { return 0; }

  /// Whether the first derivative of each record has one sign, whatever u is.
  virtual bool one_signed() const { return false; }
};

/// What the losses are told: how large a label may be (squared, huber, poisson) and where Huber's loss turns
/// linear.
struct LossNumbers {
  double label_bound, threshold;
};

/// "logistic": log(1 + e^{-yu}), y = 1 for positive labels, else -1; "squared": (u - y)^2 / 2; "huber": the
/// same up to |u - y| = threshold, linear from there on; "poisson": e^u - y u, y >= 0. Refuses other names.
std::unique_ptr<const Loss> make_loss(const std::string& name, const LossNumbers& numbers);

/// The loss whose first derivative is clipped to [-limit, limit]: still convex (Song, Steinke, Thakkar and
/// Thakurta 2021). The precise one's error is also for any u that is no further away than `doubt`.
LossAt clipped(const Loss& loss, double u, double label, double limit);
PreciseLossAt clipped(const Loss& loss, DoubleDouble u, double label, double limit, double doubt = 0);
/// The same of what was found without a limit.
PreciseLossAt within(const PreciseLossAt& free, double limit);

}  // namespace epsilometer
