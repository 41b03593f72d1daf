"""What every answer of Epsilometer means, computed from the definition in high-precision arithmetic.

A mechanism is a pair of output distributions (P, Q), or a set of such pairs.  For a pair

    delta(eps)   = sup_E P(E) - e^eps Q(E)           the most likely-ratio set E = {dP/dQ > e^eps} attains it
    epsilon(d)   = the smallest eps >= 0 with delta(eps) <= d
    renyi(a)     = log( int p^a q^(1-a) ) / (a-1)
    power(x)     = sup { P(E) : Q(E) <= x }          randomised E allowed (Neyman and Pearson)

and for a set of pairs the supremum of each.  Nothing here is rearranged for stability: sums and differences
are taken as they stand, and `settle` repeats the whole computation with twice the digits until 32 digits agree.
Inputs are taken as the exact values of their doubles.
"""
import math
from mpmath import mpf, exp, log, sqrt, erfc, inf

from arithmetic import positive_log, rising_root, root, supremum


class Pair:
    largest_loss, infinite_mass = inf, 0

    def epsilon(self, d):
        if self.delta(mpf(0)) <= d:
            return mpf(0)
        if d < self.infinite_mass or (d == self.infinite_mass and self.largest_loss == inf):
            return inf
        if d == self.infinite_mass:
            return max(mpf(0), self.largest_loss)
        goal, low, high = log(d), mpf(0), mpf(1)
        while self.delta(high) > d:
            low, high = high, 2 * high
        if self.delta(high) == 0:
            return root(lambda e: self.delta(e) / d - 1, low, high)
        return root(lambda e: positive_log(self.delta(e)) - goal, low, high)


class Outcomes(Pair):
    """Finitely many outcomes, or classes of outcomes with one likelihood ratio: a list of (P-mass, Q-mass)."""

    def __init__(self, masses):
        self.masses = [(p, q) for p, q in masses if p > 0 or q > 0]
        self.infinite_mass = sum(p for p, q in self.masses if q == 0)
        self.largest_loss = max([log(p / q) for p, q in self.masses if p > 0 and q > 0], default=-inf)

    def delta(self, eps):
        return sum(max(p - exp(eps) * q, mpf(0)) for p, q in self.masses)

    def curve(self):
        """Corners (Q(E), P(E)) of the best tests, the likeliest ratios first."""
        x, y, corners = mpf(0), mpf(0), []
        for p, q in sorted(self.masses, key=lambda m: -m[0] / m[1] if m[1] > 0 else -inf):
            x, y = x + q, y + p
            corners.append((x, y))
        return corners

    def epsilon(self, d):
        """delta(eps) <= d says (P(E) - d) / Q(E) <= e^eps for every best test E."""
        best = mpf(0)
        for x, y in self.curve():
            if x == 0 and y > d:
                return inf
            if x > 0 and y > d:
                best = max(best, log((y - d) / x))
        return best

    def renyi(self, order):
        if self.infinite_mass > 0:
            return inf
        return log(sum(p ** order * q ** (1 - order) for p, q in self.masses if p > 0)) / (order - 1)

    def power(self, x):
        last_x, last_y = mpf(0), mpf(0)
        for corner_x, corner_y in self.curve():
            if corner_x > x:
                return last_y + (corner_y - last_y) * (x - last_x) / (corner_x - last_x)
            last_x, last_y = corner_x, corner_y
        return last_y


def randomized_response(categories, eps):
    total = exp(eps) + categories - 1
    true, other = exp(eps) / total, 1 / total
    return [(true, other), (other, true), ((categories - 2) * other, (categories - 2) * other)]


def staircase(eps, gamma):
    """Noise whose density drops by e^-eps at gamma, 1 + gamma, 2 + gamma, ... on both sides, against the same moved by 1: the pieces on which both
    densities are level, and both tails, which have one ratio each."""
    step, first = exp(-eps), mpf(gamma)
    drops = [first + k for k in range(4)]
    height = lambda x: step ** sum(1 for drop in drops if drop < abs(x))
    places = sorted({side * drop + move for drop in drops for side in (-1, 1) for move in (0, 1)})
    inside = [place for place in places if -drops[2] <= place <= drops[3]]
    pieces = [((right - left) * height((left + right) / 2), (right - left) * height((left + right) / 2 - 1)) for left, right in zip(inside, inside[1:])]
    tail = step ** 3 / (1 - step)
    whole = 2 * (first + step / (1 - step))
    return [(p / whole, q / whole) for p, q in [(tail, step * tail), *pieces, (step * tail, tail)]]


def approximate(eps, failure):
    return [(failure, mpf(0)), (mpf(0), failure)] + [((1 - failure) * p, (1 - failure) * q) for p, q in randomized_response(2, eps)]


def discrete_laplace(scale, shift):
    """p(x) ~ r^|x| against its shift; the two geometric tails have one ratio each and are summed."""
    r = exp(-1 / scale)
    norm = (1 - r) / (1 + r)
    tail = norm / (1 - r)
    inner = [(norm * r ** x, norm * r ** (shift - x)) for x in range(1, shift)]
    return [(tail, tail * r ** shift)] + inner + [(tail * r ** shift, tail)]


def repeated_response(eps, count):
    """The product of `count` binary responses, its outcomes counted by their number of lies."""
    true = exp(eps) / (1 + exp(eps))
    return [(c * true ** (count - i) * (1 - true) ** i, c * true ** i * (1 - true) ** (count - i))
            for i, c in ((i, mpf(math.comb(count, i))) for i in range(count + 1))]


def normal_tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


class Normal(Pair):
    """N(0,1) against N(mu,1); the loss falls with x, so the best tests are the half-lines x < c."""

    def __init__(self, mu):
        self.mu = mu
        self.largest_loss = inf if mu > 0 else mpf(0)

    def delta(self, eps):
        if self.mu == 0:
            return max(mpf(0), 1 - exp(eps))
        c = self.mu / 2 - eps / self.mu
        return normal_tail(-c) - exp(eps) * normal_tail(self.mu - c)

    def renyi(self, order):
        return order * self.mu ** 2 / 2  # int p^a q^(1-a) = exp(a (a-1) mu^2 / 2), the square completed

    def power(self, x):
        if x in (0, 1):
            return x
        small = min(x, 1 - x)
        bound = sqrt(-2 * log(small)) + 1
        c = root(lambda z: log(normal_tail(z)) - log(small), mpf(-1), bound)
        c = c if small == x else -c
        return normal_tail(c - self.mu)


class Laplace(Pair):
    """exp(-|x|)/2 against exp(-|x-shift|)/2; the best tests are again half-lines x < c."""

    def __init__(self, shift):
        self.shift = self.largest_loss = shift

    @staticmethod
    def below(x):
        return exp(x) / 2 if x <= 0 else 1 - exp(-x) / 2

    def delta(self, eps):
        if abs(eps) >= self.shift:
            return max(mpf(0), 1 - exp(eps))
        c = (self.shift - eps) / 2  # here |x - shift| - |x| = eps
        return self.below(c) - exp(eps) * self.below(c - self.shift)

    def renyi(self, order):
        s, rate = self.shift, 2 * order - 1
        left = exp((order - 1) * s) / 2  # x < 0: the ratio is e^s
        right = exp(-order * s) / 2  # x > s: the ratio is e^-s, the P-mass e^-s/2
        middle = exp((order - 1) * s) * (1 - exp(-rate * s)) / (2 * rate)  # int_0^s exp(-a x - (1-a)(s-x)) / 2
        return log(left + middle + right) / (order - 1)

    def power(self, x):
        if x in (0, 1):
            return x
        c = self.shift + (log(2 * x) if x <= 0.5 else -log(2 * (1 - x)))  # Q(X < c) = x
        return self.below(c)


class PermuteAndFlip(Pair):
    """All pairs of two scores, of which the one that is `ahead` wins with the stated probability; as one of both is moved by eps / 2 and the other by
    as much against it. More candidates do not tell more (docs/composition.md). Of Renyi divergences only a bound is known."""

    def __init__(self, eps):
        self.eps = self.largest_loss = eps

    @staticmethod
    def wins(ahead):
        """In half of all orders the worse one comes first, and is taken with probability e^-distance."""
        worse = exp(-abs(ahead)) / 2
        return worse if ahead < 0 else 1 - worse

    def delta(self, eps):
        if abs(eps) >= self.eps:
            return max(mpf(0), 1 - exp(eps))
        return supremum(lambda ahead: self.wins(ahead + self.eps) - exp(eps) * self.wins(ahead), -self.eps, mpf(0))

    def renyi(self, order):
        return Laplace(self.eps).renyi(order)

    def power(self, x):
        if x in (0, 1):
            return x
        return self.wins((log(2 * x) if x <= 0.5 else -log(2 * (1 - x))) + self.eps)


class BoundedRange:
    """All mechanisms whose loss lies in some [t - eta, t], 0 <= t <= eta.  For fixed t every quantity is the mean
    of a convex function of the likelihood ratio, largest for the two-point pair with losses t and t - eta."""

    infinite_mass = 0

    def __init__(self, eta):
        self.eta = self.largest_loss = eta

    epsilon = Pair.epsilon

    def likely(self, t):
        return (exp(self.eta) - exp(t)) / (exp(self.eta) - 1)  # P-mass of loss t, from total Q-mass 1

    def over_t(self, value, low=mpf(0), high=None):
        return supremum(value, low, self.eta if high is None else high)

    def delta(self, eps):
        if abs(eps) >= self.eta:
            return max(mpf(0), 1 - exp(eps))
        # between these ends the two losses lie on either side of eps; outside, delta is 0 or 1 - e^eps
        return self.over_t(lambda t: self.likely(t) * (1 - exp(eps - t)), max(mpf(0), eps), min(self.eta, self.eta + eps))

    def renyi(self, order):
        if self.eta == 0:
            return mpf(0)
        mean = lambda t: self.likely(t) * exp((order - 1) * t) + (1 - self.likely(t)) * exp((order - 1) * (t - self.eta))
        return self.over_t(lambda t: log(mean(t))) / (order - 1)

    def power(self, x):
        if self.eta == 0:
            return x
        return self.over_t(lambda t: min(exp(t) * x, 1 - exp(t - self.eta) * (1 - x)))
