"""Writes `release/crowd.ndjson`: what the winner among one class and others that are level tells of one vote more, with noise
on every number, as the largest over their common offset:

    /usr/bin/python3 tests/reference/crowd.py

`noise` is its law, `scale` the standard deviation or Laplace's scale, `classes` how many there are in all, `truth` delta(epsilon),
the larger of both directions. Integrals of the largest number's density in 25 digits; the best offset is where the gap's densities are e^epsilon apart."""
import json
import pathlib
from mpmath import erfc, exp, findroot, log, mp, mpf, nstr, quad, sqrt

mp.dps = 25


def normal_tail(x):
    return erfc(x / sqrt(2)) / 2


def laplace_tail(x):
    return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2


TAILS = {"gaussian": normal_tail, "laplace": laplace_tail}
DENSITIES = {"gaussian": lambda x: exp(-x * x / 2) / sqrt(2 * mp.pi), "laplace": lambda x: exp(-abs(x)) / 2}


def told(noise, classes, scale, epsilon):
    k, c, tail, density = mpf(classes - 1), 1 / mpf(scale), TAILS[noise], DENSITIES[noise]
    ends = 10 if noise == "gaussian" else 60
    largest = lambda m: k * density(m) * tail(-m) ** (k - 1)

    def over(f, *kinks):
        places = sorted({mpf(p) for p in range(-ends, ends + 5)} | {mpf(kink) for kink in kinks})
        return quad(lambda m: largest(m) * f(m), places)

    gap = lambda x: over(lambda m: density(m - x), x)
    sides = []
    for sign in (1, -1):
        # The last class wins, or another one; x is its lead before.
        excess = lambda x: sign * (log(gap(x + c)) - log(gap(x))) - epsilon
        low, high = mpf(-12), mpf(12)
        for _ in range(6 if noise == "gaussian" else 12):
            middle = (low + high) / 2
            low, high = (middle, high) if sign * excess(middle) > 0 else (low, middle)
        x = findroot(excess, (low, high), tol=mpf(10) ** -30, solver="secant")
        if sign > 0:
            sides.append(over(lambda m: tail(m - x - c) - exp(epsilon) * tail(m - x), x, x + c))
        else:
            sides.append(over(lambda m: tail(x - m) - exp(epsilon) * tail(x + c - m), x, x + c))
    return max(sides)


if __name__ == "__main__":
    lines = []
    normal = ((3, 2, "0"), (3, 2, "0.1"), (3, 0.5, "4"), (10, 2, "1"), (10, 1, "3"), (1000, 2, "0.25"), (10**6, 1, "3"), (10, 50, "0.03"))
    laplace = ((3, 2, "0"), (3, 2, "0.4"), (4, 0.5, "1.9"), (5, 2, "0.43"), (7, 0.1, "9"), (10, 20, "0.049"), (10, 2, "0.4999"))
    for noise, questions in (("gaussian", normal), ("laplace", laplace)):
        for classes, scale, epsilon in questions:
            truth = told(noise, classes, scale, mpf(epsilon))
            line = {"noise": noise, "classes": classes, "scale": scale, "epsilon": float(epsilon), "truth": nstr(truth, 18, min_fixed=0, max_fixed=0)}
            lines.append(json.dumps(line, separators=(",", ":")))
            print(lines[-1], flush=True)
    (pathlib.Path(__file__).parent / "release" / "crowd.ndjson").write_text("\n".join(lines) + "\n")
