// What a release costs everybody who is protected by it.
#pragma once

#include <optional>

#include "core/accounting/profile.h"
#include "core/loss/description.h"

namespace epsilometer {

/// A certified interval of epsilon may be this wide, relatively, where a budget is held against it: what it
/// leaves of a budget is never noticed.
inline constexpr double fine_gap = 1e-7;

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
/// rows again where that would take long: they leak no less than what one row does. `gap`: of an interval
/// that is certified, relatively.
Price price(const Description& run, const Promise& promise, double gap = fine_gap);

}  // namespace epsilometer
