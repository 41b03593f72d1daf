// Gaussian noise of standard deviation sigma on a query of L2 sensitivity Delta: mu = Delta / sigma.
#include "core/loss/gaussian_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> gaussian(const Description& description) {
  const DoubleDouble sensitivity{description.scale("sensitivity")}, sigma{description.scale("sigma")};
  return std::make_shared<GaussianLoss>(sensitivity / sigma);
}

}  // namespace epsilometer::mechanisms
