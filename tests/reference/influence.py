#!/usr/bin/python3
"""Rewrites report/influence.ndjson: what one record does to a ridge regression, and what that costs, by definition.

    /usr/bin/python3 tests/reference/influence.py

Both tables are fitted by elimination at 80 digits and subtracted; leverages are solutions of their own. The cost of
N(theta, sigma^2 I) and of a posterior sample N(theta, sigma^2 H^{-1}) is delta(epsilon) of both pairs of normal laws in
both directions: the second pair through the sign of the log-density ratio along x, by probabilities of intervals; epsilon
is its root by bisection. Tables that are degenerate on purpose: fewer rows than columns, equal rows, a constant column,
a column that is nearly another one, a record of nearly all leverage, a record of zeros, no rows.
"""
import json
import pathlib
import random
from mpmath import mp, mpf, matrix, lu_solve, exp, log, ncdf, sqrt, erfc

from arithmetic import shown

mp.dps = 80
HERE = pathlib.Path(__file__).parent


def gram(rows, d, lam):
    h = matrix(d, d)
    for i in range(d):
        h[i, i] = mpf(lam)
    for x in rows:
        for i in range(d):
            for j in range(d):
                h[i, j] += mpf(x[i]) * mpf(x[j])
    return h


def fit(rows, labels, d, lam):
    h, v = gram(rows, d, lam), matrix(d, 1)
    for x, y in zip(rows, labels):
        for i in range(d):
            v[i] += mpf(x[i]) * mpf(y)
    return h, lu_solve(h, v)


def dot(x, y):
    return sum((mpf(a) * mpf(b) for a, b in zip(x, y)), mpf(0))


def above(x):
    return erfc(x / sqrt(mpf(2))) / 2


def gaussian_delta(eps, s):
    return mpf(0) if s == 0 else above(eps / s - s / 2) - exp(eps) * above(eps / s + s / 2)


def between(low, high, mean, deviation):
    a, b = (low - mean) / deviation, (high - mean) / deviation
    return above(a) - above(b) if a > 0 else ncdf(b) - ncdf(a)


def posterior_deltas(eps, mu, r):
    """Densities of e: N(r, mu) without the record, N(r / (1 + mu), mu / (1 + mu)) with it. The ratio grows with |e|."""
    if mu == 0:
        return mpf(0), mpf(0)
    base = (r * r / (1 + mu) + log(1 + mu)) / 2
    outside, inside = 2 * (base + eps), 2 * (base - eps)
    without, with_ = (r, sqrt(mu)), (r / (1 + mu), sqrt(mu / (1 + mu)))

    def tails(law, c):
        return above((c - law[0]) / law[1]) + above((c + law[0]) / law[1])

    c = sqrt(outside) if outside > 0 else mpf(0)
    add = tails(without, c) - exp(eps) * tails(with_, c)
    if inside <= 0:
        return add, mpf(0)
    c = sqrt(inside)
    return add, between(-c, c, *with_) - exp(eps) * between(-c, c, *without)


def objective_deltas(eps, mu, nu, square, residual, sigma):
    """Of N(theta, sigma^2 H^{-2}) and the same of the table with the record: along x, given what is across it, N(m, (1 +
    mu)^2) and N(0, 1); averaged over m by adaptive quadrature between the points where the integrand is not smooth."""
    a, mean = 1 + mu, sqrt(square) * abs(residual) / sigma
    variance = square * nu - mu * mu
    deviation = sqrt(variance) if variance > mpf(10) ** -60 else mpf(0)

    def roots(m, level):
        """Where the log ratio of N(0, 1) to N(m, a^2) is `level`."""
        two, one, none = -(1 - 1 / a ** 2) / 2, -m / a ** 2, m * m / (2 * a * a) + log(a) - level
        inside = one * one - 4 * two * none
        if inside <= 0:
            return None
        ends = sorted([(-one + sqrt(inside)) / (2 * two), (-one - sqrt(inside)) / (2 * two)])
        return ends

    def add(m):
        low, high = roots(m, -eps)
        p = above(-(low - m) / a) + above((high - m) / a)
        return p - exp(eps) * (above(-low) + above(high))

    def remove(m):
        ends = roots(m, eps)
        if ends is None:
            return mpf(0)
        return between(*ends, mpf(0), mpf(1)) - exp(eps) * between(*ends, m, a)

    found = []
    for function, seam in [(add, None), (remove, 2 * (a * a - 1) * (eps - log(a)))]:
        if deviation == 0:
            found.append(function(mean))
            continue
        points = {mean + deviation * k for k in range(-12, 13)}
        if seam is not None and seam > 0:
            points |= {p for p in (sqrt(seam), -sqrt(seam)) if abs(p - mean) < 12 * deviation}
        with mp.workdps(30):
            found.append(mp.quad(lambda m: function(m) * exp(-((m - mean) / deviation) ** 2 / 2), sorted(points))
                         / (deviation * sqrt(2 * mp.pi)))
    return found


def root(delta_of, delta):
    if delta_of(mpf(0)) <= delta:
        return mpf(0)
    low, high = mpf(0), mpf(1)
    while delta_of(high) > delta:
        high *= 2
    for _ in range(120):
        middle = (low + high) / 2
        if delta_of(middle) > delta:
            low = middle
        else:
            high = middle
    return high


def line(name, rows, labels, record, label, lam, sigma, delta):
    d = len(record)
    h, theta = fit(rows, labels, d, lam)
    h_with, theta_with = fit(rows + [record], labels + [label], d, lam)
    x = matrix([mpf(a) for a in record])
    solved, solved_with = lu_solve(h, x), lu_solve(h_with, x)
    mu, residual = dot(record, solved), mpf(label) - dot(record, theta)
    moved = sqrt(sum((a - b) ** 2 for a, b in zip(theta_with, theta)))
    s, r = moved / mpf(sigma), abs(residual) / mpf(sigma)
    nu, square = dot(solved, solved), dot(record, record)
    tells = mu > 0 and mu < 10
    objective = objective_deltas(mpf(1) / 2, mu, nu, square, residual, mpf(sigma)) if tells else None
    return {"name": name, "rows": rows, "labels": labels, "record": record, "label": label, "lambda": lam, "sigma": sigma,
            "delta": delta, "theta": [shown(t) for t in theta], "leverageWithout": shown(mu),
            "leverageWith": shown(dot(record, solved_with)), "squareWithout": shown(dot(solved, solved)),
            "residualWithout": shown(residual), "residualWith": shown(mpf(label) - dot(record, theta_with)),
            "moved": shown(moved), "outputEpsilon": shown(root(lambda e: gaussian_delta(e, s), mpf(delta))),
            "objectiveDeltas": [shown(one) for one in objective] if tells else None,
            "posteriorEpsilon": shown(root(lambda e: max(posterior_deltas(e, mu, r)), mpf(delta)))}


def cases(chance):
    def number():
        return round(chance.uniform(-1, 1), 3)

    for d in [1, 2, 3, 6]:
        for n in [0, 1, 8, 40]:
            lam = chance.choice([0.01, 1, 30])
            yield "random", [[number() for _ in range(d)] for _ in range(n)], [number() for _ in range(n)], [
                number() for _ in range(d)], number(), lam
    rows, labels = [[number() for _ in range(3)] for _ in range(12)], [number() for _ in range(12)]
    yield "no regularisation", rows, labels, [0.3, -0.2, 0.9], 0.5, 0
    yield "record of zeros", rows, labels, [0, 0, 0], 0.7, 1
    yield "residual of zero", [], [], [0.5, 0.5], 0, 1
    yield "equal rows", [[0.5, 0.25, 1]] * 7, [0.5] * 7, [0.5, 0.25, 1], -0.5, 0.1
    yield "constant column", [[1, number()] for _ in range(9)], [number() for _ in range(9)], [1, 0.5], 0.25, 0.5
    near = [[a, a + 1e-4 * number()] for a in (number() for _ in range(20))]
    yield "columns nearly alike", near, [number() for _ in near], [0.5, -0.5], 1, 1e-6
    yield "nearly all leverage", [[number(), 0] for _ in range(9)], [number() for _ in range(9)], [0.5, 1], 1, 1e-7
    yield "far record", rows, labels, [300, 20, -100], 40, 1


def main():
    chance = random.Random(13)
    lines = [line(*case, chance.choice([0.05, 0.5, 4]), chance.choice([1e-3, 1e-6, 1e-12])) for case in cases(chance)]
    text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines)
    (HERE / "report" / "influence.ndjson").write_text(text)


main()
