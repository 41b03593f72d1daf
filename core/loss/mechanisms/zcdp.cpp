// Everything that is rho-zero-concentrated differentially private: Bun and Steinke 2016, Definition 1.1.
#include "core/loss/concentrated_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> zcdp(const Description& description) {
  return std::make_shared<ConcentratedLoss>(description.number("rho", 0, 1e100),
                                            std::numeric_limits<double>::infinity());
}

}  // namespace epsilometer::mechanisms
