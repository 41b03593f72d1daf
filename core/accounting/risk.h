// What an attacker can reach, as one number with a name of the literature, and the same the other way round:
// which point of the trade-off curve or of the profile keeps such a number within a limit. All of them hold
// for every mechanism that is bounded, so for whatever is computed from a release too.
#pragma once

#include <string>

#include "core/accounting/group.h"
#include "core/base/bounds.h"

namespace epsilometer {

/// T is the power of the best test at a false-positive rate; p is `prior`, x is `rate`. The measures are:
/// - posterior: what the suspicion p exceeds with probability at most x when it is right (posterior.h). What
///   it exceeds with that probability in all, or when it is wrong, is never more.
/// - event-posterior: the most that the suspicion is given an event of probability x.
/// - predictive-value: p T(x) / (p T(x) + (1 - p) x), of every test with a false-positive rate of x or more;
///   also what the suspicion exceeds with probability at most x when it is wrong.
/// - reconstruction: T(x), the probability to rebuild a record that without the release is guessed with
///   probability x at most (Hayes, Mahloujifar and Balle 2023).
/// - advantage: the most by which true positives exceed false ones, delta(0).
/// - bayes-error: how often the best decision is wrong, p (1 - delta(log((1 - p) / p))). Here less is worse,
///   and the lower end is the guarantee; of all others it is the upper one.
struct Risk {
  std::string measure;
  /// In [1e-100, 1 - 1e-15]; not read where the measure has none.
  double prior = 0;
  /// In [1e-100, 1]; not read where the measure has none.
  double rate = 0;

  bool less_is_worse() const { return measure == "bayes-error"; }
};

/// For the worse of the two directions; ends are worth what those of `group` are.
Bounds risk(GroupPrivacy& group, const Risk& asked);

/// The risk is within a limit where power(at), or delta(at) at that epsilon, is at most `most`. Both are
/// known up to rounding: to keep a limit take the upper end of `at` and the lower one of `most`, to break it
/// the others (of epsilon, where more keeps more, the other way round).
struct Threshold {
  bool of_power;
  Bounds at, most;
};

/// `limit` must leave the attacker what he knows already and keep something from him: more than the prior
/// (the rate, for reconstruction; 0, for advantage) and less than 1; of bayes-error more than 0 and less than
/// the error without a release. Otherwise it is refused.
Threshold threshold(const Risk& asked, double limit);

}  // namespace epsilometer
