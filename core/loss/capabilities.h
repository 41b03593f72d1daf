// What a mechanism may know of its privacy loss: one small class each. A mechanism is derived from those that
// it knows, and whoever needs one asks PrivacyLoss for it and gets null where it is not known. Nothing has to
// be evaluated to find out. What is to come, such as the loss that one output realised, is another class
// here, with another accessor there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/laws/law.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

class KnownPair;
class PrivacyLoss;

/// delta as a function of epsilon, and its inverse, with both ends proven.
class ProfileCurve {
 public:
  virtual ~ProfileCurve() = default;

  /// delta(epsilon) for any finite epsilon, the larger of both directions.
  virtual Bounds delta(double epsilon) const = 0;

  /// Its upper end, or one that is as good, without what only the lower one needs; for epsilon >= 0.
  virtual double delta_upper(double epsilon) const { return delta(epsilon).upper; }

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta, which is 0 or in [1e-300, 1]; infinity when
  /// there is none.
  virtual Bounds epsilon(double delta) const = 0;
};

/// Which of two neighbouring tables has the record in question: the one that made the output, or the other.
enum class Direction { remove, add };

/// The profile and the trade-off curve, in closed form or by a search of its own. A pair that is not
/// symmetric answers for the worse direction.
class KnownProfile {
 public:
  /// delta(epsilon) = sup over events E of P(E) - e^epsilon Q(E), for any finite real epsilon. The interval
  /// differs from the truth by rounding only, where is_tight().
  virtual Bounds delta(double epsilon) const = 0;

  /// Its upper end, without what only the lower one needs.
  virtual double delta_upper(double epsilon) const { return delta(epsilon).upper; }

  /// delta at an epsilon between doubles, for a mechanism inside another: near the largest loss of the
  /// whole a rounded epsilon would be off by more than what is left.
  virtual Bounds delta_between(DoubleDouble epsilon) const;

  /// The largest true-positive rate of a test at that false-positive rate in [0, 1].
  virtual Bounds power(double false_positive) const = 0;

  /// Whether delta() and power() are the truth up to rounding; otherwise only their upper ends are
  /// guarantees, and their lower ends proven lower bounds for some mechanism of the class.
  virtual bool is_tight() const { return true; }

  /// Whether both ends of delta() and power() are proven, if not up to rounding: of the largest among the
  /// mechanisms that the description fits.
  virtual bool has_two_sided_bounds() const { return is_tight(); }

  /// Whether delta_upper() is the least of several bounds, in both directions, of which no pair is as small
  /// as all together: then its chords compose.
  virtual bool is_least_of_several() const { return false; }

 protected:
  ~KnownProfile() = default;

  /// No power is above the line delta_upper(epsilon) + e^epsilon false_positive: the least that was found,
  /// where no loss is above `largest`. Where to look is heuristic, no guarantee.
  double power_below_lines(double false_positive, double largest) const;
};

/// The profile of a class in each direction by itself, for composition: where no law of the class is known
/// that is as small as its profile.
class KnownDirections {
 public:
  /// No less than delta(epsilon) of any mechanism of the class in that direction, for epsilon >= 0.
  virtual double directed_delta(Direction direction, double epsilon) const = 0;

  /// The losses beyond `start` + z `spread` have about the probability of a normal deviate beyond z.
  /// Heuristic, no guarantee: where the profile is worth asking.
  struct Extent {
    double start, spread;
  };
  virtual Extent extent() const = 0;

 protected:
  ~KnownDirections() = default;
};

/// What a mechanism around another one costs, as far as it follows from the profile of that one alone: so
/// that whatever has a profile may stand inside, be it composed or converted.
class AroundProfile {
 public:
  /// What is inside.
  virtual const std::shared_ptr<const PrivacyLoss>& inside() const = 0;

  /// The profile around that of what is inside, which outlives it. Only its upper ends are guarantees; its
  /// lower ends are what some mechanism of the description costs.
  virtual std::unique_ptr<const ProfileCurve> around(const ProfileCurve& inner) const = 0;

 protected:
  ~AroundProfile() = default;
};

/// The law of the loss of a dominating pair, for composition: products of such laws bound every adaptive
/// composition. Whether some composition attains them, PrivacyLoss::composes() says.
class KnownLaw {
 public:
  /// In one direction: P has the record in `remove`.
  virtual std::shared_ptr<const Law> law(Direction direction) const = 0;

 protected:
  ~KnownLaw() = default;
};

/// A class of mechanisms that keep a stated bound, and what is known of its members.
class ClassBound {
 public:
  /// A member whose pair is known: the class cannot leak less. Null when none is.
  virtual std::shared_ptr<const KnownPair> witness() const { return nullptr; }

  /// Of a class whose law is that of no mechanism: a member that composes, chosen as the most telling one
  /// where losses are weighed by e^{tilt loss}; that choice is heuristic, no guarantee. Compositions cost at
  /// least what the member costs. Null when none is known.
  virtual std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const;

  /// Whether the class is one pair, which composes and is known by laws on both sides of it: the law that
  /// bounds it from above and the members of witness_near() from below. Then both ends are proven.
  virtual bool encloses() const { return false; }

  /// The width eta, when the class is everything whose loss stays in some window [t - eta, t].
  virtual std::optional<double> range() const { return std::nullopt; }

 protected:
  ~ClassBound() = default;
};

/// Parameters of which not every more private value is known to cost no more. All others move the pair, or
/// the class, to what it dominates, alone and in whatever contains it.
class Unsteady {
 public:
  /// Their names.
  virtual std::vector<std::string> parameters() const = 0;

  /// A class that has this mechanism, and shrinks with every step of such a parameter; null when none is
  /// known.
  virtual std::shared_ptr<const PrivacyLoss> shrinking() const { return nullptr; }

  /// Upper bound on delta(epsilon), epsilon >= 0, for every value of the parameter from this one to `factor`
  /// > 1 times it; nothing when none is known.
  virtual std::optional<double> delta_up_to(double /*factor*/, double /*epsilon*/) const {
    return std::nullopt;
  }

 protected:
  ~Unsteady() = default;
};

/// The orders of Renyi divergences that may be asked for.
inline constexpr double least_order = 1.000001, most_order = 1e6;

/// Renyi divergences, known of every mechanism.
class RenyiCurve {
 public:
  /// The divergence of the order (> 1) in nats, rounded up; infinity where it is infinite or not bounded.
  virtual double renyi(double order) const = 0;

  /// A bound on it that takes no time, where a search for the best order may begin; the same where that takes
  /// none itself.
  virtual double renyi_rough(double order) const { return renyi(order); }

  /// The same of the pair that the law describes, where that is larger than what the mechanism itself can
  /// leak.
  virtual double pair_renyi(double order) const { return renyi(order); }

  /// The largest order at which the divergence is bounded.
  virtual double largest_order() const { return std::numeric_limits<double>::infinity(); }

  /// Whether the divergence is bounded at any order; all that are, are at small ones.
  bool has_orders() const { return std::isfinite(renyi(std::min(1.5, largest_order()))); }

  /// The orders at which alone a bound is stated; empty when it is known as a curve.
  virtual std::vector<double> stated_orders() const { return {}; }

  /// The rho with renyi(order) <= rho * order for every order, rounded up; nothing when there is none.
  virtual std::optional<double> concentrated() const { return std::nullopt; }

 protected:
  ~RenyiCurve() = default;
};

inline Bounds KnownProfile::delta_between(DoubleDouble epsilon) const {
  const Bounds at = delta(epsilon.hi);
  if (epsilon.lo == 0) return at;
  const double far = epsilon.lo > 0 ? HUGE_VAL : -HUGE_VAL, other = std::nextafter(epsilon.hi, far);
  if (!std::isfinite(other)) return at;
  const Bounds beside = delta(other);
  return {std::min(at.lower, beside.lower), std::max(at.upper, beside.upper)};
}

}  // namespace epsilometer
