// One sample of the ridge posterior with the regularisation that was typed, if the table allows it, by
// propose-test-release: Redberg 2023 (thesis), Algorithm 14, with the safe side of each bound and the
// sensitivity of the smaller table.
#include "core/release/linear/adaptive_posterior.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> ops_ptr(const FitRequest& request) {
  return adaptive_posterior(Request(request, adaptive_posterior_numbers, {}), Lambda::tested);
}

}  // namespace epsilometer::algorithms
