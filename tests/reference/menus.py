#!/usr/bin/python3
"""Rewrites report/menus.ndjson: what several rounds cost in each of which one mechanism of a menu is chosen, or none.

    /usr/bin/python3 tests/reference/menus.py

delta of epsilon is the value of the game from its definition, by recursion over the rounds that are left: for
randomized response over its answers, exactly; for two rounds of normal and Laplace noise the first one by an integral
over its output, the second by closed profiles. 40 digits, 25 of them printed. The levels are chosen, and delta follows.
"""
import json
import pathlib
from functools import lru_cache
from mpmath import mp, mpf, exp, erfc, expm1, log, npdf, quad, sqrt

from arithmetic import shown

mp.dps = 40
HERE = pathlib.Path(__file__).parent
SCALES = {"gaussian": "sigma", "laplace": "scale"}


def response(choices, rounds, epsilon):
    """Losses are whole multiples of the budgets, so that few levels differ."""

    @lru_cache(None)
    def value(left, moved):
        level = epsilon - sum(n * e for n, (_, e) in zip(moved, choices))
        if left == 0:
            return max(mpf(0), -expm1(level))
        best = value(left - 1, moved)
        for i, (categories, budget) in enumerate(choices):
            up, down = (tuple(n + step * (j == i) for j, n in enumerate(moved)) for step in (1, -1))
            whole = exp(budget) + categories - 1
            mean = exp(budget) * value(left - 1, up) + value(left - 1, down)
            best = max(best, (mean + (categories - 2) * value(left - 1, moved)) / whole)
        return best

    return value(rounds, (0,) * len(choices))


def tail(x):
    return erfc(x / sqrt(2)) / 2


def gaussian_profile(sigma, level):
    mu = 1 / sigma
    return tail(level / mu - mu / 2) - exp(level) * tail(level / mu + mu / 2)


def laplace_profile(scale, level):
    most = 1 / scale
    if level >= most:
        return mpf(0)
    return -expm1(level) if level <= -most else -expm1((level - most) / 2)


PROFILES = {"gaussian": gaussian_profile, "laplace": laplace_profile}


def last(menu, level):
    return max([max(mpf(0), -expm1(level))] + [PROFILES[kind](scale, level) for kind, scale in menu])


def after(menu, kind, scale, epsilon):
    """The mean over the output of the first release, which is centred at 1 with the record and at 0 without it."""
    if kind == "gaussian":
        loss = lambda x: (x - mpf(1) / 2) / scale**2
        density = lambda x: npdf(x, 1, scale)
        ends, inverse = 1 + 40 * scale, lambda level: level * scale**2 + mpf(1) / 2
    else:
        loss = lambda x: (abs(x) - abs(x - 1)) / scale
        density = lambda x: exp(-abs(x - 1) / scale) / (2 * scale)
        ends, inverse = 1 + 100 * scale, lambda level: (level * scale + 1) / 2
    cuts = {mpf(0), mpf(1)}
    # Where the second round's profile has a corner: at the largest losses, and where another choice becomes better.
    corners = [s / sc for k, sc in menu if k == "laplace" for s in (-1, 1)] + crossings(menu)
    cuts |= {x for x in (inverse(epsilon - corner) for corner in corners) if 1 - ends < x < ends}
    steps = [1 - ends] + sorted(cuts | {mpf(i) * scale for i in range(-8, 12)}) + [ends]
    return quad(lambda x: density(x) * last(menu, epsilon - loss(x)), steps)


def crossings(menu):
    (a, b) = (lambda level, m=m: PROFILES[m[0]](m[1], level) for m in menu)
    found, grid = [], [mpf(i) / 64 for i in range(-320, 321)]
    for low, high in zip(grid, grid[1:]):
        if (a(low) - b(low)) * (a(high) - b(high)) >= 0:
            continue
        for _ in range(130):
            middle = (low + high) / 2
            low, high = (middle, high) if (a(low) - b(low)) * (a(middle) - b(middle)) > 0 else (low, middle)
        found.append(low)
    return found


def noise(menu, epsilon):
    return max([last(menu, epsilon)] + [after(menu, kind, scale, epsilon) for kind, scale in menu])


def lines():
    for choices, rounds, level in [
        ([(2, "0.5"), (10, "1")], 6, "2.1"),
        ([(2, "0.4"), (8, "0.7")], 12, "3.25"),
        ([(2, "0.25"), (3, "0.4"), (20, "1.1")], 5, "1.3"),
        ([(2, "1")], 8, "4.5"),
        ([(2, "0.05"), (6, "0.09")], 30, "0.6"),
    ]:
        kind = {"kind": "randomized-response"}
        menu = [{**kind, "categories": c, "epsilon": float(e)} for c, e in choices]
        value = response([(c, mpf(float(e))) for c, e in choices], rounds, mpf(float(level)))
        yield {"menu": menu, "rounds": rounds}, value, level
    for sigma, scale, level in [("1", "0.75", "2.25"), ("2", "1.5", "1.25"), ("0.5", "0.5", "4.5")]:
        menu = [("gaussian", mpf(sigma)), ("laplace", mpf(scale))]
        shape = [{"kind": k, SCALES[k]: float(s), "sensitivity": 1} for k, s in menu]
        yield {"menu": shape, "rounds": 2}, noise(menu, mpf(level)), level


with open(HERE / "report" / "menus.ndjson", "w") as file:
    for budget, value, level in lines():
        file.write(json.dumps({"budget": budget, "delta": shown(value), "epsilon": level}) + "\n")
