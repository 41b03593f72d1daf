// Everything that is mu-Gaussian differentially private: Dong, Roth and Su 2019, Corollary 1.
#include "core/loss/gaussian_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> gdp(const Description& description) {
  return std::make_shared<GaussianLoss>(DoubleDouble{description.number("mu", 0, 1e100)});
}

}  // namespace epsilometer::mechanisms
