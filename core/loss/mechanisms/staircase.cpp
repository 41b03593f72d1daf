// Staircase noise: Geng and Viswanath 2014. Its density falls by e^-epsilon every sensitivity D, at the share
// gamma of each step. Moved by all of D it has the losses epsilon, 0 and -epsilon, that of 0 with probability
// a e^-epsilon (1 - 2 gamma) D or a (2 gamma - 1) D, with a D = (1 - e^-epsilon) / (2 (gamma + e^-epsilon (1
// - gamma))). That smaller moves tell no more is not known, so this is the lower end.
#include <cmath>

#include "core/loss/pure_class_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> staircase(const Description& description) {
  const double epsilon = description.number("epsilon", 0, 700), gamma = description.number("gamma", 0, 1);
  if (epsilon == 0) return std::make_shared<ResponseLoss>(0, 2, 0);
  const double shrink = std::exp(-epsilon), whole = 2 * (gamma + shrink * (1 - gamma));
  const double height = -std::expm1(-epsilon) / whole;
  const double middle = height * (gamma <= 0.5 ? shrink * (1 - 2 * gamma) : 2 * gamma - 1);
  // For gamma > 1/2 the same as (1 - middle) / (1 + e^-epsilon), without the difference.
  const double top = gamma <= 0.5 ? (1 - middle) / (1 + shrink) : 1 / whole;
  LossTable member{{{-epsilon, shrink * top}}, 0, 0};
  if (middle > 0) member.atoms.push_back({0, middle});
  member.atoms.push_back({epsilon, top});
  return std::make_shared<PureClassLoss>(epsilon, std::move(member));
}

}  // namespace epsilometer::mechanisms
