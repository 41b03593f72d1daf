#include "core/release/price.h"

#include "core/accounting/group.h"

namespace epsilometer {
Price price(const Description& run, const Promise& promise, double gap) {
  const auto loss = privacy_loss(run);
  if (promise.rows > 1 && promise.epsilon) {
    GroupPrivacy one(loss, 1, gap);
    const double lower = one.epsilon(promise.delta).lower;
    if (one.certainty() != Certainty::exact) return {{lower, *promise.epsilon}, Certainty::bound};
  }
  GroupPrivacy group(loss, promise.rows, gap);
  Price found{group.epsilon(promise.delta), group.certainty()};
  if (promise.epsilon && found.epsilon.lower <= *promise.epsilon && *promise.epsilon < found.epsilon.upper &&
      group.delta(*promise.epsilon).upper <= promise.delta)
    found.epsilon.upper = *promise.epsilon;
  found.certainty = certainty_of(found.epsilon, found.certainty);
  return found;
}

}  // namespace epsilometer
