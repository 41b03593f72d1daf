// What a release costs everybody who is protected by it.
#pragma once

#include <optional>

#include "core/accounting/profile.h"
#include "core/loss/description.h"

namespace epsilometer {

/// What is promised, or at which delta a price is told: to whoever has at most `rows` rows in the table.
struct Promise {
  std::optional<double> epsilon;
  double delta, rows;
};

struct Price {
  Bounds epsilon;
  Certainty certainty;
};

/// epsilon at the promise's delta, and no more than the promise's own where delta is certified to be small
/// enough there. What was found to keep a promise (Request::noise) keeps it, and is not asked about several
/// rows again where that would take long: they leak no less than what one row does.
Price price(const Description& run, const Promise& promise);

}  // namespace epsilometer
