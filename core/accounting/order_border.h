// The border of what Renyi divergences of given orders allow: the largest probability p of an event under P
// when Q gives it q. As in order_delta.h.
#pragma once

#include <vector>

namespace epsilometer {

struct OrderBound {
  double order, divergence;
};

/// A point (p, q) of the border, with p >= q.
struct Border {
  double log_p, log_ratio;
  /// log of dp/dq along the border.
  double log_slope;
  /// What rounding may cost in log_ratio.
  double doubt;
};

/// Of one order, and of several together.
Border border(const OrderBound& bound, double log_q);
Border border(const std::vector<OrderBound>& bounds, double log_q);

/// log(p/q) at p = 1 - rest, at most. Q and P in the other order obey the same bounds: the event that misses
/// has probability `rest` under one and at most 1 - q under the other.
double border_ratio(const OrderBound& bound, double rest);

}  // namespace epsilometer
