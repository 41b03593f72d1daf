// Everything that is rho-zero-concentrated differentially private: Bun and Steinke 2016, Definition 1.1.
#include "core/loss/concentrated_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> zcdp(const Description& description) {
  const double rho = description.number("rho", 0, 1e100);
  return std::make_shared<ConcentratedLoss>(Bounds{rho, rho}, std::numeric_limits<double>::infinity());
}

}  // namespace epsilometer::mechanisms
