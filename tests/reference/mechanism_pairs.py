"""Pairs of output distributions, as in `pairs.py`, of three mechanisms: discrete Gaussian noise, Gaussian mixing, objective
perturbation.  Again nothing is rearranged for stability; sums, tails and integrals are mpmath's."""
from mpmath import mp, mpf, exp, log, sqrt, pi, gammainc, inf, log1p, quad

from arithmetic import rising_root, root
from pairs import Normal, Outcomes, Pair, normal_tail


class DiscreteGaussian(Outcomes):
    """p(x) ~ exp(-x^2 / (2 sigma^2)) on the integers against its shift, as far out as the digits (for delta >= 1e-320) go."""

    def __init__(self, sigma, shift):
        self.mass, self.shift = lambda x: exp(-x * x / (2 * sigma ** 2)), shift
        self.reach = int(sigma * sqrt(2 * log(mpf(10)) * (mp.dps + 330))) + shift + 2
        law = {x: self.mass(x) for x in range(-self.reach - shift, self.reach + 1)}
        self.norm = sum(law.values())
        super().__init__([(law[x] / self.norm, law[x - shift] / self.norm) for x in range(-self.reach, self.reach + 1)])
        self.largest_loss, self.infinite_mass = inf, 0

    def epsilon(self, d):
        return super().epsilon(d) if d > 0 else inf

    def renyi(self, order):
        """p^a q^(1-a) is largest near -(a-1) shift, which may lie outside of what the other answers need."""
        middle = -int((order - 1) * self.shift)
        terms = (self.mass(x) ** order * self.mass(x - self.shift) ** (1 - order) for x in range(middle - self.reach, middle + self.reach + 1))
        return log(sum(terms) / self.norm) / (order - 1)


def integral(function, points):
    """mpmath's quad, whose tolerance is absolute, of a function of any size."""
    size = max(abs(function(a + (b - a) * share)) for a, b in zip(points, points[1:]) for share in (mpf(1) / 64, mpf(1) / 2, 1 - mpf(1) / 64))
    return size * quad(lambda x: function(x) / size, points) if size > 0 else mpf(0)


class Worse(Pair):
    """Several pairs, of which every answer is the largest: the two directions of one mechanism."""

    def __init__(self, *pairs):
        self.pairs = pairs

    def delta(self, eps):
        return max(pair.delta(eps) for pair in self.pairs)

    def renyi(self, order):
        return max(pair.renyi(order) for pair in self.pairs)

    def power(self, x):
        return max(pair.power(x) for pair in self.pairs)


class Spread(Pair):
    """The squared length r of N(0, u)^k against that of N(0, v)^k. Under N(0, w)^k, r / (2w) is Gamma(k/2); the likelihood
    ratio (v/u)^(k/2) exp(r (1/v - 1/u) / 2) moves one way with r, so the best tests are r > c (u > v) or r < c (u < v)."""

    def __init__(self, k, u, v):
        self.a, self.u, self.v = mpf(k) / 2, u, v

    def mass(self, c, w):
        """The probability of the test under N(0, w)^k."""
        if c <= 0:
            return mpf(1) if self.u > self.v else mpf(0)
        if self.u > self.v:
            return gammainc(self.a, c / (2 * w), inf, regularized=True)
        return gammainc(self.a, 0, c / (2 * w), regularized=True)

    def delta(self, eps):
        c = 2 * (eps - self.a * log(self.v / self.u)) / (1 / self.v - 1 / self.u)
        return self.mass(c, self.u) - exp(eps) * self.mass(c, self.v)

    def renyi(self, order):
        """int p^a q^(1-a) over r is a Gamma integral again, of rate (a/u + (1-a)/v) / 2."""
        rate = order / self.u + (1 - order) / self.v
        if rate <= 0:
            return inf
        return log(self.u ** (-order * self.a) * self.v ** ((order - 1) * self.a) * rate ** -self.a) / (order - 1)

    def power(self, x):
        if x in (0, 1):
            return x
        sign = 1 if self.u > self.v else -1
        goal = log(x)

        def excess(w):
            mass = self.mass(self.v * exp(sign * w), self.v)
            return goal - log(mass) if mass > exp(goal - 50) else mpf(50)

        return self.mass(self.v * exp(sign * rising_root(excess, sign * log(2 * self.a))), self.u)


def gaussian_mixing(k, leverage):
    return Worse(Spread(k, mpf(1), 1 - leverage), Spread(k, 1 - leverage, mpf(1)))


class Ramp(Pair):
    """A bound on a loss: it is at most base + slope |z| (two sides) or base + slope max(z, 0) (one), with z standard normal
    under P. delta(eps) is at most the mean of (1 - e^(eps - bound))_+, and the others what follows from P's law."""

    def __init__(self, base, slope, sides):
        self.base, self.slope, self.sides = base, slope, sides

    def beyond(self, z):
        """P and Q of the z beyond, on every side that counts (Q has the density phi(z) e^-bound)."""
        s = self.slope
        return self.sides * normal_tail(z), self.sides * exp(s * s / 2 - self.base) * normal_tail(z + s)

    def delta(self, eps):
        rest = 1 - mpf(self.sides) / 2
        flat = rest * max(mpf(0), 1 - exp(eps - self.base))
        p, q = self.beyond(max(mpf(0), (eps - self.base) / self.slope))
        return flat + p - exp(eps) * q

    def renyi(self, order):
        t = order - 1
        mean = 1 - mpf(self.sides) / 2 + self.sides * exp((t * self.slope) ** 2 / 2) * normal_tail(-t * self.slope)
        return self.base + log(mean) / t

    def power(self, x):
        if x in (0, 1):
            return x
        p, q = self.beyond(mpf(0))
        if x >= q:
            return min(mpf(1), p + exp(self.base) * (x - q))
        return self.beyond(root(lambda z: log(self.beyond(z)[1]) - log(x), mpf(0), 2 + sqrt(-2 * log(x))))[0]


class Heights:
    """Bounds on one release by objective perturbation, from the derivation in core/loss/objective_levels.h: for every height
    of the map, what it can add at most. The places of the peaks come from the ratio r = height/place, and the rest is quad."""

    def __init__(self, slope, kappa):
        self.slope, self.kappa, self.c = slope, kappa, kappa / (1 + kappa)

    @staticmethod
    def density(x):
        return exp(-x * x / 2) / sqrt(2 * pi)

    def over_heights(self, function, *points):
        cuts = sorted({mpf(0), self.slope} | {p for p in points if 0 < p < self.slope})
        return sum(integral(function, [a, b]) for a, b in zip(cuts, cuts[1:]))

    def adding(self, eps):
        """phi(eps/h - h/2) for one of the heights h and -h; for the other K at v = h/kappa: M + int_v^inf dB/dh."""
        k, grown = self.kappa, (1 + self.kappa) * exp(eps)

        def other(h):
            p, v = eps / h - h / 2, h / k
            b = max(mpf(0), self.density(v) - exp(eps) * self.density(v + h))
            m = (max(mpf(0), self.density(v) - grown * self.density(v + h)) - b) / k
            return m + exp(eps) * self.density(max(v, p) + h)

        first = Normal(self.slope).delta(eps)
        turn, end = (sqrt(e / (1 / k + mpf(1) / 2)) for e in (eps, eps + log(1 + k)))
        return first + min(first, self.over_heights(other, turn, end))

    def removing(self, eps, one_signed):
        """The largest K for one of the heights h and -h; for the other K at w = -h/c: int_-inf^w dB/dh - M."""
        k, c, level = self.kappa, self.c, eps - log(1 + self.kappa)
        turn = sqrt(eps / (1 / k + mpf(1) / 2))
        least = max(mpf(0), exp(-level) - 1)
        last = k if self.slope >= turn else root(lambda r: r * (level + log(1 + r)) / (1 + r / 2) - self.slope ** 2, least, k)

        def peak(t):  # r = least + t^2
            r = least + t * t
            square = max(level, mpf(0)) + log1p(t * t / (1 + least))  # level + log(1 + r)
            rate = r / (1 + r / 2) / (1 + r) + square / (1 + r / 2) ** 2  # of the squared height
            w = sqrt(square / (r + r * r / 2))
            value = (self.density(w) - exp(level) * self.density(w + r * w)) / c
            return value * rate / (2 * r * w) * 2 * t if t > 0 else mpf(0)

        end = sqrt(max(mpf(0), last - least))
        total = integral(peak, [end * mpf(x) / 16 for x in (0, 1, 2, 4, 8, 12, 16)])
        if self.slope > turn:
            total += Normal(self.slope).delta(eps) - (Normal(turn).delta(eps) if turn > 0 else 0)
        if not one_signed and level < 0:
            until = sqrt(-level / (1 / c - mpf(1) / 2))
            total += integral(lambda h: (self.density(h / c) - exp(level) * self.density(h - h / c)) / c, [0, min(self.slope, until)])
        return total


class ObjectivePerturbation(Pair):
    """The smaller bound in each direction, the larger direction, and eps < 0 by 1 - e^eps + e^eps delta(-eps)."""

    def __init__(self, slope, kappa, one_signed):
        self.heights, self.one_signed = Heights(slope, kappa), one_signed
        half = slope ** 2 / 2
        self.add, self.remove = Ramp(half, slope, 1 if one_signed else 2), Ramp(log(1 + kappa) + half, slope, 1)
        self.gaussian = Normal(slope)

    def delta(self, eps):
        if eps < 0:
            return 1 - exp(eps) + exp(eps) * self.delta(-eps)
        return min(self.bound(eps), self.bound(mpf(0)))

    def bound(self, eps):
        """It need not fall with eps; delta does."""
        adding = min(self.add.delta(eps), self.gaussian.delta(eps) if self.one_signed else self.heights.adding(eps))
        return max(adding, min(self.remove.delta(eps), self.heights.removing(eps, self.one_signed)))

    def renyi(self, order):
        return max(self.add.renyi(order), self.remove.renyi(order))

    def power(self, x):
        return max(self.add.power(x), self.remove.power(x))
