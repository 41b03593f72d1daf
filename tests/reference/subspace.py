#!/usr/bin/python3
"""Rewrites subspace/subspace.ndjson: eigenvalues and projections of symmetric matrices, and how far one record moves a
projection.

    /usr/bin/python3 tests/reference/subspace.py

`ask: system`: a lower triangle, its eigenvalues from the largest, and the projection onto those of the k largest, as the
integral of the resolvent around them: no eigenvector is computed. Eigenvalues are bracketed by counting the pivots' signs
in exact fractions. `ask: moved`: a diagonal matrix, a record x, and the Frobenius distance of the projections of the matrix
and of the matrix + sign x x^T; random records, and those that turn two directions most.
"""
import json
import pathlib
import random
from fractions import Fraction
from mpmath import mp, mpf, matrix, eye, exp, pi, sqrt

from arithmetic import shown

mp.dps = 60
HERE = pathlib.Path(__file__).parent


def whole(triangle, d):
    a = [[None] * d for _ in range(d)]
    it = iter(triangle)
    for i in range(d):
        for j in range(i + 1):
            a[i][j] = a[j][i] = next(it)
    return a


def above(a, d, x):
    """How many eigenvalues are above x: pivots of A - x I by exact elimination, x never an eigenvalue of a minor."""
    m = [[a[i][j] - (x if i == j else 0) for j in range(d)] for i in range(d)]
    count = 0
    for k in range(d):
        if m[k][k] == 0:
            return above(a, d, x + Fraction(1, 10**70))
        count += m[k][k] > 0
        for i in range(k + 1, d):
            f = m[i][k] / m[k][k]
            if f:
                for j in range(k + 1, d):
                    m[i][j] -= f * m[k][j]
    return count


def eigenvalues(a, d):
    radius = sum(abs(v) for row in a for v in row) + 1
    found = []
    for i in range(d):
        low, high = -radius, radius
        while high - low > radius / Fraction(10**32):
            middle = (low + high) / 2
            # Short fractions keep elimination fast.
            middle = Fraction(int(middle * 2**130), 2**130)
            if above(a, d, middle) > i:
                low = middle
            else:
                high = middle
        found.append((low + high) / 2)
    return [mpf(v.numerator) / v.denominator for v in found]


def projection(a, d, values, k):
    """1/(2 pi i) times the integral of (z I - A)^-1 around the k largest, by the trapezoid rule on a circle."""
    m = matrix(d, d)
    for i in range(d):
        for j in range(d):
            m[i, j] = mpf(a[i][j].numerator) / a[i][j].denominator
    low = (values[k - 1] + values[k]) / 2
    high = values[0] + (values[k - 1] - values[k]) / 2
    centre, radius = (low + high) / 2, (high - low) / 2
    inside = max(abs(v - centre) for v in values[:k]) / radius
    outside = max(radius / abs(v - centre) for v in values[k:])
    ratio = max(inside, outside)
    nodes = int(45 * mp.log(10) / -mp.log(ratio)) + 8
    total = matrix(d, d)
    for n in range(nodes):
        turn = exp(2j * pi * n / nodes)
        z = centre + radius * turn
        shifted = z * eye(d) - m
        total += (shifted ** -1) * (radius * turn)
    return [total[i, j].real / nodes for i in range(d) for j in range(i + 1)]


def system(name, triangle, d, k):
    exact = [Fraction(v) for v in triangle]
    a = whole(exact, d)
    values = eigenvalues(a, d)
    return {"ask": "system", "name": name, "matrix": triangle, "components": k,
            "values": [shown(v) for v in values], "gap": shown(values[k - 1] - values[k]),
            "projection": [shown(v) for v in projection(a, d, values, k)]}


def distance(first, second, d):
    total, place = mpf(0), 0
    for i in range(d):
        for j in range(i + 1):
            total += (1 if i == j else 2) * (first[place] - second[place]) ** 2
            place += 1
    return sqrt(total)


def with_record(diagonal, x, sign):
    d = len(diagonal)
    return [[(Fraction(diagonal[i]) if i == j else 0) + sign * Fraction(x[i]) * Fraction(x[j])
             for j in range(d)] for i in range(d)]


def moved(rng, name, diagonal, k, x, sign):
    d = len(diagonal)
    a = with_record(diagonal, x, sign)
    values = eigenvalues(a, d)
    after = projection(a, d, values, k)
    before = [mpf(1 if i == j and i < k else 0) for i in range(d) for j in range(i + 1)]
    return {"ask": "moved", "name": name, "diagonal": diagonal, "components": k, "record": x, "sign": sign,
            "gap": diagonal[k - 1] - diagonal[k], "moved": shown(distance(before, after, d))}


def short(x):
    return round(x * 2**20) / 2**20


def unit(rng, d):
    x = [rng.gauss(0, 1) for _ in range(d)]
    n = sum(v * v for v in x) ** 0.5
    return [short(0.999999 * v / n) for v in x]


def worst(gap):
    """Of two directions the angle at which adding a record turns them most: sin^2 = (g + 1) / (2 g)."""
    t = (gap + 1) / (2 * gap)
    return [short(0.999999 * (1 - t) ** 0.5), short(0.999999 * t ** 0.5)]


def main():
    rng = random.Random(20261123)
    lines = []
    hilbert = [1 / (i + j + 1) for i in range(5) for j in range(i + 1)]
    lines.append(system("hilbert", hilbert, 5, 2))
    lines.append(system("diagonal", [3.0, 0.0, -2.0, 0.0, 0.0, 1.0], 3, 1))
    lines.append(system("equal values beside the gap", [5.0, 0.0, 5.0, 1.0, 1.0, 1.0], 3, 2))
    random_one = [short(rng.gauss(0, 1)) for _ in range(21)]
    lines.append(system("random", random_one, 6, 3))
    large = [short(rng.gauss(0, 1)) * 2.0**40 for _ in range(10)]
    lines.append(system("large", large, 4, 1))
    close = [1.0, 2.0**-20, 1.0, 2.0**-22, 2.0**-21, 1.0 + 2.0**-18]
    lines.append(system("close", close, 3, 1))
    for gap in (1.5, 3.0, 20.0, 1000.0):
        lines.append(moved(rng, "worst of two", [gap, 0.0], 1, worst(gap), 1))
    for trial in range(12):
        d = rng.choice([2, 3, 4])
        k = rng.randrange(1, d)
        gap = rng.choice([1.25, 2.0, 8.0])
        top = sorted((short(gap + rng.choice([0, 1]) * rng.expovariate(1)) for _ in range(k - 1)), reverse=True)
        rest = sorted((short(-rng.choice([0, 1]) * rng.expovariate(1)) for _ in range(d - k - 1)), reverse=True)
        lines.append(moved(rng, "random", top + [gap, 0.0] + rest, k, unit(rng, d), rng.choice([1, -1])))
    with open(HERE / "subspace" / "subspace.ndjson", "w") as out:
        for line in lines:
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


main()
