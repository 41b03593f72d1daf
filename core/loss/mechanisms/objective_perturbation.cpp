// Objective perturbation of a generalised linear model: minimise the sum of losses + lambda |theta|^2 / 2 +
// b.theta with b ~ N(0, sigma^2 I), gradients of norm at most L and curvatures at most beta for every record.
// With s = L/sigma and kappa = beta/lambda: given the rest of b, its part along the record is standard normal
// under both tables, in coordinates v and w = v + k(v) of the same output, where k rises with a slope of at
// most kappa and lies between -s and s. The loss is (w^2 - v^2)/2 - log w'(v) without the record and its
// negative with it, hence, for every lambda > 0,
//   without the record at most s^2/2 + s |v|,
//   with it at most log(1 + kappa) + s^2/2 + s max(w, 0), or the same with -w,
// v and w standard normal under the table that made the output. It corrects and sharpens the bound
// of Redberg 2023, which is larger than both. One release has the supremum of the class itself
// (objective_levels.h, objective_divergence.h); in compositions it counts with these bounds, because they
// have a law.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/objective_divergence.h"
#include "core/loss/objective_levels.h"
#include "core/loss/ramp.h"
#include "core/numerics/logarithm.h"

namespace epsilometer::mechanisms {
namespace {

// Redberg 2023 (doctoral thesis), Theorem 4.3.1: log(1/(1 - kappa)) + s^2/2 + s |z| in both directions. As
// printed it has log(1 - kappa) with the other sign, which its proof has not and which is false: at L = beta
// = 1, lambda = 1.5, sigma = 2 and epsilon = 1 it says 8.1e-6, and the Gaussian member of the class
// has 6.8e-3.
class ThesisLoss final : public Knowing<KnownProfile> {
 public:
  ThesisLoss(DoubleDouble slope, DoubleDouble kappa)
      : ramp_(DoubleDouble{0} - log_one_plus(DoubleDouble{0} - kappa), slope, 2) {}

  bool is_tight() const override { return false; }
  Bounds delta(double epsilon) const override {
    const double bound = ramp_.delta(epsilon);
    return {rounded_down(bound, 4 * rounding_margin), bound};
  }
  Bounds power(double false_positive) const override { return {false_positive, ramp_.power(false_positive)}; }
  double renyi(double order) const override { return ramp_.renyi(order); }

 private:
  Ramp ramp_;
};

// How wide a bound on the profile may be, relatively, where it is one of many: chords lose more.
constexpr double fine_enough = 1e-6;

// With less curvature, or smaller gradients, rounding would hide what a map gains: the class is searched that
// has so much, and holds the other.
constexpr double least_kappa = 1e-8, least_slope = 1e-8;

class ObjectivePerturbationLoss final : public Knowing<KnownProfile, KnownDirections, KnownLaw, ClassBound> {
 public:
  /// one_signed: the derivative of every record's loss has one sign, and the map moves in one direction.
  ObjectivePerturbationLoss(DoubleDouble slope, DoubleDouble kappa, bool one_signed)
      : one_signed_(one_signed),
        slope_(slope),
        kappa_(kappa),
        log_growth_(log_one_plus(kappa)),
        searched_slope_(slope.hi < least_slope ? DoubleDouble{least_slope} : slope),
        searched_kappa_(kappa.hi < least_kappa ? DoubleDouble{least_kappa} : kappa),
        searched_growth_(log_one_plus(searched_kappa_)),
        witness_(std::make_shared<GaussianLoss>(slope)),
        adding_({0}, slope, one_signed ? 1 : 2),
        removing_(log_growth_, slope, 1) {}

  bool is_tight() const override { return false; }
  bool has_two_sided_bounds() const override { return true; }

  Bounds delta(double epsilon) const override {
    if (epsilon >= 0) return delta_of_non_negative(epsilon);
    // Both directions obey the bound: 1 - e^epsilon + e^epsilon delta(-epsilon).
    const Bounds mirrored = delta_of_non_negative(-epsilon);
    const double floor = -std::expm1(epsilon);
    return {probability(floor + std::exp(epsilon) * mirrored.lower).lower,
            probability(floor + std::exp(epsilon) * mirrored.upper).upper};
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    return {witness_->power(false_positive).lower,
            std::max(adding_.power(false_positive), removing_.power(false_positive))};
  }

  double renyi(double order) const override {
    const double bound = renyi_rough(order);
    if (!searched()) return bound;
    if (divergences_.size() > most_kept) divergences_.clear();
    const auto [place, is_new] = divergences_.try_emplace(order);
    if (is_new) place->second = objective_divergence(order, searched_slope_.hi, searched_kappa_.hi);
    return std::min(bound, place->second);
  }
  double renyi_rough(double order) const override {
    return std::max(adding_.renyi(order), removing_.renyi(order));
  }
  bool symmetric() const override { return false; }
  std::shared_ptr<const KnownPair> witness() const override { return witness_; }
  Published published() const override {
    if (!(kappa_.hi < 1)) return {};
    return {"Redberg 2023, Theorem 4.3.1, its sign corrected", std::make_shared<ThesisLoss>(slope_, kappa_)};
  }

  double directed_delta(Direction direction, double epsilon) const override {
    const bool adds = direction == Direction::add;
    const double bound = std::min((adds ? adding_ : removing_).delta(epsilon), most_moved());
    if (!searched() || bound < smallest_accurate) return bound;
    const ObjectiveLevels levels(epsilon, searched_slope_, searched_kappa_.hi, searched_growth_, fine_enough);
    return std::min(bound, (adds ? levels.adding(one_signed_) : levels.removing(one_signed_)).upper);
  }
  Extent extent() const override { return {log_growth_.hi + slope_.hi * slope_.hi / 2, slope_.hi}; }

  std::shared_ptr<const Law> law(Direction direction) const override {
    return direction == Direction::add ? adding_.law() : removing_.law();
  }

 private:
  static constexpr std::size_t most_kept = 1000;

  bool searched() const { return slope_.hi <= 1e3 && kappa_.hi <= 1e8; }

  // The larger of both directions where gradients are small: what a shift of at most s can move, and the
  // change of volume, phi(w) k' integrated, are at most 0.8 s each.
  double most_moved() const { return slope_.hi < least_slope ? 2 * slope_.hi : 1; }

  // The larger of both directions. A linear loss makes the mechanism Gaussian: nothing can be below it.
  Bounds delta_of_non_negative(double epsilon) const {
    const double adding = std::min(adding_.delta(epsilon), most_moved()),
                 removing = std::min(removing_.delta(epsilon), most_moved());
    const Bounds least = witness_->delta(epsilon);
    if (!searched() || std::max(adding, removing) < smallest_accurate)
      return {least.lower, std::max({least.lower, adding, removing})};
    const ObjectiveLevels levels(epsilon, searched_slope_, searched_kappa_.hi, searched_growth_);
    const Bounds add = levels.adding(one_signed_), remove = levels.removing(one_signed_);
    const bool is_larger = kappa_.hi < searched_kappa_.hi || slope_.hi < searched_slope_.hi;
    const double lower = is_larger ? least.lower : std::max(add.lower, remove.lower);
    return {lower, std::max({lower, std::min(adding, add.upper), std::min(removing, remove.upper)})};
  }

  bool one_signed_;
  DoubleDouble slope_;
  DoubleDouble kappa_;
  DoubleDouble log_growth_;
  // Of the class that is searched.
  DoubleDouble searched_slope_, searched_kappa_, searched_growth_;
  std::shared_ptr<const KnownPair> witness_;
  Ramp adding_, removing_;
  // Suprema by their orders, found once for all questions.
  mutable std::map<double, double> divergences_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> objective_perturbation(const Description& description) {
  const auto found = description.texts.find("derivative");
  const std::string derivative = found == description.texts.end() ? "any" : found->second;
  if (derivative != "any" && derivative != "one-signed") {
    throw Refusal("unknown", "derivative", derivative, "must be any or one-signed");
  }
  const DoubleDouble slope =
      DoubleDouble{description.scale("lipschitz")} / DoubleDouble{description.scale("sigma")};
  const DoubleDouble kappa =
      DoubleDouble{description.scale("smoothness")} / DoubleDouble{description.scale("lambda")};
  return std::make_shared<ObjectivePerturbationLoss>(slope, kappa, derivative == "one-signed");
}

}  // namespace epsilometer::mechanisms
