#!/usr/bin/python3
"""Rewrites report/privacy_report.ndjson: what a publishable report says and costs, from its definitions.

    /usr/bin/python3 tests/reference/privacy_report.py

The leverage x^T H^{-1} x of the published, noisy Hessian by elimination; the bound of the thesis (Redberg 2023,
Algorithms 2 and 9, corrected) and the interval of the realised loss, each as the two extreme values that the true
expression takes over everything the published numbers allow; the price as the profile of the joint Gaussian release,
its epsilon by bisection of the closed form; and the largest price of a logistic record by maximising over p on a fine
grid with refinement. 50 digits.
"""
import json
import pathlib
import random
from mpmath import mp, mpf, matrix, lu_solve, log, sqrt, erfc, erfinv, exp, findroot

from arithmetic import shown

mp.dps = 50
HERE = pathlib.Path(__file__).parent


def two_sided(failure):
    """z with P(|N(0, 1)| > z) = failure."""
    return sqrt(mpf(2)) * mp.erfinv(1 - mpf(failure))


def form(entries, x, shift):
    d = len(x)
    a = matrix(d, d)
    for i in range(d):
        for j in range(d):
            a[i, j] = mpf(entries[max(i, j)][min(i, j)]) + (mpf(shift) if i == j else 0)
    solution = lu_solve(a, matrix([mpf(v) for v in x]))
    return sum(mpf(v) * s for v, s in zip(x, solution))


def positive_definite(entries, shift):
    d = len(entries)
    a = [[mpf(entries[max(i, j)][min(i, j)]) + (mpf(shift) if i == j else 0) for j in range(d)] for i in range(d)]
    for k in range(d):
        if a[k][k] <= 0:
            return False
        for i in range(k + 1, d):
            factor = a[i][k] / a[k][k]
            for j in range(k, d):
                a[i][j] -= factor * a[k][j]
    return True


def thesis(case):
    f1, f2, lam, sigma = (mpf(case[k]) for k in ("first", "second", "lambda", "sigma"))
    noise, floor, z = mpf(case["spectrum"]), mpf(case["floor"]), two_sided(case["failure"])
    x = [mpf(v) for v in case["x"]]
    square = sum(v * v for v in x)
    regularised = floor < 2 * noise
    shift = noise if regularised else 0
    mu = mp.inf
    if positive_definite(case["hessian"], shift):
        mu = (floor + (2 if regularised else 1) * noise) / floor * form(case["hessian"], case["x"], shift)
    mu = min(mu, square / (max(floor, lam + f2 * square) if case["member"] else floor))
    pull = abs(f1 * sum(a * mpf(b) for a, b in zip(x, case["gradient"])))
    told = min(pull + mpf(case["gradientSigma"]) * abs(f1) * sqrt(square) * z, sigma * abs(f1) * sqrt(square) * z)
    q = f1 * f1 * square / (2 * sigma**2)
    if case["member"]:
        loss = -log(1 - f2 * mu) + q + told / sigma**2
    else:
        loss = told / sigma**2 + max(q, log(1 + f2 * mu) - q)
    return regularised, mu, told, loss


def interval(case):
    """The least and the largest of the true expression: the determinant's term from nothing to that of the largest
    leverage, the product x.gradient wherever noise allows it."""
    f1, f2, lam, sigma = (mpf(case[k]) for k in ("first", "second", "lambda", "sigma"))
    z = two_sided(case["failure"])
    x = [mpf(v) for v in case["x"]]
    square = sum(v * v for v in x)
    mu = mpf(case["leverage"])
    pull = sum(a * mpf(b) for a, b in zip(x, case["gradient"]))
    width = mpf(case["gradientSigma"]) * sqrt(square) * z
    low, high = max(pull - width, -sigma * sqrt(square) * z), min(pull + width, sigma * sqrt(square) * z)
    if low > high:
        return None
    q = f1 * f1 * square / (2 * sigma**2)
    most = log(1 + f2 * square / lam)
    if case["member"]:
        a = min(most, -log(1 - f2 * mu) if f2 * mu < 1 else most)
        ends = [q - f1 * g / sigma**2 + t for g in (low, high) for t in (0, a)]
    else:
        a = min(most, log(1 + f2 * mu))
        ends = [q + f1 * g / sigma**2 - t for g in (low, high) for t in (0, a)]
    return min(ends), max(ends)


def delta_of(mu, epsilon):
    phi = lambda t: erfc(-t / sqrt(mpf(2))) / 2
    return phi(mu / 2 - epsilon / mu) - exp(epsilon) * phi(-mu / 2 - epsilon / mu)


def epsilon_of(mu, delta):
    low, high = mpf(0), mu * mu / 2 + mu * sqrt(2 * log(1 / mpf(delta)))
    if delta_of(mu, low) <= delta:
        return mpf(0)
    for _ in range(170):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(mu, middle) > delta else (low, middle)
    return high


def largest(gradient, curvature):
    """By search alone: a grid, then golden section around its best point."""
    a, b = mpf(gradient), mpf(curvature)
    value = lambda p: p * p * (a + (1 - p) ** 2 * b)
    best = max(range(2001), key=lambda i: value(mpf(i) / 2000))
    low, high = max(mpf(0), mpf(best - 1) / 2000), min(mpf(1), mpf(best + 1) / 2000)
    ratio = (sqrt(mpf(5)) - 1) / 2
    for _ in range(240):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (left, high) if value(left) < value(right) else (low, right)
    return max(value(low), value(high), value(mpf(1)))


GIVEN = [
    dict(hessian=[[5.0], [0.3, 4.0]], gradient=[0.7, -1.2], x=[0.6, 0.8], first=-0.4, second=0.24, sigma=5.0, gradientSigma=3.0,
         spectrum=0.2 * 4.1, floor=3.0, failure=0.01, member=True, **{"lambda": 1.0}),
    dict(hessian=[[5.0], [0.3, 4.0]], gradient=[0.7, -1.2], x=[0.6, 0.8], first=-0.4, second=0.24, sigma=5.0, gradientSigma=3.0,
         spectrum=0.2 * 4.1, floor=3.0, failure=0.01, member=False, **{"lambda": 1.0}),
    dict(hessian=[[0.9], [-0.2, 0.7]], gradient=[0.1, 0.1], x=[1.0, 0.0], first=0.5, second=0.25, sigma=1.0, gradientSigma=1.0,
         spectrum=0.5 * 3.0, floor=0.3, failure=0.01, member=True, **{"lambda": 0.3}),
    dict(hessian=[[10.0], [1.0, 9.0], [0.0, 0.5, 12.0]], gradient=[1.0, 2.0, -2.0], x=[0.3, 0.3, 0.3], first=-0.8, second=0.16,
         sigma=8.0, gradientSigma=4.0, spectrum=0.3 * 5.0, floor=8.0, failure=1e-6, member=False, **{"lambda": 2.0}),
]


def cases(generator):
    yield from GIVEN
    for i in range(40):
        d = 1 + i % 5
        number = lambda low, high: round(generator.uniform(low, high), 3)
        x = [number(-1, 1) / d for _ in range(d)]
        lam = number(0.05, 3)
        # Some of them indefinite, some far above the noise.
        size = generator.choice([0.3, 3, 30])
        hessian = [[number(0.2, 1) * size if r == c else number(-0.2, 0.2) * size for c in range(r + 1)] for r in range(d)]
        yield dict(hessian=hessian, gradient=[number(-4, 4) for _ in range(d)], x=x, first=number(-1, 1),
                   second=number(0, 0.25), sigma=number(0.5, 9), gradientSigma=number(0.1, 5), spectrum=number(0.05, 2),
                   floor=round(lam + generator.choice([0, number(0, 5)]), 3), failure=generator.choice([0.01, 1e-6, 1e-15]),
                   member=bool(i % 2), **{"lambda": lam})


def main():
    generator = random.Random(20261123)
    lines = []
    for case in cases(generator):
        regularised, mu, told, loss = thesis(case)
        truth = dict(regularised=regularised, leverage=shown(mu), pull=shown(told), loss=shown(loss))
        lines.append(dict(ask="thesis", **case, truth=truth))
        ask = dict(case, leverage=round(float(mu), 6))
        found = interval(ask)
        if found:
            lines.append(dict(ask="interval", **ask, truth=[shown(v) for v in found]))
    for lipschitz, smoothness, s2, s3, delta in ((0.4, 0.24, 3.0, 0.2, 1e-6), (0.5, 0.25, 1.0, 0.5, 1e-6),
                                                (0.4157, 0.0432, 4.0, 0.3, 1e-6), (1.0, 1.0, None, 2.0, 1e-6),
                                                (1.0, 2.0, None, 1.0, 1e-3), (1.0, 0.25, None, 10.0, 1e-6)):
        square = (mpf(lipschitz) / mpf(s2)) ** 2 if s2 else mpf(0)
        mu = sqrt(square + mpf(smoothness) ** 2 / (2 * mpf(s3) ** 2))
        lines.append(dict(ask="price", lipschitz=lipschitz, smoothness=smoothness, gradientSigma=s2, hessianSigma=s3, delta=delta,
                          truth=dict(mu=shown(mu), epsilon=shown(epsilon_of(mu, mpf(delta))))))
    for gradient, curvature in ((1, 8), (1, 8.5), (1, 9), (1, 11), (1, 16), (1, 30), (1, 100), (0.01, 7), (0, 1), (3, 0), (2.5, 41.7)):
        lines.append(dict(ask="joint", gradient=gradient, curvature=curvature, truth=shown(largest(gradient, curvature))))
    (HERE / "report/privacy_report.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))


main()
