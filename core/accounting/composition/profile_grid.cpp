#include "core/accounting/composition/profile_grid.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/margins.h"
#include "core/loss/laws/atomic_law.h"
#include "core/numerics/double_double.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

double profile_of_nothing(double epsilon) { return rounded_up(std::max(0.0, -std::expm1(epsilon))); }

// Heuristic: of the standard deviation of all losses the step, and how far the grid reaches. At six standard
// deviations chords of that length cost 3e-4 of delta.
constexpr double steps_in_deviation = 48, deviations = 9.5;

// Of the sum so far: less than its last digits.
constexpr double of_last_digits = 0x1p-52;

// Of so many grids the product is no work, and their masses keep their digits.
constexpr double most_joined = 8, most_points = 4096;

// A point of the profile over a = e^epsilon, at the loss (place) step.
struct Dot {
  std::int64_t place;
  double delta;
};

// Whether the middle one lies on or above the chord of the others. Only which dots are left out depends on
// it, and any may be.
bool is_above(const Dot& left, const Dot& middle, const Dot& right, double step) {
  const double before = std::expm1(static_cast<double>(middle.place - left.place) * step),
               whole = std::expm1(static_cast<double>(right.place - left.place) * step);
  return middle.delta - left.delta >= (right.delta - left.delta) * (before / whole);
}

// Of dots from the smallest loss on, those of the convex hull from below, with the one at a = 0 and delta = 1
// before them and delta falling no more behind them.
std::vector<Dot> hull_of(const std::vector<Dot>& dots, double step) {
  std::vector<Dot> hull;
  for (const Dot& dot : dots) {
    while (hull.size() > 1 && is_above(hull[hull.size() - 2], hull.back(), dot, step)) hull.pop_back();
    // Steeper from a = 0 than the dot before: that one is above the chord from there.
    while (hull.size() == 1) {
      const double ratio = std::exp(static_cast<double>(hull[0].place - dot.place) * step);
      if (1 - hull[0].delta > (1 - dot.delta) * ratio) break;
      hull.pop_back();
    }
    hull.push_back(dot);
  }
  return hull;
}

// The masses whose profile is the chords through those dots: how much steeper they fall before a dot than
// behind it, times its a.
GridLaw law_through(const std::vector<Dot>& hull, double step) {
  GridLaw law{hull.front().place, {}, hull.back().delta};
  law.masses.resize(static_cast<std::size_t>(hull.back().place - law.first) + 1);
  double before = 1 - hull.front().delta;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const bool is_last = i + 1 == hull.size();
    const double grown =
        is_last ? 1 : std::expm1(static_cast<double>(hull[i + 1].place - hull[i].place) * step);
    const double behind = is_last ? 0 : std::max(0.0, (hull[i].delta - hull[i + 1].delta) / grown);
    law.masses[static_cast<std::size_t>(hull[i].place - law.first)] = std::max(0.0, before - behind);
    before = behind * (1 + grown);
  }
  for (double& mass : law.masses) mass *= 1 + composition::grid_excess;
  law.infinite *= 1 + composition::grid_excess;
  return law;
}

// Whether the law's profile is below that of no dot of those, of which the law's first and last loss are two,
// and its mass is not below 1: sums of positive numbers from the largest loss down. That is the proof; how
// the dots were chosen and the masses found is no part of it. The profile that is known is below its chords
// between such dots; the law's is convex and its slope changes at them only, hence between them its chord,
// and before the first of them that to its mass at a = 0.
bool covers(const GridLaw& law, const std::vector<Dot>& dots, double step) {
  double delta = law.infinite, weight = 0, mass = law.infinite;
  const double grown = std::expm1(step), shrunk = std::exp(-step);
  std::int64_t place = law.first + static_cast<std::int64_t>(law.masses.size()) - 1;
  if (dots.back().place != place) return false;
  bool is_dot = false;
  for (auto dot = dots.rbegin(); place >= law.first; --place) {
    const double own = law.masses[static_cast<std::size_t>(place - law.first)];
    is_dot = dot != dots.rend() && dot->place == place;
    if (is_dot ? delta * (1 - composition::grid_margin) < dot->delta : own > 0) return false;
    if (is_dot) ++dot;
    mass += own;
    // To the next loss below: e^-loss of all that is above it, in its own units.
    weight = (weight + own) * shrunk;
    delta += grown * weight;
  }
  return is_dot && mass * (1 - composition::grid_margin) >= 1;
}

// The profile at both signs of epsilon, of that at 0 and above in that direction and in the other one.
std::vector<Dot> dots_of(const std::vector<double>& own, const std::vector<double>& other, double step) {
  std::vector<Dot> dots;
  for (std::size_t i = other.size(); i-- > 1;) {
    const auto place = -static_cast<std::int64_t>(i);
    dots.push_back({place, mirrored({0, other[i]}, static_cast<double>(place) * step).upper});
  }
  for (std::size_t i = 0; i < own.size(); ++i) dots.push_back({static_cast<std::int64_t>(i), own[i]});
  return dots;
}

std::optional<GridLaw> law_of(const std::vector<Dot>& dots, double step) {
  const std::vector<Dot> hull = hull_of(dots, step);
  GridLaw law = law_through(hull, step);
  if (!covers(law, hull, step)) return std::nullopt;
  return law;
}

// A few digits, so that losses on the grid are doubles.
double step_near(double wished) {
  const double unit = std::exp2(std::floor(std::log2(wished)) - 6);
  return std::ceil(wished / unit) * unit;
}

double reach_of(const KnownDirections& known) {
  const auto extent = known.extent();
  return extent.start + deviations * extent.spread;
}

}  // namespace

GridPair grids_of(const KnownDirections& known, double step) {
  const auto points = static_cast<std::size_t>(std::ceil(reach_of(known) / step)) + 1;
  std::vector<double> remove(points), add(points);
  for (std::size_t i = 0; i < points; ++i) {
    const double epsilon = static_cast<double>(i) * step;
    remove[i] = std::max(smallest_accurate, known.directed_delta(Direction::remove, epsilon));
    add[i] = std::max(smallest_accurate, known.directed_delta(Direction::add, epsilon));
  }
  return {law_of(dots_of(remove, add, step), step), law_of(dots_of(add, remove, step), step)};
}

std::shared_ptr<const Law> law_of_chords(const std::function<double(double)>& delta, double reach,
                                         int points) {
  const double step = step_near(reach / points);
  std::vector<double> own;
  double least = 1;
  for (int i = 0; i <= points; ++i) {
    // The profile itself never rises.
    least = std::min(least, std::max(smallest_accurate, delta(i * step)));
    own.push_back(least);
  }
  const auto law = law_of(dots_of(own, own, step), step);
  if (!law) return nullptr;
  // What is more than 1 together is taken from the smallest losses: no dot's delta counts them, and from a =
  // 0 to the first loss that is left, the chord is still above the profile.
  DoubleDouble excess = DoubleDouble{law->infinite} - DoubleDouble{1};
  for (const double mass : law->masses) excess = excess + DoubleDouble{mass};
  std::vector<Atom> atoms;
  std::int64_t place = law->first;
  for (const double mass : law->masses) {
    const double taken = std::min(mass, std::max(0.0, excess.hi));
    excess = excess - DoubleDouble{taken};
    if (mass > taken || !atoms.empty()) atoms.push_back({static_cast<double>(place) * step, mass - taken});
    ++place;
  }
  const std::int64_t first = place - static_cast<std::int64_t>(atoms.size());
  return std::make_shared<AtomicLaw>(std::move(atoms), law->infinite, LossLattice{0, step, first});
}

GridLaw joined(const GridLaw& a, const GridLaw& b) {
  GridLaw both{a.first + b.first, std::vector<double>(a.masses.size() + b.masses.size() - 1), 0};
  double mass_of_a = a.infinite, mass_of_b = 0;
  for (const double mass : b.masses) mass_of_b += mass;
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    mass_of_a += a.masses[i];
    for (std::size_t j = 0; j < b.masses.size(); ++j) both.masses[i + j] += a.masses[i] * b.masses[j];
  }
  both.infinite = a.infinite * mass_of_b + b.infinite * mass_of_a;
  return both;
}

std::vector<ProfileGrid> ProfileGrid::of(const std::vector<Repeated>& parts) {
  double square = 0, count = 0, reach = 0;
  std::shared_ptr<const PrivacyLoss> gaussian;
  for (const Repeated& part : parts) {
    if (part.loss->gaussian()) {
      // SumLoss makes one of all.
      if (gaussian || part.count != 1) return {};
      gaussian = part.loss;
      square += *gaussian->gaussian() * *gaussian->gaussian();
      continue;
    }
    const KnownDirections* known = part.loss->directions();
    if (!known) return {};
    const double spread = known->extent().spread;
    count += part.count;
    square += part.count * spread * spread;
    reach = std::max(reach, reach_of(*known));
  }
  if (count == 0 || count > most_joined) return {};
  const double best = std::sqrt(square) / steps_in_deviation;
  const double wished = std::max(best, 2 * reach / most_points);
  if (!(wished > 1e-12 && wished < 1)) return {};
  const double step = step_near(wished);
  std::optional<GridLaw> remove, add;
  for (const Repeated& part : parts) {
    if (part.loss->gaussian()) continue;
    const GridPair one = grids_of(*part.loss->directions(), step);
    if (!one.remove || !one.add) return {};
    for (double i = 0; i < part.count; ++i) {
      remove = remove ? joined(*remove, *one.remove) : one.remove;
      add = add ? joined(*add, *one.add) : one.add;
    }
  }
  const bool is_fine = wished < 1.5 * best;
  return {ProfileGrid(std::move(*remove), step, gaussian, is_fine),
          ProfileGrid(std::move(*add), step, gaussian, is_fine)};
}

ProfileGrid::ProfileGrid(GridLaw law, double step, std::shared_ptr<const PrivacyLoss> gaussian, bool is_fine)
    : law_(std::move(law)), step_(step), gaussian_(std::move(gaussian)), is_fine_(is_fine) {
  double sum = 0;
  for (const double mass : law_.masses) up_to_.push_back(sum += mass);
}

// From the largest loss down, until what all smaller ones could add, were they as large as this, is nothing.
double ProfileGrid::delta(double epsilon) const {
  double sum = law_.infinite;
  for (std::size_t i = law_.masses.size(); i-- > 0;) {
    if (law_.masses[i] == 0) continue;
    const double loss = static_cast<double>(law_.first + static_cast<std::int64_t>(i)) * step_;
    // Rounded down, where the Gaussian's profile is larger.
    const double left = std::nextafter(epsilon - loss, -HUGE_VAL);
    const double beside = gaussian_ ? gaussian_->profile()->delta(left).upper : profile_of_nothing(left);
    const double rest = up_to_[i] * beside;
    if (rest <= of_last_digits * sum) {
      sum += rest;
      break;
    }
    sum += law_.masses[i] * beside;
  }
  return std::min(1.0, rounded_up(sum, composition::grid_margin));
}

double ProfileGrid::epsilon(double delta, int bits) const {
  return crossing([this](double epsilon) { return this->delta(epsilon); }, delta, 1e6, bits).above;
}

ProfileGrid ProfileGrid::beside(std::shared_ptr<const PrivacyLoss> gaussian) const {
  ProfileGrid other = *this;
  other.gaussian_ = std::move(gaussian);
  return other;
}

}  // namespace epsilometer
