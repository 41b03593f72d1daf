// Ledgers whose entries are chosen by the answers so far, within a budget that was fixed before the first of
// them. What adds up is mu^2 (Smith and Thakurta 2022; Koskela, Tobaben and Honkela 2023), rho or a Renyi
// divergence of one order (Feldman and Zrnic 2021), or epsilon with delta (Rogers, Roth, Ullman and Vadhan
// 2016). What an entry fails with, its delta, adds up beside it. All of it then costs what the budget costs,
// whatever was chosen; what is spent so far is bookkeeping, and no epsilon of anything.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

enum class FilterRule { gdp, zcdp, renyi, approximate };

/// In what adds up, mu^2, rho, the divergence or epsilon, and delta beside it: both from 0 to infinity.
struct Charge {
  double amount, delta;
};

/// The most that `count` releases take of a budget, rounded up: exact where it is a double. An infinite
/// amount where nothing of the kind is known. `order`: of a Renyi divergence, unread by other rules; of
/// FilterRule::approximate, largest losses and the probability that they are exceeded.
Charge charge_of(const PrivacyLoss& loss, double count, FilterRule rule, double order);

/// mu^2 and its root, on the safe side of a budget and of what was spent: exact where it is a double.
double square_upward(double mu);
double square_downward(double mu);
double root_upward(double square);
double root_downward(double square);

class Filter {
 public:
  explicit Filter(Charge budget) : budget_(budget) {}

  /// Whether the sum with that entry stays within the budget for certain; only then is it spent.
  bool take(const Charge& entry);

  /// Rounded up.
  const Charge& spent() const { return spent_; }
  /// Rounded down.
  Charge left() const;

 private:
  Charge budget_, spent_{0, 0};
};

}  // namespace epsilometer
