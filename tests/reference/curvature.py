#!/usr/bin/python3
"""Writes release/curvature.ndjson, how far a record moves the minimum of a logistic regression whose losses curve at least so
much, and checks by brute force what core/model/movement.h proves, and that what is printed elsewhere is not private:

    /usr/bin/python3 tests/reference/curvature.py

`ask: moved`: the root r of lambda r + m (1 - e^(-C r)) / C = g, in 60 digits, by halving.
"""
import itertools
import json
import pathlib
import random
from mpmath import exp, expm1, inf, log, log1p, matrix, mp, mpf, ncdf, nstr, sqrt

mp.dps = 60


def root(f, low, high, steps=240):
    """Where a growing function passes 0."""
    low, high = mpf(low), mpf(high)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return high


def moved(gradient, lam, curvature, norm):
    gradient, lam, curvature, norm = map(mpf, (gradient, lam, curvature, norm))
    return root(lambda r: lam * r - curvature * expm1(-norm * r) / norm - gradient, 0, gradient / lam)


def lines():
    for norm, lam, curvature in itertools.product((1, 1.5), (0.25, 40, 1e-5), (0, 1e-3, 0.7, 30, 2.5e6)):
        asked = {"gradient": norm, "lambda": lam, "curvature": curvature, "norm": norm}
        yield json.dumps({"ask": "moved", **asked, "truth": nstr(moved(norm, lam, curvature, norm), 25)})


# Tables: pairs of a record x and y in {-1, 1}.


def sigmoid(u):
    return 1 / (1 + exp(-u))


def minimum(table, lam, d):
    """By Newton's method with halved steps; the curvature there, lambda left out."""
    theta = matrix(d, 1)

    def at(theta):
        gradient, hessian = lam * theta, matrix(d, d)
        for x, y in table:
            p = sigmoid(-y * sum(x[j] * theta[j] for j in range(d)))
            for i in range(d):
                gradient[i] -= y * p * x[i]
                for j in range(d):
                    hessian[i, j] += p * (1 - p) * x[i] * x[j]
        return gradient, hessian

    size = lambda g: sqrt(sum(e * e for e in g))
    for _ in range(200):
        gradient, hessian = at(theta)
        if size(gradient) < mpf(10) ** -20:
            return theta, hessian
        step, length = mp.lu_solve(hessian + lam * mp.eye(d), gradient), mpf(1)
        while size(at(theta - length * step)[0]) > size(gradient) and length > mpf(10) ** -6:
            length /= 2
        theta -= length * step
    raise ArithmeticError("no minimum")


def least(hessian):
    return min(mp.eigsy(hessian, eigvals_only=True)) if hessian.rows > 1 else hessian[0, 0]


def nearest(d, tables):
    """Of random tables and those of two kinds of equal rows: the largest shares of what is proven, of the movement and of
    the eigenvalue, C = 1."""
    mp.dps, shares = 25, [mpf(0), mpf(0)]
    for lam, table, record in tables:
        lam = mpf(lam)
        (theta, hessian), (other, with_it) = minimum(table, lam, d), minimum(table + [record], lam, d)
        r = sqrt(sum((theta[i] - other[i]) ** 2 for i in range(d)))
        for m in (least(hessian), least(with_it)):
            shares[0] = max(shares[0], r / moved(1, lam, m, 1))
        shares[1] = max(shares[1], abs(least(hessian) - least(with_it)))
    mp.dps = 60
    assert max(shares) <= 1, shares
    return shares


def equal_rows():
    for lam, right, wrong, y in itertools.product((0.01, 1), (1, 30, 3000), (0, 1, 40), (-1, 1)):
        yield lam, [([mpf(1)], 1)] * right + [([mpf(1)], -1)] * wrong, ([mpf(1)], y)


def random_rows(count):
    source = random.Random(20261123)
    for _ in range(count):
        record = lambda: (lambda a, r: ([r * mp.cos(a), r * mp.sin(a)], source.choice((-1, 1))))(
            source.uniform(0, 7), source.uniform(0, 1) ** 0.2)
        yield 10 ** source.uniform(-2, 1), [record() for _ in range(source.randint(1, 12))], record()


def normals(mean, deviation, other, other_deviation, epsilon):
    """The mass of N(mean, deviation^2) where its density is above e^epsilon times the other's, less e^epsilon the other's."""
    a = (1 / other_deviation**2 - 1 / deviation**2) / 2
    b = mean / deviation**2 - other / other_deviation**2
    c = other**2 / other_deviation**2 / 2 - mean**2 / deviation**2 / 2 + log(other_deviation / deviation) - epsilon
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return max(mpf(0), 1 - exp(epsilon)) if a > 0 else mpf(0)
    low, high = sorted(((-b - sqrt(discriminant)) / (2 * a), (-b + sqrt(discriminant)) / (2 * a)))
    inside = lambda m, s: ncdf((high - m) / s) - ncdf((low - m) / s)
    outside = lambda m, s: ncdf((low - m) / s) + ncdf((m - high) / s)
    mass = outside if a > 0 else inside
    return mass(mean, deviation) - exp(epsilon) * mass(other, other_deviation)


def counted(right, wrong, lam):
    """The minimum of so many records (1, 1) and (1, -1), and the whole curvature there."""
    theta = root(lambda t: lam * t - right * sigmoid(-t) + wrong * sigmoid(t), -50, 50)
    return theta, lam + (right + wrong) * sigmoid(theta) * sigmoid(-theta)


def printed(delta, epsilon=1, rows=10**6, lam=1000):
    """Redberg 2023, Theorem B.3.6: N(theta, 1 / (gamma H)), gamma by (L + beta)/a (1 + log(2/delta)) + gamma/a +
    sqrt(gamma log(2/delta) / a) = epsilon, L = R = C = 1, beta = 1/4, a = H. How often the exact delta is what is stated."""
    theta, a = counted(rows, 0, lam)
    tail = log(2 / mpf(delta))
    gamma = root(lambda g: mpf(1.25) / a * (1 + tail) + g / a + sqrt(g * tail / a) - epsilon, 0, 10**9)
    other, b = counted(rows, 1, lam)
    return normals(theta, 1 / sqrt(gamma * a), other, 1 / sqrt(gamma * b), epsilon) / mpf(delta)


if __name__ == "__main__":
    path = pathlib.Path(__file__).parent / "release" / "curvature.ndjson"
    path.write_text("\n".join(lines()) + "\n")
    for name, d, tables in (("equal rows", 1, equal_rows()), ("random rows", 2, random_rows(150))):
        print(f"{name}: share of the movement, of the eigenvalue:", [nstr(one, 4) for one in nearest(d, tables)])
    for delta in ("1e-6", "1e-10"):
        times = printed(delta)
        assert times > 1
        print(f"printed noise at delta = {delta}: the exact delta is {nstr(times, 4)} times that")
