#include "core/accounting/composition/compose.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/margins.h"
#include "core/numerics/constants.h"

namespace epsilometer {

Composer::Composer(const std::vector<RepeatedLaw>& laws) : search_(laws) {
  for (const RepeatedLaw& repeated : laws) add(repeated);
  const double more = composition::more_laws_margin(static_cast<double>(laws.size())) * sizes_;
  largest_ += more;
  others_ += more;
  largest_at_least_ -= more;
  enumerated_ = Enumeration::of(laws, search_.patience());
}

void Composer::add(const RepeatedLaw& repeated) {
  const Law& law = *repeated.law;
  double largest = law.has_density() ? law.loss(law.highest_x()) : -infinite, mass = 0;
  for (const Atom& atom : law.atoms()) {
    if (atom.loss < largest) continue;
    mass = atom.mass;
    largest = atom.loss;
  }
  log_top_ += repeated.count * std::log(mass);
  log_top_doubt_ += repeated.count * composition::atom_mass_error;
  const double doubt =
      std::isfinite(largest) ? composition::largest_loss_margin * repeated.count * std::abs(largest) : 0;
  largest_ += repeated.count * largest + doubt;
  if (std::isfinite(largest)) sizes_ += repeated.count * std::abs(largest);
  if (law.gaussian() > 0) {
    gaussian_ = std::hypot(gaussian_, std::sqrt(repeated.count) * law.gaussian());
  } else {
    others_ += repeated.count * largest + doubt;
  }
  largest_at_least_ += repeated.count * largest - doubt;
  log_finite_ += repeated.count * std::log1p(-law.infinite_mass());
  if (law.infinite_mass() > 0) {
    only_infinite_ = infinite_releases_ == 0 && repeated.count == 1 ? law.infinite_mass() : 0;
    infinite_releases_ += repeated.count;
  }
}

Bounds Composer::infinite_mass() const {
  if (infinite_releases_ == 1) return {only_infinite_, only_infinite_};
  return probability(-std::expm1(log_finite_), infinite_mass_margin);
}

double Composer::tilt_at_delta(double delta) const {
  return search_.tilts().for_delta(std::log(delta)).theta;
}

double Composer::tilt_at_epsilon(double epsilon) const { return search_.tilts().for_epsilon(epsilon).theta; }

Bounds Composer::epsilon(double delta, double gap) const {
  const Bounds infinitely = infinite_mass();
  if (delta < infinitely.upper) return {delta < infinitely.lower ? infinite : 0, infinite};
  if (enumerated_) return enumerated_->epsilon(delta);
  const Bounds found = search_.epsilon(delta, gap);
  // The largest loss alone, when it is an atom of mass p, gives delta(epsilon) >= p (1 - e^{epsilon -
  // largest}).
  const double margin = std::max(composition::top_share_margin, std::expm1(log_top_doubt_));
  const double share = std::exp(std::log(delta) - log_top_) * (1 + margin);
  const double below_top = share < 1 ? largest_ * (1 - composition::top_loss_margin) + std::log1p(-share) : 0;
  return {std::max(0.0, std::min(std::max(found.lower, below_top), largest_at_least_)),
          std::min(found.upper, largest_)};
}

Bounds Composer::delta(double epsilon, double gap) const {
  // Beyond the largest finite loss only the infinite one is left.
  const Bounds infinitely = infinite_mass();
  if (epsilon >= largest_) return infinitely;
  if (enumerated_) return enumerated_->delta(epsilon);
  // In standard deviations of N(s^2/2, s^2), with what the others reach at most added.
  if (gaussian_ > 0 && (epsilon - others_) / gaussian_ - gaussian_ / 2 > composition::gaussian_reach)
    return {infinitely.lower, infinitely.upper + composition::beyond_reach};
  return search_.delta(epsilon, gap);
}

}  // namespace epsilometer
