"""Pairs, as in `pairs.py`, that are a list of outcomes and not symmetric: both directions are asked."""
from mpmath import mpf, exp, inf

from mechanism_pairs import Worse
from pairs import Outcomes, Pair


def swapped(masses):
    return [(q, p) for p, q in masses]


def loss_table(masses):
    return Worse(Outcomes(masses), Outcomes(swapped(masses)))


class BothWays(Pair):
    """The supremum of all pairs that a table dominates in both directions: over a = e^eps the lower convex hull of what table
    and mirror image both allow. A profile below a hull that is convex is that of a pair; and the mirror image of a hull of
    two that are each other's mirror image is itself. All chords between corners are tried."""

    def __init__(self, masses):
        self.sides = Outcomes(masses), Outcomes(swapped(masses))
        levels = {p / q for side in self.sides for p, q in side.masses if q > 0} | {mpf(1)}
        self.levels = sorted(levels | {mpf(0), 2 * max(levels)})
        self.infinite_mass = min(side.infinite_mass for side in self.sides)

    def both_allow(self, a):
        return min(sum(max(p - a * q, mpf(0)) for p, q in side.masses) for side in self.sides)

    def at(self, a):
        """Beyond all corners both are level."""
        value = self.both_allow(a)
        for x in self.levels:
            for y in self.levels:
                if x < a < y:
                    value = min(value, (self.both_allow(x) * (y - a) + self.both_allow(y) * (a - x)) / (y - x))
        return value

    def delta(self, eps):
        return self.at(exp(eps))

    def outcomes(self):
        """By how much the slope changes at each corner: Q, and a times that is P."""
        values = [self.at(a) for a in self.levels]
        slopes = [(v - w) / (b - a) for a, b, v, w in zip(self.levels, self.levels[1:], values, values[1:])] + [mpf(0)]
        return Outcomes([(a * (s - t), s - t) for a, s, t in zip(self.levels[1:], slopes, slopes[1:])])

    def renyi(self, order):
        return inf if self.infinite_mass > 0 else self.outcomes().renyi(order)

    def power(self, x):
        """The lowest of all lines delta + a x."""
        return min([min(mpf(1), self.at(a) + a * x) for a in self.levels] + [mpf(1)])


def against_random(categories, eps):
    """The true answer with odds e^eps to 1, against one of all categories at random."""
    total = exp(eps) + categories - 1
    return [(exp(eps) / total, 1 / categories), ((categories - 1) / total, (categories - 1) / categories)]


def stated_table(description, infinite):
    """A table of losses: what is left of Q is where P has nothing."""
    finite = [(mpf(p), mpf(p) * exp(-mpf(loss))) for loss, p in zip(description["losses"], description["masses"])]
    rest = 1 - sum(q for _, q in finite)
    return finite + [(infinite, mpf(0)), (mpf(0), max(rest, mpf(0)))]
