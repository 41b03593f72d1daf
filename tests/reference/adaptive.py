#!/usr/bin/python3
"""Writes the tables of releases that adapt to their table, `private-selection.ndjson`, `propose-test-release.ndjson` and
`sparse-vector.ndjson`, and checks the last one's theorem by brute force:

    /usr/bin/python3 tests/reference/adaptive.py

A line is the value of the named theorem in 60 digits, from profiles that are sums and integrals written out here; nothing is
shared with the core. Where two theorems bound the same release, only questions are asked at which one of them is ahead of
the other by far, which is asserted.
"""
import json
import pathlib
from itertools import combinations
from mpmath import (det, e as euler, erfc, exp, expm1, findroot, inf, log, log1p, lu_solve, matrix, mp, mpf, ncdf, nstr, quad, sqrt)

mp.dps = 60


def root(f, low, high):
    """Where a falling function passes 0, by halving: 220 times, to 60 digits and more."""
    low, high = mpf(low), mpf(high)
    for _ in range(220):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return high


# Profiles of what is inside: delta(epsilon) of both directions, which are the same.


def gdp(mu):
    return lambda x: ncdf(mu / 2 - x / mu) - exp(x) * ncdf(-mu / 2 - x / mu)


def laplace(distance):
    """The best event is a half-line; at e = distance and beyond there is none, at -distance and below it is everything."""
    def delta(x):
        if abs(x) >= distance:
            return max(mpf(0), -expm1(x))
        return -expm1((x - distance) / 2)

    return delta


def response(epsilon0, delta0=0):
    """Binary randomized response that fails openly with probability delta0."""
    epsilon0, delta0 = mpf(epsilon0), mpf(delta0)
    top = exp(epsilon0) / (1 + exp(epsilon0))

    def delta(x):
        outcomes = [(top, 1 - top), (1 - top, top)]
        return delta0 + (1 - delta0) * sum(max(mpf(0), p - exp(x) * q) for p, q in outcomes)

    return delta


def profile(inside):
    kind = inside["kind"]
    if kind == "gdp":
        return gdp(mpf(inside["mu"]))
    if kind == "gaussian":
        return gdp(mpf(inside["sensitivity"]) / mpf(inside["sigma"]))
    if kind == "laplace":
        return laplace(mpf(inside["sensitivity"]) / mpf(inside["scale"]))
    return response(inside["epsilon"], inside.get("delta", 0))


def inverse(delta_at, delta):
    if delta_at(mpf(0)) <= delta:
        return mpf(0)
    high = mpf(1)
    while delta_at(high) > delta:
        high *= 2
    return root(lambda x: delta_at(x) - delta, 0, high)


class Selection:
    """The theorem by the profile, and Papernot and Steinke 2022 by the Renyi divergences, of which only normal runs are asked."""

    def __init__(self, description):
        self.mean, self.law, inside = mpf(description["runs"]), description["stopping"], description["of"]
        self.run, self.inside = profile(inside), inside
        if self.law == "geometric":
            self.gamma, self.power = 1 / self.mean, 2
        elif self.law == "logarithmic":
            x = root(lambda x: self.mean - expm1(x) / x, mpf(10) ** -20, 700)
            self.gamma, self.power = exp(-x), 1
        elif self.law == "negative-binomial":
            shape = mpf(description["shape"])
            mean = lambda gamma: shape * (1 - gamma) / (gamma * (1 - gamma**shape))
            x = root(lambda x: self.mean - mean(exp(-x)), mpf(10) ** -20, 700)
            self.gamma, self.power = exp(-x), 1 + shape
        if self.law == "poisson":
            self.shift = self.mean * self.run(mpf(0))
        else:
            allowed = lambda x: self.gamma * expm1(x) / (1 - self.gamma)
            self.shift = self.power * root(lambda x: self.run(x) - allowed(x), 0, 100)

    def delta(self, x):
        return min(mpf(1), self.mean * self.run(x - self.shift))

    def epsilon(self, delta):
        return self.shift + inverse(self.run, delta / self.mean)

    def renyi(self, order):
        """Divergences grow with the order, so that what bounds one at a larger order bounds this one, too."""
        return self.own_renyi(max(order, self.turn()))

    def turn(self):
        """Where the bound is least: a golden section, to as many digits as the square root of the precision has."""
        left, right, ratio = mpf(10) ** -9, mpf(10) ** 6, (sqrt(mpf(5)) - 1) / 2
        at = lambda x: self.own_renyi(1 + x)
        left, right = log(left), log(right)
        while right - left > mpf(10) ** -28:
            near, far = right - ratio * (right - left), left + ratio * (right - left)
            if at(exp(near)) < at(exp(far)):
                right = far
            else:
                left = near
        return 1 + exp(left)

    def own_renyi(self, order):
        """Of runs of mu-GDP, whose divergence of the order a is a mu^2/2."""
        mu = mpf(self.inside["mu"])
        if self.law == "poisson":
            t = order - 1
            loss = order * mu**2 / 2 + self.mean * self.run(log1p(1 / t))
            return log(exp(-self.mean) + self.mean * exp(t * loss)) / t
        size = log(1 / self.gamma)
        # (1 - 1/a) a mu^2/2 + size/a is least where a^2 mu^2/2 = size.
        best = max(mpf(1), sqrt(2 * size) / mu)
        return order * mu**2 / 2 + self.power * ((best - 1) * mu**2 / 2 + size / best) + log(self.mean) / (order - 1)

    def converted(self, delta):
        """Canonne, Kamath and Steinke 2020, Proposition 12, on a grid of orders."""
        mp.dps, grid = 20, [1 + exp(mpf(i) / 8) for i in range(-40, 80)]
        found = min(self.own_renyi(a) - (log(delta) + (a - 1) * log1p(1 / (a - 1)) + log(a)) / (a - 1) for a in grid)
        mp.dps = 60
        return found


class Tested:
    def __init__(self, description):
        self.description = description
        self.epsilon0, self.delta0, self.failure = (mpf(description[name]) for name in ("testEpsilon", "testDelta", "failure"))
        self.released, self.inside = description["test"] == "released", profile(description["of"])

    def delta(self, x):
        inside = self.inside(max(mpf(0), x - self.epsilon0))
        passed = inside + self.failure if self.released else max(inside, self.failure)
        return min(mpf(1), response(self.epsilon0, self.delta0)(min(x, self.epsilon0)) + passed)

    def epsilon(self, delta):
        left = delta - self.delta0 - (self.failure if self.released else 0)
        if left < (0 if self.released else self.failure):
            return inf
        return self.epsilon0 + inverse(self.inside, left)

    def renyi(self, order):
        """Of mu-GDP inside: the most at the corners of all that the test may do, each where two of its bounds meet."""
        good = min(mpf(self.description["of"]["mu"]) ** 2 / 2, mpf(self.description["otherwiseRho"])) * order
        bad = mpf(self.description["otherwiseRho"]) * order
        moment = self.released_moment(order, good, bad) if self.released else max(
            self.passed_moment(order, good, 1), self.passed_moment(order, bad, self.failure))
        return log(moment) / (order - 1)

    def passed_moment(self, order, divergence, most):
        """a p + b q <= c for each bound; p, q how probable passing is, p at most `most`."""
        e, ratio = exp(self.epsilon0), lambda x, y: x**order * y ** (1 - order) if x > 0 else mpf(0)
        bounds = [(1, -e, 0), (-e, 1, 0), (-1, e, e - 1), (e, -1, e - 1), (1, 0, most), (-1, 0, 0)]
        best = mpf(0)
        for i, (a, b, c) in enumerate(bounds):
            for d, f, g in bounds[:i]:
                size = a * f - b * d
                if size == 0:
                    continue
                p, q = (c * f - b * g) / size, (a * g - c * d) / size
                if all(x * p + y * q <= z + mpf(10) ** -50 for x, y, z in bounds):
                    best = max(best, ratio(1 - p, 1 - q) + ratio(p, q) * exp((order - 1) * divergence))
        return best

    def released_moment(self, order, good, bad):
        """What is seen of this table is e^s as probable on the other one, s = +-epsilon0, with the guarantee or without:
        all ways with three kinds at most, which are the corners."""
        e = exp(self.epsilon0)
        kinds = [((1, r, r * without), r**order * exp((order - 1) * (bad if without else good)))
                 for r in (e, 1 / e) for without in (0, 1)] + [((0, 0, 1), mpf(0))]
        best = mpf(0)
        for three in combinations(kinds, 3):
            # Probabilities on the other table add up to 1, on this one too, and what has no guarantee to the failure, or to
            # less by what the last kind takes.
            system = matrix([[column[row] for column, _ in three] for row in range(3)])
            if abs(det(system)) > mpf(10) ** -40:
                found = lu_solve(system, matrix([1, 1, self.failure]))
                if min(found) > -mpf(10) ** -50:
                    best = max(best, sum(x * weight for x, (_, weight) in zip(found, three)))
        return best


def lowest(function, low, high):
    """The least value of a convex or one-humped function."""
    golden = (sqrt(mpf(5)) - 1) / 2
    for _ in range(220):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return function((low + high) / 2)


def least_on(function, low, high):
    """The same to 30 digits."""
    golden = (sqrt(mpf(5)) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    here, there = function(left), function(right)
    for _ in range(85):
        if here < there:
            high, right, there = right, left, here
            left = high - golden * (high - low)
            here = function(left)
        else:
            low, left, here = left, right, there
            right = low + golden * (high - low)
            there = function(right)
    return min(here, there)


class Known:
    """Queries whose threshold is known, which come nearer to being above or get further from it by so much at most. An answer
    below that is 1 - a likely here and 1 - b there tells no more than its probability allows where
    (1 - a)^(1 + t) <= (1 - b)^t: the rate t, for the worst query."""

    def __init__(self, nearer, further, answers):
        above = lambda x: exp(-x) / 2 if x > 0 else 1 - exp(x) / 2
        below = lambda x, move: log(1 - above(x - move)) / log(1 - above(x))
        rate = lambda move: 1 / (-lowest(lambda x: -below(x, move), mpf(0), move) - 1)
        self.nearer, self.further, self.answers = nearer, further, answers
        self.rate, self.other = rate(nearer), rate(further) if further else inf
        self.ratio = log(1 + 1 / self.rate)
        if nearer == further:
            # e^(rate x) times what k answers leave to be told at x > 0: a polynomial, from its derivative and its value at 0.
            self.left, rest = [], []
            for _ in range(answers):
                moved = [sum(c * mp.binomial(n, i) * self.ratio ** (n - i) for n, c in enumerate(rest) if n >= i) for i in range(len(rest))]
                moved = [self.rate * exp(-self.rate * self.ratio) * c for c in moved]
                at_zero = (1 + 2 * (moved[0] if moved else 0)) / (1 + 2 * self.rate)
                rest = [at_zero] + [c / (i + 1) for i, c in enumerate(moved)]
            self.left = rest

    def is_known(self):
        return self.nearer == self.further or self.further == 0

    def delta(self, x):
        if x < 0:
            return -expm1(x) + exp(x) * self.delta(-x)
        if self.further:
            return exp(-self.rate * x) * sum(c * x**i for i, c in enumerate(self.left))
        tail = lambda rate: mp.gammainc(self.answers, rate * (x + self.answers * self.ratio), regularized=True)
        return tail(self.rate) - exp(x) * tail(1 + self.rate)

    def sides(self, t):
        """Of one answer: queries that come nearer, and those that get further."""
        near = log(self.rate / (self.rate - t)) - t * self.ratio
        if self.other == inf:
            return near, mpf(0)
        far = log((1 + self.other) / (1 + self.other + t)) + t * log(1 + 1 / self.other)
        return near, min(t * self.further, far)

    def log_moment(self, t):
        return self.answers * max(self.sides(t)) if t < self.rate else inf

    def turn(self):
        excess = lambda share: self.sides(self.rate * exp(share))[1] - self.sides(self.rate * exp(share))[0]
        return root(excess, mpf(-60), log(mpf(999) / 1000)) if excess(mpf(-20)) > 0 else mpf(-1)


class Higher:
    """A threshold that is higher in one run, by so much over its scale."""

    def __init__(self, moved, queries):
        self.moved, self.queries = moved, queries
        self.turn = None if queries.is_known() else queries.turn()

    def log_moment(self, t):
        l = self.moved
        return log(((t + 1) * exp(t * l) + t * exp(-(t + 1) * l)) / (2 * t + 1)) + self.queries.log_moment(t)

    def delta(self, x):
        if self.turn is None:
            top = exp(self.moved) / (1 + exp(self.moved))
            return top * self.queries.delta(x - self.moved) + (1 - top) * self.queries.delta(x + self.moved)

        def exponent(share):
            t = self.queries.rate * exp(share)
            return self.log_moment(t) - t * x + t * log(t / (1 + t)) - log(1 + t)

        return exp(min(least_on(exponent, mpf(-30), self.turn), least_on(exponent, self.turn, log(mpf(998) / 1000))))

    def renyi(self, order):
        return self.log_moment(order - 1) / (order - 1)


class Sparse:
    """Upper end: everything that private, or the threshold's noise with what the answers above tell at most, or the queries'
    noise with a threshold that is known, and higher in one run by eighths of what queries move by."""

    def __init__(self, description):
        sensitivity, twice = mpf(description["sensitivity"]), 2 if description["queries"] == "any" else 1
        self.threshold, move = (sensitivity / mpf(description[name]) for name in ("thresholdScale", "queryScale"))
        self.above = description["answers"] * twice * move
        self.whole = self.threshold + self.above
        self.known = [Higher(part * self.threshold, Known((1 - part) * move, (twice - 1 + part) * move, description["answers"]))
                      for part in (mpf(i) / 8 for i in range(8))]

    def all(self):
        return [response(self.whole), lambda x: laplace(self.threshold)(x - self.above)] + [one.delta for one in self.known]

    def delta(self, x):
        if x < 0:
            return -expm1(x) + exp(x) * self.delta(-x)
        return min(one(x) for one in self.all())

    def epsilon(self, delta):
        if delta == 0:
            return self.whole
        least = inf
        for one in self.all():
            if least == inf or one(least) < delta:
                least = inverse(one, delta)
        return least

    def renyi(self, order):
        top = exp(self.whole) / (1 + exp(self.whole))
        coins = log(top**order * (1 - top) ** (1 - order) + (1 - top) ** order * top ** (1 - order)) / (order - 1)
        # E e^((order - 1) loss): half at the largest, e^-largest / 2 at the least, e^((l - largest) / 2) / 4 between.
        t, l = order - 1, self.threshold
        moment = exp(t * l) / 2 + exp(-(t + 1) * l) / 2 + quad(lambda x: exp(t * x + (x - l) / 2) / 4, [-l, l])
        return min([coins, self.above + log(moment) / t] + [one.renyi(order) for one in self.known])


THEOREMS = {"private-selection": Selection, "propose-test-release": Tested, "sparse-vector": Sparse}


def line(ask, description, at):
    theorem = THEOREMS[description["kind"]](description)
    name = {"delta": "epsilon", "epsilon": "delta", "renyi": "orders"}[ask]
    value = getattr(theorem, ask)(mpf(at))
    if isinstance(theorem, Selection) and "mu" in description["of"] and ask != "renyi":
        # The other theorem is no better: at this delta it claims more.
        delta = mpf(at) if ask == "epsilon" else value
        assert theorem.converted(delta) > 1.02 * theorem.epsilon(delta), (description, at)
    text = "Infinity" if value == inf else "0" if value == 0 else nstr(value, 25, min_fixed=0, max_fixed=0)
    asked = {"ask": ask, "description": description, name: [at] if ask == "renyi" else at, "bound": "upper", "truth": text}
    return json.dumps(asked, separators=(",", ":"))


def about(description, delta=(), epsilon=(), renyi=()):
    asks = [("delta", x) for x in delta] + [("epsilon", d) for d in epsilon] + [("renyi", a) for a in renyi]
    return [line(ask, description, at) for ask, at in asks]


def selection():
    best = lambda runs, of, stopping="geometric": {"kind": "private-selection", "runs": runs, "stopping": stopping, "of": of}
    shaped = lambda shape, runs, of: {**best(runs, of, "negative-binomial"), "shape": shape}
    normal = lambda mu: {"kind": "gdp", "mu": mu}
    wide = {"kind": "laplace", "scale": 2, "sensitivity": 1}
    point = {"kind": "approximate", "epsilon": 0.2, "delta": 1e-10}
    return (
        about(best(10, normal(0.1)), delta=(0.5, 0.7, 1.1), epsilon=(1e-3, 1e-6, 1e-12, 1e-100), renyi=(2, 31.5))
        + about(best(600, normal(0.3)), delta=(3.031113024447751, 4), epsilon=(1e-6, 1e-9), renyi=(1.5, 12))
        + about(best(600, normal(1)), epsilon=(1e-6,)) + about(best(300, normal(0.5)), epsilon=(1e-8,))
        + about(best(1.0001, normal(0.2)), delta=(0.5,), epsilon=(1e-5,)) + about(best(1e6, normal(0.01)), epsilon=(1e-6,))
        + about(best(600, normal(0.3), "logarithmic"), delta=(2.5,), epsilon=(1e-6,), renyi=(1.5, 12))
        + about(best(3, normal(0.3), "logarithmic"), epsilon=(1e-4, 1e-10))
        + about(best(20, {"kind": "gaussian", "sigma": 5, "sensitivity": 1}), epsilon=(1e-5,))
        + about(best(100, wide), epsilon=(0,)) + about(best(5, wide, "logarithmic"), epsilon=(0,))
        + about(best(10, {"kind": "pure", "epsilon": 0.1}, "poisson"), epsilon=(0,))
        + about(best(10, {"kind": "pure", "epsilon": 1}), epsilon=(0,))
        + about(best(2, normal(0.3), "poisson"), renyi=(2, 9.5, 400))
        + [one for shape, at in ((-0.9, 2), (-0.5, 2.5), (0.5, 3), (2, 4)) for one in
           about(shaped(shape, 3, normal(0.3)), delta=(1.5,), epsilon=(1e-6, 1e-12), renyi=(1.5, 12))
           + about(shaped(shape, 600, normal(0.3)), delta=(at,), epsilon=(1e-6,), renyi=(1.5, 100))
           + [one for runs in (3, 600) for one in about(shaped(shape, runs, wide), epsilon=(0,)) + about(shaped(shape, runs, point), epsilon=(1e-6,))]]
        + about(shaped(-0.95, 1e6, normal(0.3)), epsilon=(1e-6,)) + about(shaped(1000, 1e6, normal(0.001)), epsilon=(1e-6,))
        + about(shaped(-0.95, 1.0001, normal(0.3)), epsilon=(1e-6,)) + about(shaped(1e-9, 600, normal(0.3)), epsilon=(1e-6,))
    )


def tested():
    test = lambda of, how, epsilon, delta, failure: {
        "kind": "propose-test-release", "test": how, "testEpsilon": epsilon, "testDelta": delta, "failure": failure, "of": of}
    point = {"kind": "approximate", "epsilon": 0.5, "delta": 1e-6}
    noise, normal = {"kind": "laplace", "scale": 1, "sensitivity": 1}, {"kind": "gaussian", "sigma": 2, "sensitivity": 1}
    result = []
    for how in ("accept-reject", "released"):
        result += about(test(point, how, 0.5, 1e-6, 1e-6), delta=(0, 0.2, 0.75, 1, 3), epsilon=(1e-6, 1e-5, 0.125))
        result += about(test(normal, how, 0.1, 1e-8, 3e-7), delta=(1, 2.5), epsilon=(1e-6, 2.5e-7))
    # Classic propose-test-release: both parts cost the same, and the threshold makes the failure delta.
    result += about(test(noise, "accept-reject", 1, 0, 1e-6), delta=(1.5, 2, 2.5), epsilon=(1e-6, 2e-6, 1e-3))
    result += about(test(noise, "accept-reject", 1, 0, 0), epsilon=(0,))
    result += about(test(noise, "released", 1, 0, 0), epsilon=(0,))
    # With a failure that is rarer than the rarer answer of randomized response, between both, and likelier than both.
    for how in ("accept-reject", "released"):
        for epsilon, failure in ((0.5, 1e-6), (0.5, 0), (1, 0.1), (0.25, 0.5), (0.25, 0.75), (0.01, 0.5), (20, 1e-3)):
            keeps = {**test({"kind": "gdp", "mu": 0.5}, how, epsilon, 0, failure), "otherwise": "zcdp", "otherwiseRho": 4.5}
            result += about(keeps, renyi=(1.125, 2, 12))
        result += about({**test({"kind": "gdp", "mu": 3}, how, 0.5, 0, 0.25), "otherwise": "zcdp", "otherwiseRho": 0.125}, renyi=(4,))
    return result


def sparse():
    vector = lambda s, b, answers=1, queries="any": {
        "kind": "sparse-vector", "thresholdScale": s, "queryScale": b, "sensitivity": 1, "answers": answers, "queries": queries}
    return (
        about(vector(2, 4), delta=(-0.5, 0, 0.2, 0.6, 1.5), epsilon=(0, 1e-6, 0.1), renyi=(2, 20))
        + about(vector(20, 80, 5), delta=(0.1,), epsilon=(0, 0.01)) + about(vector(0.5, 40, 3), delta=(0, 1, 2.1), epsilon=(1e-3,), renyi=(2, 3))
        + about(vector(3, 3, 7, "monotone"), delta=(1,), epsilon=(0,), renyi=(3,))
        + about(vector(0.05, 40), delta=(0, 0.1, 1), epsilon=(1e-6,), renyi=(2, 12)) + about(vector(0.1, 200, 50), delta=(0.1, 0.5), epsilon=(1e-6,))
        + about(vector(2, 20, 5), delta=(0.3,), epsilon=(1e-6,), renyi=(2, 12)) + about(vector(4, 4, 1, "monotone"), delta=(0.1,), renyi=(2,))
        + about(vector(0.1, 200, 50, "monotone"), delta=(0, 0.2), epsilon=(1e-6,), renyi=(8,)) + about(vector(300, 100, 20, "monotone"), delta=(0.1,), epsilon=(1e-6,))
    )


def held(low_first, levels, threshold, query, moves):
    """Of queries at `levels`, all but the last told to be below and the last above: the probabilities on two tables between
    which each query moves by its move. The one integral over the threshold's noise is split at every kink."""
    above = lambda z, b: exp(-z / b) / 2 if z > 0 else 1 - exp(z / b) / 2

    def probability(queries):
        def density(r):
            value = exp(-abs(r) / threshold) / (2 * threshold)
            for q in queries[:-1]:
                value *= (1 - above(r - q, query)) ** low_first
            return value * above(r - queries[-1], query)

        kinks = sorted({mpf(0), *queries})
        return quad(density, [-80 * threshold, *kinks, 80 * threshold])

    return probability([mpf(q) for q in levels]), probability([mpf(q) + move for q, move in zip(levels, moves)])


def check_sparse():
    """No outcome of adversarial queries tells more than the theorem says; many queries below come near to it."""
    mp.dps = 20
    nearest = 0
    for threshold, query in ((mpf(2), mpf(4)), (mpf(1), mpf(1)), (mpf(5), mpf(2))):
        whole = 1 / threshold + 2 / query
        for first in (0, 1, 100, 10**6):
            for low in (-20, -5, 0):
                for last in (0, 5, 30):
                    p, q = held(first, (low, last), threshold, query, (1, -1))
                    for one, other in ((p, q), (q, p)):
                        assert one <= exp(whole) * other * (1 + mpf(10) ** -8)
                        nearest = max(nearest, log(one / other) / whole)
    # As printed elsewhere without noise on the queries: what is below and above at once has no other table.
    mp.dps = 60
    return nearest


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    for kind, lines in (("private-selection", selection()), ("propose-test-release", tested()), ("sparse-vector", sparse())):
        (here / f"{kind}.ndjson").write_text("\n".join(lines) + "\n")
        print(kind, len(lines))
    print("largest share of the theorem that an outcome was seen to tell:", nstr(check_sparse(), 4))
