// The conversion of Renyi bounds that are stated at a list of orders: Asoodeh, Liao, Calmon, Kosut and Sankar
// 2021, Theorem 3, intersected over the orders.
#pragma once

#include <vector>

#include "core/accounting/order_border.h"

namespace epsilometer {

/// The least upper bound on delta(epsilon), epsilon >= 0, that all of them allow together. Rounded up.
double stated_delta(const std::vector<OrderBound>& bounds, double epsilon);

/// About the epsilon >= 0 at which that is `delta`, in (0, 1). Steers only.
double stated_epsilon(const std::vector<OrderBound>& bounds, double delta);

}  // namespace epsilometer
