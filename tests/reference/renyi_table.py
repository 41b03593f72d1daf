"""The optimal conversion of Renyi bounds, at a list of orders or at all (Asoodeh, Liao, Calmon, Kosut and Sankar 2021).

The best test turns (P, Q) into two coins (p, q) and cannot raise a Renyi divergence, so (p, q) lies in every
    S_a = { p^a q^(1-a) + (1-p)^a (1-q)^(1-a) <= e^((a-1) eps_a) },   S_1 = { Kullback-Leibler divergence <= eps_1 },
and so does (1-q, 1-p), because the bound holds for (Q, P) as well. The coins themselves are a mechanism: delta(eps) =
sup p - e^eps q over the intersection, exactly. The sets are convex, and meet their mirror images at p = 1 - q: a corner,
where eps is between 0 and the slope of p_max there. Otherwise, with p_a(q) the upper edge of S_a and p_max = min(1, min_a p_a), concave, the answers are tangents of p_max:
    delta:    slope p_max'(q) = e^eps;        epsilon:  slope p_max'(q) = (p_max(q) - d)/q, the line through (0, d).
The tangent point is bracketed by bisection in logit q, then solved at full precision either on one edge (smooth) or at
the corner of two; it is accepted only after the conditions of optimality (sufficient, by convexity) are checked.
"""
from mpmath import mp, mpf, exp, log, findroot, inf

from arithmetic import Unsettled, root

CAP = None  # the edge p = 1


def log_coin(logit):
    """log of the probabilities of heads and of tails."""
    return -log(1 + exp(-logit)), -log(1 + exp(logit))


def epsilon_at(corner, d):
    """The epsilon at which the line through a corner of what is allowed is as high as d; None when none of its lines is."""
    logit, level = corner
    p, q = (exp(part) for part in log_coin(logit))
    if d <= p - exp(level) * q:
        return None
    return log((p - d) / q) if d < p - q else mpf(0)


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
        return self.rise(lambda u: self.excess(a, u, v), v)

    @staticmethod
    def rise(excess, start):
        """The zero of a function that rises from a negative value at the start."""
        step = mpf(1)
        while excess(start + step) < 0:
            step *= 2
        return root(excess, start, start + step)

    def excess(self, a, u, v):
        """What the coins exceed S_a by; < 0 inside."""
        if a == 1:
            (p, p_), (q, q_) = log_coin(u), log_coin(v)
            return exp(p) * (p - q) + exp(p_) * (p_ - q_) - self.epsilons[a]
        return self.log_moment(a, u, v) - (a - 1) * self.epsilons[a]

    def slope(self, a, u, v):
        """log of dp/dq along the edge of S_a, by the implicit function theorem; r and s are the likelihood ratios."""
        if a is CAP:
            return -inf
        q, q_ = log_coin(v)
        p, p_ = log_coin(u) if u != inf else (mpf(0), -inf)
        r, s = p - q, p_ - q_
        if a == 1:
            return log((exp(r) - exp(s)) / (r - s))
        return log((a - 1) / a) + log(exp(a * r) - exp(a * s)) - log(exp((a - 1) * r) - exp((a - 1) * s))

    def lowest(self, v):
        edges = [(self.edge(a, v), a) for a in self.orders]
        u, a = min(edges, key=lambda edge: edge[0])
        return (u, a) if u != inf else (inf, CAP)

    def around(self, before, width):
        """Two v on both sides of that point, and the orders whose edges these are on."""
        test = lambda v: (lambda u, a: (before(u, v, self.slope(a, u, v)), a))(*self.lowest(v))
        low = high = mpf(0)
        step = mpf(1)
        while test(low)[0] <= 0:
            low, step = low - step, 2 * step
        step = mpf(1)
        while test(high)[0] > 0:
            high, step = high + step, 2 * step
        while high - low > width * max(1, abs(low)):
            middle = (low + high) / 2
            low, high = (middle, high) if test(middle)[0] > 0 else (low, middle)
        return low, high, test(low)[1], test(high)[1]

    def tangent(self, before):
        """The point (u, v) of p_max where `before(u, v, log slope)` (> 0 left of the answer) changes sign."""
        with mp.workdps(40):
            low, high, left, right = self.around(before, mpf(10) ** -12)
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
                feasible = self.excess(a, u, v) <= abs(a - 1) * self.epsilons[a] * tiny
            if not feasible:
                raise Unsettled
        if not (self.slope(left, u, v) >= level - tiny and self.slope(right, u, v) <= level + tiny):
            raise Unsettled

    def corner(self):
        """The logit of p at the corner, and the log of the slope to its left."""
        logits = {a: self.rise(lambda u: self.excess(a, u, -u), mpf(0)) for a in self.orders}
        a = min(logits, key=logits.get)
        return logits[a], self.slope(a, logits[a], -logits[a])

    def delta(self, eps):
        if min(self.epsilons.values()) == 0:
            return max(mpf(0), 1 - exp(eps))
        logit, level = self.corner()
        if eps < level:
            return exp(log_coin(logit)[0]) - exp(eps + log_coin(-logit)[0])
        u, v, left, right = self.tangent(lambda u, v, slope: slope - eps)
        self.certify(u, v, left, right, eps)
        return exp(log_coin(u)[0] if u != inf else 0) - exp(eps + log_coin(v)[0])

    @staticmethod
    def through(d):
        """> 0 left of the point whose tangent goes through (0, d)."""

        def before(u, v, slope):
            height = exp(log_coin(u)[0] if u != inf else 0) - d
            if slope == -inf:
                return -height
            return 1 - height / exp(slope + log_coin(v)[0])

        return before

    def epsilon(self, d):
        if min(self.epsilons.values()) == 0 or d == 1:
            return mpf(0)
        if d == 0:
            return inf

        at_corner = epsilon_at(self.corner(), d)
        if at_corner is not None:
            return at_corner

        u, v, left, right = self.tangent(self.through(d))
        eps = log(exp(log_coin(u)[0] if u != inf else 0) - d) - log_coin(v)[0]
        self.certify(u, v, left, right, eps)
        return max(eps, mpf(0))

    def renyi(self, order):
        """(a-1) D_a is convex in a and 0 at a = 1: its largest value is the lower convex envelope of the table."""
        points = [(mpf(1), mpf(0))] + [(a, (a - 1) * self.epsilons[a]) for a in self.orders]
        chords = [y0 + (y1 - y0) * (order - x0) / (x1 - x0) for x0, y0 in points for x1, y1 in points if x0 < order <= x1]
        return min(chords) / (order - 1) if chords else inf

    def power(self, x):
        if x in (0, 1) or min(self.epsilons.values()) == 0:
            return x
        v = log(x) - log(1 - x)
        if v <= -self.corner()[0]:
            u = self.lowest(v)[0]
        else:  # (1 - x) of a mirrored coin at most reaches what is missed
            u = min(self.rise(lambda u: self.excess(a, -v, -u), v) for a in self.orders)
        return mpf(1) if u == inf else exp(log_coin(u)[0])


class Concentrated:
    """D_a <= xi + rho a for 1 <= a <= omega, converted as all these orders allow together. What a single order allows is an
    upper bound; at the order where no other excludes the coins that attain it, it is the answer, which is checked at
    orders all over their range and for both directions."""

    infinite_mass = 0

    def __init__(self, rho, omega=inf, xi=mpf(0)):
        self.rho, self.omega, self.xi = rho, omega, xi
        self.largest_loss = inf if rho > 0 else mpf(0)

    def alone(self, a):
        return RenyiTable([a], [self.renyi(a)])

    def excess(self, t, u, v):
        return self.alone(1 + t).excess(1 + t, u, v)

    def slope(self, t, u, v):
        """d/dt of log moment - t (xi + rho (1 + t)), over t: > 0 when larger orders exclude the coins."""
        (p, p_), (q, q_) = log_coin(u), log_coin(v)
        heads, tails = exp((1 + t) * p - t * q), exp((1 + t) * p_ - t * q_)
        r, s = p - q, p_ - q_ if u != inf else mpf(0)
        if t == 0:
            mean = heads * r + tails * s
            return heads * (r - mean) ** 2 + tails * (s - mean) ** 2 - 2 * self.rho
        return ((heads * r + tails * s) / (heads + tails) - self.xi - self.rho * (1 + 2 * t)) / t

    def best(self, rough, condition):
        """The coins of the best order. rough(a) are about those of order a, which satisfy condition(a, u, v) = 0."""
        last, slope = self.omega - 1, self.slope
        with mp.workdps(20 + int(3 * abs(log(self.rho, 10)))):
            guess = lambda t: slope(t, *rough(1 + t))
            fixed = mpf(0) if guess(mpf(0)) <= 0 else last if last < inf and guess(last) >= 0 else None
            if fixed is None:
                high = min(mpf(1), last)
                while guess(high) > 0:
                    high = min(4 * high, last)
                low = high / 4
                while guess(low) < 0:
                    low, high = low / 4, low
                while high > low * mpf(1.05):
                    middle = (low * high) ** mpf(0.5)
                    low, high = (middle, high) if guess(middle) > 0 else (low, middle)
                t = high
            else:
                t = fixed
            u, v = rough(1 + t)
        on_edge = lambda t, u, v: [self.excess(t, u, v) / (t or 1) / self.rho, condition(1 + t, u, v)]
        if fixed is None:
            system = lambda w, u, v: on_edge(exp(w), u, v) + [slope(exp(w), u, v) / self.rho]
            w, u, v = self.solved(system, (log(t), u, v))
            t = exp(w)
        else:
            u, v = self.solved(lambda u, v: on_edge(fixed, u, v), (u, v))
        self.certify(t, u, v)
        self.order = 1 + t
        return u, v

    @staticmethod
    def solved(system, start):
        try:
            return findroot(system, start, tol=mpf(10) ** (-mp.dps))
        except ValueError:
            raise Unsettled

    def certify(self, t, u, v):
        tiny = mpf(10) ** -(mp.dps // 3)
        least, most = (mpf(1), mpf(1)) if t == 0 else (t, t)
        orders = [mpf(0)] + [least * mpf(2) ** i for i in range(-50, 1)] + [most * mpf(2) ** i for i in range(1, 50)]
        for s in orders:
            if s <= self.omega - 1:
                limit = max(s, tiny) * (self.xi + self.rho * (1 + s)) * tiny
                if max(self.excess(s, u, v), self.excess(s, -v, -u)) > limit:
                    raise Unsettled

    def corner(self):
        u, _ = self.best(lambda a: (lambda u: (u, -u))(self.alone(a).corner()[0]), lambda a, u, v: u + v)
        return u, self.alone(self.order).slope(self.order, u, -u)

    def touching(self, before):
        """The coins at which the border's tangent is the one that is asked for."""

        def rough(a):
            v = sum(self.alone(a).around(before, mpf(10) ** -5)[:2]) / 2
            return self.alone(a).edge(a, v), v

        return self.best(rough, lambda a, u, v: before(u, v, self.alone(a).slope(a, u, v)))

    def delta(self, eps):
        if self.rho == 0:
            return max(mpf(0), 1 - exp(eps))
        logit, level = self.corner()
        if eps < level:
            return exp(log_coin(logit)[0]) - exp(eps + log_coin(-logit)[0])
        u, v = self.touching(lambda u, v, slope: slope - eps)
        return exp(log_coin(u)[0]) - exp(eps + log_coin(v)[0])

    def epsilon(self, d):
        if self.rho == 0 or d == 1:
            return mpf(0)
        if d == 0:
            return inf
        at_corner = epsilon_at(self.corner(), d)
        if at_corner is not None:
            return at_corner
        u, v = self.touching(RenyiTable.through(d))
        return log(exp(log_coin(u)[0]) - d) - log_coin(v)[0]

    def power(self, x):
        if x in (0, 1) or self.rho == 0:
            return x
        at = log(x) - log(1 - x)
        if at <= -self.corner()[0]:
            u, _ = self.best(lambda a: (self.alone(a).edge(a, at), at), lambda a, u, v: v - at)
            return exp(log_coin(u)[0])
        missed = lambda a: RenyiTable.rise(lambda u: self.alone(a).excess(a, -at, -u), at)
        _, v = self.best(lambda a: (-at, -missed(a)), lambda a, u, v: u + at)
        return exp(log_coin(-v)[0])

    def renyi(self, order):
        return self.xi + self.rho * order if order <= self.omega else inf
