"""Pairs of output distributions, as in `pairs.py`, of noise with a bound: densities cut off and rescaled, by their definition."""
from mpmath import mpf, exp, log, inf

from arithmetic import root
from pairs import Pair


class Truncated(Pair):
    """Symmetric log-concave noise on [-bound, bound] against itself moved by `shift`. `below` is its distribution function
    without the bound, `loss(x)` the logarithm of the ratio of the densities at x, which falls; best tests are half-lines x < c."""

    def __init__(self, below, loss, shift, bound):
        self.shift, self.bound, self.loss = shift, bound, loss
        norm = below(bound) - below(-bound)
        self.below = lambda x: (below(min(max(x, -bound), bound)) - below(-bound)) / norm
        self.apart = 2 * bound <= shift
        self.infinite_mass = mpf(1) if self.apart else self.below(shift - bound)
        self.largest_loss = -inf if self.apart else loss(shift - bound)

    def value(self, eps, c):
        return self.below(c) - exp(eps) * self.below(c - self.shift)

    def delta(self, eps):
        if self.apart:
            return mpf(1)
        ends = self.shift - self.bound, self.bound
        if eps >= self.loss(ends[0]):
            return self.value(eps, ends[0])
        if eps <= self.loss(ends[1]):
            return self.value(eps, ends[1])  # beyond are outcomes that only the other one has
        return self.value(eps, root(lambda x: self.loss(x) - eps, *ends))

    def renyi(self, order):
        return inf if self.infinite_mass > 0 else mpf(0)

    def power(self, x):
        if self.apart or x == 1:
            return mpf(1)
        if x == 0:
            return self.infinite_mass
        # On a grid of logarithms near the lower end, where x may be small.
        low, high = -self.bound, self.bound
        c = root(lambda w: self.below(low + (high - low) * exp(w)) - x, log(mpf(10)) * -400, mpf(0))
        return self.below(low + (high - low) * exp(c) + self.shift)


def truncated_laplace(scale, shift, bound):
    below = lambda x: exp(x / scale) / 2 if x < 0 else 1 - exp(-x / scale) / 2
    return Truncated(below, lambda x: (abs(x - shift) - abs(x)) / scale, shift, bound)


def truncated_gaussian(sigma, shift, bound):
    from pairs import normal_tail
    return Truncated(lambda x: normal_tail(-x / sigma), lambda x: shift * (shift - 2 * x) / (2 * sigma ** 2), shift, bound)
