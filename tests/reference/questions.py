#!/usr/bin/python3
"""Rewrites report/questions.ndjson: what can be asked about one record in numbers alone, by definition.

    /usr/bin/python3 tests/reference/questions.py

Pairs of normal laws: the set where the ratio of densities is above e^epsilon, found by the roots of its logarithm and the
sign between them, and the masses of both laws there. Posterior samples: the same of the two laws of the residual. Bounds in closed form:
the mean of (1 - e^(epsilon - bound))_+ over a normal deviate, by quadrature. Noise of a covariance, laws of outputs: systems
of equations solved by elimination. 40 digits, 25 of them printed.
"""
import json
import pathlib
import random
from mpmath import (mp, mpf, matrix, lu_solve, exp, expm1, log, log1p, ncdf, npdf, sqrt, erf, erfc, erfinv, findroot, gamma, pi, quad,
                    polyroots, inverse)

from arithmetic import shown

mp.dps = 40
HERE = pathlib.Path(__file__).parent


def above(z):
    return erfc(z / sqrt(mpf(2))) / 2


def mass(low, high, mean, deviation):
    a, b = (low - mean) / deviation, (high - mean) / deviation
    return above(a) - above(b) if a > 0 else above(-b) - above(-a)


def pair_delta(*pair):
    # Of laws of which one is next to a point the squares in the logarithm of the ratio cancel.
    with mp.workdps(300):
        return pair_delta_in_these_digits(*pair)


def pair_delta_in_these_digits(m1, s1, m2, s2, eps):
    """sup of P(E) - e^eps Q(E), P = N(m1, s1^2), Q = N(m2, s2^2)."""
    m1, s1, m2, s2, eps = (mpf(v) for v in (m1, s1, m2, s2, eps))
    a, b = 1 / s2**2 - 1 / s1**2, m1 / s1**2 - m2 / s2**2
    c = log(s2 / s1) - m1**2 / (2 * s1**2) + m2**2 / (2 * s2**2) - eps
    loss = lambda z: a / 2 * z**2 + b * z + c
    if a == 0:
        places = [-c / b] if b != 0 else []
    else:
        inside = b * b - 2 * a * c
        places = sorted([(-b - sqrt(inside)) / a, (-b + sqrt(inside)) / a]) if inside > 0 else []
    ends = [-mp.inf] + places + [mp.inf]
    total = mpf(0)
    for low, high in zip(ends, ends[1:]):
        middle = low + 1 if high == mp.inf and low != -mp.inf else high - 1 if low == -mp.inf and high != mp.inf else (
            mpf(0) if low == -mp.inf else (low + high) / 2)
        if loss(middle) > 0:
            total += mass(low, high, m1, s1) - exp(eps) * mass(low, high, m2, s2)
    return max(total, mpf(0))


def normal_pairs():
    for m1, s1, m2, s2, eps in ((0, 1, 1, 1, 0.5), (0, 2, 0, 1, 0.1), (1, 1.5, 0, 1, 1), (0, 1, 1, 1.5, 1), (2, 1, -2, 1.2, 3),
                                (0, 1, 0.5, 1.000001, 0.2), (3, 1e-3, 3.001, 1.1e-3, -0.4), (0, 1, 0, 3, -2), (-1, 2, 4, 0.5, 40),
                                (5, 1, 5, 1.25, 0.1), (0, 1.7, 0.2, 1.6, 6),
                                # The other law is next to a point: no difference from 1 tells how narrow it is.
                                (0, 1, 0, 1e-16, 4), (0.5, 1, 0, 1e-16, 4), (-0.5, 1, 0, 1e-16, 4), (-2, 1, 0, 1e-30, 4), (1e3, 1, 0, 1e-18, 0),
                                (0.9, 2e52, 0, 374, 463.75), (-0.25, 0.03, 1778, 8e-28, 1.875), (2.25, 2e25, 0, 1, 0.34375), (0, 1e-30, 0.5, 1, 4)):
        yield (dict(about="normal-pair", mean=m1, deviation=s1, otherMean=m2, otherDeviation=s2, epsilon=eps),
               dict(delta=shown(pair_delta(m1, s1, m2, s2, eps))))


def posterior_samples():
    for mu, r, eps, delta in ((0.5, 1, 0.7, 1e-6), (0.01, 10, 1, 1e-3), (1e-3, 0.5, 0.05, 1e-12), (1e-4, 1, 0, 1e-5), (5, 3, 10, 1e-4),
                              (0.05, 0, 1, 0.1), (1, 20, 30, 1e-8), (0.2, 2, -0.3, 1e-5), (2e-6, 0, 1e-5, 9e-18), (0.01, 0, 0, 6e-8), (1e-3, 1, 0.5, 0.03),
                              (4e-3, 2e-3, 0.2, 1.85e-13), (0.28, 628423.75, 1, 8e-8), (224, 7e-6, 5, 2.75e-19), (5.4, 0, 0.2, 0.15)):
        m, big = mpf(mu), mpf(r)
        without, with_ = (big, sqrt(m)), (big / (1 + m), sqrt(m / (1 + m)))
        tail = log(2 / mpf(delta))
        add = abs(m * big**2 / (1 + m) - log(1 + m)) / 2 + m * tail + big * sqrt(2 * m * tail)
        remove = (log(1 + m) + m * big**2 / (1 + m)**2) / 2 + big / (1 + m) * sqrt(2 * m * tail / (1 + m))
        yield (dict(about="posterior-sample", leverage=mu, residual=r, epsilon=eps, delta=delta),
               dict(deltaAdd=shown(pair_delta(*without, *with_, eps)), deltaRemove=shown(pair_delta(*with_, *without, eps)),
                    tailAdd=shown(add), tailRemove=shown(remove)))


def bounded(bound, eps, knots):
    """The mean of (1 - e^(eps - bound(z)))_+."""
    return quad(lambda z: npdf(z) * max(mpf(0), 1 - exp(eps - bound(z))), knots)


def objectives():
    for big, beta, lam, sigma, eps, order in ((1, 1, 20, 5, 0.5, 2), (1, 1, 5, 10, 0.02, 8), (1, 0.25, 0.5, 1.5, 2, 32), (1, 2, 1, 1, 0, 10)):
        s, kappa = mpf(big) / mpf(sigma), mpf(beta) / mpf(lam)
        e, a = mpf(eps), mpf(order) - 1
        both = lambda z: s * s / 2 + s * abs(z)
        one = lambda z: log(1 + kappa) + s * s / 2 + s * max(z, mpf(0))
        place = lambda base: [-mp.inf, *sorted({-abs((e - base) / s), mpf(0), abs((e - base) / s)}), mp.inf]
        base = s * s / 2
        moment = lambda bound: log(quad(lambda z: npdf(z) * exp(a * bound(z)), [-mp.inf, -a * s, 0, a * s, 2 * a * s, mp.inf])) / a
        truth = dict(closedDeltaAdd=shown(bounded(both, e, place(base))),
                     closedDeltaRemove=shown(bounded(one, e, place(base + log(1 + kappa)))),
                     gaussianDelta=shown(above(e / s - s / 2) - exp(e) * above(e / s + s / 2)),
                     closedRenyiAdd=shown(moment(both)), closedRenyiRemove=shown(moment(one)),
                     gaussianRenyi=shown(mpf(order) * s * s / 2))
        if kappa < 1:
            paper = lambda z: -log(1 - kappa) + s * s / 2 + s * abs(z)
            truth.update(publishedDelta=shown(bounded(paper, e, place(base - log(1 - kappa)))), publishedRenyi=shown(moment(paper)))
        yield dict(about="objective", sigma=sigma, **{"lambda": lam}, lipschitz=big, smoothness=beta, epsilon=eps, order=order), truth


def sums_of_two():
    """Two releases: the density of |z| + |z'|, and that of the sum of max(z, 0) and of max(z', 0) with its atoms."""
    for sigma, lam, eps in ((8, 10, 0.3), (3, 4, 0.5), (5, 0.5, 2)):
        s, kappa, e = 1 / mpf(sigma), 1 / mpf(lam), mpf(eps)
        both = lambda x: exp(-x * x / 4) * erf(x / 2) / sqrt(pi)
        lost = lambda base, x: max(mpf(0), -expm1(e - base - s * x))
        def mean(base, density):
            turn = max(mpf(0), (e - base) / s)
            return quad(lambda x: lost(base, x) * density(x), [turn, turn + 1, turn + 3, turn + 8, turn + 30])
        def sided(base):
            return lost(base, 0) / 4 + mean(base, npdf) + mean(base, both) / 2
        truth = dict(closedDeltaAdd=shown(mean(s * s, lambda x: 2 * both(x))), closedDeltaRemove=shown(sided(s * s + 2 * log1p(kappa))))
        if kappa < 1:
            truth["publishedDelta"] = shown(mean(s * s - 2 * log1p(-kappa), lambda x: 2 * both(x)))
        yield dict(about="objective", sigma=sigma, **{"lambda": lam}, lipschitz=1, smoothness=1, epsilon=eps, count=2), truth


def ramp_moments(s, kappa, order):
    a = mpf(order) - 1
    moment = lambda bound: log(quad(lambda z: npdf(z) * exp(a * bound(z)), [-mp.inf, -a * s, 0, a * s, 2 * a * s, mp.inf])) / a
    return (moment(lambda z: s * s / 2 + s * abs(z)), moment(lambda z: log1p(kappa) + s * s / 2 + s * max(z, mpf(0))))


def approximate_minima():
    for big, beta, lam, sigma, order, tau, out in ((1, 1, 20, 5, 2, 0.01, 0.15), (1.5, 0.5, 3, 4, 8, 0.01, 0.2), (1, 2, 1, 10, 1.5, 0.1, 0.15), (1, 1, 4, 3, 64, 0.01, 1)):
        s, kappa = mpf(big) / mpf(sigma), mpf(beta) / mpf(lam)
        output = 2 * mpf(tau)**2 * mpf(order) / (mpf(lam) * mpf(out))**2
        add, remove = ramp_moments(s, kappa, order)
        truth = dict(outputRenyi=shown(output), closedRenyi=shown(output + max(add, remove)), gaussianRenyi=shown(output + mpf(order) * s * s / 2))
        if kappa < 1:
            truth["publishedRenyi"] = shown(output + add - log1p(-kappa))
        yield (dict(about="approximate-minima", sigma=sigma, **{"lambda": lam}, lipschitz=big, smoothness=beta, order=order, gradientTolerance=tau,
                    outputSigma=out), truth)


def general_objectives():
    """The moment by quadrature of the density of the length of d standard normal numbers."""
    for big, beta, lam, sigma, order, d in ((1, 1, 20, 5, 2, 1), (1, 1, 20, 5, 2, 5), (1, 0.25, 10, 10, 1.5, 50), (2, 1, 4, 3, 32, 3), (1, 2, 1, 20, 16, 100)):
        s, kappa, t = mpf(big) / mpf(sigma), mpf(beta) / mpf(lam), mpf(order) - 1
        density = lambda x: 2 * (x / sqrt(mpf(2)))**(d - 1) * exp(-x * x / 2 + t * s * x) / (gamma(mpf(d) / 2) * sqrt(mpf(2)))
        top = (t * s + sqrt((t * s)**2 + 4 * max(d - 1, 0))) / 2
        moment = log(quad(density, [max(mpf(0), top + k) for k in (-40, -20, -10, -5, -2, 0, 2, 5, 10, 20, 40)] if top > 40 else
                          [0, top / 2, top, top + 1, top + 3, top + 8, top + 16, top + 40]))
        whole = lambda determinant: d * determinant + s * s / 2 + moment / t
        truth = dict(logMoment=shown(moment), renyi=shown(whole(log1p(kappa))))
        if kappa < 1:
            truth["publishedRenyi"] = shown(whole(-log1p(-kappa)))
        yield dict(about="general-objective", sigma=sigma, **{"lambda": lam}, lipschitz=big, smoothness=beta, order=order, dimension=d), truth


def half_line(e, s):
    """The mean of (1 - e^(e - s z))_+ over z > 0."""
    u = max(mpf(0), e / s)
    return above(u) - exp(e + s * s / 2) * above(u + s)


def objective_parameters():
    """The least lambda by bisection of the delta of a bound."""
    for eps, delta, big, beta, sigma in ((1, 1e-6, 1, 0.25, 5.5), (0.1, 1e-5, 1.25, 0.5, 60), (2, 1e-6, 1, 1, 2.5), (1, 1e-6, 1, 1, 1)):
        e, s = mpf(eps), mpf(big) / mpf(sigma)
        truth = {"lambda": shown(2 * mpf(beta) / e), "sigma": shown(mpf(big) / e * sqrt(8 * log(2 / mpf(delta)) + 4 * e))}
        rest = lambda base: half_line(e - base, s) - (expm1(e - base) / 2 if e < base else 0)
        both = lambda base: 2 * half_line(e - base, s)
        closed = lambda lam: max(both(s * s / 2), rest(s * s / 2 + log1p(mpf(beta) / lam)))
        def published(lam):
            base = s * s / 2 - log1p(-mpf(beta) / lam) if lam > beta else mp.inf
            return mpf(1) if base > e else both(base)
        for name, cost in (("closedLambda", closed), ("publishedLambda", published)):
            low, high = mpf(beta) / 1000, mpf(beta) * 10**6
            if cost(high) > delta:
                continue
            for _ in range(130):
                middle = (low + high) / 2
                low, high = (middle, high) if cost(middle) > delta else (low, middle)
            truth[name] = shown(high)
        yield dict(about="objective-parameters", epsilon=eps, delta=delta, lipschitz=big, smoothness=beta, sigma=sigma), truth


def excess_risks():
    for n, big, tau, lam, out, d, sigma, length in ((100, 1, 0.01, 2, 0.15, 5, 3, 2), (30000, 1.25, 0.01, 50, 0.15, 20, 100, 5), (10, 1, 0.1, 1, 0, 1, 1, 0)):
        shift = n * mpf(big) * (mpf(tau) / mpf(lam) + mpf(out) * sqrt(mpf(d)))
        yield (dict(about="excess-risk", rows=n, lipschitz=big, gradientTolerance=tau, outputSigma=out, dimension=d, sigma=sigma, length=length,
                    **{"lambda": lam}), dict(excess=shown(shift + d * mpf(sigma)**2 / (2 * mpf(lam)) + mpf(lam) * mpf(length)**2 / 2)))


def bisected(cost, level, low, high):
    """Where a falling cost reaches the level."""
    for _ in range(130):
        middle = sqrt(low * high)
        low, high = (middle, high) if cost(middle) > level else (low, middle)
    return high


def ada_ops():
    for n, d, spread, eps, delta, eigenvalue in ((10000, 5, 4.0, 1.0, 1e-6, 300.0), (1000, 2, 2.0, 1.0, 1e-6, 300.0), (500, 1, 10.0, 2.0, 1e-5, 1.0)):
        floor, half, part = mpf(n) / (d * mpf(spread)), mpf(eps) / 2, mpf(delta) / 3
        sigma = bisected(lambda at: above(half * at - 1 / (2 * at)) - exp(half) * above(half * at + 1 / (2 * at)), part, mpf(1) / 100, mpf(1000))
        offset = sigma * sqrt(mpf(2)) * erfinv(1 - 2 * part)
        m, most = 1 / floor, 1 + sqrt(mpf(n) / floor)
        def cost(at, joining):
            r, left = joining / at, most / at
            add = pair_delta(r, sqrt(m), r / (1 + m), sqrt(m / (1 + m)), half)
            remove = pair_delta(left, sqrt(m), left / (1 - m), sqrt(m / (1 - m)), half)
            return max(add, remove)
        precision = lambda joining: 1 / bisected(lambda at: cost(at, joining), part, mpf(1) / 1000, mpf(10)**6)**2
        yield (dict(about="ada-ops", rows=n, dimension=d, spread=spread, epsilon=eps, delta=delta, eigenvalue=eigenvalue),
               {"floor": shown(floor), "eigenvalueSigma": shown(sigma), "offset": shown(offset),
                "lambda": shown(max(mpf(0), floor - mpf(eigenvalue) + offset)), "residual": shown(most), "precision": shown(precision(most)),
                "provenPrecision": shown(precision(most * sqrt(1 + m)))})


def renyi_orders():
    for renyi, order, delta, eps in ((0.5, 8, 1e-5, 1), (0.04, 2, 1e-6, 1), (0.2, 1.5, 1e-3, 0.3), (3.0, 4, 1e-8, 1)):
        d, a = mpf(renyi), mpf(order)
        tail = -log(mpf(delta)) / (a - 1)
        yield (dict(about="renyi-order", renyi=renyi, order=order, delta=delta, epsilon=eps),
               dict(mironov=shown(d + tail), epsilon=shown(max(mpf(0), d + tail + log(1 - 1 / a) - log(a) / (a - 1))),
                    delta=shown(min(mpf(1), exp((a - 1) * (d - mpf(eps))) / (a - 1) * (1 - 1 / a)**a))))


def poisson_selections():
    """`renyi`: the moment e^(t D) of the published divergence and the e^-mean of no run at all. Below one run in the mean
    what was published may be negative, and is not told."""
    for renyi, order, mean, failure in ((0.05, 8, 15.4, 1e-4), (0.2, 4, 15.4, 1e-3), (0.5, 2, 3.0, 0.01), (0.1, 16, 0.5, 0.0)):
        t, m = mpf(order) - 1, mpf(mean)
        published = mpf(renyi) + m * mpf(failure) + log(m) / t
        yield (dict(about="poisson-selection", renyi=renyi, order=order, mean=mean, failure=failure),
               dict(level=shown(log(order / t)), **(dict(published=shown(published)) if m >= 1 else {}),
                    renyi=shown(log(exp(t * published) + exp(-m)) / t)))


def square_matrix(chance, d):
    """Symmetric and positive definite."""
    a = [[round(chance.uniform(-1, 1), 3) for _ in range(d)] for _ in range(d)]
    return [[round(a[i][j] + a[j][i] + (4 * d if i == j else 0), 3) for j in range(d)] for i in range(d)]


def form(x, entries, y):
    return sum(mpf(a) * mpf(entries[i][j]) * mpf(b) for i, a in enumerate(x) for j, b in enumerate(y))


def noises(chance):
    for d in (1, 2, 5):
        entries = square_matrix(chance, d)
        moved, noise = ([round(chance.uniform(-2, 2), 4) for _ in range(d)] for _ in range(2))
        solved = lu_solve(matrix(entries), matrix(moved))
        yield (dict(about="normal-noise", moved=moved, covariance=entries),
               dict(distance=shown(sqrt(sum(mpf(v) * z for v, z in zip(moved, solved))))))
        square = form(moved, entries, moved)
        yield (dict(about="normal-noise", moved=moved, precision=entries, noise=noise),
               dict(distance=shown(sqrt(square)), realised=shown(square / 2 - form(moved, entries, noise))))
        sigma = 0.7
        plain = [v for row in entries for v in row]
        yield (dict(about="symmetric-noise", moved=entries, sigma=sigma),
               dict(distance=shown(sqrt(sum(mpf(v)**2 for v in plain) / 2) / mpf(sigma)), offDiagonalVariance=shown(mpf(sigma)**2),
                    diagonalVariance=shown(2 * mpf(sigma)**2), expectedSquare=shown(d * (d + 1) * mpf(sigma)**2)))


def normal_bounds():
    for s, delta in ((0.2, 1e-6), (0.1, 1e-3), (2, 1e-9), (2.05, 0.5), (1e-5, 0.5), (5e-99, 0.5), (0.3, 0.4999), (30, 1e-12)):
        z = sqrt(mpf(2)) * erfinv(1 - 2 * mpf(delta))
        truth = dict(tail=shown(mpf(s)**2 / 2 + mpf(s) * z), logarithm=shown(mpf(s)**2 / 2 + mpf(s) * sqrt(2 * log(1 / mpf(delta)))))
        textbook = mpf(s) * sqrt(2 * log(mpf(1.25) / mpf(delta)))
        if textbook <= 1:
            truth["textbook"] = shown(textbook)
        yield dict(about="normal-bounds", distance=s, delta=delta), truth


def ridge_laws(chance):
    for n, d, lam, sigma in ((3, 1, 1, 2), (4, 2, 0.5, 1), (5, 3, 1, 4), (0, 2, 2, 0.5)):
        rows = [[round(chance.uniform(-1, 1), 3) for _ in range(d)] for _ in range(n)]
        labels = [round(chance.uniform(-1, 1), 3) for _ in range(n)]
        h, v = matrix(d, d), matrix(d, 1)
        for i in range(d):
            h[i, i] = mpf(lam)
        for x, y in zip(rows, labels):
            for i in range(d):
                v[i] += mpf(x[i]) * mpf(y)
                for j in range(d):
                    h[i, j] += mpf(x[i]) * mpf(x[j])
        mean, inverted = lu_solve(h, v), inverse(h)
        for law, spread in (("sample", inverted), ("objective", inverted * inverted)):
            truth = dict(mean=[shown(one) for one in mean], covariance=[shown(mpf(sigma)**2 * spread[i, j]) for i in range(d) for j in range(d)])
            if law == "sample":
                truth["excess"] = shown(d * mpf(sigma)**2 / 2)
            yield dict(about="ridge-law", features=rows, labels=labels, dimension=d, law=law, sigma=sigma, **{"lambda": lam}), truth


def people():
    for losses, delta in (([0.1, 0.2, 0.3], 1e-5), ([0, 0, 0, 2], 0.0), ([0.01 * k for k in range(50)], 1e-3)):
        values = [mpf(v) for v in losses]
        mean = lambda f: sum(f(v) for v in values) / len(values)
        grown = mean(exp)
        yield (dict(about="people", losses=losses, delta=delta),
               dict(moments=[shown(mean(lambda v: v**k)) for k in (1, 2, 3, 4)], exponential=shown(grown),
                    squaredExponential=shown(mean(lambda v: exp(2 * v))),
                    generalisation=shown(min(mpf(1), grown**2 - 1 + mpf(delta) * (1 + grown)))))


def slopes():
    for loss, u, y, limit in (("logistic", -3.0, 1, 0.5), ("logistic", 2.0, 1, 0.5), ("squared", 2.5, -0.5, 1), ("squared", -0.25, 0.5, 2),
                              ("poisson", 1.5, 3, 2), ("poisson", 2.5, 3, 2), ("poisson", -1.5, 3, 2), ("logistic", -8.0, -1, 1)):
        u, y = mpf(u), mpf(y)
        first, second = {"logistic": lambda: (-y / (1 + exp(y * u)), exp(u) / (1 + exp(u))**2), "squared": lambda: (u - y, mpf(1)),
                         "poisson": lambda: (exp(u) - y, exp(u))}[loss]()
        clipped = abs(first) > limit
        # The derivative, held to the limit, is added up from a place where it is small.
        steep = {"logistic": lambda v: -y / (1 + exp(y * v)), "squared": lambda v: v - y, "poisson": lambda v: exp(v) - y}[loss]
        start = {"logistic": 60 * y, "squared": y, "poisson": log(y)}[loss]
        least = {"logistic": log1p(exp(-y * start)), "squared": mpf(0), "poisson": y - y * log(y)}[loss]
        turns = {"logistic": [y * log(1 / mpf(limit) - 1)] if limit < 1 else [], "squared": [y - limit, y + limit],
                 "poisson": [log(y + limit)] + ([log(y - limit)] if y > limit else [])}[loss]
        low, high = min(start, u), max(start, u)
        value = least + (1 if u > start else -1) * quad(lambda v: max(-mpf(limit), min(mpf(limit), steep(v))),
                                                        [low, *sorted(v for v in turns if low < v < high), high])
        yield (dict(about="slope", loss=loss, prediction=float(u), label=float(y), limit=limit),
               dict(first=shown(mpf(limit) * (1 if first > 0 else -1) if clipped else first), second=shown(mpf(0) if clipped else second),
                    value=shown(value)))


def far_slopes():
    """Where no sum of the derivative is of any use: the logistic loss far from its turn, beyond a limit and within."""
    for margin, limit in ((2.25e39, 0.34375), (-2.25e39, 0.34375), (1e100, 0.5), (-1e100, 1e-100), (800, 1), (-800, 1), (-800, 2), (40, 1e-17), (-1e-30, 0.5),
                          (0, 0.75)):
        for y in (1, -1):
            m = mpf(margin)
            first, second = 1 / (1 + exp(m)), 1 / ((1 + exp(m)) * (1 + exp(-m)))
            clipped = first > limit
            turn = log(1 / mpf(limit) - 1) if limit < 1 else -mp.inf
            value = log1p(exp(-turn)) + mpf(limit) * (turn - m) if clipped else log1p(exp(-m)) if m > -1000 else -m
            truth = dict(first=-y * (mpf(limit) if clipped else first), second=mpf(0) if clipped else second, value=value)
            # What is below every double has no digits there; at the limit itself nobody can tell which of two it is.
            if m != 0 and abs(first - limit) < 1e-20:
                del truth["second"]
            yield (dict(about="slope", loss="logistic", prediction=float(y * margin), label=y, limit=limit),
                   {name: shown(one) for name, one in truth.items() if one == 0 or abs(one) > 1e-300})
    # Of the Poisson loss no derivative is as far below 0 as the label.
    for u, y, limit in ((-800, 1, 1), (-40, 1, 1), (-700, 1e-100, 1e-100), (5, 1e100, 1e100), (5, 1e100, 0.5e100), (-900, 3, 2), (-900, 3, 2.5)):
        rest = mpf(y) - mpf(limit)
        value = exp(mpf(u)) - mpf(y) * u if rest <= exp(mpf(u)) else rest - y * log(rest) - mpf(limit) * (u - log(rest))
        yield dict(about="slope", loss="poisson", prediction=u, label=y, limit=limit), dict(value=shown(value))


def clipped_outcomes():
    """Gradients that are clipped to a length: the limit of a derivative is a quotient by the record's length."""
    for loss, rows, labels, theta, record, label, bound, direction in (
            ("logistic", [[1, 2, 2], [2, 3, 6]], [1, -1], [0.5, -0.25, 0.125], [1, 2, 2], 1, 0.25, "remove"),
            ("logistic", [[1, 0.5, 0]], [1], [0.25, -2, 0.5], [0.75, -0.5, 0.25], -1, 0.125, "add"),
            ("squared", [[1, 1], [0.5, -0.75]], [2, -1], [0.25, 0.5], [0.3, -1.1], 1.5, 1, "add"),
            ("poisson", [[0.1, 0.7], [1, -1]], [4, 0], [0.75, 0.5], [0.1, 0.7], 4, 0.7, "remove")):
        lam, sigma, d = mpf(0.75), mpf(1.7), len(theta)

        def slope(x, y):
            u = sum(mpf(a) * mpf(b) for a, b in zip(x, theta))
            first, second = {"logistic": lambda: (-y / (1 + exp(y * u)), exp(u) / (1 + exp(u))**2), "squared": lambda: (u - y, mpf(1)),
                             "poisson": lambda: (exp(u) - y, exp(u))}[loss]()
            limit = mpf(bound) / sqrt(sum(mpf(a)**2 for a in x))
            return (limit * (1 if first > 0 else -1), mpf(0)) if abs(first) > limit else (first, second)

        gradient, hessian = [lam * mpf(one) for one in theta], matrix(d, d)
        for i in range(d):
            hessian[i, i] = lam
        for x, y in zip(rows, labels):
            first, second = slope(x, mpf(y))
            for i in range(d):
                gradient[i] += first * mpf(x[i])
                for j in range(d):
                    hessian[i, j] += second * mpf(x[i]) * mpf(x[j])
        first, second = slope(record, mpf(label))
        x = matrix([mpf(one) for one in record])
        leverage, sign = (x.T * lu_solve(hessian, x))[0], -1 if direction == "remove" else 1
        determinant, quadratic = -log(1 + sign * second * leverage), first**2 * sum(one**2 for one in x) / (2 * sigma**2)
        inner = sign * first * sum(a * b for a, b in zip(x, gradient)) / sigma**2
        yield (dict(about="objective-outcome", loss=loss, features=rows, labels=labels, record=record, label=label, direction=direction,
                    coefficients=theta, sigma=float(sigma), gradientBound=bound, **{"lambda": float(lam)}),
               dict(first=shown(first), second=shown(second), leverage=shown(leverage), determinant=shown(determinant), quadratic=shown(quadratic),
                    inner=shown(inner), realised=shown(determinant + quadratic + inner), gradient=[shown(one) for one in gradient]))


def minima_in_one_dimension():
    """P(the minimum <= theta): that of -b being at most the objective's gradient at theta."""
    for rows, labels, lam, sigma, theta in (([0.8, -0.5, 0.3], [1, -1, -1], 0.6, 1.7, 0.3), ([0.8, -0.5, 0.3], [1, -1, -1], 0.6, 1.7, -1.0),
                                            ([], [], 2.0, 4.0, 1.0), ([0.9] * 10, [1] * 10, 0.5, 1.0, 1.5)):
        gradient = mpf(lam) * mpf(theta) - sum(mpf(x) * y / (1 + exp(y * mpf(x) * mpf(theta))) for x, y in zip(rows, labels))
        yield (dict(about="objective-outcome", loss="logistic", features=[[x] for x in rows], labels=labels, record=[1], label=1,
                    direction="add", coefficients=[theta], sigma=sigma, **{"lambda": lam}),
               dict(atMost=shown(above(-gradient / mpf(sigma)))))


def main():
    chance = random.Random(20261123)
    kinds = (normal_pairs(), posterior_samples(), objectives(), noises(chance), normal_bounds(), ridge_laws(chance),
             people(), slopes(), far_slopes(), clipped_outcomes(), minima_in_one_dimension(), sums_of_two(), approximate_minima(), general_objectives(),
             objective_parameters(), excess_risks(), ada_ops(), renyi_orders(), poisson_selections())
    lines = [dict(question=question, truth=truth) for kind in kinds for question, truth in kind]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (HERE / "report" / "questions.ndjson").write_text(text)


main()
