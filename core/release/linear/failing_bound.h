// A release that goes on by a released bound, which fails with a probability that does not depend on the
// table.
#pragma once

#include <vector>

#include "core/release/request.h"

namespace epsilometer {

/// Releases that go on by a bound, together: they cost as said where it holds, and `failure` is charged for
/// that it may not hold.
Description with_failing_bound(std::vector<Description> parts, double failure);

/// Of delta, what is for such failures: as the request says, which it must where it names the noise;
/// otherwise that part of its budget.
double share_for_failure(const Request& request, double parts);

/// The probability with which the bound may then fail, rounded down. Refused by what was asked for where that
/// leaves none.
double chance_of_failure(const std::vector<Description>& parts, double failure, const Request& request);

}  // namespace epsilometer
