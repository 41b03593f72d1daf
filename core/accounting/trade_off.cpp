#include "core/accounting/trade_off.h"

#include <algorithm>

#include "core/accounting/margins.h"
#include "core/accounting/renyi.h"

namespace epsilometer {
TradeOff::TradeOff(const PrivacyLoss& loss, const Profile& profile)
    : loss_(loss), is_attained_(loss.composes() || profile.is_game()) {
  if (profile.is_game()) {
    directions_.emplace_back([&profile](double epsilon, double) { return profile.delta(epsilon); }, 0);
    return;
  }
  if (profile.is_around()) {
    // Only the upper ends make lines that are above the curve.
    const auto upper = [&profile](double epsilon, double) {
      const double at = profile.delta(epsilon).upper;
      return Bounds{at, at};
    };
    directions_.emplace_back(upper, 0);
    around_ = &profile;
    return;
  }
  if (const Profile* inside = profile.inside()) inside_ = std::make_unique<TradeOff>(inside->loss(), *inside);
  // Where the directions differ, one of them may have no infinite loss.
  const double limit = profile.directions() == 1 ? loss.least_infinite_mass() : 0;
  for (std::size_t i = 0; i < profile.directions(); ++i) {
    const auto delta = [&profile, i](double epsilon, double negligible) {
      return profile.delta(i, epsilon, negligible);
    };
    directions_.emplace_back(delta, limit);
  }
}

Bounds TradeOff::power(double false_positive, std::optional<double> level) {
  accurate_probability("falsePositives", false_positive);
  if (const KnownProfile* known = loss_.profile()) return known->power(false_positive);
  const auto above_inside = [&](Bounds found) {
    found.lower = std::max(false_positive, inside_->power(false_positive, level).lower);
    return Bounds{found.lower, std::max(found.lower, found.upper)};
  };
  if (directions_.empty()) {
    const double upper = renyi_power(loss_, false_positive);
    if (inside_) return above_inside({0, upper});
    const auto witness = witness_of(loss_);
    const double lower = witness ? witness->power(false_positive).lower : false_positive;
    return {lower, std::max(lower, upper)};
  }
  if (around_) {
    // A test that never accuses wrongly is right as often as there are losses above all others: at most delta
    // at any epsilon, and no more often than one that may accuse.
    const double rate = std::max(false_positive, 1e-300);
    Envelope& lines = directions_.front();
    double upper = lines.power(rate).upper;
    upper = std::min(upper, lines.lowest_line(rate));
    if (false_positive == 0) upper = std::min(upper, around_->delta(1e100).upper);
    return {false_positive, std::max(false_positive, upper)};
  }
  // Whoever never accuses wrongly sees only what cannot happen otherwise.
  if (false_positive == 0)
    return {loss_.least_infinite_mass(), rounded_up(loss_.infinite_mass(), infinite_mass_margin)};
  Bounds largest{0, 0};
  for (Envelope& direction : directions_) {
    const Bounds power = direction.power(false_positive, level);
    largest = {std::max(largest.lower, power.lower), std::max(largest.upper, power.upper)};
  }
  if (inside_) return above_inside(largest);
  if (!is_attained_) {
    const auto power = [=](const KnownProfile& part) { return part.power(false_positive).lower; };
    largest.lower = std::min(std::max(false_positive, most_of_known_parts(loss_, power)), largest.upper);
  }
  return largest;
}

void TradeOff::forget() {
  for (Envelope& direction : directions_) direction.forget();
  if (inside_) inside_->forget();
}

Bounds power(const PrivacyLoss& loss, double false_positive) {
  const Profile profile(loss);
  return TradeOff(loss, profile).power(false_positive);
}

}  // namespace epsilometer
