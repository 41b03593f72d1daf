// Gaussian mixing: k random normal combinations of the rows of a table, plus noise. A row of leverage t at
// most 1/gamma in the larger table changes N(0, 1)^k to N(0, 1-t)^k, of which a smaller leverage is a
// post-processing; the pair at t = 1/gamma is the worst. With a = k/2 and S ~ Gamma(a), half a chi-square of
// k degrees of freedom, the loss is a log(1-t) + S/(gamma-1) with the row and -a log(1-t) - S/gamma without.
// Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Lemma 1, for the Renyi divergence; the profile
// is exact.
#include "core/loss/mixing_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> gaussian_mixing(const Description& description) {
  return std::make_shared<MixingLoss>(description.whole("sketchSize", 1, 1e6),
                                      description.number("gamma", 1.000001, 1e12));
}

}  // namespace epsilometer::mechanisms
