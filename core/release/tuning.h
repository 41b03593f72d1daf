// Honest tuning: the choice among candidates for an algorithm's parameters, with all runs that it took paid
// for. One run draws a candidate, each as likely as any other, runs the algorithm with it and scores what
// came out, with noise. After each run a coin that shows one side with probability 1 / expectedRuns ends it,
// and the run of the least score is released, with that score and no other. Random stopping: Liu and Talwar
// 2019, Section 3; priced by core/loss/mechanisms/private_selection.cpp.
//
// All of it rests on one profile that every candidate's run keeps. Each candidate's noise is the least that
// keeps one and the same budget, runEpsilon and runDelta, beside the score's noise, which they have in
// common. Where all of them are Gaussian noise and nothing else, that makes them one Gaussian release. Of
// others the largest of their profiles counts, which is that of a run that may be any of them: it is enough
// that each candidate's run is dominated. Where that is not known, or delta is 0, they are priced as the
// worst that keeps the budget.
//
// A run that comes to nothing for reasons of the table has the worst score there is, so that only if no run
// came to anything there is no release. How many runs there were is not released.
#pragma once

#include <memory>

#include "core/release/algorithm.h"

namespace epsilometer {

/// The algorithm of a request with `tuning`, tuned. Its release is the winner's, its `parameters` included,
/// with the outputs "score" and "candidate", the place of the winner in the list. Refused: noise instead of a
/// budget, candidates that an algorithm refuses ("tune.candidates.2.lambda"), and algorithms that do not
/// release coefficients.
std::unique_ptr<const Algorithm> tuned(const FitRequest& request);

/// Refuses what is known of algorithms only as they are, not tuned.
void must_not_be_tuned(const FitRequest& request);

}  // namespace epsilometer
