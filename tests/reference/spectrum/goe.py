#!/usr/bin/python3
"""The distribution of the largest eigenvalue of GOE(d), by another formula than the core's, and the table goe.ndjson.

    /usr/bin/python3 tests/reference/spectrum/goe.py        (rewrites the table, always with the same bytes)

de Bruijn 1955: with s = x / sqrt 2 and phi_j the orthonormal Hermite functions, the probability that no eigenvalue
exceeds x is Pf A(s) / Pf A(inf), A_jk(s) = 1/2 times the integral over u, v <= s of sgn(v - u) phi_j(u) phi_k(v); an
odd d adds the column tau_j(s), the integral of phi_j up to s. Every entry has a closed form by recurrence. Numbers are
integers that count steps of 2^-bits; 1 - F is taken at the end, so `bits` must exceed the smallest tail by far. Every
value is computed at two precisions, which must agree to 28 digits.
"""
import json
import pathlib
from math import isqrt

import numpy as np
from mpmath import mp, mpf, erfc, exp, findroot, log, nstr, pi, sqrt

TAILS = (1e-3, 1e-6, 1e-12, 1e-30, 1e-100, 1e-290)
LEVELS = (-6.5, -5, -3.5, -2.4, -1.27, 0, 1.4)  # of (x - 2 sqrt d) d^(1/6): the bulk
UPPER = ("0.5", "0.1", "1e-3", "4.2325e-6", "1e-12", "1e-30")
LOWER = ("0.1", "1e-3", "1e-6")


class Ensemble:
    """F and 1 - F for one dimension, to `bits` bits after the point."""

    def __init__(self, d, bits):
        self.d, self.bits = d, bits
        root = lambda a, b: isqrt((a << 2 * bits) // b)
        self.ratio = [root(k, k + 1) for k in range(d + 1)]
        self.step = [root(2, k + 1) for k in range(d + 1)]
        self.half = [root(k, 2) for k in range(d + 2)]
        self.whole = self.pfaffian(self.entries(None))

    def fixed(self, value):
        return int(mp.floor(mp.ldexp(value, self.bits)))

    def functions(self, s):
        """phi_0 ... phi_{d+1} and tau_0 ... tau_{d-1} at s; at infinity for None."""
        d, bits = self.d, self.bits
        if s is None:
            phi, tau = [0] * (d + 2), [self.fixed(pi ** mpf("-0.25") * sqrt(2 * pi))]
        else:
            phi = [self.fixed(pi ** mpf("-0.25") * exp(-s * s / 2))]
            tau = [self.fixed(pi ** mpf("-0.25") * sqrt(pi / 2) * erfc(-s / sqrt(mpf(2))))]
            z = self.fixed(s)
            for k in range(d + 1):
                before = phi[k - 1] * self.ratio[k] if k else 0
                phi.append((((z * phi[k]) >> bits) * self.step[k] - before) >> bits)
        for k in range(d - 1):
            before = tau[k - 1] * self.ratio[k] if k else 0
            tau.append((before - phi[k] * self.step[k]) >> bits)
        return phi, tau

    def entries(self, s):
        d, bits = self.d, self.bits
        phi, tau = self.functions(s)
        slope = [((self.half[k] * phi[k - 1] if k else 0) - self.half[k + 1] * phi[k + 1]) >> bits for k in range(d)]
        same = [self.fixed(1 if s is None else erfc(-s) / 2)]
        for k in range(d - 1):
            same.append(same[k] - (((phi[k] * phi[k + 1]) >> bits) * self.step[k] >> bits + 1))
        size = d + d % 2
        a = np.zeros((size, size), dtype=object)
        for j in range(d):
            if j:
                a[j, 0] = -a[0, j]
            for k in range(d - 1):
                overlap = same[j] if j == k else ((phi[j] * slope[k] - slope[j] * phi[k]) >> bits) // (2 * (j - k))
                before = a[j, k - 1] * self.ratio[k] if k else 0
                a[j, k + 1] = (before + (overlap - (phi[k] * tau[j] >> bits + 1)) * self.step[k]) >> bits
        if d % 2:
            for j in range(d):
                a[j, d], a[d, j] = tau[j], -tau[j]
        # The recurrence runs along rows and knows nothing of this; it would fail for a wrong entry.
        assert abs(a + a.T).max() < 1 << 40 + 4 * size.bit_length()
        return a

    def pfaffian(self, a):
        """By elimination of two rows and columns at a time, with the largest pivot of the row."""
        bits, result = self.bits, mpf(1)
        while len(a) > 0:
            pivot = 1 + int(np.argmax(abs(a[0, 1:])))
            if pivot != 1:
                a[[1, pivot]] = a[[pivot, 1]]
                a[:, [1, pivot]] = a[:, [pivot, 1]]
                result = -result
            head = a[0, 1]
            result *= mp.ldexp(mpf(head), -bits)
            u, v = a[2:, 0], a[2:, 1]
            w = (u << bits) // head
            a = a[2:, 2:] - ((np.multiply.outer(w, v) - np.multiply.outer(v, w)) >> bits)
        return result

    def below(self, x):
        return self.pfaffian(self.entries(mpf(x) / sqrt(mpf(2)))) / self.whole


ensembles = {}


def ensemble(d, bits):
    if (d, bits) not in ensembles:
        ensembles[d, bits] = Ensemble(d, bits)
    return ensembles[d, bits]


def precisions(d, tail):
    """Bits enough for a tail of 10^-tail and for what the elimination loses, then as many as to see that they were."""
    for spare in (140, 240):
        bits = int(3.33 * tail) + 3 * d + spare
        mp.prec = bits + 40
        yield bits


def same(values):
    first, second = values
    assert abs(first - second) <= mpf(10) ** -27 * abs(second), values
    return second


def truth(d, x, tail):
    """F and 1 - F, both relative to the smaller of them, which is about 10^-tail."""
    values = [ensemble(d, bits).below(x) for bits in precisions(d, tail)]
    return same(values), same([1 - value for value in values])


def crude_tail(d, x):
    """log10 of 1 - F, roughly: only to choose where to ask."""
    mp.prec = 80
    s = mpf(x) / sqrt(mpf(2))
    phi, t = [exp(-s * s / 2), 0], [sqrt(pi / 2) * erfc(s / sqrt(mpf(2))), 0]
    for k in range(d - 1):
        phi, t = ([sqrt(mpf(2) / (k + 1)) * s * phi[0] - sqrt(mpf(k) / (k + 1)) * phi[1], phi[0]],
                  [sqrt(mpf(k) / (k + 1)) * t[1] + sqrt(mpf(2) / (k + 1)) * phi[0], t[0]])
    return float(log(t[0] * sqrt(mpf(d)) / 2 ** 1.5, 10))


def places(d):
    """Multiples of 1/64, which are doubles, over the bulk and at the tails; with the size of the smaller tail."""
    for level in LEVELS:
        yield round(64 * (2 * d ** 0.5 + level * d ** (-1 / 6))) / 64, 16
    for tail in TAILS if d <= 101 else TAILS[1:4]:
        low, high = 2 * d ** 0.5, 2 * d ** 0.5 + 60
        while high - low > 1 / 128:
            middle = (low + high) / 2
            low, high = (middle, high) if crude_tail(d, middle) > np.log10(tail) else (low, middle)
        yield round(64 * low) / 64, int(-np.log10(tail)) + 2


def quantile(d, p, side):
    upper, goal, values = side == "upperTail", log(p), []
    x = 2 * d ** 0.5 + d ** (-1 / 6) * (-1.3 + (1 if upper else -1) * 0.25 * abs(np.log(float(p) * 2)) ** 0.7)
    step = 1 / 16
    for bits in precisions(d, int(-np.log10(float(p))) + 2):
        at = ensemble(d, bits).below
        height = lambda x: log(1 - at(x) if upper else at(x)) - goal
        x = findroot(height, (mpf(x), x + mpf(step)), tol=mpf(10) ** -58, verify=False)
        values.append(x)
        step = mpf(10) ** -30
    return same(values)


def lines():
    for d in (1, 2, 3, 4, 5, 10, 21, 50, 51, 100, 101, 200):
        for x, tail in list(places(d))[2:9] if d == 200 else places(d):
            below, above = truth(d, x, tail)
            yield {"dimension": d, "x": x, "cdf": nstr(below, 25), "survival": nstr(above, 25)}
        if 1 < d < 200:
            for side, tails in (("upperTail", UPPER), ("lowerTail", LOWER)):
                for p in tails if d < 100 else tails[1:-1]:
                    yield {"dimension": d, side: float(p), "quantile": nstr(quantile(d, mpf(float(p)), side), 25)}


if __name__ == "__main__":
    table = pathlib.Path(__file__).parent / "goe.ndjson"
    with table.open("w") as file:
        for line in lines():
            print(json.dumps(line, separators=(",", ":")), file=file, flush=True)
