"""Writes `release/crowd.ndjson`: what the winner among one class and others that are level tells of one vote more, with normal
noise on every number, as the largest over their common offset:

    /usr/bin/python3 tests/reference/crowd.py

`noise` is the standard deviation, `classes` how many there are in all, `truth` delta(epsilon), the larger of both directions.
Integrals of the largest number's density in 25 digits; the best offset is where the gap's densities are e^epsilon apart."""
import json
import pathlib
from mpmath import erfc, exp, findroot, log, mp, mpf, nstr, quad, sqrt

mp.dps = 25


def tail(x):
    return erfc(x / sqrt(2)) / 2


def density(x):
    return exp(-x * x / 2) / sqrt(2 * mp.pi)


def told(classes, sigma, epsilon):
    k, c = mpf(classes - 1), 1 / mpf(sigma)
    places = [mpf(p) for p in range(-10, 14)]
    largest = lambda m: k * density(m) * tail(-m) ** (k - 1)
    over = lambda f: quad(lambda m: largest(m) * f(m), places)
    gap = lambda x: over(lambda m: density(m - x))
    sides = []
    for sign in (1, -1):
        # The last class wins, or another one; x is its lead before.
        excess = lambda x: sign * (log(gap(x + c)) - log(gap(x))) - epsilon
        low, high = mpf(-12), mpf(12)
        for _ in range(6):
            middle = (low + high) / 2
            low, high = (middle, high) if sign * excess(middle) > 0 else (low, middle)
        x = findroot(excess, (low, high), tol=mpf(10) ** -30, solver="secant")
        if sign > 0:
            sides.append(over(lambda m: tail(m - x - c) - exp(epsilon) * tail(m - x)))
        else:
            sides.append(over(lambda m: tail(x - m) - exp(epsilon) * tail(x + c - m)))
    return max(sides)


if __name__ == "__main__":
    lines = []
    for classes, sigma, epsilon in ((3, 2, "0"), (3, 2, "0.1"), (3, 0.5, "4"), (10, 2, "1"), (10, 1, "3"), (1000, 2, "0.25"), (10**6, 1, "3"), (10, 50, "0.03")):
        truth = told(classes, sigma, mpf(epsilon))
        lines.append(json.dumps({"classes": classes, "noise": sigma, "epsilon": float(epsilon), "truth": nstr(truth, 18, min_fixed=0, max_fixed=0)}, separators=(",", ":")))
        print(lines[-1], flush=True)
    (pathlib.Path(__file__).parent / "release" / "crowd.ndjson").write_text("\n".join(lines) + "\n")
