// With A the event that the bound fails, of probability p, delta is at most P(A) plus that of the composition
// on A's complement: p + delta(epsilon). The description says failure + (1 - failure) delta(epsilon), which
// is no less for all epsilon >= 0 in both directions, hence for all, when p = failure (1 - delta(0)).
#include "core/release/linear/failing_bound.h"

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/linear/linear_algorithm.h"

namespace epsilometer {

Description with_failing_bound(std::vector<Description> parts, double failure) {
  parts.push_back({"approximate", {{"epsilon", 0}, {"delta", failure}}, {}, {}, {}});
  return composed(std::move(parts));
}

double chance_of_failure(const std::vector<Description>& parts, double failure) {
  const auto loss = privacy_loss(composed(parts));
  return in_range("failure", failure * (1 - Profile(*loss).delta(0).upper), 1e-50, 0.5);
}

}  // namespace epsilometer
