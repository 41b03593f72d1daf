"""Writes `release/crowd.ndjson`: what the winner among one class and others that are level tells of one vote more, with noise
on every number, as the largest over their common offset:

    /usr/bin/python3 tests/reference/crowd.py

`noise` is its law, `scale` the standard deviation or Laplace's scale, `classes` how many there are in all, `truth` delta(epsilon),
the larger of both directions. Integrals of the largest number's density in 25 digits; the best offset is where the gap's densities are e^epsilon apart.

`release/crowd-bound.ndjson`: the same, to 40 digits, of the law that is less dispersed than the largest of any `others` numbers
with Laplace noise; `shift` in scales, `moved` the direction. Its masses are sums of integrals of exponentials."""
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


def least_dispersed(others):
    """The pieces (from, to, density at `to`, slope of its logarithm) of the law whose density at the quantile v is linear between
    n 2^-n at v = 2^-n, for n up to `others`, and `others` v below."""
    pieces, end = [(mpf(0), mp.inf, mpf(0), -1)], mpf(0)
    for n in range(1, others):
        start = end - (mpf(1) / 2 if n == 1 else log(mpf(2 * n) / (n + 1)) / (n - 1))
        pieces.append((start, end, n * mpf(2) ** -n, n - 1))
        end = start
    return pieces + [(-mp.inf, end, others * mpf(2) ** -others, others)]


def integral(slope, low, high, at):
    """Of e^(slope (t - at)) over t from low to high."""
    if low >= high:
        return mpf(0)
    if slope == 0:
        return high - low
    value = lambda t: mpf(0) if mp.isinf(t) else exp(slope * (t - at))
    return (value(high) - value(low)) / slope


def gap_masses(pieces, x):
    """Density, mass below and mass above x of M - Z."""
    density = below = above = mpf(0)
    for start, end, height, slope in pieces:
        # The first piece is e^-t / 2.
        at, scale = (mpf(0), mpf(1) / 2) if slope == -1 else (end, height)
        left, right = (start, min(end, x)), (max(start, x), end)
        # Times e^-(x - t) on the left of x and e^-(t - x) on the right, both written around `at`.
        near = scale * integral(slope + 1, *left, at) * exp(at - x)
        far = scale * integral(slope - 1, *right, at) * exp(x - at)
        mass_left, mass_right = scale * integral(slope, *left, at), scale * integral(slope, *right, at)
        density += (near + far) / 2
        below += mass_left - near / 2 + far / 2
        above += mass_right - far / 2 + near / 2
    return density, below, above


def bound_told(others, shift, epsilon, moved):
    pieces, sign = least_dispersed(others), 1 if moved == "up" else -1
    low, high = mpf(-700), mpf(700)
    for _ in range(130):
        place = (low + high) / 2
        before, after = gap_masses(pieces, sign * place)[0], gap_masses(pieces, sign * (place + shift))[0]
        low, high = (place, high) if log(after) - log(before) > epsilon else (low, place)
    side = 1 if sign > 0 else 2
    return gap_masses(pieces, sign * (low + shift))[side] - exp(epsilon) * gap_masses(pieces, sign * low)[side]


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
    folder = pathlib.Path(__file__).parent / "release"
    (folder / "crowd.ndjson").write_text("\n".join(lines) + "\n")
    lines = []
    mp.dps = 40
    for others, shift, shares in ((2, 0.5, ("-0.5", "0", "0.4", "0.9", "0.99")), (3, 2, ("0.2", "0.95")), (9, 0.05, ("0.1", "0.8")), (40, 7, ("0.5", "0.98")), (200, 60, ("0.7", "0.98"))):
        for share in shares:
            for moved in ("up", "down"):
                epsilon = float(mpf(share) * mpf(shift))
                truth = bound_told(others, mpf(shift), mpf(epsilon), moved)
                line = {"others": others, "shift": shift, "epsilon": epsilon, "moved": moved, "truth": nstr(truth, 25, min_fixed=0, max_fixed=0)}
                lines.append(json.dumps(line, separators=(",", ":")))
                print(lines[-1], flush=True)
    (folder / "crowd-bound.ndjson").write_text("\n".join(lines) + "\n")
