// What a suspicion can become: the posterior sentence, from the power T of the best test at each
// false-positive rate. Two tables are neighbours; an attacker suspects with probability `prior` that the
// release is about the one and not the other.
//
// All three answers hold for every mechanism that T bounds, so for whatever is computed from a release too.
// The law of a pair's own loss would promise more than that: a bound on T does not order the tails of losses.
#pragma once

#include "core/accounting/group.h"
#include "core/base/bounds.h"

namespace epsilometer {

struct Posterior {
  /// The most that the suspicion is, given any event whose probability is `exceptions`: y p / exceptions at
  /// the point y = T(x) of the curve with p y + (1 - p) x = exceptions.
  Bounds event;
  /// What it exceeds with probability at most `exceptions` when it is right: with likelihood ratio
  /// exceptions / x, T(x) = exceptions.
  Bounds right;
  /// The same when it is wrong: with likelihood ratio T(exceptions) / exceptions.
  Bounds wrong;
};

/// `prior` lies in [1e-100, 1 - 1e-15], `exceptions` in [1e-100, 1], or they are refused. Upper ends are
/// guarantees, lower ends worth what those of `group` are; both for the worse of the two directions.
Posterior posterior(GroupPrivacy& group, double prior, double exceptions);

/// The same one by one; arguments must be in these ranges.
Bounds posterior_given_event(GroupPrivacy& group, double prior, double exceptions);
Bounds posterior_when_right(GroupPrivacy& group, double prior, double exceptions);
Bounds posterior_when_wrong(GroupPrivacy& group, double prior, double exceptions);

}  // namespace epsilometer
