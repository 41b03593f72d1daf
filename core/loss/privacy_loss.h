// What every mechanism must answer about its privacy loss, and nothing else about it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/description.h"
#include "core/loss/law.h"
#include "core/loss/normal_noise.h"
#include "core/numerics/double_double.h"

namespace epsilometer {

struct Repeated;

/// Which of two neighbouring tables has the record in question: the one that made the output, or the other.
enum class Direction { remove, add };

/// The privacy loss of a mechanism: of a pair (P, Q) of output distributions that dominates it, or of every
/// mechanism that keeps a stated bound. Immutable. A pair that is not symmetric answers for the worse
/// direction.
class PrivacyLoss {
 public:
  virtual ~PrivacyLoss() = default;

  /// delta(epsilon) = sup over events E of P(E) - e^epsilon Q(E), for any finite real epsilon; nothing when
  /// only the Renyi curve is known. The interval differs from the truth by rounding only.
  virtual std::optional<Bounds> delta(double /*epsilon*/) const { return std::nullopt; }

  /// The same at an epsilon between doubles, for a mechanism inside another: near the largest loss of the
  /// whole a rounded epsilon would be off by more than what is left.
  virtual std::optional<Bounds> delta_between(DoubleDouble epsilon) const;

  /// The largest true-positive rate of a test at that false-positive rate in [0, 1]; nothing as above.
  virtual std::optional<Bounds> power(double /*false_positive*/) const { return std::nullopt; }

  /// Renyi divergence of the order (> 1) in nats, rounded up; infinity where it is infinite or not bounded.
  virtual double renyi(double order) const = 0;

  /// The same of the pair that law() describes, where that is larger than what the mechanism itself can leak.
  virtual double pair_renyi(double order) const { return renyi(order); }

  /// No loss is larger (other than an infinite one): delta is infinite_mass() from here on, and above it
  /// before. Rounded up.
  virtual double largest_loss() const { return std::numeric_limits<double>::infinity(); }

  /// The largest loss of `count` of these together, rounded up: exact where it is a double.
  virtual double largest_loss_of(double count) const;

  /// The probability of an infinite loss.
  virtual double infinite_mass() const { return 0; }

  /// The rho with renyi(order) <= rho * order for every order, rounded up; nothing when there is none.
  virtual std::optional<double> concentrated() const { return std::nullopt; }

  /// The mu for which the pair is exactly N(0, 1) against N(mu, 1); nothing when it is another pair.
  virtual std::optional<double> gaussian() const { return std::nullopt; }

  /// The same when the pair is normal noise, on the whole numbers too; distance 0 when there is no loss.
  virtual std::optional<NormalNoise> normal_noise() const { return std::nullopt; }

  /// The largest order at which the divergence is bounded.
  virtual double largest_order() const { return std::numeric_limits<double>::infinity(); }

  /// The orders at which alone a Renyi bound is stated; empty when it is known as a curve.
  virtual std::vector<double> stated_orders() const { return {}; }

  /// A fully known mechanism that keeps a stated bound, if any: the class cannot leak less than this member.
  virtual std::shared_ptr<const PrivacyLoss> member() const { return nullptr; }

  /// Of a class whose law() is that of no mechanism: a mechanism of it that composes, the most telling one
  /// where losses are weighed by e^{tilt loss} (which steers only). Compositions cost at least what it costs.
  virtual std::shared_ptr<const PrivacyLoss> member_near(double /*tilt*/) const { return member(); }

  /// The width eta, when the class is everything whose loss stays in some window [t - eta, t].
  virtual std::optional<double> range() const { return std::nullopt; }

  /// The parameters of which not every more private value is known to cost no more. All others move the pair,
  /// or the class, to what it dominates, alone and in whatever contains it.
  virtual std::vector<std::string> unsteady() const { return {}; }

  /// A class that has this mechanism, and shrinks with every step of an unsteady parameter; null when none is
  /// known.
  virtual std::shared_ptr<const PrivacyLoss> shrinking() const { return nullptr; }

  /// Upper bound on delta(epsilon), epsilon >= 0, for every value of the unsteady parameter from this one to
  /// `factor` > 1 times it; nothing when none is known.
  virtual std::optional<double> delta_up_to(double /*factor*/, double /*epsilon*/) const {
    return std::nullopt;
  }

  /// The loss that a published theorem states for the same mechanism, corrected where it was printed wrong:
  /// for comparison. Null when there is none, or its conditions do not hold.
  virtual std::shared_ptr<const PrivacyLoss> published() const { return nullptr; }

  /// The law of the loss of a dominating pair in one direction, for composition: P has the record in
  /// `remove`. Null when only a Renyi bound is known.
  /// Products of such laws bound every adaptive composition; whether some composition attains them,
  /// composes() says.
  virtual std::shared_ptr<const Law> law(Direction /*direction*/) const { return nullptr; }

  /// Whether delta() and power() are the truth up to rounding; otherwise only their upper ends are
  /// guarantees, and their lower ends proven lower bounds for some mechanism of the class.
  virtual bool attained() const { return true; }

  /// Whether law() belongs to a mechanism that the description fits, the same in both directions, so that
  /// running it again and again attains the product of laws. It does not follow from attained(): a supremum
  /// may be reached by another mechanism at every epsilon. docs/composition.md has the reason for each kind;
  /// what does not claim it is a bound in compositions.
  virtual bool composes() const { return false; }

  /// Whether both ends of delta() and power() are proven, if not up to rounding: of the largest among the
  /// mechanisms that the description fits.
  virtual bool enclosed() const { return attained(); }

  /// The loss of tables that differ in `ahead` records of the one and `behind` of the other, each as telling
  /// as a record can be, when no tables that differ in as many tell more, alone and in compositions; null
  /// when it is not known. Its directions are both orders of the two tables.
  virtual std::shared_ptr<const PrivacyLoss> group(int /*ahead*/, int /*behind*/) const { return nullptr; }

  /// Whether both directions have the same law.
  virtual bool symmetric() const { return true; }

  /// The releases of which this is the sum, when it has no closed form itself; empty otherwise.
  virtual std::vector<Repeated> parts() const;

  /// The loss of running all of `parts` (the first is this one) on the same table, adaptively, when the
  /// whole has a closed form; null when it has none.
  virtual std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& /*parts*/) const {
    return nullptr;
  }
};

/// A loss that occurs `count` times.
struct Repeated {
  std::shared_ptr<const PrivacyLoss> loss;
  double count;
};

inline std::vector<Repeated> PrivacyLoss::parts() const { return {}; }

inline std::optional<Bounds> PrivacyLoss::delta_between(DoubleDouble epsilon) const {
  const auto at = delta(epsilon.hi);
  if (!at || epsilon.lo == 0) return at;
  const double far = epsilon.lo > 0 ? HUGE_VAL : -HUGE_VAL, other = std::nextafter(epsilon.hi, far);
  if (!std::isfinite(other)) return at;
  const Bounds beside = *delta(other);
  return Bounds{std::min(at->lower, beside.lower), std::max(at->upper, beside.upper)};
}

inline double PrivacyLoss::largest_loss_of(double count) const {
  return upward(two_product(count, largest_loss()));
}

/// The loss of a description. Refuses unknown kinds, missing or unacceptable numbers, and what has no
/// certified answer yet. The kinds are the files of core/loss/mechanisms.
std::shared_ptr<const PrivacyLoss> privacy_loss(const Description& description);

/// The same for a mechanism inside another: a refusal names the field from the outside,
/// "of.2.mechanism.sigma".
std::shared_ptr<const PrivacyLoss> inner_loss(const Description& description, const std::string& path);

}  // namespace epsilometer
