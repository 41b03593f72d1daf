"""Pairs of output distributions, as in `pairs.py`, of normal noise whose shift is random: the mixture of N(s_j, 1) against N(0, 1),
in both directions. The ratio of their densities rises with x, so that the best tests are half-lines."""
from mpmath import mp, mpf, exp, log, sqrt, pi, inf

from arithmetic import rising_root
from mechanism_pairs import Worse
from pairs import Pair, normal_tail
from sampled_pairs import by_pieces


class Shifted(Pair):
    """What both directions share: a list of (shift, probability), all probabilities positive."""

    def __init__(self, components):
        self.components = components
        self.most = max(s for s, _ in components)
        self.without = sum(p for s, p in components if s == 0)

    def ratio(self, x):
        return sum(p * exp(s * x - s * s / 2) for s, p in self.components)

    def place(self, ratio):
        """Where the densities have that ratio; -inf where they nowhere have."""
        if ratio <= self.without:
            return -inf
        return rising_root(lambda x: log(self.ratio(x)) - log(ratio))

    def above(self, x):
        return sum(p * normal_tail(x - s) for s, p in self.components)

    def below(self, x):
        return sum(p * normal_tail(s - x) for s, p in self.components)

    def moment(self, order):
        reach = sqrt(2 * log(mpf(10)) * mp.dps) + 3
        density = lambda x: exp(-x * x / 2) / sqrt(2 * pi)
        return by_pieces(lambda x: density(x) * self.ratio(x) ** order, min(order, 0) * self.most - reach, max(order, 1) * self.most + reach)


class Removing(Shifted):
    def delta(self, eps):
        x = self.place(exp(eps))
        return 1 - exp(eps) if x == -inf else self.above(x) - exp(eps) * normal_tail(x)

    def power(self, x):
        return x if x in (0, 1) else self.above(-rising_root(lambda z: log(normal_tail(-z)) - log(x)))

    def renyi(self, order):
        return log(self.moment(order)) / (order - 1)


class Adding(Shifted):
    def __init__(self, components):
        super().__init__(components)
        self.largest_loss = -log(self.without) if self.without > 0 else inf

    def delta(self, eps):
        x = self.place(exp(-eps))
        return mpf(0) if x == -inf else normal_tail(-x) - exp(eps) * self.below(x)

    def power(self, x):
        return x if x in (0, 1) else normal_tail(-rising_root(lambda z: log(self.below(z)) - log(x)))

    def renyi(self, order):
        return log(self.moment(1 - order)) / (order - 1)


def gaussian_mixture(sigma, sensitivities, probabilities):
    """Probabilities are those of the question over their sum, which a rule of the kind holds near 1."""
    total = sum(probabilities)
    components = [(c / sigma, p / total) for c, p in zip(sensitivities, probabilities) if p > 0]
    return Worse(Removing(components), Adding(components))
