"""The optimal conversion of a table of Renyi bounds (Asoodeh, Liao, Calmon, Kosut and Sankar 2021).

The best test turns (P, Q) into two coins (p, q) and cannot raise a Renyi divergence, so (p, q) lies in every
    S_a = { p^a q^(1-a) + (1-p)^a (1-q)^(1-a) <= e^((a-1) eps_a) },
and the coins themselves are a mechanism: delta(eps) = sup p - e^eps q over the intersection, exactly. The sets are
convex. With p_a(q) the upper edge of S_a and p_max = min(1, min_a p_a), concave, the answers are tangents of p_max:
    delta:    slope p_max'(q) = e^eps;        epsilon:  slope p_max'(q) = (p_max(q) - d)/q, the line through (0, d).
The tangent point is bracketed by bisection in logit q, then solved at full precision either on one edge (smooth) or at
the corner of two; it is accepted only after the conditions of optimality (sufficient, by convexity) are checked.
"""
from mpmath import mp, mpf, exp, log, inf

from arithmetic import Unsettled, root

CAP = None  # the edge p = 1


def log_coin(logit):
    """log of the probabilities of heads and of tails."""
    return -log(1 + exp(-logit)), -log(1 + exp(logit))


class RenyiTable:
    def __init__(self, orders, epsilons):
        self.orders, self.epsilons = orders, dict(zip(orders, epsilons))

    def log_moment(self, a, u, v):
        (p, p_), (q, q_) = log_coin(u), log_coin(v)
        return log(exp(a * p + (1 - a) * q) + exp(a * p_ + (1 - a) * q_))

    def edge(self, a, v):
        """logit of p_a(q), or infinity when p = 1 is allowed."""
        limit = self.epsilons[a]
        if log_coin(v)[0] >= -limit:
            return inf
        excess = lambda u: self.log_moment(a, u, v) - (a - 1) * limit
        step = mpf(1)
        while excess(v + step) < 0:
            step *= 2
        return root(excess, v, v + step)

    def slope(self, a, u, v):
        """log of dp/dq along the edge of S_a, by the implicit function theorem; r and s are the likelihood ratios."""
        if a is CAP:
            return -inf
        q, q_ = log_coin(v)
        p, p_ = log_coin(u) if u != inf else (mpf(0), -inf)
        r, s = p - q, p_ - q_
        return log((a - 1) / a) + log(exp(a * r) - exp(a * s)) - log(exp((a - 1) * r) - exp((a - 1) * s))

    def lowest(self, v):
        edges = [(self.edge(a, v), a) for a in self.orders]
        u, a = min(edges, key=lambda edge: edge[0])
        return (u, a) if u != inf else (inf, CAP)

    def tangent(self, before):
        """The point (u, v) of p_max where `before(u, v, log slope)` (> 0 left of the answer) changes sign."""
        with mp.workdps(40):
            test = lambda v: (lambda u, a: (before(u, v, self.slope(a, u, v)), a))(*self.lowest(v))
            low = high = mpf(0)
            step = mpf(1)
            while test(low)[0] <= 0:
                low, step = low - step, 2 * step
            step = mpf(1)
            while test(high)[0] > 0:
                high, step = high + step, 2 * step
            while high - low > mpf(10) ** -12 * max(1, abs(low)):
                middle = (low + high) / 2
                low, high = (middle, high) if test(middle)[0] > 0 else (low, middle)
            left, right = test(low)[1], test(high)[1]
            spread = 64 * (high - low)
        if right is CAP:
            v = mpf(-min(self.epsilons.values()))
            v = v - log(1 - exp(v))
            u = inf
        elif left == right:
            on_edge = lambda v: (lambda u: before(u, v, self.slope(left, u, v)))(self.edge(left, v))
            v = root(on_edge, low - spread, high + spread)
            u = self.edge(left, v)
        else:
            v = root(lambda v: self.edge(left, v) - self.edge(right, v), low - spread, high + spread)
            u = self.edge(left, v)
        return u, v, left, right

    def certify(self, u, v, left, right, level):
        """Feasible for every order, and e^level between the slopes on the two sides: optimal."""
        tiny = mpf(10) ** -(mp.dps // 3)
        for a in self.orders:
            if u == inf:
                feasible = -log_coin(v)[0] <= self.epsilons[a] * (1 + tiny)
            else:
                feasible = self.log_moment(a, u, v) <= (a - 1) * self.epsilons[a] * (1 + tiny)
            if not feasible:
                raise Unsettled
        if not (self.slope(left, u, v) >= level - tiny and self.slope(right, u, v) <= level + tiny):
            raise Unsettled

    def delta(self, eps):
        if min(self.epsilons.values()) == 0:
            return max(mpf(0), 1 - exp(eps))
        u, v, left, right = self.tangent(lambda u, v, slope: slope - eps)
        self.certify(u, v, left, right, eps)
        return exp(log_coin(u)[0] if u != inf else 0) - exp(eps + log_coin(v)[0])

    def epsilon(self, d):
        if min(self.epsilons.values()) == 0 or d == 1:
            return mpf(0)
        if d == 0:
            return inf

        def before(u, v, slope):
            height = exp(log_coin(u)[0] if u != inf else 0) - d
            if slope == -inf:
                return -height
            return 1 - height / exp(slope + log_coin(v)[0])

        u, v, left, right = self.tangent(before)
        eps = log(exp(log_coin(u)[0] if u != inf else 0) - d) - log_coin(v)[0]
        self.certify(u, v, left, right, eps)
        return max(eps, mpf(0))

    def renyi(self, order):
        """(a-1) D_a is convex in a and 0 at a = 1: its largest value is the lower convex envelope of the table."""
        points = [(mpf(1), mpf(0))] + [(a, (a - 1) * self.epsilons[a]) for a in self.orders]
        chords = [y0 + (y1 - y0) * (order - x0) / (x1 - x0) for x0, y0 in points for x1, y1 in points if x0 < order <= x1]
        return min(chords) / (order - 1) if chords else inf

    def power(self, x):
        if x in (0, 1):
            return x
        u = self.lowest(log(x) - log(1 - x))[0]
        return mpf(1) if u == inf else exp(log_coin(u)[0])
