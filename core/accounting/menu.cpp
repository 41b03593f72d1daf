#include "core/accounting/menu.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/menu_game.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// What is left out at the ends of a lattice, as a share of delta.
constexpr double left_out = 1e-6;
// Products of one game: about a tenth of a second.
constexpr double most_work = 1e8;
// Beyond, e^epsilon leaves the doubles.
constexpr double most_reach = 300;
constexpr double cells_of_reach = 128;
// How often a level is tried from below, in each of which the game is played once.
constexpr int most_tries = 8;

// With few digits, so that all levels are doubles.
double short_step(double step) { return static_cast<double>(static_cast<float>(step)); }

// About where the value crosses delta between two levels, by straight lines of its logarithm.
double crossing_between(const MenuValues& found, std::size_t place, double delta) {
  const double here = found.values[place - 1], there = std::max(found.values[place], 1e-320);
  const double share = std::clamp(std::log(here / delta) / std::log(here / there), 0.0, 1.0);
  return found.level(place - 1) + share * found.step;
}

// The first level from the origin on whose value is not above delta.
std::size_t place_of(const MenuValues& found, double delta) {
  auto place = static_cast<std::size_t>(found.before);
  while (place < found.values.size() && found.values[place] > delta) ++place;
  return place;
}

// The value is convex in e^epsilon: below its chords.
double upper_crossing(const MenuValues& found, double delta) {
  const std::size_t place = place_of(found, delta);
  if (place == static_cast<std::size_t>(found.before)) return 0;
  if (place == found.values.size()) return infinite;
  const double here = found.values[place - 1], there = found.values[place];
  const double share = std::min(1.0, rounded_up((here - delta) / (here - there)));
  return rounded_up(found.level(place - 1) + std::log1p(share * std::expm1(found.step)));
}

// Of a few orders on a scale.
template <class Ask>
double least_over_orders(const Ask& ask) {
  double least = infinite;
  for (double order = 1.0625; order < 1e5; order = 1 + 1.5 * (order - 1)) least = std::min(least, ask(order));
  return least;
}

}  // namespace

Menu::Menu(const std::vector<MenuChoice>& choices, double rounds, double gap)
    : rounds_(in_range("rounds", rounds, 1, 1000)), gap_(gap) {
  for (const MenuChoice& choice : choices) {
    const PrivacyLoss& loss = *choice.loss;
    if (!loss.profile())
      throw Refusal("unsupported", "menu", shown(static_cast<double>(choices_.size())),
                    "has no profile in closed form, which every choice of a menu needs");
    choices_.push_back({choice, std::make_shared<const Profile>(loss)});
    largest_ = std::max(largest_, loss.largest_loss_of(rounds));
    if (loss.infinite_mass() > 0)
      failing_ =
          std::max(failing_, std::min(1.0, rounded_up(rounds * loss.infinite_mass(), 2 * rounding_margin)));
    // On the same tables, as in a composition of all of them.
    is_attained_ =
        is_attained_ && loss.symmetric() && loss.composes() && loss.profile()->has_two_sided_bounds();
  }
}

double Menu::renyi(double order) const {
  double worst = 0;
  for (const Choice& choice : choices_) worst = std::max(worst, choice.loss->renyi(order));
  return worst;
}

// About where what all of them may cost is less than that. Heuristic: what lies beyond is charged.
double Menu::reach(double level) const {
  const double found =
      least_over_orders([&](double order) { return rounds_ * renyi(order) - std::log(level) / (order - 1); });
  // Where nothing but failures tells anything, any width will do.
  return std::min({found, largest_ > 0 ? largest_ : 1, most_reach});
}

// Kinks of a profile, such as that at its largest loss, are best where the lattice has a level, or just
// above: from below nothing is left of what is not proven to reach the next one.
double Menu::first_step(double level) const {
  const double step = reach(level) / cells_of_reach;
  double kink = infinite;
  for (const Choice& choice : choices_)
    if (const double largest = choice.loss->largest_loss(); largest >= step) kink = std::min(kink, largest);
  return short_step(std::isinf(kink) ? step : kink / std::ceil(kink / step) * (1 - 0x1p-22));
}

Menu::Lattice Menu::lattice(double level, double step) const {
  Lattice found{step, reach(level), {}, {}};
  for (const Choice& choice : choices_) {
    const double share = std::max(1e-300, level / rounds_);
    const double own = choice.profile->epsilon(std::min(1.0, choice.loss->infinite_mass() + share)).upper;
    const int cells = static_cast<int>(std::ceil(std::min(own, found.reach) / step)) + 1;
    const auto delta = [&choice](double epsilon) { return choice.profile->delta(epsilon); };
    found.above.push_back(masses_above(delta, step, cells));
    if (is_attained_)
      found.below.push_back(
          masses_below(delta, step, cells, rounded_down(choice.loss->least_infinite_mass())));
  }
  return found;
}

double Menu::work(const Lattice& lattice) const {
  double masses = 0;
  for (const LatticeMasses& choice : lattice.above)
    masses += static_cast<double>(
        std::count_if(choice.masses.begin(), choice.masses.end(), [](double mass) { return mass > 0; }));
  return rounds_ * masses * 2 * lattice.reach / lattice.step;
}

Bounds Menu::delta_on(const Lattice& lattice, double epsilon) const {
  const double reach = std::max(lattice.reach, epsilon);
  const auto value = [&](const std::vector<LatticeMasses>& menu, bool above) {
    const MenuValues found = menu_game(menu, rounds_, lattice.step, epsilon, reach, above);
    return found.values[static_cast<std::size_t>(found.before)];
  };
  return {is_attained_ ? value(lattice.below, false) : 0, value(lattice.above, true)};
}

// Levels that the value certainly exceeds, nearer and nearer to where it does so no more.
double Menu::least_epsilon(const Lattice& lattice, double delta) const {
  double least = 0, tried = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    const MenuValues found = menu_game(lattice.below, rounds_, lattice.step, tried,
                                       std::max(lattice.reach, tried + lattice.step), false);
    const std::size_t place = place_of(found, delta);
    const bool exceeds = place > static_cast<std::size_t>(found.before);
    if (exceeds) least = std::max(least, found.level(place - 1));
    if (place == 0 || place == found.values.size()) break;
    const double next = crossing_between(found, place, delta);
    if (next - least <= gap_ / 16 * next) break;
    tried = std::max(least + (next - least) / 16, rounded_down(next, exceeds ? 1e-9 : gap_ / 32));
  }
  return least;
}

Bounds Menu::epsilon_on(const Lattice& lattice, double delta) const {
  const double upper =
      upper_crossing(menu_game(lattice.above, rounds_, lattice.step, 0, lattice.reach, true), delta);
  return {is_attained_ ? std::min(upper, least_epsilon(lattice, delta)) : 0, upper};
}

// Finer and finer, as far as that is worth its time.
template <class Ask>
Bounds Menu::narrowed(double level, const Ask& ask) const {
  double step = first_step(level);
  Lattice lattice = this->lattice(level, step);
  Bounds found = ask(lattice);
  for (Bounds before{0, infinite}; found.upper - found.lower > gap_ * found.upper;) {
    if (!is_attained_ && before.upper - found.upper <= gap_ * found.upper) break;
    if (4 * work(lattice) > most_work) break;
    step /= 2;
    lattice = this->lattice(level, step);
    before = found;
    const Bounds next = ask(lattice);
    found = {std::max(found.lower, next.lower), std::min(found.upper, next.upper)};
  }
  return {std::min(found.lower, found.upper), found.upper};
}

// The most that the same choice costs every time.
template <class Ask>
double Menu::of_plans(const Ask& ask) const {
  double most = 0;
  for (const Choice& choice : choices_) most = std::max(most, ask(*choice.every_time).lower);
  return most;
}

Bounds Menu::delta(double epsilon) const {
  in_range("epsilon", epsilon, 0, most_reach);
  if (largest_ == 0 && failing_ == 0) return {0, 0};
  const double guess = least_over_orders(
      [&](double order) { return std::exp((order - 1) * (rounds_ * renyi(order) - epsilon)); });
  const Bounds found = narrowed(std::max(1e-300, left_out * std::min(1.0, guess)),
                                [&](const Lattice& lattice) { return delta_on(lattice, epsilon); });
  if (is_attained_) return found;
  return {std::min(found.upper, of_plans([&](auto& plan) { return epsilometer::delta(plan, epsilon); })),
          found.upper};
}

Bounds Menu::epsilon(double delta) const {
  accurate_probability("delta", delta);
  if (largest_ == 0 && failing_ == 0) return {0, 0};
  Bounds found{0, infinite};
  if (delta > 0)
    found = narrowed(std::max(1e-300, left_out * delta),
                     [&](const Lattice& lattice) { return epsilon_on(lattice, delta); });
  // Mironov 2017, Proposition 3: where the lattice does not reach, too.
  if (delta > 0)
    found.upper = std::min(found.upper, rounded_up(least_over_orders([&](double order) {
                             return rounds_ * renyi(order) - std::log(delta) / (order - 1);
                           })));
  // All finite losses are at most that: what is left is that a round fails.
  if (failing_ <= delta) found.upper = std::min(found.upper, largest_);
  if (delta == 0 || failing_ > 0 || !is_attained_)
    found.lower =
        std::max(found.lower, of_plans([&](auto& plan) { return epsilometer::epsilon(plan, delta); }));
  return {std::min(found.lower, found.upper), found.upper};
}

}  // namespace epsilometer
