// Permute and flip: candidates in random order, each taken with probability e^{epsilon (score - best) / (2
// D)}; McKenna and Sheldon 2020. The same as the winner of scores with exponential noise of scale b = 2D /
// epsilon: Ding, Kifer, Saghaian, Steinke, Wang, Xiao and Zhang 2021.
//
// Let H(s) be the probability that the winner is in a set S, whose scores are all moved up by s b. The
// density of the largest noisy score in S is a sum of one candidate's density times the other ones'
// distribution functions; moved by ds it grows by e^ds at most, and so does H. The same holds of the other
// candidates and 1 - H when they are moved. Hence H' <= min(H, 1 - H): over a distance of epsilon, from S
// down and all others up by D / b each to S up and all others down, H(s) = x becomes no more than the
// solution of H' = min(H, 1 - H), which is the power at x of Laplace noise of scale 1 that moves by epsilon.
// Two candidates attain it: the one that is s b behind wins with probability e^-s / 2.
//
// So that pair of Laplace noise dominates, and one release has its profile; each epsilon has another worst
// gap, and no two tables the whole of it.
#include "core/loss/response_loss.h"
#include "core/loss/winner_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> laplace(const Description& description);

namespace {

class PermuteAndFlipLoss final : public WinnerLoss {
 public:
  using WinnerLoss::WinnerLoss;

  Bounds delta(double epsilon) const override { return of_noise().delta(epsilon); }
  Bounds delta_between(DoubleDouble epsilon) const override { return of_noise().delta_between(epsilon); }
  Bounds power(double false_positive) const override { return of_noise().power(false_positive); }
  // So many records move a score by as many times the sensitivity.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    return std::make_shared<PermuteAndFlipLoss>(noise().group(ahead, behind));
  }
  bool groups_by_number() const override { return true; }
};

// Both ends of the loss have all of the probability, up to less than rounding.
constexpr double smallest = 1e-100;

}  // namespace

std::shared_ptr<const PrivacyLoss> permute_and_flip(const Description& description) {
  const double epsilon = description.number("epsilon", 0, 700);
  if (epsilon < smallest) return std::make_shared<ResponseLoss>(epsilon, 2, 0);
  return std::make_shared<PermuteAndFlipLoss>(
      laplace({"laplace", {{"sensitivity", epsilon}, {"scale", 1}}, {}, {}, {}}));
}

}  // namespace epsilometer::mechanisms
