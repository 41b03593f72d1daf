// Staircase noise: Geng and Viswanath 2014. Its density is a e^{-n epsilon}, where n is the number of drops,
// at (k + gamma) D for k = 0, 1, ..., within |x|; a D = (1 - e^-epsilon) / (2 (gamma + e^-epsilon (1 -
// gamma))).
//
// Moved by d <= D it has the losses epsilon, 0 and -epsilon only, because |x| and |x - d| are at most one
// drop apart; so delta(e) = (1 - e^{e - epsilon}) p(d) for 0 <= e < epsilon, with the probability p of the
// loss epsilon. To the left of 0 that is the d before each drop, of which the first may have less room; to
// the right of it what is nearer to 0 than the first drop, and beyond it when moved:
//   p(d) = a (min(d, gamma D) + d e^-epsilon / (1 - e^-epsilon) + max(0, min(gamma D, d - gamma D))),
// which grows with d. The density is even, so that the other direction has the same law. Hence no smaller
// move tells more than that by D, whose loss is 0 with probability a D e^-epsilon (1 - 2 gamma) or a D (2
// gamma - 1).
//
// Moved by m D, the loss at (i + u) D is (2 i + 1 - m + [u >= gamma] - [u <= 1 - gamma]) epsilon for 0 <= i <
// m and 0 <= u < 1, m epsilon beyond and -m epsilon before: it never falls, so that the best tests are
// half-lines.
#include <cmath>

#include "core/loss/response_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> staircase(const Description& description) {
  const double epsilon = description.number("epsilon", 0, 700), gamma = description.number("gamma", 0, 1);
  if (epsilon == 0) return std::make_shared<ResponseLoss>(0, 2, 0);
  const double shrink = std::exp(-epsilon), whole = 2 * (gamma + shrink * (1 - gamma));
  const double height = -std::expm1(-epsilon) / whole;
  const double middle = height * (gamma <= 0.5 ? shrink * (1 - 2 * gamma) : 2 * gamma - 1);
  // For gamma > 1/2 the same as (1 - middle) / (1 + e^-epsilon), without the difference.
  const double top = gamma <= 0.5 ? (1 - middle) / (1 + shrink) : 1 / whole;
  return ResponseLoss::with_masses(epsilon, top, middle);
}

}  // namespace epsilometer::mechanisms
