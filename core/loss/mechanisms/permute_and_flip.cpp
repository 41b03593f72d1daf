// Permute and flip: candidates in random order, each taken with probability e^{epsilon (score - best) / (2
// D)}; McKenna and Sheldon 2020. The same as the winner of scores with exponential noise of scale 2D /
// epsilon: Ding, Kifer, Saghaian, Steinke, Wang, Xiao and Zhang 2021. It is epsilon-private; that its loss
// lies in a window of width epsilon, as that of the exponential mechanism, is not proven. Member: two
// candidates that are level, and as far apart as neighbours can be, of which the worse one wins half of the
// times, or e^-epsilon / 2.
#include <cmath>

#include "core/loss/pure_class_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> permute_and_flip(const Description& description) {
  const double epsilon = description.number("epsilon", 0, 700);
  if (epsilon == 0) return std::make_shared<ResponseLoss>(0, 2, 0);
  LossTable member{{{-std::log1p(-std::expm1(-epsilon)), 0.5}, {epsilon, 0.5}}, 0, 0};
  member.loss_error = 32 * unit_roundoff;
  return std::make_shared<PureClassLoss>(epsilon, std::move(member));
}

}  // namespace epsilometer::mechanisms
