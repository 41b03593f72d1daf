// What at most so many releases cost when each is any one of a menu, chosen by the answers before it, or
// none: not a product of pairs but the value of a game, in each direction by itself,
//   D_0 = (1 - e^epsilon)_+,   D(epsilon) = max(D'(epsilon), max over the menu of E D'(epsilon - L)),
// L the loss of a choice under P. D' is convex in e^epsilon, a mixture of (1 - e^(epsilon - t))_+ over t, so
// that E D'(epsilon - L) grows with the profile of the choice: no mechanisms of these profiles cost more, and
// where the pairs of all choices are attained on the same tables, the game is played.
#pragma once

#include <memory>
#include <vector>

#include "core/accounting/lattice_masses.h"
#include "core/accounting/profile.h"

namespace epsilometer {

struct MenuChoice {
  std::shared_ptr<const PrivacyLoss> loss;
  /// As many of it as there are rounds, and nothing else: a plan.
  std::shared_ptr<const PrivacyLoss> every_time;
};

class Menu {
 public:
  /// `rounds`: whole, 1 to 1000. `gap`: the relative width of epsilon that is tried for. Refuses choices
  /// whose profile has no closed form.
  Menu(const std::vector<MenuChoice>& choices, double rounds, double gap = 1e-4);

  /// certified; or bound, where a choice differs in its directions, of which the larger one counts, or is a
  /// class: then only the upper end is a guarantee, and the lower one what the same choice costs every time.
  Certainty certainty() const { return is_attained_ ? Certainty::certified : Certainty::bound; }

  /// For epsilon >= 0.
  Bounds delta(double epsilon) const;
  /// The smallest epsilon >= 0 with delta(epsilon) <= delta, which is 0 or in [1e-300, 1].
  Bounds epsilon(double delta) const;

 private:
  struct Choice : MenuChoice {
    std::shared_ptr<const Profile> profile;
  };
  // A step, how far the whole reaches, and the menu on it.
  struct Lattice {
    double step, reach;
    std::vector<LatticeMasses> above, below;
  };

  double renyi(double order) const;
  double reach(double level) const;
  double first_step(double level) const;
  Lattice lattice(double level, double step) const;
  double work(const Lattice& lattice) const;
  Bounds delta_on(const Lattice& lattice, double epsilon) const;
  Bounds epsilon_on(const Lattice& lattice, double delta) const;
  double least_epsilon(const Lattice& lattice, double delta) const;
  template <class Ask>
  Bounds narrowed(double level, const Ask& ask) const;
  template <class Ask>
  double of_plans(const Ask& ask) const;

  std::vector<Choice> choices_;
  double rounds_, gap_;
  /// The largest finite loss of all rounds, and the most that any of them fails with.
  double largest_ = 0, failing_ = 0;
  bool is_attained_ = true;
};

}  // namespace epsilometer
