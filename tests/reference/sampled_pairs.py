"""Pairs of output distributions, as in `pairs.py`, of a mechanism that runs on a random sample of the records.

Poisson: the changed record joins with probability q, so the outcome with it has the law M = (1-q) Q + q P and without it Q;
the two directions (M, Q) and (Q, M) are two pairs. Fixed size, replacing a record: the pair that leaks the most has the
losses above 0 of (M, Q), the losses below 0 of (Q, M), and its remaining outcomes tell nothing. Masses are exact integrals
of the mixture over half-lines; divergences are integrals of its density by quadrature."""
from mpmath import mp, mpf, exp, log, log1p, sqrt, pi, linspace, inf

from arithmetic import rising_root, supremum
from mechanism_pairs import Worse, integral
from pairs import Laplace, Normal, Outcomes, Pair, normal_tail


class NormalNoise:
    def __init__(self, shift):
        self.shift = shift

    density = staticmethod(lambda x: exp(-x * x / 2) / sqrt(2 * pi))
    below = staticmethod(lambda x: normal_tail(-x))

    def place(self, loss):
        """Where density(x) / density(x - shift) = e^loss; the ratio falls with x."""
        return self.shift / 2 - loss / self.shift

    def mean(self, function, order, low, high):
        """The integral of density(x - shift) function(x), whose peak a power of this order carries up to so many shifts away."""
        reach, far = sqrt(2 * log(mpf(10)) * mp.dps) + 3, order * self.shift
        return by_pieces(lambda x: self.density(x - self.shift) * function(x), max(low, -far - reach), min(high, far + self.shift + reach))


class LaplaceNoise:
    def __init__(self, shift):
        self.shift = shift

    density = staticmethod(lambda x: exp(-abs(x)) / 2)
    below = staticmethod(Laplace.below)

    def place(self, loss):
        if abs(loss) >= self.shift:
            return -inf if loss > 0 else inf
        return (self.shift - loss) / 2

    def mean(self, function, _, low, high):
        """Left of 0 and right of the shift the ratio, and so the function, is constant."""
        s = self.shift
        ends = (function(mpf(0)) * self.below(-s) if low < 0 else 0) + (function(s) / 2 if high > s else 0)
        return ends + by_pieces(lambda x: self.density(x - s) * function(x), max(low, mpf(0)), min(high, s))


def by_pieces(function, low, high):
    points = linspace(low, high, int(high - low) + 2)
    return sum(integral(function, [a, b]) for a, b in zip(points, points[1:]))


class Mixture(Pair):
    """What both directions share. `odds` is the ratio of the base's densities, `ratio` that of the mixture's to Q's."""

    def __init__(self, noise, rate):
        self.noise, self.rate = noise, rate

    def ratio(self, x):
        odds = self.noise.density(x) / self.noise.density(x - self.noise.shift)
        return 1 - self.rate + self.rate * odds

    def place(self, ratio):
        odds = (ratio - 1 + self.rate) / self.rate
        return self.noise.place(log(odds)) if odds > 0 else inf

    def left(self, c):
        """Masses of M and Q left of c."""
        p, q = self.noise.below(c), self.noise.below(c - self.noise.shift)
        return (1 - self.rate) * q + self.rate * p, q

    def right(self, c):
        p, q = self.noise.below(-c), self.noise.below(self.noise.shift - c)
        return (1 - self.rate) * q + self.rate * p, q

    def moment(self, order):
        """The integral of Q ratio^order."""
        return self.noise.mean(lambda x: self.ratio(x) ** order, abs(order), -inf, inf)


class Removing(Mixture):
    def __init__(self, noise, rate):
        super().__init__(noise, rate)
        if isinstance(noise, LaplaceNoise):
            self.largest_loss = log(self.ratio(mpf(0)))

    def delta(self, eps):
        c = self.place(exp(eps))
        if c == -inf:
            return mpf(0)
        mixed, plain = self.left(c) if c < inf else (1, 1)
        return mixed - exp(eps) * plain

    def power(self, x):
        goal = log(x)
        return self.left(rising_root(lambda c: log(self.left(c)[1]) - goal))[0]

    def renyi(self, order):
        return log(self.moment(order)) / (order - 1)


class Adding(Mixture):
    def __init__(self, noise, rate):
        super().__init__(noise, rate)
        self.largest_loss = -log(self.ratio(noise.shift)) if isinstance(noise, LaplaceNoise) else -log(1 - rate)

    def delta(self, eps):
        c = self.place(exp(-eps))
        if c == inf:
            return mpf(0)
        mixed, plain = self.right(c) if c > -inf else (1, 1)
        return plain - exp(eps) * mixed

    def power(self, x):
        goal = log(x)
        return self.right(rising_root(lambda c: goal - log(self.right(c)[0])))[1]

    def renyi(self, order):
        return log(self.moment(1 - order)) / (order - 1)


class FixedSize(Pair):
    """Above 0 the losses of (M, Q), and delta(eps) = 1 - e^eps + e^eps delta(-eps) as for every symmetric pair."""

    def __init__(self, noise, rate):
        self.above = Removing(noise, rate)
        self.largest_loss = self.above.largest_loss

    def delta(self, eps):
        return self.above.delta(eps) if eps >= 0 else 1 - exp(eps) + exp(eps) * self.above.delta(-eps)

    def power(self, x):
        """The smallest of delta(eps) + e^eps x: the profile at eps bounds every test, and one of them attains it."""
        line, top = lambda e: -(self.delta(e) + exp(e) * x), mpf(1)
        while line(top) > line(top / 2) or line(-top) > line(-top / 2):
            top *= 2
        return -supremum(line, -top, top)

    def renyi(self, order):
        """The outcomes of ratio r > 1 weigh Q r in one half and Q in the other; what remains of the mass has ratio 1."""
        gain = lambda r: r ** order - r + r ** (1 - order) - 1
        middle = self.above.noise.shift / 2
        return log1p(self.above.noise.mean(lambda x: gain(self.above.ratio(x)), order, -inf, middle)) / (order - 1)


def sampled(base, rate, fixed_size):
    """The pair of `base` (normal noise, Laplace noise or a table of outcomes) on a sample."""
    if isinstance(base, Outcomes):
        mixed = [((1 - rate) * q + rate * p, q) for p, q in base.masses]
        if not fixed_size:
            forward, backward = Outcomes(mixed), Outcomes([(q, m) for m, q in mixed])
            return Worse(forward, backward)
        gained = [(m, q) for m, q in mixed if m > q]
        rest = 1 - sum(m + q for m, q in gained)
        return Outcomes(gained + [(q, m) for m, q in gained] + [(rest, rest)])
    noise = NormalNoise(base.mu) if isinstance(base, Normal) else LaplaceNoise(base.shift)
    return FixedSize(noise, rate) if fixed_size else Worse(Removing(noise, rate), Adding(noise, rate))
