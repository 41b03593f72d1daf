"""Pairs of output distributions, as in `pairs.py`, of mechanisms: discrete Gaussian noise, Gaussian mixing, the winner of a noisy
vote, objective perturbation.  Again nothing is rearranged for stability; sums, tails and integrals are mpmath's."""
from mpmath import erfi, mp, mpf, exp, log, sqrt, pi, gammainc, inf, log1p, quad, workdps

from arithmetic import positive_log, rising_root, root, supremum
from pairs import Laplace, Normal, Outcomes, Pair, normal_tail


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
        self.infinite_mass = max(pair.infinite_mass for pair in pairs)
        self.largest_loss = max(pair.largest_loss for pair in pairs if pair.infinite_mass == self.infinite_mass)

    def delta(self, eps):
        return max(pair.delta(eps) for pair in self.pairs)

    def epsilon(self, d):
        return max(pair.epsilon(d) for pair in self.pairs)

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


class LaplaceDifference(Pair):
    """The difference of two Laplace noises of scale 1 against itself moved by c, its density the convolution written out. The
    likelihood ratio rises, so the best tests are half-lines from where it is e^eps on; the sign of a gap is one of them."""

    infinite_mass = 0

    def __init__(self, c):
        self.c = self.largest_loss = c

    @staticmethod
    def density(x):
        return (1 + abs(x)) * exp(-abs(x)) / 4

    @staticmethod
    def above(x):
        tail = lambda y: (2 + y) * exp(-y) / 4
        return tail(x) if x >= 0 else 1 - tail(-x)

    def delta(self, eps):
        if abs(eps) >= self.c:
            return max(mpf(0), 1 - exp(eps))
        told = lambda x: log(self.density(x - self.c) / self.density(x)) - eps
        end = self.c / 2 + 1
        while told(end) < 0:
            end *= 2
        start = self.c / 2 - 1
        while told(start) > 0:
            start = 2 * start - self.c
        x = root(told, start, end)
        return self.above(x - self.c) - exp(eps) * self.above(x)

    def power(self, x):
        if x in (0, 1):
            return x
        small = min(x, 1 - x)
        y = rising_root(lambda z: log(small) - log(self.above(z)), mpf(1)) if small < 0.5 else mpf(0)
        return self.above((y if small == x else -y) - self.c)


def report_noisy_max(noise, votes, two, scale):
    """Of two classes, the pair of their gap; of more, that of the noisy numbers, which bounds it."""
    if noise == "laplace":
        return LaplaceDifference(votes / scale) if two else Laplace(votes / scale)
    return Normal(votes / (sqrt(mpf(2)) * scale)) if two or votes == 2 else Normal(1 / scale)


class Normals(Pair):
    """Two normal laws with different deviations, P and Q; the one that has the larger deviation first or last."""

    def __init__(self, p, q):
        self.p, self.q = p, q

    def delta(self, eps):
        (m, s), (n, t) = self.p, self.q
        # (x - n)^2 / t^2 - (x - m)^2 / s^2 + 2 log(t / s) - 2 eps has two roots, or none.
        a, b, c = 1 / t**2 - 1 / s**2, 2 * (m / s**2 - n / t**2), n**2 / t**2 - m**2 / s**2 + 2 * log(t / s) - 2 * eps
        room = b * b - 4 * a * c
        if room <= 0:
            return max(mpf(0), 1 - exp(eps)) if a > 0 else mpf(0)
        low, high = sorted(((-b - sqrt(room)) / (2 * a), (-b + sqrt(room)) / (2 * a)))
        outside = lambda mean, deviation: normal_tail((high - mean) / deviation) + normal_tail((mean - low) / deviation)
        if a > 0:
            return outside(m, s) - exp(eps) * outside(n, t)

        def between(mean, deviation):
            """In the tail on the side where both ends may lie: from 1 a small one cannot be told with any digits that agree."""
            if mean > (low + high) / 2:
                return normal_tail((mean - high) / deviation) - normal_tail((mean - low) / deviation)
            return normal_tail((low - mean) / deviation) - normal_tail((high - mean) / deviation)

        return between(m, s) - exp(eps) * between(n, t)

    def renyi(self, order):
        (m, s), (n, t) = self.p, self.q
        variance = order * t**2 + (1 - order) * s**2
        if variance <= 0:
            return inf
        return log(t / s) + log(t**2 / variance) / (2 * (order - 1)) + order * (m - n) ** 2 / (2 * variance)

    def power(self, x):
        """Both roots are as far from a centre that does not depend on epsilon: rejected is what lies outside, where P is wider,
        or between them."""
        if x in (0, 1):
            return x
        (m, s), (n, t) = self.p, self.q
        steeper = 1 / t**2 - 1 / s**2
        centre = (n / t**2 - m / s**2) / steeper

        def rejected(mean, deviation, h):
            outside = normal_tail((centre + h - mean) / deviation) + normal_tail((mean - centre + h) / deviation)
            return outside if steeper > 0 else 1 - outside

        deviations = 9 + sqrt(-2 * log(x)) + sqrt(-2 * log1p(-x))
        # No density is above 1 / (2 t).
        near = mpf(0) if steeper > 0 else max(t * x / 2, abs(centre - n) - t * deviations)
        far = abs(centre - n) + t * deviations
        return rejected(m, s, root(lambda h: positive_log(rejected(n, t, h)) - log(x), near, far))


def posterior_sampling(leverage, residual):
    without = residual, sqrt(leverage)
    held = residual / (1 + leverage), sqrt(leverage / (1 + leverage))
    return Worse(Normals(held, without), Normals(without, held))


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


class Maps:
    """One release by objective perturbation: the largest delta over all maps v -> v + k(v), k rising with a slope in [0, kappa]
    between -s and s (core/loss/mechanisms/objective_perturbation.cpp), and over their inverses. Which maps can be best is
    proved in core/loss/objective_levels.h; here their one parameter is sought on a grid and then by golden section, or where
    an integral makes that slow by the zero of the slope. check.py holds it against a dynamic programme that knows neither."""

    GRID = 240

    def __init__(self, slope, kappa, one_signed):
        self.slope, self.kappa, self.c, self.one_signed = slope, kappa, kappa / (1 + kappa), one_signed

    def best(self, function, low, high):
        """The supremum of a function with one hump at least as wide as the grid."""
        count = max(self.GRID, int(high - low))
        at = lambda i: low + (high - low) * i / count
        values = [function(at(i)) for i in range(count + 1)]
        i = max(range(count + 1), key=lambda j: values[j])
        return max(values[i], supremum(function, at(max(i - 1, 0)), at(min(i + 1, count))))

    def reach(self, gaussian):
        """No place beyond matters to 40 digits of anything that is not smaller than this delta."""
        return sqrt(2 * (100 - log(gaussian))) if gaussian > 0 else mpf(0)

    def adding(self, eps):
        gaussian = Normal(self.slope).delta(eps)
        if self.one_signed:
            return gaussian
        last = self.slope / self.kappa - eps / self.slope + self.slope / 2
        if last <= 0:
            return 2 * gaussian
        return max(gaussian, self.best(lambda z: self.ramp(z, eps) + self.ramp(-z, eps), mpf(0), min(last, self.reach(gaussian))))

    def ramp(self, z, eps):
        """delta of k(v) = min(s, kappa (v - z)+): the ratio passes e^eps on the slope, at its end, or beyond it."""
        s, k = self.slope, self.kappa
        end = z + s / k
        if end * s + s * s / 2 >= eps + log(1 + k):
            a, b, c = k + k * k / 2, k * z, eps + log(1 + k)
            v = z + (sqrt(b * b + 4 * a * c) - b) / (2 * a)
            return normal_tail(v) - exp(eps) * normal_tail(v + k * (v - z))
        v = max(end, eps / s - s / 2)
        return normal_tail(v) - exp(eps) * normal_tail(v + s)

    def removing(self, eps):
        gaussian, level = Normal(self.slope).delta(eps), eps - log(1 + self.kappa)
        if level > 0:
            return max(gaussian, self.following(eps, level, gaussian))
        last = mpf(0) if self.one_signed else -self.slope
        return max(gaussian, self.best(lambda y: self.fall(y, last, eps), mpf(0), self.reach(gaussian)))

    def divergence(self, order):
        """The largest Renyi divergence over all maps, of which no other is better than a ramp at one place for both signs
        (core/loss/objective_divergence.h); here from the integrals over v and over w themselves."""
        a, s = order - 1, self.slope
        outer = exp(order * a * s * s / 2)

        def moment(place, rate, sign):
            end, quadratic, linear = s / rate, a * (rate * rate / 2 + sign * rate) - mpf(1) / 2, -a * place * rate * (sign + rate)
            level = a * (rate * place) ** 2 / 2
            if quadratic < -mpf(1) / 1000:
                deviation, middle = 1 / sqrt(-2 * quadratic), -linear / (2 * quadratic)
                low, high = ((place + way * end - middle) / deviation for way in (-1, 1))
                mass = normal_tail(low) - normal_tail(high) if low > 0 else normal_tail(-high) - normal_tail(-low)
                inner = deviation * exp(level - linear * linear / (4 * quadratic)) * mass
            else:
                steep = sqrt(quadratic)
                rise = lambda v: erfi(steep * v + linear / (2 * steep))
                inner = exp(level - linear * linear / (4 * quadratic)) * (rise(place + end) - rise(place - end)) / (2 * steep * sqrt(2))
            out = end - sign * a * s
            beyond = normal_tail(out + place) + normal_tail(out - place)
            return outer * beyond + (1 + self.kappa) ** (-sign * a) * inner

        largest = lambda rate, sign: self.best(lambda place: moment(place, rate, sign), mpf(0), s / rate + 12 + a * s)
        return log(max(outer, largest(self.kappa, 1), largest(self.c, -1))) / a

    def fall(self, y, last, eps):
        """delta of h(w) = c (y - w), between s and `last`, where it stops; what it gains until then."""
        s, c, level = self.slope, self.c, eps - log(1 + self.kappa)
        start, end, early, m = y - s / c, y - last / c, eps / s - s / 2, c * y
        gain = lambda a, b, moved_a, moved_b: normal_tail(a) - normal_tail(b) - exp(eps) * (normal_tail(moved_a) - normal_tail(moved_b))
        total = gain(early, start, early + s, start + s) if early < start else mpf(0)
        q = 1 - (1 - c) ** 2
        if m * m - 2 * level * q > 0:
            root_ = sqrt(m * m - 2 * level * q)
            a, b = max(start, ((1 - c) * m - root_) / q), min(end, ((1 - c) * m + root_) / q)
            if a < b:
                total += gain(a, b, (1 - c) * a + m, (1 - c) * b + m)
        return total

    def peak(self, r, level):
        """Where the peak of K lies whose height is r times its place."""
        w = sqrt(2 * (level + log1p(r)) / (r * (r + 2)))
        return w, r * w

    def following(self, eps, level, gaussian):
        """Along the peaks up to a height, then a constant y; the slope of that in y vanishes at the best one."""
        s, k, c = self.slope, self.kappa, self.c

        def falls(r):  # the place y of the peak falls with the height
            w, h = self.peak(r, level)
            return c * w * ((w + h) ** 2 - 1) - h * (w * (w + h) + 1)

        low = k
        while falls(low) <= 0:
            low /= 2
        turn = root(falls, low, k)
        if self.peak(turn, level)[1] >= s:
            return self.along(root(lambda r: self.peak(r, level)[1] - s, turn * mp.eps, turn), level)

        def value(r):
            w, h = self.peak(r, level)
            return self.along(r, level) + self.fall(w + h / c, h, eps)

        def steep(r):  # d delta / dy
            w, h = self.peak(r, level)
            y = w + h / c
            start, m, q = y - s / c, c * y, 1 - (1 - c) ** 2
            early = ((1 - c) * m - sqrt(m * m - 2 * level * q)) / q
            gap = lambda x, moved: self.density(x) - exp(eps) * self.density(moved)
            left = gap(early, (1 - c) * early + m) if early > start else min(mpf(0), gap(start, start + s))
            return gap(w, w + h) - left

        far, low = 1 + self.reach(gaussian), log(turn)
        while self.peak(exp(low), level)[0] < far:
            low -= 1
        grid = [exp(low + (log(turn) - low) * i / self.GRID) for i in range(self.GRID)] + [turn]
        slopes = [steep(r) for r in grid]
        places = [root(steep, a, b) for a, b, f, g in zip(grid, grid[1:], slopes, slopes[1:]) if f < 0 < g or g < 0 < f]
        return max(value(r) for r in places + [turn])

    @staticmethod
    def density(x):
        return exp(-x * x / 2) / sqrt(2 * pi)

    def along(self, last, level):
        """The integral of K at its peak over the heights up to that of r = last; r = t^2."""
        def rate(t):
            if t == 0:
                return mpf(0)
            r = t * t
            square = level + log1p(r)
            growth = r / (1 + r / 2) / (1 + r) + square / (1 + r / 2) ** 2  # of the squared height
            w, h = self.peak(r, level)
            return (self.density(w) - exp(level) * self.density(w + h)) / self.c * growth / (2 * h) * 2 * t

        end = sqrt(last)
        return integral(rate, [end * mpf(x) / 16 for x in (0, 1, 2, 4, 8, 12, 16)])


class ObjectivePerturbation(Pair):
    """delta and Renyi divergence of the whole class, the larger direction, and eps < 0 by 1 - e^eps + e^eps delta(-eps); the rest
    from bounds on the loss. The divergence is that of maps of any sign."""

    def __init__(self, slope, kappa, one_signed):
        self.maps, half = Maps(slope, kappa, one_signed), slope ** 2 / 2
        self.add, self.remove = Ramp(half, slope, 1 if one_signed else 2), Ramp(log(1 + kappa) + half, slope, 1)

    def delta(self, eps):
        if eps < 0:
            return 1 - exp(eps) + exp(eps) * self.delta(-eps)
        return max(self.maps.adding(eps), self.maps.removing(eps))

    def renyi(self, order):
        return min(max(self.add.renyi(order), self.remove.renyi(order)), self.maps.divergence(order))

    def power(self, x):
        return max(self.add.power(x), self.remove.power(x))


class Noised(Pair):
    """The largest profile of objective perturbation in either direction, and a Gaussian mechanism after it: the mean of that
    profile at what the Gaussian's loss leaves of eps. No pair with that profile may cost more in a composition."""

    def __init__(self, exact, output):
        self.exact, self.maps, self.output = exact, exact.maps, output

    def delta(self, eps):
        if eps < 0:
            return 1 - exp(eps) + exp(eps) * self.delta(-eps)
        # A supremum at every node: with more digits it takes hours, and what is held against it is a few parts in a thousand wide.
        with workdps(15):
            return max(self.after(*ways, eps) for ways in ((self.maps.adding, self.maps.removing), (self.maps.removing, self.maps.adding)))

    def after(self, ahead, behind, eps):
        mu = self.output.mu
        profile = lambda e: ahead(e) if e >= 0 else 1 - exp(e) + exp(e) * behind(-e)
        bend = eps / mu - mu / 2  # where nothing is left of eps
        end = sqrt(2 * mp.dps * log(mpf(10)))
        cuts = sorted({-end, end} | {p for p in (bend, *(mpf(x) for x in range(-8, 9, 4))) if -end < p < end})
        return integral(lambda x: Maps.density(x) * profile(eps - mu * x - mu * mu / 2), cuts)

    def renyi(self, order):
        return self.exact.renyi(order) + self.output.renyi(order)


def partition_selection(eps, delta):
    """Every number of persons against one more, in both directions, by the recursion itself: Desfontaines et al. 2022."""
    chances = [mpf(0)]
    while chances[-1] < 1:
        least = chances[-1]
        chances.append(min(exp(eps) * least + delta, 1 - exp(-eps) * (1 - least - delta), mpf(1)))
    pairs = zip(chances, chances[1:])
    return Worse(*(loss_of for x, y in pairs for loss_of in (Outcomes([(y, x), (1 - y, 1 - x)]), Outcomes([(x, y), (1 - x, 1 - y)]))))
