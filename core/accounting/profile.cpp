#include "core/accounting/profile.h"

#include <algorithm>
#include <limits>

#include "core/accounting/closed_form.h"
#include "core/accounting/composition/range_blocks.h"
#include "core/accounting/margins.h"
#include "core/accounting/renyi.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

// Of an exact answer, relatively.
constexpr double most_rounding = 1e-9;

// A certified interval wider than this is held against the Renyi bound, which is always there but never this
// good; not of very many parts, where it would take too long, unless there is nothing else.
constexpr double wide = 1.1;
constexpr std::size_t many_parts = 300;

// Of more parts only a few orders of the Renyi curve are asked.
constexpr std::size_t most_for_curve = 16;

// Where one part loses as much, a composition takes seconds for what it adds to that.
constexpr double huge_loss = 1e9;

// How many windows may be tried for all blocks of a question: less than a second.
constexpr double most_for_blocks = 2.5e8;

// Nobody needs to know more closely how far below that delta is.
constexpr double nothing = 1e-320;

// What blocks give up, as a share of delta.
constexpr double negligible = 1e-7;

// At so wide a gap many a direction is seen to be smaller.
constexpr double very_coarse = 0.1;

// The larger of the directions, never mixed within one. A later one is asked coarsely first: often that is
// enough to see that it is smaller.
template <class Ask>
Bounds largest_of(const std::vector<Composer>& directions, double gap, const Ask& ask) {
  Bounds largest{0, 0};
  for (const Composer& direction : directions) {
    const bool coarse_first = largest.upper > 0 && !direction.has_many();
    const auto is_smaller = [&](double coarse) {
      return coarse_first && coarse >= 30 * gap && ask(direction, coarse).upper < largest.lower;
    };
    if (is_smaller(very_coarse) || is_smaller(30 * gap)) continue;
    const Bounds found = ask(direction, gap);
    largest = {std::max(largest.lower, found.lower), std::max(largest.upper, found.upper)};
  }
  return largest;
}

Bounds product_delta(const std::vector<Composer>& directions, double level, double gap) {
  if (directions.empty()) return {0, 1};
  return largest_of(directions, gap, [level](auto& one, double width) { return one.delta(level, width); });
}

Bounds product_epsilon(const std::vector<Composer>& directions, double delta, double gap) {
  if (directions.empty()) return {0, infinite};
  return largest_of(directions, gap, [delta](auto& one, double width) { return one.epsilon(delta, width); });
}

// How small the probability of a larger loss than those of a grid of chords is, how wide intervals there may
// be, and of how many losses of each sign it is.
constexpr double beyond_grid = 1e-24, grid_gap = 0.01;
constexpr int grid_points = 160;

// The range of a class that has one.
std::optional<double> range_of(const PrivacyLoss& loss) {
  const ClassBound* bound = loss.class_bound();
  return bound ? bound->range() : std::nullopt;
}

// The ranges of everything, when the parts are of bounded range and nothing else, and not too many.
std::optional<AdaptiveRange> ranges_of(const PrivacyLoss& loss) {
  std::vector<RepeatedRange> ranges;
  for (const Repeated& part : loss.parts()) {
    const auto range = range_of(*part.loss);
    if (!range) return std::nullopt;
    if (*range > 0) ranges.push_back({*range, part.count});
  }
  return ranges.empty() ? std::nullopt : AdaptiveRange::of(ranges);
}

// A test of each release, and of all of them that all were passed: with probability p each under P, and e^-t
// times that under Q where its losses are t. Only of parts that are one pair in both directions.
class TestsOfAll {
 public:
  TestsOfAll(const PrivacyLoss& loss, double gap) : parts_(loss.parts()), gap_(gap) {
    std::erase_if(parts_, [](const Repeated& part) {
      const KnownProfile* known = part.loss->profile();
      return !(known && known->has_two_sided_bounds() && part.loss->composes() && part.loss->symmetric());
    });
    for (const Repeated& part : parts_) count_ += part.count;
  }

  /// No more than delta(level) of the whole.
  double delta(double level) const {
    const auto passed = [](int halves) { return 1 - std::ldexp(1.0, -halves); };
    // The most that all are passed with, at losses that still add up to more.
    int less = 1, more = 50;
    double losses = sum_of_losses(passed(less));
    if (!(losses > level + 1)) return 0;
    while (more - less > 1) {
      const int middle = (less + more) / 2;
      const double sum = sum_of_losses(passed(middle));
      if (sum > level + 1) {
        less = middle;
        losses = sum;
      } else {
        more = middle;
      }
    }
    const double log_passed = count_ * std::log(passed(less));
    return rounded_down(std::exp(log_passed) * -std::expm1(level - losses),
                        rounding_margin + 32 * unit_roundoff * std::abs(log_passed));
  }

  /// No more than epsilon(delta) of the whole.
  double epsilon(double delta) const {
    if (count_ == 0 || delta > 0.5) return 0;
    const double log_each = std::log(delta) / (2 * count_);
    const double each = rounded_up(std::exp(log_each), rounding_margin + 16 * unit_roundoff * -log_each);
    if (!(each < 1)) return 0;
    return rounded_down(sum_of_losses(each) + std::log1p(-std::sqrt(delta)));
  }

 private:
  // Together, where each release is passed with this probability.
  double sum_of_losses(double passed) const {
    double sum = 0;
    for (const Repeated& part : parts_) sum += part.count * Profile(*part.loss, gap_).epsilon(passed).lower;
    return rounded_down(sum);
  }

  std::vector<Repeated> parts_;
  double gap_, count_ = 0;
};

// No epsilon >= 0 has more: by hybrids, each of which exchanges one release. Of parts whose profile is known.
double sum_of_deltas(const PrivacyLoss& loss) {
  double sum = 0;
  for (const Repeated& part : loss.parts()) {
    const KnownProfile* known = part.loss->profile();
    if (!known) return 1;
    sum += part.count * known->delta_upper(0);
  }
  return std::min(1.0, rounded_up(sum, 32 * unit_roundoff));
}

}  // namespace

// A mechanism that the description fits, and its profile.
struct Profile::Inside {
  explicit Inside(std::shared_ptr<const PrivacyLoss> found, double gap)
      : loss(std::move(found)), profile(*loss, gap) {}

  std::shared_ptr<const PrivacyLoss> loss;
  Profile profile;
};

// A part that is known by its profile alone, or best by that, and the law of the chords of that.
struct Profile::Alone {
  Alone(const PrivacyLoss& part, double gap)
      : profile(part, std::max(gap, grid_gap)), law(law_above({&profile}, beyond_grid)) {}

  Profile profile;
  std::shared_ptr<const Law> law;
};

std::shared_ptr<const Law> law_above(const std::vector<const Profile*>& profiles, double negligible) {
  const auto delta = [&](double epsilon) {
    double most = 0;
    for (const Profile* one : profiles) most = std::max(most, one->delta_upper(epsilon));
    return most;
  };
  // Some bounds rise again.
  double least = 1, reach = 0;
  for (double epsilon = 0x1p-10; epsilon < 1e4; epsilon *= 2) {
    const double found = delta(epsilon);
    if (found < least) least = found, reach = epsilon;
    if (found <= negligible) break;
  }
  const double level = std::max(negligible, 1.001 * least);
  if (level < 1) {
    double needed = 0;
    for (const Profile* one : profiles) needed = std::max(needed, one->epsilon_upper(level));
    reach = std::min(reach, needed);
  }
  return reach > 0 ? law_of_chords(delta, reach, grid_points) : nullptr;
}

// The laws of the parts, in one direction; none when one is not known.
std::vector<RepeatedLaw> Profile::laws(Direction direction) const {
  std::vector<RepeatedLaw> laws;
  const std::vector<Repeated> parts = loss_.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const KnownLaw* known = parts[i].loss->laws();
    const auto law = alone()[i] ? alone()[i]->law : known ? known->law(direction) : nullptr;
    if (!law) return {};
    laws.push_back({law, parts[i].count});
  }
  return laws;
}

Profile::~Profile() = default;
Profile::Profile(Profile&&) noexcept = default;

Profile::Profile(const PrivacyLoss& loss, double gap)
    : loss_(loss), coarse_(loss), gap_(gap), is_sum_(!loss.parts().empty() && !loss.profile()) {
  if (const AroundProfile* wrapper = loss.around_profile()) {
    inner_ = std::make_unique<const Profile>(*wrapper->inside(), gap);
    around_ = wrapper->around(*inner_);
    has_orders_ = loss.has_orders();
  }
  if (is_sum_ && !loss.composes()) ranges_ = ranges_of(loss);
}

const std::vector<std::unique_ptr<const Profile::Alone>>& Profile::alone() const {
  if (alone_) return *alone_;
  alone_.emplace();
  for (const Repeated& part : loss_.parts()) {
    const KnownProfile* known = part.loss->profile();
    const bool by_chords = part.loss->around_profile() || (known && known->is_least_of_several());
    alone_->push_back(by_chords ? std::make_unique<const Alone>(*part.loss, gap_) : nullptr);
  }
  return *alone_;
}

const std::vector<Composer>& Profile::composers() const {
  if (composers_) return *composers_;
  composers_.emplace();
  if (!is_sum_) return *composers_;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    if (direction == Direction::add && loss_.symmetric()) break;
    const std::vector<RepeatedLaw> known = laws(direction);
    if (known.empty()) break;
    composers_->emplace_back(known);
  }
  return *composers_;
}

// Whether the worst there is, is the product of laws that are known.
bool Profile::is_product() const { return loss_.composes() && !composers().empty(); }

Certainty certainty_of(const Bounds& answer, Certainty certainty) {
  if (certainty != Certainty::exact || answer.lower == answer.upper) return certainty;
  const bool is_close = answer.upper - answer.lower <= most_rounding * answer.upper;
  return is_close && std::isfinite(answer.upper) ? certainty : Certainty::certified;
}

Certainty Profile::certainty() const {
  const ClassBound* bound = loss_.class_bound();
  if (is_sum_)
    return ranges_ || is_product() || (bound && bound->encloses()) ? Certainty::certified : Certainty::bound;
  const KnownProfile* known = loss_.profile();
  if (!known || !known->has_two_sided_bounds()) return Certainty::bound;
  return known->is_tight() ? Certainty::exact : Certainty::certified;
}

Bounds Profile::delta(double epsilon) const {
  in_range("epsilon", epsilon, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
  const KnownProfile* known = loss_.profile();
  if (epsilon >= loss_.largest_loss()) {
    const double mass = loss_.infinite_mass();
    if (is_sum_) return {loss_.least_infinite_mass(), mass == 0 ? 0 : rounded_up(mass, infinite_mass_margin)};
    return {known ? std::min(known->delta(epsilon).lower, mass) : mass, mass};
  }
  if (is_sum_) return composed_delta(epsilon);
  if (known) return known->delta(epsilon);
  if (around_) return around_delta(epsilon);
  const double upper = renyi_delta(loss_, epsilon);
  const auto witness = witness_of(loss_);
  const double lower = witness ? witness->delta(epsilon).lower : 0;
  return {lower, std::max(lower, upper)};
}

// The least of what follows from the profile inside and of what the orders allow.
Bounds Profile::around_delta(double epsilon) const {
  // The bound holds in both directions.
  if (epsilon < 0) return mirrored(around_delta(-epsilon), epsilon);
  const Bounds found = around_->delta(epsilon);
  const double upper = has_orders_ ? std::min(found.upper, renyi_delta(loss_, epsilon)) : found.upper;
  return {found.lower, std::max(found.lower, upper)};
}

double Profile::delta_upper(double epsilon) const {
  if (epsilon < 0 || epsilon >= loss_.largest_loss() || is_sum_) return delta(epsilon).upper;
  if (const KnownProfile* known = loss_.profile()) return known->delta_upper(epsilon);
  if (!around_) return delta(epsilon).upper;
  const double upper = around_->delta_upper(epsilon);
  return has_orders_ ? std::min(upper, renyi_delta(loss_, epsilon)) : upper;
}

Bounds Profile::around_epsilon(double delta) const {
  if (around_delta(0).upper <= delta) return {0, 0};
  const Bounds found = around_->epsilon(delta);
  const bool convert = delta > 0 && has_orders_;
  const double upper = convert ? std::min(found.upper, renyi_epsilon(loss_, delta)) : found.upper;
  return {found.lower, std::max(found.lower, upper)};
}

double Profile::least_delta(double epsilon) const {
  const bool only_inside = is_sum_ && !loss_.composes() && !ranges_;
  return only_inside && epsilon >= 0 && epsilon < loss_.largest_loss() ? inside_delta(epsilon)
                                                                       : delta(epsilon).lower;
}

bool Profile::worth_bounding(const Bounds& found) const {
  return found.upper > wide * found.lower && (loss_.parts().size() < many_parts || std::isinf(found.upper));
}

// Of releases of bounded range that are repeated, where that can be expected to help: no larger ones than it
// takes to be as narrow as is wanted.
const std::vector<Composer>& Profile::blocks(double delta, double gap, double wanted) const {
  static const std::vector<Composer> none;
  struct Repeating {
    std::size_t part;
    RepeatedRange range;
  };
  std::vector<Repeating> all;
  double count = 0;
  const std::vector<Repeated> parts = loss_.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto range = range_of(*parts[i].loss);
    if (!range || *range == 0 || parts[i].count == 1) continue;
    all.push_back({i, {*range, parts[i].count}});
    count += parts[i].count;
  }
  const double floor = common_floor(delta * negligible / count);
  double share = 100;
  const auto planned = [&](const Repeating& one) {
    return plan_blocks(one.range, floor, most_for_blocks / (share * static_cast<double>(all.size())));
  };
  const auto loses = [&](double least) {
    return std::none_of(all.begin(), all.end(),
                        [&](const Repeating& one) { return planned(one).lost < least; });
  };
  while (share > 1 && loses(0.7 * wanted)) share /= 10;
  if (loses(0.7 * gap)) return none;
  const auto [place, is_new] = blocks_.try_emplace({floor, share});
  if (!is_new) return place->second;
  std::vector<std::vector<RepeatedLaw>> directions;
  for (std::size_t i = 0; i < composers().size(); ++i)
    directions.push_back(laws(i == 0 ? Direction::remove : Direction::add));
  for (const Repeating& one : all) {
    const auto found = range_blocks(one.range, floor, planned(one));
    if (found.empty()) continue;
    for (std::vector<RepeatedLaw>& laws : directions) {
      laws[one.part] = found[0];
      laws.insert(laws.end(), found.begin() + 1, found.end());
    }
  }
  for (const std::vector<RepeatedLaw>& laws : directions) place->second.emplace_back(laws);
  return place->second;
}

const std::vector<ProfileGrid>& Profile::grids() const {
  if (!grids_) grids_ = ProfileGrid::of(loss_.parts());
  return *grids_;
}

void Profile::forget() const {
  if (inner_) inner_->forget();
  if (alone_)
    for (const auto& part : *alone_)
      if (part) part->profile.forget();
  if (composers_)
    for (const Composer& composer : *composers_) composer.forget();
  for (const auto& [plan, composers] : blocks_)
    for (const Composer& composer : composers) composer.forget();
  for (const auto& [tilt, inside] : insides_)
    if (inside) inside->profile.forget();
}

double Profile::delta_of_one(double level) const {
  return most_of_known_parts(loss_, [level](const KnownProfile& part) { return part.delta(level).lower; });
}

Bounds Profile::composed_delta(double epsilon) const {
  const double level = std::abs(epsilon), alone = delta_of_one(level);
  // Where one part tells everything but a rounding, doubles have no room for what the others add.
  const Bounds result = 1 - alone <= rounding_margin ? Bounds{alone, 1} : delta_of_all(level);
  return epsilon < 0 ? mirrored(result, epsilon) : result;
}

Bounds Profile::delta_of_all(double level) const {
  Bounds result{0, 1};
  // Where nothing is left that doubles could tell, the orders prove that at once.
  const auto seems_nothing = [level](const Composer& one) { return one.seems_below(nothing, level); };
  if (is_product() && std::all_of(composers().begin(), composers().end(), seems_nothing))
    result.upper = coarse_.delta(level);
  if (result.upper > nothing)
    result = is_product() ? product_delta(composers(), level, gap_) : bounded_delta(level);
  if (loss_.composes() && worth_bounding(result)) {
    result.upper = std::min(result.upper, std::max(result.lower, coarse_.delta(level)));
  }
  // A loss below the largest one counts for no more than it does.
  const double mass = rounded_up(loss_.infinite_mass(), infinite_mass_margin), largest = loss_.largest_loss();
  if (std::isfinite(largest)) {
    const double near = rounded_up(mass + (1 - mass) * -std::expm1(std::min(0.0, level - largest)));
    result.upper = std::min(result.upper, std::max(result.lower, near));
  }
  if (result.upper > wide * result.lower && few_parts()) {
    result.upper = std::min(result.upper, std::max(result.lower, sum_of_deltas(loss_)));
    result.lower = std::max(result.lower, std::min(result.upper, TestsOfAll(loss_, gap_).delta(level)));
  }
  return result;
}

// The largest of the directions; 1, or infinity, where there is none.
template <class Ask>
double most_of(const std::vector<ProfileGrid>& directions, double otherwise, const Ask& ask) {
  double most = directions.empty() ? otherwise : 0;
  for (const ProfileGrid& direction : directions) most = std::max(most, ask(direction));
  return most;
}

// The upper end is the least of what is known to be one; the lower end is that of a game that can be played,
// or of a mechanism that the description fits.
Bounds Profile::bounded_delta(double level) const {
  const double chords = most_of(grids(), 1, [=](auto& one) { return one.delta(level); });
  if (!grids().empty() && grids()[0].is_fine_at(chords))
    return {std::min(inside_delta(level), chords), chords};
  const double upper = few_parts() ? renyi_curve_delta(loss_, level) : coarse_.delta(level);
  Bounds result{0, std::min(upper, chords)};
  if (upper <= nothing) return result;
  if (ranges_) {
    result = ranges_->delta(level, gap_, 1e-3 * upper);
    if (result.upper - result.lower <= gap_ * result.upper) return result;
    result.upper = std::min(result.upper, upper);
  }
  result.upper = std::min(result.upper, product_delta(composers(), level, gap_).upper);
  result.lower = std::max(result.lower, inside_delta(level));
  const double width = (result.upper - result.lower) / result.upper;
  if (width > gap_) {
    // A step of epsilon moves delta by about as many times as much as it has logarithms.
    const double least = std::max(1e-300, result.lower), steepness = 1 - 2 * std::log(least);
    const auto& some = blocks(least, width / steepness, gap_ / steepness);
    result.upper = std::min(result.upper, product_delta(some, level, gap_).upper);
  }
  return {std::min(result.lower, result.upper), result.upper};
}

// The whole costs no less than any part. Asked where some are known by their profile alone, and no member of
// theirs may be known.
template <class Ask>
double Profile::most_of_parts(const Ask& ask) const {
  double most = 0;
  if (std::none_of(alone().begin(), alone().end(), [](auto& one) { return one != nullptr; })) return most;
  const std::vector<Repeated> parts = loss_.parts();
  for (std::size_t i = 0; i < parts.size(); ++i)
    most = std::max(most, alone()[i] ? ask(alone()[i]->profile) : ask(Profile(*parts[i].loss, gap_)));
  return most;
}

double Profile::inside_delta(double level) const {
  const Profile* inside = inside_near(composers().empty() ? 1 : composers().front().tilt_at_epsilon(level));
  const double least = inside ? inside->delta(level).lower : 0;
  return std::max(least, most_of_parts([level](const auto& part) { return part.delta(level).lower; }));
}

Bounds Profile::bounded_epsilon(double delta) const {
  const auto least = [this, delta] {
    const Profile* inside = inside_near(composers().empty() ? 1 : composers().front().tilt_at_delta(delta));
    const double least = inside ? inside->epsilon(delta).lower : 0;
    return std::max(least, most_of_parts([delta](const auto& part) { return part.epsilon(delta).lower; }));
  };
  const double chords = most_of(grids(), infinite, [=](auto& one) { return one.epsilon(delta); });
  if (!grids().empty() && grids()[0].is_fine_at(delta)) return {std::min(least(), chords), chords};
  const double upper = few_parts() ? renyi_curve_epsilon(loss_, delta) : coarse_.epsilon(delta);
  Bounds result{0, std::min(upper, chords)};
  if (ranges_) {
    result = ranges_->epsilon(delta, gap_);
    if (result.upper - result.lower <= gap_ * result.upper) return result;
    result.upper = std::min(result.upper, upper);
  }
  result.upper = std::min(result.upper, product_epsilon(composers(), delta, gap_).upper);
  result.lower = std::max(result.lower, least());
  // Where infinite losses alone may be more than delta, the member that has the most of them decides.
  if (std::isinf(result.upper) && std::isfinite(result.lower))
    if (const Profile* inside = inside_near(infinite))
      result.lower = std::max(result.lower, inside->epsilon(delta).lower);
  const double width = (result.upper - result.lower) / result.upper;
  if (width > gap_)
    result.upper = std::min(result.upper, product_epsilon(blocks(delta, width, gap_), delta, gap_).upper);
  return {std::min(result.lower, result.upper), result.upper};
}

bool Profile::few_parts() const { return loss_.parts().size() <= most_for_curve; }

const Profile* Profile::inside_near(double tilt) const {
  // What composes but has no law that is known would find itself inside.
  if (loss_.composes()) return nullptr;
  const double key = std::clamp(std::round(2 * std::log2(tilt)), -60.0, 60.0);
  std::unique_ptr<const Inside>& found = insides_[static_cast<int>(key)];
  if (!found) {
    const ClassBound* bound = loss_.class_bound();
    auto witness = bound ? bound->witness_near(std::exp2(key / 2)) : nullptr;
    if (!witness) return nullptr;
    found = std::make_unique<const Inside>(std::move(witness), gap_);
  }
  return &found->profile;
}

const Profile* Profile::inside() const {
  if (!is_sum_ || loss_.composes()) return nullptr;
  return inside_near(composers().empty() ? 1 : composers().front().tilt_at_delta(1e-3));
}

// Below zero by way of the other direction, which is this one with P and Q exchanged.
Bounds Profile::delta(std::size_t direction, double epsilon, double negligible) const {
  const std::size_t asked = epsilon >= 0 ? direction : composers().size() - 1 - direction;
  const double level = std::abs(epsilon), chords = grids().empty() ? 1 : grids()[asked].delta(level);
  Bounds found{rounded_down(chords, 4 * composition::grid_margin), chords};
  if (grids().empty() || !grids()[asked].is_fine_at(chords)) {
    const bool seems_little = negligible > 0 && composers()[asked].seems_below(negligible, level);
    found = {0, seems_little ? coarse_.delta(level) : 1};
    if (found.upper > negligible) found = composers()[asked].delta(level, gap_);
    found = {std::min(found.lower, chords), std::min(found.upper, chords)};
  }
  return epsilon >= 0 ? found : mirrored(found, epsilon);
}

Bounds Profile::epsilon(double delta) const {
  accurate_probability("delta", delta);
  const double largest = loss_.largest_loss();
  if (delta < loss_.least_infinite_mass() || (delta == 0 && largest == infinite)) return {infinite, infinite};
  if (is_sum_) return composed_epsilon(delta);
  const double ceiling = std::min(largest, std::numeric_limits<double>::max());
  if (around_) return around_epsilon(delta);
  if (!loss_.profile()) {
    const auto witness = witness_of(loss_);
    const double least = witness ? Profile(*witness).epsilon(delta).lower : 0;
    return {least, std::max(least, renyi_epsilon(loss_, delta))};
  }
  const auto lower = [&](double x) { return this->delta(x).lower; };
  return {crossing(lower, delta, ceiling).below, epsilon_upper(delta)};
}

double Profile::epsilon_upper(double delta) const {
  if (is_sum_ || around_ || !loss_.profile()) return epsilon(delta).upper;
  const double ceiling = std::min(loss_.largest_loss(), std::numeric_limits<double>::max());
  const auto upper = [this](double x) { return delta_upper(x); };
  return delta < loss_.infinite_mass() ? infinite : crossing(upper, delta, ceiling).above;
}

// Of a part with nearly all of the loss: its own epsilon from below, and from above epsilons and deltas that
// add up, of which the others get a thousandth of delta. Nothing where these are not close enough.
std::optional<Bounds> Profile::epsilon_of_one(double delta) const {
  if (!(delta_of_one(huge_loss) > delta)) return std::nullopt;
  const std::vector<Repeated> parts = loss_.parts();
  std::vector<Profile> profiles;
  double lower = 0;
  std::size_t leading = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    profiles.emplace_back(*parts[i].loss, gap_);
    const bool is_shown = profiles[i].certainty() != Certainty::bound;
    const double own = is_shown ? profiles[i].epsilon(delta).lower : 0;
    if (own > lower) {
      lower = own;
      leading = i;
    }
  }
  const double others = static_cast<double>(parts.size()) - 1;
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = (i == leading ? 0.998 : 1e-3 / others) * delta / parts[i].count;
    if (share < 1e-300) return std::nullopt;
    sum += parts[i].count * profiles[i].epsilon(share).upper;
  }
  const double upper = rounded_up(sum, 2 * static_cast<double>(parts.size()) * unit_roundoff);
  return upper - lower <= gap_ * lower ? std::optional(Bounds{lower, upper}) : std::nullopt;
}

Bounds Profile::composed_epsilon(double delta) const {
  const double largest = loss_.largest_loss();
  // The largest loss of a sum is the sum of the largest, below which delta is not 0. That of a part may be
  // rounded up.
  if (delta == 0) {
    if (loss_.reaches_largest_loss()) return {rounded_down(largest, 2 * rounding_margin), largest};
    const Profile* member = inside();
    return {member ? member->epsilon(0).lower : 0, largest};
  }
  const auto found = epsilon_of_one(delta);
  Bounds result = found          ? *found
                  : is_product() ? product_epsilon(composers(), delta, gap_)
                                 : bounded_epsilon(delta);
  const double infinitely = loss_.infinite_mass();
  if (infinitely == 0 || delta >= rounded_up(infinitely, infinite_mass_margin))
    result.upper = std::min(result.upper, largest);
  if (loss_.composes() && worth_bounding(result) && delta < 1) {
    result.upper = std::min(result.upper, coarse_.epsilon(delta));
  }
  if (result.upper > wide * result.lower && !found && few_parts()) {
    if (sum_of_deltas(loss_) <= delta) return {0, 0};
    result.lower = std::max(result.lower, TestsOfAll(loss_, gap_).epsilon(delta));
  }
  return {std::min(result.lower, result.upper), result.upper};
}

Bounds delta(const PrivacyLoss& loss, double epsilon) { return Profile(loss).delta(epsilon); }

Bounds epsilon(const PrivacyLoss& loss, double delta) { return Profile(loss).epsilon(delta); }

double accurate_probability(const char* field, double value) {
  if (value == 0 || (value >= 1e-300 && value <= 1)) return value;
  throw Refusal("range", field, shown(value), "must be 0 or a number from 1e-300 to 1");
}

}  // namespace epsilometer
