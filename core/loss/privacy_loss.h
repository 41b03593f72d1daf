// What every mechanism must answer about its privacy loss, and where to ask what only some know.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/loss/capabilities.h"
#include "core/loss/description.h"
#include "core/loss/normal_noise.h"

namespace epsilometer {

struct Published;
struct Repeated;

/// A family of losses whose sums it knows in closed form, and which of its losses this is. Those whose names
/// and keys agree add up; a loss of no such family has no name.
struct Family {
  std::string_view name;
  std::vector<double> key, amounts;
};

/// The privacy loss of a mechanism: of a pair (P, Q) of output distributions that dominates it, or of every
/// mechanism that keeps a stated bound. Immutable.
class PrivacyLoss : public RenyiCurve {
 public:
  virtual ~PrivacyLoss() = default;

  /// What is known besides: null when it is not.
  virtual const KnownProfile* profile() const { return nullptr; }
  virtual const KnownDirections* directions() const { return nullptr; }
  virtual const AroundProfile* around_profile() const { return nullptr; }
  virtual const KnownLaw* laws() const { return nullptr; }
  virtual const ClassBound* class_bound() const { return nullptr; }
  virtual const Unsteady* unsteady() const { return nullptr; }

  /// No loss is larger (other than an infinite one): delta is infinite_mass() from here on, and above it
  /// before. Rounded up.
  virtual double largest_loss() const { return std::numeric_limits<double>::infinity(); }

  /// Whether some mechanism of the description has a loss as large as that, if it is finite.
  virtual bool reaches_largest_loss() const { return true; }

  /// The largest loss of `count` of these together, rounded up: exact where it is a double.
  virtual double largest_loss_of(double count) const { return upward(two_product(count, largest_loss())); }

  /// The probability of an infinite loss, exact or rounded up, but of a composition rounded down: of a class
  /// what none of its mechanisms exceeds; and what one of them certainly has, in compositions too.
  virtual double infinite_mass() const { return 0; }
  virtual double least_infinite_mass() const { return infinite_mass(); }

  /// Whether both directions have the same law.
  virtual bool symmetric() const { return true; }

  /// Whether the law belongs to a mechanism that the description fits, the same in both directions, so that
  /// running it again and again attains the product of laws. It does not follow from is_tight(): a supremum
  /// may be reached by another mechanism at every epsilon. docs/composition.md has the reason for each kind;
  /// what does not claim it is a bound in compositions.
  virtual bool composes() const { return false; }

  /// The pair, when it is normal noise, on the whole numbers too; distance 0 when there is no loss.
  virtual std::optional<NormalNoise> normal_noise() const { return std::nullopt; }

  /// The mu for which the pair is exactly N(0, 1) against N(mu, 1); nothing when it is another pair.
  std::optional<double> gaussian() const {
    const auto noise = normal_noise();
    return noise && noise->sigma == 0 ? std::optional(noise->distance.hi) : std::nullopt;
  }

  /// What a published theorem states for the same mechanism, for comparison.
  virtual Published published() const;

  /// The loss of tables that differ in `ahead` records of the one and `behind` of the other, each as telling
  /// as a record can be, when no tables that differ in as many tell more, alone and in compositions; null
  /// when it is not known. Its directions are both orders of the two tables.
  virtual std::shared_ptr<const PrivacyLoss> group(int /*ahead*/, int /*behind*/) const { return nullptr; }
  /// Whether group() depends on the sum of both numbers alone.
  virtual bool groups_by_number() const { return false; }

  /// Whether some mechanism of the description costs a group, without a loss of its own, what the chained
  /// trade-off curve says: where nothing is said of it but its profile, the same in both directions (Dong,
  /// Roth and Su 2019, Section 2.5), or where the best tests of a move of any length are half-lines.
  virtual bool chains() const { return false; }

  /// The releases of which this is the sum, when it has no closed form itself; empty otherwise.
  virtual std::vector<Repeated> parts() const;

  virtual Family family() const { return {}; }

  /// The loss of running all of `parts`, of one family with this one, on the same table, adaptively; null
  /// when that has no closed form after all.
  virtual std::shared_ptr<const PrivacyLoss> composed(const std::vector<Repeated>& /*parts*/) const {
    return nullptr;
  }

  /// The published theorem by which renyi() is; empty where the pair's own divergences are known, or the
  /// description states them.
  virtual std::string_view renyi_source() const { return {}; }
};

/// A privacy loss of which these are known: Knowing<KnownLaw, ClassBound>.
template <class... Capabilities>
class Knowing : public PrivacyLoss, public Capabilities... {
 public:
  const KnownProfile* profile() const override { return as<KnownProfile>(); }
  const KnownDirections* directions() const override { return as<KnownDirections>(); }
  const AroundProfile* around_profile() const override { return as<AroundProfile>(); }
  const KnownLaw* laws() const override { return as<KnownLaw>(); }
  const ClassBound* class_bound() const override { return as<ClassBound>(); }
  const Unsteady* unsteady() const override { return as<Unsteady>(); }

 private:
  template <class Capability>
  const Capability* as() const {
    if constexpr ((std::is_same_v<Capability, Capabilities> || ...)) return this;
    return nullptr;
  }
};

/// A pair of which both the profile and the law are known.
class KnownPair : public Knowing<KnownProfile, KnownLaw> {};

/// A published theorem, and the loss that it states, corrected where it was printed wrong; null when there is
/// none, or its conditions do not hold.
struct Published {
  std::string_view source;
  std::shared_ptr<const PrivacyLoss> loss;
};

inline Published PrivacyLoss::published() const { return {}; }

/// A loss that occurs `count` times.
struct Repeated {
  std::shared_ptr<const PrivacyLoss> loss;
  double count;
};

inline std::vector<Repeated> PrivacyLoss::parts() const { return {}; }

inline std::shared_ptr<const PrivacyLoss> ClassBound::witness_near(double) const { return witness(); }

/// The member of what the loss stands for from which its cost in compositions is known from below: the loss
/// itself where it composes, otherwise the witness near that tilt. Null when none is known.
inline std::shared_ptr<const PrivacyLoss> composing_near(const std::shared_ptr<const PrivacyLoss>& loss,
                                                         double tilt) {
  if (loss->composes()) return loss;
  const ClassBound* bound = loss->class_bound();
  return bound ? bound->witness_near(tilt) : nullptr;
}

/// A known member of a class, whose cost the class cannot be below; null when none is known.
inline std::shared_ptr<const KnownPair> witness_of(const PrivacyLoss& loss) {
  const ClassBound* bound = loss.class_bound();
  return bound ? bound->witness() : nullptr;
}

/// The loss of a description. Refuses unknown kinds, missing or unacceptable numbers, and what has no
/// certified answer yet. The kinds are the files of core/loss/mechanisms.
std::shared_ptr<const PrivacyLoss> privacy_loss(const Description& description);

/// The same for a mechanism inside another: a refusal names the field from the outside,
/// "of.2.mechanism.sigma".
std::shared_ptr<const PrivacyLoss> inner_loss(const Description& description, const std::string& path);

}  // namespace epsilometer
