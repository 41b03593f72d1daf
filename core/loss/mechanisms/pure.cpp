// Everything that is epsilon-differentially private: binary randomized response is the worst of it.
#include "core/loss/response_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> pure(const Description& description) {
  return std::make_shared<ResponseLoss>(description.number("epsilon", 0, 1e100), 2, 0);
}

}  // namespace epsilometer::mechanisms
