// What a noisy vote cost the voters of the very table: the Renyi loss of GNMax that depends on the votes,
// from Papernot, Song, Mironov, Raghunathan, Talwar and Erlingsson 2018, Theorem 6, beside the bound that
// holds for every table. Where most agree the winner tells next to nothing, and the former is far smaller;
// but it is a function of the votes, and confidential. Normal noise on every number.
//
// After a test (Confident-GNMax) what comes out is that the question stays open, with probability 1 - p, or
// a winner. The two noises are independent, so that against a table where the test passes with p' instead
// the divergence of order a is
//     log[(1 - p)^a (1 - p')^(1 - a) + p^a p'^(1 - a) e^((a - 1) D)] / (a - 1),
// D that of the winner alone. It is convex in p', and the largest number moves by one vote at most: it is
// largest at one of the two ends.
#pragma once

#include <span>

#include "core/base/bounds.h"
#include "core/release/algorithm.h"
#include "core/release/vote_counts.h"

namespace epsilometer {

/// The winner of one question is that zero-concentrated for every table of so many classes.
double winner_rho(const Vote& vote, std::size_t classes);

/// An upper bound on the probability that another class than the one with the most votes wins, at least two
/// classes: the sum of the probabilities that each of them passes it, at most 1. Rounded up.
double upset(std::span<const double> votes, const Vote& vote);

/// The theorem's bound on the divergence of that order (> 1) of the winners of these votes from those of any
/// table where one voter votes otherwise, and not the other way around; from a bound `q` on the probability
/// of an upset. At most rho order, which holds for every table. The upper end is a bound whatever rounds.
Bounds vote_renyi(double q, double rho, double order);

/// The same of a winner that is told where the test of its number passes, and otherwise that it did not; from
/// a bound on the divergence of the winner itself, and the votes of the class that has most. A bound whatever
/// rounds.
double tested_vote_renyi(double winner, double most_votes, const Vote& vote, double order);

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

/// delta in (0, 1); `test`: the epsilon that is spent on the test of the former, in (0, 10].
VoteLoss vote_loss(const VoteCounts& votes, const Vote& vote, double delta, double test,
                   const Progress& progress = {});

/// Of a release by noisy voting, by its own table, beside what the release itself is promised. Refuses
/// algorithms and noises of which nothing of the kind is known, and voters who have several rows.
VoteLoss vote_loss(const PlannedRequest& run, std::span<const Records> table, double unit_rows, double delta,
                   double test, const Progress& progress);

}  // namespace epsilometer
