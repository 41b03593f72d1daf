// Everything that is (xi, rho)-zero-concentrated differentially private: Bun and Steinke 2016,
// Definition 1.1. At rho = 0 no order has a divergence above xi, which makes it xi-private.
#include "core/loss/concentrated_loss.h"
#include "core/loss/response_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> xi_zcdp(const Description& description) {
  const double xi = description.number("xi", 0, 1e100), rho = description.number("rho", 0, 1e100);
  if (rho == 0) return std::make_shared<ResponseLoss>(xi, 2, 0);
  return std::make_shared<ConcentratedLoss>(Bounds{rho, rho}, std::numeric_limits<double>::infinity(),
                                            Bounds{xi, xi});
}

}  // namespace epsilometer::mechanisms
