#include "core/accounting/composition/compose.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/certificate.h"
#include "core/accounting/margins.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// Beside how far the whole spreads, what loses no more in all is left out where as much may be unknown.
// Heuristic, no guarantee.
constexpr double hardly_anything = 1e-4;

}  // namespace

Composer::Composer(const std::vector<RepeatedLaw>& laws) : search_(laws) {
  std::vector<double> largest;
  for (const RepeatedLaw& repeated : laws) largest.push_back(add(repeated));
  const double more = composition::more_laws_margin(static_cast<double>(laws.size())) * sizes_;
  largest_ += more;
  others_ += more;
  largest_at_least_ -= more;
  enumerated_ = Enumeration::of(laws, search_.patience());
  if (!enumerated_ && !has_many()) leave_out(laws, largest);
}

// Steps and knots would have to be as fine as the smallest losses, for what nobody asks.
void Composer::leave_out(const std::vector<RepeatedLaw>& laws, const std::vector<double>& largest) {
  const double most = hardly_anything * search_.tilts().at(1e-9).spread;
  std::vector<RepeatedLaw> rest;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].law->infinite_mass() == 0 && left_out_ + largest[i] <= most) {
      left_out_ = rounded_up(left_out_ + std::max(0.0, largest[i]));
    } else {
      rest.push_back(laws[i]);
    }
  }
  if (!rest.empty() && rest.size() < laws.size()) rest_ = std::make_unique<const Composer>(rest);
}

// At least the largest finite loss of all of these.
double Composer::add(const RepeatedLaw& repeated) {
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
  return repeated.count * (largest + law.atom_error()) + doubt;
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
  Bounds found = epsilon_by_rest(delta, gap);
  if (!is_narrow(found, gap)) found = search_.epsilon(delta, gap);
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
  const Bounds found = delta_by_rest(epsilon, gap);
  return is_narrow(found, gap) ? found : search_.delta(epsilon, gap);
}

// With S the loss of the rest and T what is left out, at most t: as E e^{-T} <= 1, by Jensen's inequality
// E (1 - e^{epsilon - S - T})_+ >= E (1 - e^{epsilon - S})_+, and it is no more than that at epsilon - t.
// Whether that is likely to be narrow is heuristic, no guarantee.
Bounds Composer::epsilon_by_rest(double delta, double gap) const {
  if (!rest_ || !(left_out_ <= gap / 2 * search_.tilts().for_delta(std::log(delta)).centre))
    return {0, infinite};
  const Bounds rest = rest_->epsilon(delta, gap / 2);
  return {rest.lower, rounded_up(rest.upper + left_out_)};
}

// No profile falls faster than by 1.
Bounds Composer::delta_by_rest(double epsilon, double gap) const {
  if (!rest_) return {0, 1};
  const Tilt tilted = search_.tilts().for_epsilon(epsilon);
  if (!(left_out_ * (tilted.theta + 1 / tilted.spread) <= gap / 2)) return {0, 1};
  const Bounds rest = rest_->delta(epsilon, gap / 2);
  if (epsilon < left_out_)
    return {rest.lower, std::min(1.0, rounded_up(rest_->delta(0, gap / 2).upper + (left_out_ - epsilon)))};
  return {rest.lower, rest_->delta(rounded_down(epsilon - left_out_), gap / 2).upper};
}

}  // namespace epsilometer
