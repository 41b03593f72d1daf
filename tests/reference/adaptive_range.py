#!/usr/bin/env python3
"""Releases of bounded range, each chosen by the answers before it: the supremum of delta(eps), by nested search.

A mechanism whose loss stays in a window of width eta costs the most when it has two losses, t and t - eta; chosen
adaptively,  D_S(eps) = max over the release i that comes next and over t of p D_rest(eps - t) + (1 - p) D_rest(eps - t +
eta_i), with p = (e^eta - e^t)/(e^eta - 1) (Dong, Durfee, Rogers 2020). No lattice: every value is searched anew.

Prints the values that tests/core/adaptive_range_test.cpp holds intervals against, 15 digits.
"""
from functools import lru_cache

from mpmath import exp, mp, mpf, sqrt

mp.dps = 30
GOLDEN = (sqrt(mpf(5)) - 1) / 2


def nothing(eps):
    return max(mpf(0), 1 - exp(eps))


def window(eta, t, rest, eps):
    p = (exp(eta) - exp(t)) / (exp(eta) - 1)
    return p * rest(eps - t) + (1 - p) * rest(eps - t + eta)


def best_window(eta, rest, eps, points, rounds):
    """The largest over t: on a grid, then by golden section around the best point of it."""
    at = lambda t: window(eta, t, rest, eps)
    step = eta / points
    best = max(range(points + 1), key=lambda i: at(i * step))
    low, high = max(mpf(0), (best - 1) * step), min(eta, (best + 1) * step)
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    u, v = at(a), at(b)
    for _ in range(rounds):
        if u > v:
            high, b, v = b, a, u
            a = high - GOLDEN * (high - low)
            u = at(a)
        else:
            low, a, u = a, b, v
            b = low + GOLDEN * (high - low)
            v = at(b)
    return max(u, v, at(best * step))


def value(ranges, eps):
    """ranges: a sorted tuple of widths; a width may come more than once."""

    @lru_cache(maxsize=None)
    def play(rest, level):
        if not rest:
            return nothing(level)
        if level >= sum(rest):
            return mpf(0)
        if level <= -sum(rest):
            return 1 - exp(level)
        depth = len(rest)
        points, rounds = (24, 70) if depth == 1 else (24, 50) if depth == 2 else (12, 40)
        options = []
        for i in sorted(set(rest), key=float):
            left = list(rest)
            left.remove(i)
            options.append(best_window(i, lambda x, left=tuple(left): play(left, x), level, points, rounds))
        return max(options)

    return play(tuple(mpf(r) for r in ranges), mpf(eps))


if __name__ == "__main__":
    closed = lambda eta, eps: (exp(mpf(eta) / 2) - exp(mpf(eps) / 2)) ** 2 / (exp(mpf(eta)) - 1)
    print("one release against its closed form:", mp.nstr(abs(value((1,), 0.3) / closed(1, 0.3) - 1), 3))
    for ranges, levels in (((1, 1), (0, 0.5, 1, 1.9)), ((0.1, 0.1), (0, 0.05, 0.15)), ((4, 4), (0, 3, 6.5)), ((1, 0.5), (0, 0.5, 1, 1.25)),
                           ((1, 0.3), (0.2, 0.9)), ((1, 1, 1), (0.5, 2)), ((1, 0.5, 0.5), (0.75,))):
        for eps in levels:
            print(ranges, eps, mp.nstr(value(ranges, eps), 15), flush=True)
