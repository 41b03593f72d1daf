#include "core/accounting/group.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/accounting/margins.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Doubles keep their accuracy down to here.
constexpr double smallest_rate = 1e-300;

// No epsilon of a chain is looked for beyond this.
constexpr double furthest = 1e9;

// How wide the interval of a sum is where its best split is looked for.
constexpr double rough_split_gap = 1e-4;

// How often a chain is looked for along the one before: that of a sum until it hardly moves.
constexpr int most_rounds = 4, most_rounds_of_sum = 12;
constexpr double hardly_moves = 0.01;

// Polishing takes the square of the steps, and gains less the more there are.
constexpr std::size_t most_polished = 8;

double group_size(double size) {
  if (size == std::floor(size)) return in_range("group", size, 1, largest_group);
  throw Refusal("range", "group", shown(size), "must be a whole number from 1 to " + shown(largest_group));
}

// Of larger groups of a sample too many splits would have to be asked.
constexpr int most_split = 16;

// The losses of all splits of the records between both tables; empty where they are not known.
std::vector<std::shared_ptr<const PrivacyLoss>> splits(const PrivacyLoss& loss, double size) {
  std::vector<std::shared_ptr<const PrivacyLoss>> result;
  const int records = static_cast<int>(size);
  const bool all_alike = loss.groups_by_number();
  if (!all_alike && records > most_split) return {};
  const int most = all_alike ? 0 : records / 2;
  for (int behind = 0; behind <= most; ++behind) {
    result.push_back(loss.group(records - behind, behind));
    if (!result.back()) return {};
  }
  return result;
}

// Where a convex function of the part of a size that is moved is least.
double by_search(const std::function<double(double)>& moved, double size) {
  return minimum(moved, -0.25 * size, 0.25 * size, 16).first;
}

// The same where it is known to be near 0, and evaluations are dear.
double by_parabola(const std::function<double(double)>& moved, double size) {
  const double step = size / 512, below = moved(-step), above = moved(step);
  const double curvature = below - 2 * moved(0) + above;
  return curvature > 0 ? std::clamp(step * (below - above) / (2 * curvature), -8 * step, 8 * step) : 0;
}

}  // namespace

// The rates through which a test of the group goes, and the epsilon that is best at each step. Heuristic, no
// guarantee.
struct GroupPrivacy::Chain {
  double start, end;
  std::vector<double> epsilons;

  double total() const { return std::accumulate(epsilons.begin(), epsilons.end(), 0.0); }
};

// The epsilon of the group, and the chain by which it was found.
struct GroupPrivacy::Priced {
  Bounds epsilon;
  Chain best;
};

GroupPrivacy::GroupPrivacy(const std::shared_ptr<const PrivacyLoss>& loss, double size, double gap) {
  in_range("gap", gap, 1e-7, 0.1);
  auto known = group_size(size) > 1 ? splits(*loss, size) : std::vector{loss};
  steps_ = known.empty() ? static_cast<std::size_t>(size) : 1;
  if (known.empty()) known.push_back(loss);
  for (auto& one : known) pairs_.push_back(std::make_unique<Pair>(std::move(one), gap));
  if (steps_ == 1) return;
  // Without a lower end of its own only upper ends matter: no narrower curve is looked for between both.
  const auto delta = [this](double epsilon, double) {
    const Bounds found = profile().delta(epsilon);
    return is_attained() ? found : Bounds{found.upper, found.upper};
  };
  envelope_.emplace(delta, loss->least_infinite_mass());
  if (gap < rough_split_gap && is_smooth() && !is_attained())
    rough_ = std::make_unique<GroupPrivacy>(loss, size, rough_split_gap);
  if (rough_ && steps_ <= most_polished)
    for (std::size_t i = 0; i < steps_; ++i) own_.emplace_back(*loss, gap);
}

Certainty GroupPrivacy::certainty() const { return steps_ == 1 ? profile().certainty() : Certainty::bound; }

template <class Ask>
Bounds GroupPrivacy::largest_of_pairs(const Ask& ask) {
  Bounds largest = ask(*pairs_.front());
  for (std::size_t i = 1; i < pairs_.size(); ++i) {
    const Bounds found = ask(*pairs_[i]);
    largest = {std::max(largest.lower, found.lower), std::max(largest.upper, found.upper)};
  }
  return largest;
}

GroupPrivacy::Chain GroupPrivacy::chain(double start) const {
  Chain result{start, start, {}};
  for (std::size_t i = 0; i < steps_; ++i) {
    const Envelope::Touch touch = envelope_->touch(result.end, is_smooth());
    result.epsilons.push_back(touch.epsilon);
    result.end = touch.power;
  }
  return result;
}

// Where the chains cease to start too low; the curve is refined where the one chosen passes.
template <class TooLow>
GroupPrivacy::Chain GroupPrivacy::aimed(const TooLow& too_low) {
  Chain best{0.5, 0, {}};
  double before = 0;
  for (int round = 0; round < (is_smooth() ? most_rounds_of_sum : most_rounds); ++round) {
    if (is_smooth() && std::abs(std::log(best.start / before)) < hardly_moves) break;
    before = best.start;
    look_along(before);
    double low = std::log(smallest_rate), high = 0;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (too_low(chain(std::exp(middle))) ? low : high) = middle;
    }
    best = chain(std::exp(high));
  }
  return best;
}

// Where a test with that false-positive rate ends.
Bounds GroupPrivacy::end(double start) {
  const double least = loss().least_infinite_mass();
  const double least_up = rounded_up(loss().infinite_mass(), infinite_mass_margin);
  // Without a lower end of its own the group fails no less than one record does.
  Bounds rate{is_attained() ? start : least, start};
  for (std::size_t i = 0; i < steps_; ++i) {
    if (is_attained()) rate.lower = rate.lower < smallest_rate ? least : envelope_->power(rate.lower).lower;
    rate.upper = rate.upper == 0 ? least_up : envelope_->power(std::max(rate.upper, smallest_rate)).upper;
  }
  return rate;
}

// What no way to spread any epsilon goes below: where a test may fail, that is more than failures of one
// record.
double GroupPrivacy::chained_floor() {
  double rate = profile().delta_upper(furthest);
  for (std::size_t i = 1; i < steps_; ++i)
    rate = std::max(rate, envelope_->power(std::max(rate, smallest_rate)).lower);
  return rate;
}

// So that the best chains near that one are known. Without a lower end of its own only upper ends matter.
void GroupPrivacy::look_along(double start) {
  if (is_attained()) {
    end(start);
    return;
  }
  double rate = start;
  for (std::size_t i = 0; i < steps_; ++i) rate = envelope_->lowest_line(std::max(rate, smallest_rate));
}

// The profile of the group at the sum of these, from above: the last step stands first.
double GroupPrivacy::upper_delta(const std::vector<double>& epsilons) const {
  double sum = 0, before = 0, delta = 0;
  for (std::size_t i = steps_; i-- > 0;) {
    if (i + 1 == steps_ || epsilons[i] != epsilons[i + 1]) delta = profile(i).delta_upper(epsilons[i]);
    // e^before alone may overflow.
    sum += before < 700 ? std::exp(before) * delta : std::exp(before + std::log(delta));
    before += epsilons[i];
  }
  return std::min(1.0,
                  rounded_up(sum, rounding_margin * static_cast<double>(steps_) * (1 + std::abs(before))));
}

// The profile of a sum has no corners.
bool GroupPrivacy::is_smooth() const { return profile().directions() > 0; }

// Of a composition every part would have to be the worst in the same table, and of two directions every step
// goes in one.
bool GroupPrivacy::is_attained() const { return loss().chains(); }

// What is bounded by less than epsilon is bounded by epsilon: where failures have a price of their own, more
// to spread may cost more. How much is spread, and what it costs.
std::pair<double, double> GroupPrivacy::least_upper_delta(const Chain& chain, double epsilon) const {
  const auto at = [&](double spread) { return upper_delta(chain, spread); };
  const std::pair all{epsilon, at(epsilon)};
  if (!(epsilon > 0) || !(profile().is_around() || loss().infinite_mass() > 0)) return all;
  // Beyond, the exponential of a step overflows.
  double before = std::min(epsilon, 800 * static_cast<double>(steps_)), best = before;
  double least = at(best), next = best / 2;
  for (double here = at(next); here <= least && next > 1e-12; here = at(next)) {
    before = best;
    best = next;
    least = here;
    next /= 2;
  }
  return std::min({all, std::pair{best, least}, minimum(at, next, before, 12)},
                  [](const auto& one, const auto& other) { return one.second < other.second; });
}

// Spreads epsilon over the steps, never more of it, as another one is split.
std::vector<double> GroupPrivacy::spread(std::vector<double> split, double epsilon) const {
  const auto steps = static_cast<double>(steps_);
  const double total = std::accumulate(split.begin(), split.end(), 0.0);
  const double rest = epsilon - total - 4 * unit_roundoff * steps * (std::abs(epsilon) + std::abs(total));
  for (double& one : split) one += rest / steps;
  return split;
}

std::vector<double> GroupPrivacy::spread_evenly(double epsilon) const {
  const auto steps = static_cast<double>(steps_);
  double share = epsilon / steps;
  if (std::fma(share, steps, -epsilon) > 0) share = std::nextafter(share, -infinite);
  return std::vector<double>(steps_, std::min(share, loss().largest_loss()));
}

// Which of the two is better is seen coarsely, and what is best near it by this profile.
std::vector<double> GroupPrivacy::best_split(const Chain& chain, double epsilon) const {
  std::vector<double> chained = spread(chain.epsilons, epsilon), even = spread_evenly(epsilon);
  std::vector<double>& better = rough_->upper_delta(chained) < rough_->upper_delta(even) ? chained : even;
  for (double before = 1, now = polished(better, by_parabola); now < before;) {
    before = now;
    now = polished(better, by_parabola);
  }
  return better;
}

// As the chain is split or evenly, whichever is better.
double GroupPrivacy::upper_delta(const Chain& chain, double epsilon) const {
  const auto steps = static_cast<double>(steps_);
  std::vector<double> chained = spread(chain.epsilons, epsilon), even = spread_evenly(epsilon);
  // Evaluations of a composition cost too much for more, and its profile has no corners.
  if (is_smooth()) return std::min(upper_delta(chained), upper_delta(even));
  double best = std::min(polished(chained, by_search), polished(even, by_search));
  const double largest = loss().largest_loss();
  if (std::isinf(largest)) return best;
  // The largest loss at all steps but one and the smallest after it: corners of the profile.
  double left = epsilon - 4 * unit_roundoff * steps * (std::abs(epsilon) + steps * largest);
  for (double after = steps - 1; double& one : even) {
    one = std::min(largest, left + after-- * largest);
    left -= one;
  }
  return std::min(best, polished(even, by_search));
}

// Moves parts of epsilon between neighbouring steps, where that lowers the profile: a convex function of
// e^part.
double GroupPrivacy::polished(std::vector<double>& epsilons, PartToMove part_to_move) const {
  double best = upper_delta(epsilons);
  if (steps_ > most_polished) return best;
  for (std::size_t i = 0; i + 1 < steps_; ++i) {
    const double inner = epsilons[i], outer = epsilons[i + 1];
    const auto moved = [&](double part) {
      return profile(i + 1).delta_upper(outer - part) +
             std::exp(outer - part) * profile(i).delta_upper(inner + part);
    };
    const double part = part_to_move(moved, std::abs(inner) + std::abs(outer));
    std::vector<double> other = epsilons;
    // Rounding must not add to the sum.
    other[i] = std::nextafter(inner + part, -infinite);
    other[i + 1] = std::nextafter(outer - part, -infinite);
    if (const double lower = upper_delta(other); lower < best) {
      best = lower;
      epsilons = other;
    }
  }
  return best;
}

Bounds GroupPrivacy::delta(double epsilon) {
  if (steps_ == 1) return largest_of_pairs([=](Pair& one) { return one.profile.delta(epsilon); });
  in_range("epsilon", epsilon, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  GroupPrivacy& looking = rough_ ? *rough_ : *this;
  const Chain best = looking.aimed([&](const Chain& chain) { return chain.total() > epsilon; });
  auto [spent, upper] = looking.least_upper_delta(best, epsilon);
  if (rough_) upper = std::min(upper, upper_delta(best_split(best, spent)));
  const double found = is_attained()
                           ? rounded_down(end(best.start).lower - rounded_up(std::exp(epsilon) * best.start))
                           : profile().least_delta(epsilon);
  const double lower = std::max(found, probability(-std::expm1(epsilon)).lower);
  return {std::min(lower, upper), upper};
}

// The other question, of which the chain is best at each epsilon: one from `from` on, infinite where none is
// near.
double GroupPrivacy::epsilon_of_delta(double delta, double from) {
  const auto at = [&](double epsilon) { return this->delta(epsilon).upper; };
  double below = from, above = from;
  for (double apart = 0.01 * (1 + from); at(above) > delta; apart *= 4) {
    if (apart > 200 * (1 + from)) return infinite;
    below = above;
    above = from + apart;
  }
  return refine(at, delta, below, above, 12).above;
}

Bounds GroupPrivacy::epsilon(double delta) {
  if (steps_ == 1) return largest_of_pairs([=](Pair& one) { return one.profile.epsilon(delta); });
  accurate_probability("delta", delta);
  if (!rough_ || delta == 0) return priced(delta).epsilon;
  const Priced found = rough_->priced(delta);
  const double above = found.epsilon.upper;
  if (std::isinf(above)) return priced(delta).epsilon;
  const double lower = std::min(above, profile().epsilon(delta).lower);
  const auto at = [this, split = best_split(found.best, above)](double epsilon) {
    return upper_delta(spread(split, epsilon));
  };
  // Nearly always the first one is below.
  for (double apart = 8 * rough_split_gap * above;; apart *= 8) {
    const double below = std::max(lower, above - apart);
    if (at(below) > delta) return {lower, refine(at, delta, below, above, 24).above};
    if (below == lower) return {lower, lower};
  }
}

GroupPrivacy::Priced GroupPrivacy::priced(double delta) {
  const double one_record = is_attained() ? 0 : profile().epsilon(delta).lower;
  // Without a lower end of its own the chain of a sum fails no less than one record, which is told at once.
  const double failing = is_smooth() && !is_attained() ? loss().least_infinite_mass() : end(0).lower;
  if (one_record == infinite || failing > delta || (profile().is_around() && chained_floor() > delta))
    return {{is_attained() ? infinite : one_record, infinite}, {}};
  const double largest = rounded_up(static_cast<double>(steps_) * loss().largest_loss());
  if (delta == 0)
    return {{loss().reaches_largest_loss() ? rounded_down(loss().largest_loss()) : profile().epsilon(0).lower,
             largest},
            {}};
  const Chain best =
      aimed([&](const Chain& chain) { return chain.end - std::exp(chain.total()) * chain.start < delta; });
  // end - e^epsilon start bounds the profile from below at every epsilon.
  const double gained = is_attained() ? end(best.start).lower - delta : 0;
  const double chained = gained > best.start ? rounded_down(std::log(gained / best.start)) : 0;
  const double lower = std::max(one_record, chained), from = std::min(largest, std::max(lower, best.total()));
  const auto at = [&](double epsilon) { return upper_delta(best, epsilon); };
  if (at(lower) <= delta) return {{lower, lower}, best};
  if (at(from) <= delta) return {{lower, refine(at, delta, lower, from, 24).above}, best};
  double before = from, below = from, above = from, least = 1;
  for (double apart = 1e-7 * (1 + from), here = at(above); here > delta; apart *= 8, here = at(above)) {
    // Where failures have a price of their own, more to spread may cost more: the least is between.
    if (here > least) {
      const auto [place, value] = minimum(at, before, above, 20);
      if (value <= delta) return {{lower, refine(at, delta, before, place, 24).above}, best};
    }
    // All finite losses are at most that, which is an answer where failures are certainly no more than delta.
    if (above == largest || above > furthest) {
      const double otherwise = end(0).upper > delta ? infinite : largest;
      return {{lower, std::min(otherwise, epsilon_of_delta(delta, from))}, best};
    }
    least = here;
    before = below;
    below = above;
    above = std::min(from + apart, largest);
  }
  return {{lower, refine(at, delta, below, above, 24).above}, best};
}

void GroupPrivacy::forget() {
  for (const auto& pair : pairs_) {
    pair->profile.forget();
    pair->trade_off.forget();
  }
  if (envelope_) envelope_->forget();
  if (rough_) rough_->forget();
  for (const Profile& one : own_) one.forget();
}

Bounds GroupPrivacy::power(double false_positive, std::optional<double> level) {
  if (steps_ == 1)
    return largest_of_pairs([=](Pair& one) { return one.trade_off.power(false_positive, level); });
  Bounds found = end(accurate_probability("falsePositives", false_positive));
  if (!is_attained())
    found.lower = std::min(found.upper, pairs_.front()->trade_off.power(false_positive).lower);
  return found;
}

}  // namespace epsilometer
