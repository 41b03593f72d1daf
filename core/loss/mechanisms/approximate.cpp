// Everything that is (epsilon, delta)-differentially private: Kairouz, Oh and Viswanath 2015, Theorem 3.3.
#include "core/loss/response_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> approximate(const Description& description) {
  return std::make_shared<ResponseLoss>(description.number("epsilon", 0, 1e100), 2,
                                        description.number("delta", 0, 1));
}

}  // namespace epsilometer::mechanisms
