// What releases of bounded range cost together when each may be chosen by the answers before it: not a
// product of pairs but the value of a game. Dong, Durfee and Rogers 2020, Section 4: with the window {t, t -
// eta}, p_t = (e^eta - e^t) / (e^eta - 1), of one more release,
//   D_0 = (1 - e^epsilon)_+,   D(epsilon) = max over t of p_t D'(epsilon - t) + (1 - p_t) D'(epsilon - t +
//   eta).
// Ranges may differ, and come in any order: the best one next, over all that are left.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/accounting/composition/range_game.h"
#include "core/base/bounds.h"

namespace epsilometer {

class AdaptiveRange {
 public:
  /// Nothing when the game has too many rounds, or too many states, to be worth its time.
  static std::optional<AdaptiveRange> of(const std::vector<RepeatedRange>& ranges);

  /// The supremum of delta(epsilon), epsilon >= 0, over all ways to play, both ends proven, about as narrow
  /// as `gap` of epsilon if that can be had. `guess`: no more than about delta; heuristic, no
  /// guarantee.
  Bounds delta(double epsilon, double gap, double guess) const;
  /// The same of the smallest epsilon >= 0 with delta(epsilon) <= delta, for delta > 0.
  Bounds epsilon(double delta, double gap) const;

 private:
  // One side of the value on a lattice of epsilons, from 0 on.
  struct Side {
    double step;
    RangeValue value;
    double margin;

    double upper(double epsilon) const;
    double lower(double epsilon, const Side& above) const;
  };
  struct Table {
    Side above, below;

    Bounds delta(double epsilon) const;
    Bounds epsilon(double delta) const;
  };
  explicit AdaptiveRange(std::vector<RepeatedRange> ranges);

  double reach(double floor) const;
  double affordable_cells(double floor, double budget) const;
  Table played(double cells, double floor) const;
  const Table& table(double cells, double floor) const;
  template <class Ask>
  Bounds narrowed(const Ask& ask, double gap, double level) const;

  // The widest first.
  std::vector<RepeatedRange> ranges_;
  double rounds_ = 0, states_ = 1, widest_ = 0, whole_ = 0, rho_ = 0;
  // By cells and floor, and so the same for every question.
  mutable std::map<std::pair<double, double>, Table> tables_;
};

}  // namespace epsilometer
