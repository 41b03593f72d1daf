// Renyi divergences where a release has parts that may fail, such as a count of the rows below which theirs
// is taken to be, or bounds that hold for a noisy eigenvalue. They are stated as `approximate`: anything that
// is (epsilon, delta)-private is made of a pair that with probability delta shows which table it was, and is
// randomized response at epsilon otherwise (Kairouz, Oh and Viswanath 2015, Theorem 3.3). So every divergence
// is infinite, but the laws of the release on both tables are mixtures
//   P = (1 - f) P' + f P'',  Q = (1 - f) Q' + f Q'',
// where nothing fails in P' and Q', f = 1 - (product of 1 - delta), and the divergences of P' and Q' are
// those of the description without failures: adaptively, too, since those of P' and Q' add up step by step.
// What such a pair dominates is made of it (Blackwell 1951), so it is a mixture like that itself; and it is
// one for every larger f, by moving some of P' to P''. (With concentrated divergences this is the approximate
// privacy of Bun and Steinke 2016, Definition 8.1.)
#pragma once

#include "core/loss/description.h"

namespace epsilometer {

struct Unfailing {
  /// Of the same where nothing fails.
  Description description;
  /// f, rounded up.
  double failure;
};

/// What may fail inside of something other than a composition stays there.
Unfailing without_failures(const Description& description);

}  // namespace epsilometer
