#include "core/accounting/compose.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/sample.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Nodes reach down to probabilities of e^-this.
constexpr double deepest = 760;

// No longer transform and no more cells than this: the step is then coarser, and the interval as wide as it
// must be. Of many laws each has a transform of its own, and all of them together must not take longer.
double most_points(std::size_t laws) { return std::clamp(1e7 / static_cast<double>(laws), 2048.0, 600000.0); }

double most_cells(std::size_t laws) { return std::clamp(1e6 / static_cast<double>(laws), 256.0, 600000.0); }

// On a lattice one transform is as good as an enumeration that takes longer than this.
constexpr double few_outcomes = 3e4;

// A window of a transform has about so many standard deviations.
constexpr double reach_of_window = 20;

// How much of the mass of a lattice may be cut off: nothing that shows beside what rounding costs.
constexpr double exact_depth = 32;

// An interval this narrow is not worth a sum on uneven knots; one that is wider than the other after one
// transform is not worth more of them.
constexpr double even_enough = 1e-3, hopeless = 0.3;

// Fewer cells than this are not relied on.
constexpr std::size_t fewest_cells = 256;

// No more pairs of cells than this in all doublings of an uneven sum.
constexpr double most_pairs = 1.5e7;

// An uneven sum starts with so few cells.
constexpr std::size_t fewest_uneven_cells = 64;

// No finite epsilon is looked for beyond this.
constexpr double most_epsilon = 1e300;

// Beyond so many laws they steer by a few that stand for all.
constexpr std::size_t many = 32;

// Tails that a search with that delta comes across.
double depth_of(double log_delta) { return 60 - log_delta; }

// The root of a decreasing function of theta, from 1e-9 to 1e9 per nat, or per standard deviation of the sum
// where that goes further; steers only.
template <class Function>
double theta_where(double spread, const Function& falling) {
  const auto f = [&](double log_theta) { return falling(std::exp(log_theta)); };
  const double log_spread = std::log(std::clamp(spread, 1e-15, 1e15));
  const double low = std::log(1e-9) - std::max(0.0, log_spread);
  const double high = std::log(1e9) - std::min(0.0, log_spread);
  if (!(f(low) > 0)) return std::exp(low);
  if (!(f(high) < 0)) return std::exp(high);
  const auto [from, to] = sign_change(f, low, high, 20);
  return std::exp((from + to) / 2);
}

}  // namespace

struct Composer::Group {
  std::shared_ptr<const Law> law;
  double count;
};

// A law with its coarse nodes, for itself or for others like it.
struct Composer::Guide {
  Sample sample;
  double count;
};

// What a sum is made for: losses near epsilon where delta has about this size, with tails down to e^-depth of
// it.
struct Composer::Aim {
  double epsilon, log_delta, depth;
};

// Everything about one tilt that steers: where the tilted sum lies and how it spreads.
struct Composer::Tilt {
  double theta, log_scale, centre, spread;
};

Composer::~Composer() = default;
Composer::Composer(Composer&&) noexcept = default;

Composer::Composer(const std::vector<RepeatedLaw>& laws) {
  for (const RepeatedLaw& repeated : laws) {
    const Law& law = *repeated.law;
    double largest = law.has_density() ? law.loss(law.highest_x()) : -infinite, mass = 0;
    for (const Atom& atom : law.atoms()) {
      if (atom.loss < largest) continue;
      mass = atom.mass;
      largest = atom.loss;
    }
    log_top_ += repeated.count * std::log(mass);
    const double doubt = std::isfinite(largest) ? 1e-14 * repeated.count * std::abs(largest) : 0;
    largest_ += repeated.count * largest + doubt;
    if (law.gaussian() > 0) {
      gaussian_ = std::hypot(gaussian_, std::sqrt(repeated.count) * law.gaussian());
    } else {
      others_ += repeated.count * largest + doubt;
    }
    largest_at_least_ += repeated.count * largest - doubt;
    log_finite_ += repeated.count * std::log1p(-law.infinite_mass());
    groups_.push_back({repeated.law, repeated.count});
  }
  align();
  enumerated_ = Enumeration::of(laws, spacing_ > 0 ? few_outcomes : Enumeration::patience);
  if (!enumerated_) choose_guides();
  uneven_ = !has_many() && !(spacing_ > 0);
  for (const Group& group : groups_) {
    const Law& law = *group.law;
    uneven_ = uneven_ && (law.rounding(0, law.length_scale()) > 0 || !law.has_density());
  }
}

bool Composer::has_many() const { return groups_.size() > many; }

// Every law guides the search, but of many those in the middle of stretches of about the same share of the
// whole variance.
void Composer::choose_guides() {
  if (!has_many()) {
    for (const Group& group : groups_) guides_.push_back({Sample(*group.law, deepest), group.count});
    return;
  }
  struct Rank {
    double variance, count;
    std::size_t group;
  };
  std::vector<Rank> ranks;
  double whole = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const double variance = Sample(*groups_[i].law, depth_of(0)).at(0).curvature;
    ranks.push_back({variance, groups_[i].count, i});
    whole += groups_[i].count * variance;
  }
  std::sort(ranks.begin(), ranks.end(), [](auto& a, auto& b) { return a.variance < b.variance; });
  for (std::size_t i = 0, first = 0; i < ranks.size(); ++i) {
    double share = 0;
    for (std::size_t j = first; j <= i; ++j) share += ranks[j].count * ranks[j].variance;
    if (share < whole / many && i + 1 < ranks.size()) continue;
    const Rank& middle = ranks[(first + i) / 2];
    if (middle.variance > 0)
      guides_.push_back({Sample(*groups_[middle.group].law, deepest), share / middle.variance});
    first = i + 1;
  }
}

Composer::Tilt Composer::tilt(double theta) const {
  Tilt result{theta, 0, 0, 0};
  for (const Guide& guide : guides_) {
    const Cumulant cumulant = guide.sample.at(theta);
    result.log_scale += guide.count * cumulant.value;
    result.centre += guide.count * cumulant.slope;
    result.spread += guide.count * cumulant.curvature;
  }
  result.spread = std::sqrt(result.spread);
  return result;
}

// Where log delta, by the saddle-point approximation, is the asked one.
Composer::Tilt Composer::tilt_for_delta(double log_delta) const {
  return tilt(theta_where(tilt(0).spread, [&](double theta) {
    const Tilt at = tilt(theta);
    return at.log_scale - theta * at.centre -
           std::log1p(theta * std::sqrt(2 * 3.14159265358979) * at.spread) - std::log1p(theta) - log_delta;
  }));
}

Composer::Tilt Composer::tilt_for_epsilon(double epsilon) const {
  return tilt(theta_where(tilt(0).spread, [&](double theta) { return epsilon - tilt(theta).centre; }));
}

double Composer::tilt_at_delta(double delta) const { return tilt_for_delta(std::log(delta)).theta; }

double Composer::tilt_at_epsilon(double epsilon) const { return tilt_for_epsilon(epsilon).theta; }

// The upper law adds about k h^2 (theta + 1) / 12 to epsilon and the lower one takes half of that away; but
// of steps of many units no more than k h together.
double Composer::step_for(const Tilt& tilt, double gap) const {
  double count = 0;
  for (const Group& group : groups_) count += group.count;
  const double level = std::max(tilt.centre, tilt.spread / 100);
  const double share = gap * level / count;
  const double step =
      std::min(std::max(std::sqrt(6.2 * share / (tilt.theta + 1)), 0.8 * share), 0.6 / tilt.theta);
  return aligned(tilt.spread > 0 ? std::min(step, tilt.spread / 4) : step);
}

// A step of about this size, not larger, on whose lattice the extreme atoms of the weightiest law fall and
// the middle between them; or the spacing of all atoms, when there is nothing else.
double Composer::aligned(double step) const {
  if (spacing_ > 0) return spacing_;
  if (lattice_ >= step) return lattice_ / std::ceil(lattice_ / step);
  if (span_ > 0) return span_ / (2 * std::ceil(span_ / 2 / step));
  // Few bits make the multiples of the step exact.
  const double bit = std::exp2(std::floor(std::log2(step)) - 10);
  return bit * std::floor(step / bit);
}

// Where the atoms are: the span and the lattice of the weightiest law, and the lattice of all laws if there
// is one.
void Composer::align() {
  double weight = 0;
  bool only_lattices = true;
  std::vector<double> spacings;
  for (const Group& group : groups_) {
    const auto lattice = group.law->lattice();
    only_lattices = only_lattices && lattice;
    if (lattice) spacings.push_back(lattice->spacing);
    const std::vector<Atom> atoms = group.law->atoms();
    if (atoms.size() < 2) continue;
    const auto by_loss = [](const Atom& a, const Atom& b) { return a.loss < b.loss; };
    const auto [lowest, highest] = std::minmax_element(atoms.begin(), atoms.end(), by_loss);
    const double heaviest = group.count * highest->mass;
    if (heaviest <= weight || lowest->loss == highest->loss) continue;
    weight = heaviest;
    span_ = highest->loss - lowest->loss;
    lattice_ = lattice ? lattice->spacing : 0;
  }
  if (only_lattices) spacing_ = common_spacing(spacings);
}

// The loss beyond which the sum has less than e^-depth of its tilted mass, by the best Chernoff bound, and
// that bound's exponent. `side` is 1 above and -1 below.
std::pair<double, double> Composer::border(const Tilt& tilted, double side, double depth) const {
  double best = infinite, exponent = 0;
  const double scale = 1 / std::max(tilted.spread, 1e-300);
  for (double size = 0.05 * scale; size < 200 * scale; size *= 1.3) {
    const double there = (tilt(tilted.theta + side * size).log_scale - tilted.log_scale + depth) / size;
    if (there > best) break;
    best = there;
    exponent = side * size;
  }
  return {side * best, exponent};
}

// Every law with the stretch of its losses that matters; nothing when one is not of doubles any more.
std::vector<TiltedPart> Composer::parts(const Tilt& tilted, const Aim& aim) const {
  double count = 0;
  for (const Group& group : groups_) count += group.count;
  std::vector<TiltedPart> result;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    const double log_moment = !has_many()
                                  ? guides_[i].sample.at(tilted.theta).value
                                  : Sample(*group.law, depth_of(aim.log_delta)).at(tilted.theta).value;
    TiltedPart& part =
        result.emplace_back(TiltedPart{group.law, group.count, infinite, -infinite, 0, 0, log_moment});
    const double rest = aim.depth + std::log(count);
    cut(part, aim.log_delta - rest, log_moment - rest, tilted.theta);
    const bool bounded = std::isfinite(group.law->lowest_x()) && std::isfinite(group.law->highest_x());
    if (!bounded && !((part.to_x - part.from_x) / group.law->length_scale() < most_units)) return {};
  }
  return result;
}

// The integral along the line through a tilt, for losses near its centre. On a lattice that is not too fine a
// transform is exact.
std::optional<Contour> Composer::contour(const Tilt& tilted, double log_delta) const {
  if (reach_of_window * tilted.spread < spacing_ * most_points(groups_.size())) return std::nullopt;
  // Relative to e^{log_scale - theta epsilon}, which is larger than delta by about these factors.
  const double depth = 16 + std::log1p(2.5 * tilted.theta * tilted.spread) + std::log1p(tilted.theta);
  const std::vector<TiltedPart> parts = this->parts(tilted, {tilted.centre, log_delta, depth});
  if (parts.empty()) return std::nullopt;
  const double rise = border(tilted, 1, depth).second, fall = -border(tilted, -1, depth).second;
  return Contour::along({tilted.theta, tilted.centre, tilted.spread, rise, fall, depth, log_delta}, parts);
}

// The sum near a tilt, for losses near the asked one. A step that would need too many points is made coarser;
// nothing when the numbers leave the range of doubles.
std::optional<TiltedSum> Composer::sum(const Tilt& tilted, const Aim& aim, double step) const {
  const std::vector<TiltedPart> parts = this->parts(tilted, aim);
  if (parts.empty()) return std::nullopt;
  double least = 0;
  for (const TiltedPart& part : parts)
    if (spacing_ == 0) least = std::max(least, (part.top - part.bottom) / most_cells(parts.size()));
  const auto [high, rise] = border(tilted, 1, aim.depth);
  const auto [low, fall] = border(tilted, -1, aim.depth);
  // What wraps around from above the window must land below epsilon, and what wraps from below where it
  // weighs little.
  const double top = std::min(high, aim.epsilon + (spacing_ > 0 ? aim.depth : 18) / tilted.theta);
  const double needed = std::max(top - low, high - aim.epsilon + tilted.spread / 4);
  least = std::max(least, needed / most_points(parts.size()));
  if (step < least)
    step = lattice_ > least    ? lattice_ / std::floor(lattice_ / least)
           : span_ > 2 * least ? span_ / (2 * std::floor(span_ / 2 / least))
                               : least;
  if (!(needed > 0 && step > 0 && step < 1e100 && std::abs(low) / step < 1e15)) return std::nullopt;
  return TiltedSum({step, tilted.theta, low, rise, fall, smooth_length(needed / step + 4)}, parts,
                   aim.log_delta);
}

// The losses of one step that are cut: above, mass e^tail is given up (to infinity); below, e^low of tilted
// mass.
void Composer::cut(TiltedPart& part, double tail, double low, double theta) const {
  const Law& law = *part.law;
  for (const Atom& atom : law.atoms()) {
    part.bottom = std::min(part.bottom, atom.loss);
    part.top = std::max(part.top, atom.loss);
  }
  const double stride = law.length_scale() / 2, lowest = law.lowest_x(), highest = law.highest_x();
  if (!(lowest < highest)) return;
  part.from_x = part.to_x = std::clamp(0.0, lowest, highest);
  // By even strides as far as ordinary laws reach, then by growing ones.
  const auto widened = [stride](double stepped) {
    return std::abs(stepped) < 100 * stride ? stride : std::abs(stepped) / 8;
  };
  while (part.to_x < highest && law.log_above(part.to_x) > tail) {
    part.to_x = std::min(highest, part.to_x + widened(part.to_x));
  }
  const auto heavy_below = [&](double x) { return law.log_below(x) + theta * law.loss(x) > low; };
  while (part.from_x > lowest && heavy_below(part.from_x)) {
    part.from_x = std::max(lowest, part.from_x - widened(part.from_x));
  }
  part.top = std::max(part.top, law.loss(part.to_x));
  part.bottom = std::min(part.bottom, law.loss(part.from_x));
}

Bounds Composer::epsilon(double delta, double gap) const {
  if (enumerated_) return enumerated_->epsilon(delta);
  const Bounds found = searched_epsilon(delta, gap);
  // The largest loss alone, when it is an atom of mass p, gives delta(epsilon) >= p (1 - e^{epsilon -
  // largest}).
  const double share = std::exp(std::log(delta) - log_top_) * (1 + 1e-9);
  const double below_top = share < 1 ? largest_ * (1 - 1e-12) + std::log1p(-share) : 0;
  return {std::max(0.0, std::min(std::max(found.lower, below_top), largest_at_least_)),
          std::min(found.upper, largest_)};
}

Bounds Composer::searched_epsilon(double delta, double gap) const {
  const Tilt tilted = tilt_for_delta(std::log(delta));
  double step = step_for(tilted, gap);
  const bool may_be_uneven = uneven_ && most_uneven_cells() >= fewest_cells;
  Aim aim{tilted.centre, std::log(delta), spacing_ > 0 ? exact_depth : 17};
  Bounds best{0, infinite};
  if (const auto line = contour(tilted, std::log(delta))) {
    const double reach = tilted.spread;
    best = invert(*line, delta, tilted, tilted.centre - reach, tilted.centre + reach);
    if (best.upper < infinite && best.upper - best.lower <= gap * best.upper) return best;
  }
  for (int pass = 0; pass < 4; ++pass, aim.depth += 4) {
    const auto at = sum(tilted, aim, step);
    if (!at) break;
    const Bounds found = invert(*at, delta, tilted, at->low(), at->high());
    best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
    const double width = (best.upper - best.lower) / best.upper;
    // Finer is not to be had when this step was a coarser one already.
    if (!(width > gap) || at->step() > 1.5 * step || (may_be_uneven && width > hopeless)) break;
    step = aligned(step * (width < 1 ? std::clamp(0.95 * std::sqrt(gap / width), 0.2, 0.8) : 0.5));
    if (width < 1) aim.epsilon = best.upper;
  }
  const double least = best.upper * (1 - std::max(gap, even_enough));
  return !uneven_ || best.lower >= least ? best : uneven_epsilon(delta, gap, best, tilted);
}

// The laws on uneven knots, first coarsely, which tells where the answer is.
Bounds Composer::uneven_epsilon(double delta, double gap, Bounds best, const Tilt& tilted) const {
  // Chernoff's bound first, and far below it.
  double high = std::min(best.upper, 2 * std::max(tilted.centre, tilted.spread));
  double low = std::max(best.lower, 1e-4 * high);
  std::optional<UnevenSum> at;
  for (std::size_t cells = fewest_uneven_cells; cells <= most_uneven_cells() && low > 0; cells *= 2) {
    at = uneven_sum({low, high, std::log(delta), cells, at ? &*at : nullptr});
    if (!at) break;
    const Bounds found{crossing([&](double x) { return at->lower(x); }, delta, most_epsilon).below,
                       crossing([&](double x) { return at->upper(x); }, delta, most_epsilon).above};
    best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
    if (std::isfinite(best.upper) && best.upper - best.lower <= gap * best.upper) break;
    high = std::min(high, best.upper);
    low = std::clamp(best.lower, 1e-4 * high, high);
  }
  return best;
}

// What an earlier answer has made serves as long as it is narrow there. How small delta is cannot be told by
// a tilt, and no cut is too deep.
Bounds Composer::uneven_delta(double epsilon, Bounds best, double gap) const {
  const auto is_narrow_by_it = [&] {
    best = {std::max(best.lower, uneven_sum_->lower(epsilon)),
            std::min(best.upper, uneven_sum_->upper(epsilon))};
    return best.upper - best.lower <= std::max(gap, even_enough) * best.upper;
  };
  if (uneven_sum_ && is_narrow_by_it()) return best;
  // An aim steers only, but must be positive.
  const double aim = std::max(epsilon, 1e-3 * tilt(1e-9).spread);
  for (std::size_t cells = fewest_uneven_cells; cells <= most_uneven_cells(); cells *= 2) {
    const auto coarser = cells > fewest_uneven_cells ? std::move(uneven_sum_) : std::nullopt;
    uneven_sum_ = uneven_sum({aim, aim, -740, cells, coarser ? &*coarser : nullptr});
    if (!uneven_sum_ || is_narrow_by_it()) break;
  }
  return best;
}

void Composer::forget() const {
  line_.reset();
  last_.reset();
  uneven_sum_.reset();
}

// A power of two.
std::size_t Composer::most_uneven_cells() const {
  double joins = static_cast<double>(groups_.size());
  for (const Group& group : groups_) joins += 1.5 * std::log2(group.count);
  return static_cast<std::size_t>(std::exp2(std::floor(std::log2(std::sqrt(most_pairs / joins)))));
}

std::optional<UnevenSum> Composer::uneven_sum(const UnevenSum::Aim& aim) const {
  double count = 0;
  for (const Group& group : groups_) count += group.count;
  std::vector<TiltedPart> parts;
  for (const Group& group : groups_) {
    TiltedPart& part = parts.emplace_back(TiltedPart{group.law, group.count, infinite, -infinite, 0, 0, 0});
    const double rest = 17 + std::log(count);
    cut(part, aim.log_delta - rest, -rest, 0);
  }
  return UnevenSum::of(parts, aim);
}

// Both ends by bisection of their own bound, each evaluated.
template <class Sum>
Bounds Composer::invert(const Sum& at, double delta, const Tilt& tilted, double low, double high) const {
  const auto bisect = [&](const auto& small_enough, double no, double yes) {
    for (int i = 0; i < 80; ++i) {
      const double middle = no + (yes - no) / 2;
      (small_enough(middle) ? yes : no) = middle;
    }
    return std::pair(no, yes);
  };
  const auto upper_kept = [&](double x) { return at.upper(x) <= delta; };
  const auto lower_kept = [&](double x) { return at.lower(x) <= delta; };
  Bounds found{0, infinite};
  const double floor = std::max(0.0, low);
  if (upper_kept(floor)) {
    found.upper = floor;
  } else if (upper_kept(high)) {
    found.upper = bisect(upper_kept, floor, high).second;
  }
  // The lower bound loses its grip far from the tilt: look for a point above the level near the upper end.
  const double start = std::min(found.upper, std::max(floor, tilted.centre));
  for (double down = 1e-6 * (tilted.spread + start); start - down > floor; down *= 2) {
    if (lower_kept(start - down)) continue;
    found.lower = bisect(lower_kept, start - down, std::min(found.upper, high)).first;
    break;
  }
  return found;
}

// The integral of an earlier question serves as long as it is accurate there, a sum for the losses a little
// above the one it was made for.
Bounds Composer::delta(double epsilon, double gap) const {
  // Beyond the largest finite loss only the infinite one is left.
  const Bounds infinitely = probability(-std::expm1(log_finite_), 1e-12);
  if (epsilon >= largest_) return infinitely;
  if (enumerated_) return enumerated_->delta(epsilon);
  // Beyond 38 standard deviations of N(s^2/2, s^2), what the others reach at most added, there is no more
  // than 1e-300.
  if (gaussian_ > 0 && (epsilon - others_) / gaussian_ - gaussian_ / 2 > 38)
    return {infinitely.lower, infinitely.upper + 1e-300};
  const auto narrow = [gap](const Bounds& found) { return found.upper - found.lower <= gap * found.upper; };
  const auto on_line = [&] {
    return line_ ? Bounds{line_->lower(epsilon), line_->upper(epsilon)} : Bounds{0, 1};
  };
  Bounds best = on_line();
  if (narrow(best)) return best;
  const Tilt tilted = tilt_for_epsilon(epsilon);
  // Chernoff's bound is above delta; what the saddle point takes off, and a little more, is charged as well.
  const double log_delta = std::max(-740.0, tilted.log_scale - tilted.theta * epsilon - 10);
  if (!last_ || epsilon < last_from_ || epsilon > last_to_) line_ = contour(tilted, log_delta);
  best = on_line();
  if (narrow(best)) return best;
  if (!last_ || epsilon < last_from_ || epsilon > last_to_ || gap < last_gap_) {
    last_ = sum(tilted, {epsilon, log_delta, spacing_ > 0 ? exact_depth : 25}, step_for(tilted, gap));
    last_gap_ = gap;
    last_from_ = epsilon;
    last_to_ = epsilon + std::min(tilted.spread, 3 / tilted.theta);
  }
  if (last_)
    best = {std::max(best.lower, last_->lower(epsilon)), std::min(best.upper, last_->upper(epsilon))};
  const double least = best.upper * (1 - std::max(gap, even_enough));
  return !uneven_ || best.lower >= least ? best : uneven_delta(epsilon, best, gap);
}

}  // namespace epsilometer
