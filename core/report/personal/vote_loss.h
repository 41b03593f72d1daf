// What a noisy vote cost the voters of the very table: the Renyi loss of GNMax that depends on the votes,
// from Papernot, Song, Mironov, Raghunathan, Talwar and Erlingsson 2018, Theorem 6, beside the bound that
// holds for every table. Where most agree the winner tells next to nothing, and the former is far smaller;
// but it is a function of the votes, and confidential. A vote that switches; normal noise of standard
// deviation sigma on every number.
#pragma once

#include <span>

#include "core/base/bounds.h"
#include "core/release/vote_counts.h"

namespace epsilometer {

/// An upper bound on the probability that another class than the one with the most votes wins, at least two
/// classes: the sum of the probabilities that each of them passes it, at most 1. Rounded up.
double upset(std::span<const double> votes, double sigma);

/// The theorem's bound on the divergence of that order (> 1) of the winners of these votes from those of any
/// table where one voter votes otherwise, and not the other way around; from a bound `q` on the probability
/// of an upset. At most order / sigma^2, which holds for every table. The upper end is a bound whatever
/// rounds.
Bounds vote_renyi(double q, double sigma, double order);

/// What the test is run with whose epsilon is `spent`: the order of its divergences, the width of its noise
/// in units of the smooth sensitivity, and the rate e^{-smoothness} at which distant tables count less; right
/// to rounding.
struct VoteTest {
  double order, width, smoothness;
};
VoteTest vote_test(double spent, double delta);

struct VoteLoss {
  /// Of all questions together at that order, of those tried the one where epsilon is least.
  double order, renyi;
  /// At delta, of the table's own winners against those of its neighbours, not the other way around.
  double epsilon;
  /// What all tables are promised, exactly.
  double plain_epsilon;
  /// What a release of the former would cost: the test of Redberg, Zhu and Wang 2023 of whether it may be
  /// told, at its own order, with noise by the smooth sensitivity of the divergence. As the noise falls in
  /// the middle: an estimate, no guarantee.
  double tested_order, smooth_sensitivity, tested_epsilon;
};

/// delta in (0, 1); `test`: the epsilon that is spent on the test, in (0, 10].
VoteLoss vote_loss(const VoteCounts& votes, double sigma, double delta, double test);

}  // namespace epsilometer
