"""Pairs of output distributions, as in `pairs.py`, of noise with a bound, whose densities are cut off and rescaled, and on the whole
numbers, whose probabilities are Bessel functions or convolutions, all by their definitions."""
import functools

from mpmath import mp, mpf, besseli, exp, log, inf

from arithmetic import root
from pairs import Outcomes, Pair


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


class WholeNoise(Outcomes):
    """A law on the whole numbers, symmetric, given by its weights from 0 to `reach`, against its shift."""

    def __init__(self, weights, shift):
        self.shift = shift
        norm = weights[0] + 2 * sum(weights[1:])
        law = lambda x: weights[abs(x)] / norm if abs(x) < len(weights) else mpf(0)
        self.law = law
        ends = len(weights) - 1 - shift  # P and Q are both known here
        super().__init__([(law(x), law(x - shift)) for x in range(-ends, ends + 1)])
        self.largest_loss, self.infinite_mass = inf, 0

    def epsilon(self, d):
        return super().epsilon(d) if d > 0 else inf


def skellam(variance, shift):
    reach = 40 + int(30 * variance ** mpf("0.5")) + 2 * shift
    while besseli(reach, variance) * exp(-variance) > mpf(10) ** -(mp.dps + 330):
        reach += reach // 8
    return WholeNoise([besseli(n, variance) for n in range(reach + 1)], shift)


def distributed_discrete_gaussian(sigma, clients, shift):
    return WholeNoise(convolved(sigma, clients, shift, mp.dps), shift)


@functools.lru_cache
def convolved(sigma, clients, shift, _digits):
    """The weights of the sum, one client after the other."""
    width = int(sigma * (2 * log(mpf(10)) * (mp.dps + 330)) ** mpf("0.5")) + 2
    reach = int((sigma ** 2 * clients * 2 * log(mpf(10)) * (mp.dps + 330)) ** mpf("0.5")) + clients + shift + 2
    one = {x: exp(-x * x / (2 * sigma ** 2)) for x in range(-width, width + 1)}
    weights = one
    for _ in range(clients - 1):
        new = {}
        for x, weight in weights.items():
            for y in range(max(-width, -reach - x), min(width, reach - x) + 1):
                new[x + y] = new.get(x + y, mpf(0)) + weight * one[y]
        weights = new
    return [weights[n] for n in range(max(weights) + 1)]
