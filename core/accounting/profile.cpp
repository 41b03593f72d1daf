#include "core/accounting/profile.h"

#include <algorithm>
#include <limits>

#include "core/accounting/renyi.h"
#include "core/base/refusal.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A certified interval wider than this is held against the Renyi bound, which is always there but never this
// good; not of very many parts, where it would take too long, unless there is nothing else.
constexpr double wide = 1.1;
constexpr std::size_t many_parts = 300;

// The larger of the directions. A later one is asked coarsely first: often that is enough to see that it is
// smaller.
template <class Ask>
Bounds largest_of(const std::vector<Composer>& directions, double gap, const Ask& ask) {
  Bounds largest{0, 0};
  for (const Composer& direction : directions) {
    const bool coarse_first = largest.upper > 0 && !direction.has_many();
    if (coarse_first && ask(direction, 30 * gap).upper < largest.lower) continue;
    const Bounds found = ask(direction, gap);
    largest = {std::max(largest.lower, found.lower), std::max(largest.upper, found.upper)};
  }
  return largest;
}

// The profile of (P, Q) at a negative epsilon from that of (Q, P) at -epsilon: P(E) - e^epsilon Q(E) = 1 -
// e^epsilon + e^epsilon Q(E') - P(E') for the complement E'.
Bounds mirrored(const Bounds& delta, double epsilon) {
  const auto mirror = [epsilon](double value) { return -std::expm1(epsilon) + std::exp(epsilon) * value; };
  return {probability(mirror(delta.lower)).lower, probability(mirror(delta.upper)).upper};
}

}  // namespace

Profile::Profile(const PrivacyLoss& loss, double gap) : loss_(loss), gap_(gap) {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (direction == Direction::add && loss.symmetric()) break;
    std::vector<RepeatedLaw> laws;
    for (const Repeated& part : loss.parts()) {
      auto law = part.loss->law(direction);
      if (!law) return;
      laws.push_back({std::move(law), part.count});
    }
    if (!laws.empty() && !loss.delta(0)) composers_.emplace_back(laws);
  }
}

Certainty Profile::certainty() const {
  if (!composers_.empty() && loss_.attained()) return Certainty::certified;
  if (loss_.attained() && loss_.delta(0)) return Certainty::exact;
  return loss_.enclosed() && loss_.delta(0) ? Certainty::certified : Certainty::bound;
}

Bounds Profile::delta(double epsilon) const {
  in_range("epsilon", epsilon, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  if (!composers_.empty()) return composed_delta(epsilon);
  const auto known = loss_.delta(epsilon);
  if (epsilon >= loss_.largest_loss()) {
    const double mass = loss_.infinite_mass();
    return {known ? std::min(known->lower, mass) : mass, mass};
  }
  if (known) return *known;
  const double upper = renyi_delta(loss_, epsilon);
  const double lower = loss_.member() ? loss_.member()->delta(epsilon)->lower : 0;
  return {lower, std::max(lower, upper)};
}

bool Profile::worth_bounding(const Bounds& found) const {
  return found.upper > wide * found.lower && (loss_.parts().size() < many_parts || std::isinf(found.upper));
}

// The two directions at the same time: they are never mixed within one.
Bounds Profile::composed_delta(double epsilon) const {
  const double level = std::abs(epsilon);
  Bounds result =
      largest_of(composers_, gap_, [level](auto& one, double gap) { return one.delta(level, gap); });
  if (worth_bounding(result)) {
    result.upper = std::min(result.upper, std::max(result.lower, renyi_coarse_delta(loss_, level)));
  }
  return epsilon < 0 ? mirrored(result, epsilon) : result;
}

// Below zero by way of the other direction, which is this one with P and Q exchanged.
Bounds Profile::delta(std::size_t direction, double epsilon) const {
  const Composer& forward = composers_[direction];
  if (epsilon >= 0) return forward.delta(epsilon, gap_);
  const Composer& backward = composers_[composers_.size() - 1 - direction];
  return mirrored(backward.delta(-epsilon, gap_), epsilon);
}

Bounds Profile::epsilon(double delta) const {
  accurate_probability("delta", delta);
  const double largest = loss_.largest_loss();
  if (delta < loss_.infinite_mass() || (delta == 0 && largest == infinite)) return {infinite, infinite};
  if (!composers_.empty()) return composed_epsilon(delta);
  const double ceiling = std::min(largest, std::numeric_limits<double>::max());
  const auto lower = [&](double x) { return this->delta(x).lower; };
  const auto upper = [&](double x) { return this->delta(x).upper; };
  return {crossing(lower, delta, ceiling).below, crossing(upper, delta, ceiling).above};
}

Bounds Profile::composed_epsilon(double delta) const {
  const double largest = loss_.largest_loss();
  // The largest loss of a sum is the sum of the largest, each attained with positive probability.
  if (delta == 0) return {rounded_down(largest, 1e-12), largest};
  Bounds result =
      largest_of(composers_, gap_, [delta](auto& one, double gap) { return one.epsilon(delta, gap); });
  result.upper = std::min(result.upper, largest);
  if (worth_bounding(result) && delta < 1) {
    result.upper = std::min(result.upper, renyi_coarse_epsilon(loss_, delta));
  }
  return result;
}

Bounds delta(const PrivacyLoss& loss, double epsilon) { return Profile(loss).delta(epsilon); }

Bounds epsilon(const PrivacyLoss& loss, double delta) { return Profile(loss).epsilon(delta); }

double accurate_probability(const char* field, double value) {
  if (value == 0 || (value >= 1e-300 && value <= 1)) return value;
  throw Refusal("range", field, shown(value), "must be 0 or a number from 1e-300 to 1");
}

}  // namespace epsilometer
