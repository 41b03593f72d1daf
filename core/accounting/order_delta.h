// What a Renyi divergence of a single order allows: pairs of probabilities (p, q) of an event, p >= q, with
// p^a q^(1-a) + (1-p)^a (1-q)^(1-a) <= e^{(a-1) D}, a convex set. In likelihood ratios this reads q h(x) +
// (1-q) h(y) <= e^{(a-1) D} - 1 with x = log(p/q), y = log((1-p)/(1-q)), all terms positive.
#pragma once

namespace epsilometer {

/// The least upper bound on delta(epsilon), epsilon >= 0, of everything with a divergence of at most that
/// much at that order (> 1): Asoodeh, Liao, Calmon, Kosut and Sankar 2021, Theorem 3. Rounded up.
double order_delta(double order, double divergence, double epsilon);

/// About the epsilon >= 0 at which that bound is `delta`, in (0, 1). Steers only.
double order_epsilon(double order, double divergence, double delta);

/// The logit of p at the point p = 1 - q of the border, rounded up.
double order_logit(double order, double divergence);

/// The log of the border's slope dp/dq at that point, rounded down.
double slope_at_logit(double order, double logit);

/// log of h(x) = (e^{ax} - 1) - a (e^x - 1) with a = order.
double log_convexity(double order, double x);

/// log of h(x)/e^x, where p is at hand instead of q.
double log_convexity_to_p(double order, double x);

/// log(e^{(order-1) divergence} - 1).
double log_allowed(double order, double divergence);

/// log(e^a + e^b).
double log_sum(double a, double b);

}  // namespace epsilometer
