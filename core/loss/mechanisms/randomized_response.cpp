// Randomized response among k categories, for the change of one person's category.
#include "core/loss/response_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> randomized_response(const Description& description) {
  return std::make_shared<ResponseLoss>(description.number("epsilon", 0, 1e100),
                                        description.whole("categories", 2, 1e15), 0);
}

}  // namespace epsilometer::mechanisms
