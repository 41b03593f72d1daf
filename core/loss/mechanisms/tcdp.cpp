// Everything that is (rho, omega)-truncated concentrated: Bun, Dwork, Rothblum and Steinke 2018,
// Definition 1.
#include "core/loss/concentrated_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> tcdp(const Description& description) {
  const double rho = description.number("rho", 0, 1e100);
  return std::make_shared<ConcentratedLoss>(Bounds{rho, rho}, description.number("omega", 1.000001, 1e100));
}

}  // namespace epsilometer::mechanisms
