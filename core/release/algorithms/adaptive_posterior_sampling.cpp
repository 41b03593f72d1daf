// One sample of the ridge posterior, with the regularisation and the noise that the table itself allows.
// AdaOPS, Wang 2018; Redberg 2023 (thesis), Algorithm 15.
#include "core/release/linear/adaptive_posterior.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> adaptive_posterior_sampling(const FitRequest& request) {
  return adaptive_posterior(Request(request, adaptive_posterior_numbers, {}), Lambda::raised);
}

}  // namespace epsilometer::algorithms
