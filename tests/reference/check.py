#!/usr/bin/python3
"""Checks the reference program itself against cruder computations: quadrature, enumeration, random search.

    /usr/bin/python3 tests/reference/check.py
"""
import itertools
import random
from mpmath import mp, mpf, exp, log, sqrt, pi, quad, linspace

from arithmetic import supremum
from pairs import (BoundedRange, Laplace, Normal, Outcomes, Pair, approximate, discrete_laplace,
                   randomized_response, repeated_response)
from renyi_table import Concentrated, RenyiTable

mp.dps = 40
rng = random.Random(4)


def same(name, a, b, tolerance=mpf(10) ** -20):
    assert abs(a - b) <= tolerance * max(abs(a), abs(b)), (name, a, b)


def conjugate(pair, x, top):
    """inf over eps of delta(eps) + e^eps x."""
    return -supremum(lambda e: -(pair.delta(e) + exp(e) * x), mpf(-top), mpf(top))


def densities():
    for mu, eps, order in ((1, 0.5, 3.7), (3, -2, 1.2), (0.2, 0.9, 12)):
        mu, pair = mpf(mu), Normal(mpf(mu))
        p, q = lambda x: exp(-x * x / 2) / sqrt(2 * pi), lambda x: exp(-((x - mu) ** 2) / 2) / sqrt(2 * pi)
        cut = mu / 2 - eps / mu  # only where to split the integral
        same("normal", pair.delta(eps), quad(lambda x: max(p(x) - exp(eps) * q(x), 0), linspace(cut - 40, cut, 80) + linspace(cut, cut + 40, 80)[1:]))
        middle = mu * (1 - order)
        same("normal renyi", pair.renyi(mpf(order)), log(quad(lambda x: p(x) ** order * q(x) ** (1 - order), linspace(middle - 20, middle + 20, 60))) / (order - 1))
        # two releases, the first integrated out
        product = quad(lambda x: p(x) * Normal(mpf(0.7)).delta(eps - (mu * mu - 2 * mu * x) / 2), linspace(-16, 16, 65))
        same("normal product", Normal(sqrt(mu ** 2 + mpf(0.7) ** 2)).delta(eps), product)
        same("normal power", pair.power(mpf(0.03)), conjugate(pair, mpf(0.03), 60), mpf(10) ** -12)
    for shift, eps, order in ((1, 0.3, 2.5), (4, -1.5, 1.1), (0.01, 0.002, 50)):
        shift, pair = mpf(shift), Laplace(mpf(shift))
        p, q = lambda x: exp(-abs(x)) / 2, lambda x: exp(-abs(x - shift)) / 2
        points = linspace(-120, 0, 60) + [(shift - eps) / 2] + linspace(shift, shift + 120, 60)
        same("laplace", pair.delta(eps), quad(lambda x: max(p(x) - exp(eps) * q(x), 0), points))
        same("laplace renyi", pair.renyi(mpf(order)), log(quad(lambda x: p(x) ** order * q(x) ** (1 - order), points)) / (order - 1))
        for x in (0.001, 0.4, 0.9):
            same("laplace power", pair.power(mpf(x)), conjugate(pair, mpf(x), 30), mpf(10) ** -12)


def votes():
    """The difference of two noises by quadrature, and the winner of two classes by trying gaps."""
    from mechanism_pairs import LaplaceDifference
    for x in (mpf(0), mpf("0.7"), mpf(3)):
        p = lambda y: exp(-abs(y)) / 2
        convolved = quad(lambda y: p(y) * p(y - x), linspace(-60, 0, 13) + linspace(x, x + 60, 13))
        same("difference", LaplaceDifference.density(x), convolved)
        same("difference above", LaplaceDifference.above(x), quad(LaplaceDifference.density, linspace(x, x + 90, 31)))
    for c, eps in ((1, 0.1), (1, 0.7), (2, 1.2), (0.1, 0.05)):
        c, eps, pair = mpf(c), mpf(eps), LaplaceDifference(mpf(c))
        tried = supremum(lambda x: pair.above(x - c) - exp(eps) * pair.above(x), -mpf(20), mpf(60))
        same("winner", pair.delta(eps), tried, mpf(10) ** -15)


def outcomes():
    scale, shift = mpf(2.7), 7
    law = {x: exp(-abs(x) / scale) for x in range(-400, 401)}
    whole = sum(law.values())
    plain = Outcomes([(law[x] / whole, law[x - shift] / whole) for x in range(-300, 301)])
    clever = Outcomes(discrete_laplace(scale, shift))
    binary = randomized_response(2, mpf(0.3))
    product = [(mpf(1), mpf(1))]
    for _ in range(7):
        product = [(p * a, q * b) for (p, q), (a, b) in itertools.product(product, binary)]
    for a, b in ((plain, clever), (Outcomes(product), Outcomes(repeated_response(mpf(0.3), 7)))):
        for eps in (0, 0.8, 1.1, -0.4):
            same("outcomes delta", a.delta(eps), b.delta(eps))
        for x in (0.01, 0.3, 0.8):
            same("outcomes power", a.power(mpf(x)), b.power(mpf(x)))
            same("outcomes conjugate", a.power(mpf(x)), conjugate(b, mpf(x), 6), mpf(10) ** -12)
        for d in (1e-5, 0.02, 0.2):
            same("outcomes epsilon", a.epsilon(mpf(d)), Pair.epsilon(b, mpf(d)))
        same("outcomes renyi", a.renyi(mpf(2.3)), b.renyi(mpf(2.3)))
    leak = Outcomes(approximate(mpf(1), mpf(0.001)))
    same("approximate", leak.power(mpf(0.2)), conjugate(leak, mpf(0.2), 6), mpf(10) ** -12)
    assert sum(p for p, _ in leak.masses) == 1


def bounded_range():
    """No mechanism with four outcomes and losses in a window of width eta exceeds the claimed suprema."""
    eta = mpf(1.3)
    family = BoundedRange(eta)
    delta, renyi, power = family.delta(mpf(0.4)), family.renyi(mpf(3)), family.power(mpf(0.1))
    best, slack = mpf(0), 1 + mpf(10) ** -30
    for _ in range(3000):
        weights = [mpf(rng.random()) ** 3 for _ in range(4)]
        ratios = [exp(eta * mpf(rng.choice((0, 1, rng.random())))) for _ in range(4)]
        p_total, q_total = sum(w * r for w, r in zip(weights, ratios)), sum(weights)
        pair = Outcomes([(w * r / p_total, w / q_total) for w, r in zip(weights, ratios)])
        best = max(best, pair.delta(mpf(0.4)))
        assert pair.delta(mpf(0.4)) <= delta * slack and pair.renyi(mpf(3)) <= renyi * slack and pair.power(mpf(0.1)) <= power * slack
    assert best > delta * mpf(0.97), (best, delta)
    same("bounded range", power, conjugate(family, mpf(0.1), eta), mpf(10) ** -12)


def bounds():
    for t in (0.01, 1, 30):
        t = mpf(t)
        same("factor", supremum(lambda y: (1 - exp(-y)) * exp(-t * y), mpf(0), mpf(60)), exp(t * log(t) - (1 + t) * log(1 + t)))
    for rho, eps, d in ((0.5, 1, 1e-6), (0.01, 0.2, 1e-3)):
        known = Concentrated(mpf(rho))
        # the best of single orders: Canonne, Kamath and Steinke's closed form is above it
        alone = lambda w: RenyiTable([1 + exp(w)], [known.rho * (1 + exp(w))]).delta(mpf(eps))
        same("concentrated", known.delta(mpf(eps)), -supremum(lambda w: -alone(w), mpf(-5), mpf(7)))
        closed = lambda t: t * (1 + t) * known.rho + t * log(t) - (1 + t) * log(1 + t) - t * eps
        assert known.delta(mpf(eps)) < exp(-supremum(lambda w: -closed(exp(w)), mpf(-20), mpf(20)))
        same("concentrated", known.delta(known.epsilon(mpf(d))), mpf(d))
        assert Normal(sqrt(2 * mpf(rho))).delta(mpf(eps)) < known.delta(mpf(eps))
    for orders, epsilons in (((2,), (0.01,)), ((2, 4, 8), (0.1, 0.2, 0.4)), ((1.25, 2, 3.5, 16), (0.3, 0.31, 0.9, 2.2)), ((1.5,), (3,))):
        table = RenyiTable([mpf(a) for a in orders], [mpf(e) for e in epsilons])
        inside = lambda p, q: all(p ** a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a) <= exp((a - 1) * mpf(e)) for a, e in zip(orders, epsilons))
        for eps in (0, 0.3, 1.6):
            claimed, reached = table.delta(mpf(eps)), mpf(0)
            for _ in range(400):  # hill climbing over coins
                q = exp(-mpf(rng.uniform(0, 25)))
                low, high = q, mpf(1)
                if not inside(high, q):
                    for _ in range(40):
                        middle = (low + high) / 2
                        low, high = (middle, high) if inside(middle, q) else (low, middle)
                    high = low
                reached = max(reached, high - exp(mpf(eps)) * q)
            assert reached <= claimed * (1 + mpf(10) ** -20) and reached > mpf(0.97) * claimed, (orders, eps, reached, claimed)
            improved = min(exp((a - 1) * (e - mpf(eps)) + a * log(1 - 1 / mpf(a)) - log(mpf(a) - 1)) for a, e in zip(orders, epsilons))
            assert claimed <= improved
            same("table epsilon", table.epsilon(claimed), mpf(eps)) if eps else None


if __name__ == "__main__":
    for check in (densities, votes, outcomes, bounded_range, bounds):
        check()
        print(f"{check.__name__}: agrees")
